// SPDX-License-Identifier: GPL-3.0-or-later
// Every chapter of docs/manual in every language against English, the files beside it, and the names and keys of the window.
#include <gtest/gtest.h>

#include <QAction>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QShortcut>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextTable>
#include <QXmlStreamReader>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/support/fake_agent_client.h"
#include "tests/support/fake_host.h"
#include "ui/help/help_page.h"
#include "ui/help/manual_book.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/window/main_window.h"

namespace {

using ui::models::ManualBook;
using ui::models::ManualChapter;

constexpr qint64 kMostPictureBytes = 3'000'000;
constexpr std::size_t kLeastChapters = 17;

const ManualBook& book(const std::string& language) {
    static std::map<std::string, ManualBook> books;
    auto& one = books[language];
    if (one.isEmpty()) one = ManualBook(QStringLiteral(TANDEM_MANUAL), QString::fromStdString(language));
    return one;
}

std::string nameOf(const ManualBook& from, const ManualChapter& chapter) {
    return QDir(from.folder()).dirName().toStdString() + "/" + chapter.file.toStdString();
}

// What must be alike in every language: levels of headings, pictures, code, rows of tables, points of lists.
QStringList skeletonOf(const ManualChapter& chapter) {
    static const QRegularExpression picture(R"(!\[[^\]]*\]\(([^)]+)\))");
    QStringList out;
    bool in_code = false;
    for (const QString& line : chapter.text.split('\n')) {
        if (line.startsWith("```")) in_code = !in_code;
        if (in_code || line.startsWith("```")) {
            out << line;
        } else if (line.startsWith('#')) {
            out << QStringLiteral("heading %1").arg(line.indexOf(' '));
        } else if (line.startsWith("| ")) {
            out << QStringLiteral("row of %1").arg(line.count(" | ") + 1);
        } else if (line.startsWith("- ")) {
            out << QStringLiteral("point");
        } else if (const auto match = picture.match(line); match.hasMatch()) {
            out << "picture " + match.captured(1);
        }
    }
    return out;
}

// ---- names of the window -----------------------------------------------------------------------------------------------------------

// "Launch %n worker(s)" as people see it, ready to be compared with a text; %1 and %n take what stands at their place.
struct Template {
    QRegularExpression pattern;
    explicit Template(QString text) {
        text = text.section('\t', 0, 0).remove('&');
        if (text.endsWith(QChar(0x2026))) text.chop(1);
        QString expression = QRegularExpression::escape(text);
        expression.replace(QRegularExpression(R"(\\%L?\\?n|%L?n)"), "(\\d+)");
        expression.replace(QRegularExpression(R"(\\%L?\d|%L?\d)"), "(.+)");
        pattern.setPattern(QRegularExpression::anchoredPattern(expression));
    }
    // The values at the places, sorted; nullopt when the text is another one.
    std::optional<QStringList> match(const QString& text) const {
        const auto found = pattern.match(text);
        if (!found.hasMatch()) return std::nullopt;
        QStringList values = found.capturedTexts().mid(1);
        values.sort();
        return values;
    }
};

struct WindowText {
    std::vector<Template> english, translated;
};

// Of one language's .ts, with the plural forms of English.
std::vector<WindowText> readTexts(const std::string& language) {
    std::map<QString, QStringList> plurals;
    std::vector<WindowText> out;
    for (const std::string& code : {std::string("en"), language}) {
        QFile file(QStringLiteral(TANDEM_RESOURCES "/translations/tandem_%1.ts").arg(QString::fromStdString(code)));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&file);
        QString source;
        QStringList forms;
        bool has_forms = false;
        while (!xml.atEnd()) {
            xml.readNext();
            if (xml.isStartElement() && xml.name() == u"message") has_forms = xml.attributes().value("numerus") == u"yes";
            if (xml.isStartElement() && xml.name() == u"source") {
                source = xml.readElementText();
                forms.clear();
            } else if (xml.isStartElement() && xml.name() == u"numerusform") {
                forms << xml.readElementText();
            } else if (xml.isStartElement() && xml.name() == u"translation" && !has_forms) {
                forms << xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
            } else if (xml.isEndElement() && xml.name() == u"message") {
                if (code == "en") {
                    plurals[source] = forms;
                    continue;
                }
                WindowText text;
                for (const QString& form : plurals.contains(source) ? plurals[source] : QStringList{source})
                    text.english.emplace_back(form);
                for (const QString& form : forms) text.translated.emplace_back(form);
                out.push_back(std::move(text));
            }
        }
    }
    return out;
}

const std::vector<WindowText>& textsOf(const std::string& language) {
    static std::map<std::string, std::vector<WindowText>> all;
    auto& texts = all[language];
    if (texts.empty()) texts = readTexts(language);
    return texts;
}

bool hasWord(const Template& text) {  // "%1: %2" says nothing
    return text.pattern.pattern().remove("(.+)").remove("(\\d+)").contains(QRegularExpression(R"(\p{L}{2}|\p{Lo})"));
}

// A text of the window that an English one is, with the values at its places.
struct Match {
    const WindowText* text;
    QStringList values;
};

// All of them. Kept: the manual asks for the same few names again and again, and each search tries every text of the window.
const std::vector<Match>& matchesOf(const std::string& language, const QString& english) {
    static std::map<std::pair<std::string, QString>, std::vector<Match>> known;
    const auto [at, is_new] = known.try_emplace({language, english});
    if (!is_new) return at->second;
    for (const WindowText& text : textsOf(language)) {
        for (const Template& from : text.english) {
            if (const auto values = hasWord(from) ? from.match(english) : std::nullopt) at->second.push_back({&text, *values});
        }
    }
    return at->second;
}

bool isWindowText(const QString& english) {
    return !matchesOf("ko", english).empty();
}

bool isTranslation(const std::string& language, const QString& english, const QString& translated) {
    for (const Match& match : matchesOf(language, english)) {
        for (const Template& to : match.text->translated) {
            if (const auto there = to.match(translated); there && *there == match.values) return true;
        }
    }
    return false;
}

// Texts in bold by section, outside headings and heads of tables.
std::vector<QStringList> boldOf(const ManualChapter& chapter) {
    QTextDocument document;
    document.setMarkdown(chapter.text, QTextDocument::MarkdownDialectGitHub);
    std::vector<QStringList> sections(1);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() > 0) {
            sections.emplace_back();
            continue;
        }
        const QTextTable* table = QTextCursor(block).currentTable();
        if (table != nullptr && table->cellAt(block.position()).row() == 0) continue;
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            const QTextCharFormat format = it.fragment().charFormat();
            if (format.fontWeight() > QFont::Normal && !format.isImageFormat() && !format.fontFixedPitch()) {
                sections.back() << it.fragment().text().trimmed();
            }
        }
    }
    return sections;
}

// ---- keys of the window ------------------------------------------------------------------------------------------------------------

std::set<QString> defaultKeys() {
    auto world = std::make_shared<tests::FakeAgentWorld>();
    world->host = tests::sampleHost();
    ui::theme::ThemeController themes;
    ui::session::Session session(
        {.connect = [world] { return std::make_unique<tests::FakeAgentClient>(world); }, .share_dir = QStringLiteral(TANDEM_RESOURCES)});
    ui::views::MainWindow window(session, themes);
    std::set<QString> keys;
    for (const QAction* action : window.findChildren<QAction*>()) keys.insert(action->shortcut().toString(QKeySequence::PortableText));
    for (const QShortcut* shortcut : window.findChildren<QShortcut*>()) keys.insert(shortcut->key().toString(QKeySequence::PortableText));
    static const QRegularExpression between(", | then | ");
    for (const auto& section : static_cast<ui::views::HelpPage&>(window.page(ui::views::Mode::kHelp)).sections()) {
        for (const auto& [key, what] : section.keys) {
            for (const QString& one : key.split(between, Qt::SkipEmptyParts)) keys.insert(one);
        }
    }
    keys.erase(QString());
    return keys;
}

const std::set<QString>& keysOfTheWindow() {
    static const std::set<QString> keys = defaultKeys();
    return keys;
}

bool isKey(const QString& text) {
    return keysOfTheWindow().count(text) > 0;
}

// Looks like one, so that it is not taken for a name.
bool looksLikeKey(const QString& text) {
    static const QRegularExpression key(R"(^((Ctrl|Alt|Shift)\+.+|F\d+|[A-Z0-9]|[←→])$)");
    return key.match(text).hasMatch();
}

// ---- the tests ---------------------------------------------------------------------------------------------------------------------

class Manual : public testing::TestWithParam<const char*> {
protected:
    const ManualBook& book_ = book(GetParam());
};

TEST_P(Manual, HasEveryChapterWithHeadingsPicturesAndCodeOfTheEnglishOne) {
    const ManualBook& english = book("en");
    ASSERT_GE(english.chapters().size(), kLeastChapters);
    ASSERT_EQ(QDir(book_.folder()).dirName().toStdString(), GetParam());
    ASSERT_EQ(book_.chapters().size(), english.chapters().size());
    for (std::size_t i = 0; i < english.chapters().size(); ++i) {
        const ManualChapter &here = book_.chapters()[i], &there = english.chapters()[i];
        EXPECT_EQ(here.file, there.file);
        EXPECT_FALSE(here.title.isEmpty()) << nameOf(book_, here);
        EXPECT_EQ(skeletonOf(here).join('\n').toStdString(), skeletonOf(there).join('\n').toStdString()) << nameOf(book_, here);
    }
}

TEST_P(Manual, LinksEveryFileOfItsFolder) {
    for (const QString& file : QDir(book_.folder()).entryList({"*.md"}, QDir::Files)) EXPECT_GE(book_.find(file), 0) << file.toStdString();
}

TEST_P(Manual, LeadsSomewhereWithEveryLink) {
    static const QRegularExpression link(R"(\]\(([^)]+)\))");
    int links = 0;
    for (const ManualChapter& chapter : book_.chapters()) {
        for (auto match = link.globalMatch(chapter.text); match.hasNext();) {
            const QString target = match.next().captured(1);
            ++links;
            if (target.endsWith(".png")) {
                EXPECT_FALSE(QImage(book_.folder() + '/' + target).isNull()) << nameOf(book_, chapter) << ": " << target.toStdString();
                continue;
            }
            const QString file = target.section('#', 0, 0), anchor = target.section('#', 1);
            const int at = file.isEmpty() ? book_.find(chapter.file) : book_.find(file);
            ASSERT_GE(at, 0) << nameOf(book_, chapter) << ": " << target.toStdString();
            EXPECT_TRUE(anchor.isEmpty() || book_.chapters()[static_cast<std::size_t>(at)].anchors.contains(anchor))
                << nameOf(book_, chapter) << ": " << target.toStdString();
        }
    }
    EXPECT_GT(links, 20);
}

TEST_P(Manual, UsesEveryPicture) {
    QString all;
    for (const ManualChapter& chapter : book_.chapters()) all += chapter.text;
    const QStringList pictures = QDir(book_.folder() + "/pictures").entryList(QDir::Files);
    EXPECT_FALSE(pictures.isEmpty());
    for (const QString& picture : pictures) EXPECT_TRUE(all.contains("(pictures/" + picture + ")")) << picture.toStdString();
}

TEST_P(Manual, IsMarkdownToTheLastStar) {
    for (const ManualChapter& chapter : book_.chapters()) {
        QTextDocument document;
        document.setMarkdown(chapter.text, QTextDocument::MarkdownDialectGitHub);
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
            if (block.blockFormat().hasProperty(QTextFormat::BlockCodeFence)) continue;
            for (auto it = block.begin(); !it.atEnd(); ++it) {
                const QString text = it.fragment().text();
                if (it.fragment().charFormat().fontFixedPitch()) continue;
                EXPECT_FALSE(text.contains("**") || text.contains("](") || text.contains('`'))
                    << nameOf(book_, chapter) << ": " << text.toStdString();
            }
        }
    }
}

TEST_P(Manual, NamesKeysThatTheWindowHas) {
    ASSERT_TRUE(isKey("Ctrl+R") && isKey("F1") && isKey("Ctrl+Shift+T")) << "the window's keys were not read";
    for (const ManualChapter& chapter : book_.chapters()) {
        for (const QStringList& section : boldOf(chapter)) {
            for (const QString& text : section) {
                EXPECT_TRUE(isKey(text) || !looksLikeKey(text)) << nameOf(book_, chapter) << ": " << text.toStdString();
            }
        }
    }
}

TEST_P(Manual, NamesWhatTheWindowShows) {
    const std::string language = GetParam();
    int names = 0;
    for (std::size_t i = 0; i < book_.chapters().size(); ++i) {
        const auto here = boldOf(book_.chapters()[i]), there = boldOf(book("en").chapters()[i]);
        ASSERT_EQ(here.size(), there.size());
        const std::string where = nameOf(book_, book_.chapters()[i]);
        for (std::size_t s = 0; s < here.size(); ++s) {
            for (const QString& english : there[s]) {
                if (isKey(english) && here[s].contains(english)) continue;
                ++names;
                EXPECT_TRUE(isWindowText(english)) << where << ": the window has no \"" << english.toStdString() << '"';
                const bool found = language == "en" || std::any_of(here[s].begin(), here[s].end(), [&](const QString& text) {
                                       return isTranslation(language, english, text);
                                   });
                EXPECT_TRUE(found) << where << ", section " << s << ": no translation of \"" << english.toStdString() << "\" in bold";
            }
            for (const QString& text : here[s]) {
                if (isKey(text) || language == "en") continue;
                EXPECT_TRUE(std::any_of(there[s].begin(), there[s].end(),
                                        [&](const QString& english) { return isTranslation(language, english, text); }))
                    << where << ", section " << s << ": \"" << text.toStdString() << "\" is no name that the English text has there";
            }
        }
    }
    EXPECT_GT(names, 150);
}

INSTANTIATE_TEST_SUITE_P(Languages, Manual, testing::Values("en", "ko", "zh_CN"), [](const auto& test) { return std::string(test.param); });

TEST(ManualPictures, AreSmallAndOfOneSize) {
    qint64 bytes = 0;
    for (const char* language : {"en", "ko", "zh_CN"}) {
        const QDir folder(QStringLiteral(TANDEM_MANUAL "/%1/pictures").arg(language));
        for (const QFileInfo& picture : folder.entryInfoList({"*.png"}, QDir::Files)) {
            bytes += picture.size();
            EXPECT_EQ(QImage(picture.filePath()).size(), QSize(1100, 700)) << picture.filePath().toStdString();
        }
    }
    EXPECT_LT(bytes, kMostPictureBytes);
}

}  // namespace

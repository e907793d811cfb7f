// Each text that the sources of ui/ hand to tr() has a finished translation in every language, with the same places for values.
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/cluster/strategy_support.h"
#include "ui/canvas/layer_look.h"

namespace {

constexpr int kDeadlineMs = 180'000;

struct Message {
    QString source;
    bool plural = false, finished = true;
    QStringList translations;  // one, or one a plural form
};
using Key = std::tuple<QString, QString, QString>;  // context, source, comment
using Messages = std::map<Key, Message>;

Messages readTs(const QString& path) {
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
    QXmlStreamReader xml(&file);
    Messages out;
    QString context, comment;
    Message message;
    while (!xml.atEnd()) {
        const auto token = xml.readNext();
        if (token == QXmlStreamReader::StartElement) {
            if (xml.name() == u"name") {
                context = xml.readElementText();
            } else if (xml.name() == u"message") {
                message = {};
                comment.clear();
                message.plural = xml.attributes().value("numerus") == u"yes";
            } else if (xml.name() == u"source") {
                message.source = xml.readElementText();
            } else if (xml.name() == u"comment") {
                comment = xml.readElementText();
            } else if (xml.name() == u"translation") {
                message.finished = !xml.attributes().hasAttribute("type");
                if (!message.plural) message.translations << xml.readElementText();
            } else if (xml.name() == u"numerusform") {
                message.translations << xml.readElementText();
            }
        } else if (token == QXmlStreamReader::EndElement && xml.name() == u"message") {
            out[{context, message.source, comment}] = message;
        }
    }
    EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
    return out;
}

// What lupdate finds in the sources now.
const Messages& textsOfTheSources() {
    static const Messages texts = [] {
        const QTemporaryDir folder;
        const QString path = folder.filePath("sources.ts");
        QProcess lupdate;
        lupdate.start(LUPDATE, {"-silent", "-locations", "none", TANDEM_UI_SOURCES, "-ts", path});
        EXPECT_TRUE(lupdate.waitForFinished(kDeadlineMs)) << lupdate.errorString().toStdString();
        return readTs(path);
    }();
    return texts;
}

// "%1", "%n" … each as often as it stands there, in order of name.
QStringList placesOf(const QString& text) {
    static const QRegularExpression place("%L?(\\d+|n)");
    QStringList found;
    for (auto match = place.globalMatch(text); match.hasNext();) found << match.next().captured(1);
    found.sort();
    return found;
}

std::string nameOf(const Key& key) {
    return (std::get<0>(key) + ": " + std::get<1>(key)).toStdString();
}

class Translations : public testing::TestWithParam<const char*> {
protected:
    Messages texts_ = readTs(QStringLiteral(TANDEM_RESOURCES "/translations/tandem_%1.ts").arg(GetParam()));
    // English holds what a plural form changes, nothing else.
    bool isWanted(const Message& message) const { return message.plural || std::string(GetParam()) != "en"; }
};

TEST_P(Translations, HaveEveryTextOfTheSources) {
    ASSERT_GT(textsOfTheSources().size(), 400u) << "lupdate read nothing";
    for (const auto& [key, source] : textsOfTheSources()) {
        if (!isWanted(source)) continue;
        const auto found = texts_.find(key);
        if (found == texts_.end()) {
            ADD_FAILURE() << nameOf(key) << " is missing: build update_translations, then translate it";
            continue;
        }
        const Message& message = found->second;
        EXPECT_TRUE(message.finished) << nameOf(key);
        EXPECT_FALSE(message.translations.isEmpty() || message.translations.contains(QString())) << nameOf(key) << " has no translation";
    }
}

// What lupdate does not see, update_translations would drop.
TEST_P(Translations, HoldNothingThatUpdateTranslationsWouldDrop) {
    for (const auto& [key, message] : texts_) EXPECT_TRUE(textsOfTheSources().contains(key)) << nameOf(key);
}

// Labels are made from the engine's names and its hints are handed on: lupdate sees the lists of ui/canvas in their place.
TEST_P(Translations, HaveEveryLabelAndHintOfAField) {
    using namespace engine::spec;
    const Messages& known = std::string(GetParam()) == "en" ? textsOfTheSources() : texts_;  // English: as they are written
    std::vector<FieldSchema> fields;
    const auto add = [&fields](const auto& schemas) {
        for (const auto& schema : schemas) fields.insert(fields.end(), schema.fields.begin(), schema.fields.end());
    };
    add(layerSchemas());
    add(optimizerSchemas());
    add(lossSchemas());
    add(scheduleSchemas());
    add(callbackSchemas());
    add(featureColumnSchemas());
    add(mixSchemas());
    RunSpec run;
    run.cluster.on_task_lost = OnTaskLost::kContinue;  // its form has every field
    for (const auto& option : strategyOptions(run)) {
        run.strategy.name = option.name;
        for (const ObjectSchema& ops : crossDeviceOpsSchemas()) {
            run.strategy.cross_device_ops = {ops.class_name, {}};
            for (const StrategyField& field : strategyFields(run)) fields.push_back(field.schema);
        }
        for (const ObjectSchema& partitioner : partitionerSchemas()) {
            run.strategy.variable_partitioner = {partitioner.class_name, {}};
            for (const StrategyField& field : strategyFields(run)) fields.push_back(field.schema);
        }
    }
    ASSERT_GT(fields.size(), 100u);
    for (const FieldSchema& field : fields) {
        EXPECT_TRUE(known.contains(Key{"FieldLabels", ui::canvas::fieldLabel(field.name), ""})) << field.name;
        const QString hint = QString::fromStdString(field.hint);
        EXPECT_TRUE(hint.isEmpty() || known.contains(Key{"FieldHints", hint, ""})) << "the hint of " << field.name << ": " << field.hint;
    }
}

TEST_P(Translations, KeepThePlacesOfValues) {
    for (const auto& [key, message] : texts_) {
        for (const QString& translation : message.translations) {
            EXPECT_EQ(placesOf(translation), placesOf(message.source)) << nameOf(key) << " -> " << translation.toStdString();
        }
    }
}

// Korean and Chinese menus carry no letters; Alt opens the menu row and the arrows walk through it.
TEST_P(Translations, LeaveNoLetterMarkInMenus) {
    static const QRegularExpression letter("&[A-Za-z0-9]");
    if (std::string(GetParam()) == "en") return;
    for (const auto& [key, message] : texts_) {
        for (const QString& translation : message.translations) EXPECT_FALSE(translation.contains(letter)) << nameOf(key);
    }
}

// A particle goes by the last sound of what stands before it, which a value does not tell: a sentence is made so that it needs none.
TEST(KoreanTexts, LeaveNoParticleToChoose) {
    static const QRegularExpression choice(QString::fromUtf8(
        "을\\(를\\)|를\\(을\\)|이\\(가\\)|가\\(이\\)|은\\(는\\)|는\\(은\\)|\\(으\\)로|와\\(과\\)|과\\(와\\)|이\\(나\\)|\\(이\\)"));
    static const QRegularExpression guess(QString::fromUtf8("%L?\\d+(을|를|가|은|는|와|과|로|으로)(?=[\\s,.]|$)"));
    ASSERT_TRUE(choice.isValid() && guess.isValid());
    for (const auto& [key, message] : readTs(QStringLiteral(TANDEM_RESOURCES "/translations/tandem_ko.ts"))) {
        for (const QString& text : message.translations)
            EXPECT_FALSE(text.contains(choice) || text.contains(guess)) << nameOf(key) << ": " << text.toStdString();
    }
}

INSTANTIATE_TEST_SUITE_P(Languages, Translations, testing::Values("en", "ko", "zh_CN"), [](const auto& test) { return test.param; });

}  // namespace

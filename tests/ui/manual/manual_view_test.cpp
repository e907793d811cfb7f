// SPDX-License-Identifier: GPL-3.0-or-later
// The manual as it is read in the window: contents, links, search, languages, themes, pictures.
#include "ui/help/manual_view.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextFrame>
#include <QTreeView>

#include "ui/help/manual_text.h"

namespace ui::views {
namespace {

constexpr auto kIndex = "# A manual\n\nWords.\n\n1. [First](first.md)\n2. [Second](second.md)\n";
constexpr auto kFirst =
    "# The first\n\nSee the [ring](second.md#a-ring-of-tasks) and the needle.\n\n![Wide](pictures/wide.png)\n\n```sh\ntandem-cli "
    "runs\n```\n";
constexpr auto kSecond =
    "# The second\n\n## Other\n\nA needle, and one more Needle.\n\n### TDM-C001\n\nTwo tasks.\n\n## A ring of tasks\n\nBack to [the "
    "first](first.md).\n";

void write(const QString& path, const char* text) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
}

class ManualViewTest : public testing::Test {
protected:
    ManualViewTest() {
        write(folder_.filePath("en/index.md"), kIndex);
        write(folder_.filePath("en/first.md"), kFirst);
        write(folder_.filePath("en/second.md"), kSecond);
        write(folder_.filePath("ko/index.md"), "# 설명서\n\n1. [첫째](first.md)\n");
        write(folder_.filePath("ko/first.md"), "# 첫째 장\n\n## 절\n\n글.\n");
        QDir().mkpath(folder_.filePath("en/pictures"));
        QImage wide(1600, 400, QImage::Format_RGB32);
        wide.fill(Qt::darkGreen);
        EXPECT_TRUE(wide.save(folder_.filePath("en/pictures/wide.png")));
        themes_.setChoice(theme::Choice::kLight);
        view_ = std::make_unique<ManualView>(folder_.path(), themes_, nullptr);
        view_->retranslate();
        view_->resize(900, 600);
        view_->show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(view_.get(), 180'000));
        QApplication::setActiveWindow(view_.get());  // a display without a window manager activates none
        view_->open();
    }
    template <typename Widget>
    Widget& find(const char* name) {
        return *view_->findChild<Widget*>(name);
    }
    ManualText& text() { return find<ManualText>("manual"); }
    QString shown() { return text().toPlainText(); }

    QTemporaryDir folder_;
    theme::ThemeController themes_;
    std::unique_ptr<ManualView> view_;
};

TEST_F(ManualViewTest, ListsChaptersInTheOrderOfTheIndexAndOpensThem) {
    auto& contents = find<QTreeView>("manualContents");
    ASSERT_EQ(contents.model()->rowCount(), 3);
    EXPECT_EQ(contents.model()->index(0, 0).data().toString(), "A manual");
    const QModelIndex second = contents.model()->index(2, 0);
    EXPECT_EQ(contents.model()->index(1, 0, second).data().toString(), "A ring of tasks");
    emit contents.clicked(contents.model()->index(1, 0, second));
    EXPECT_EQ(view_->place(), "second.md#a-ring-of-tasks");
    EXPECT_EQ(text().textCursor().block().text(), "A ring of tasks");
}

TEST_F(ManualViewTest, FollowsLinksAndGoesBack) {
    ASSERT_TRUE(view_->follow("first.md"));
    emit text().anchorClicked(QUrl("second.md#a-ring-of-tasks"));
    EXPECT_EQ(view_->place(), "second.md#a-ring-of-tasks");
    EXPECT_FALSE(view_->follow("missing.md"));
    EXPECT_FALSE(view_->follow("#nowhere"));
    QTest::keyClick(&text(), Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(view_->place().section('#', 0, 0), "first.md");
    view_->forward();
    EXPECT_EQ(view_->place().section('#', 0, 0), "second.md");
}

// The chapter of errors has a heading of the third level for each code; the contents list those of the second alone.
TEST_F(ManualViewTest, LeadsToHeadingsOfTheThirdLevel) {
    EXPECT_TRUE(view_->follow("second.md#tdm-c001"));
    EXPECT_EQ(view_->place(), "second.md#tdm-c001");
    EXPECT_FALSE(view_->follow("second.md#tdm-c002"));
    EXPECT_EQ(view_->place(), "second.md#tdm-c001");
    EXPECT_EQ(view_->book().chapters()[2].sections.size(), 2U);
}

TEST_F(ManualViewTest, SearchesThisChapterThenTheOthers) {
    ASSERT_TRUE(view_->follow("first.md"));
    auto& field = find<QLineEdit>("manualSearch");
    field.setText("needle");
    EXPECT_TRUE(find<QLabel>("manualFound").text().contains("1"));
    QTest::keyClick(&field, Qt::Key_Return);
    EXPECT_EQ(view_->place(), "first.md");
    QTest::keyClick(&field, Qt::Key_Return);
    EXPECT_EQ(view_->place(), "second.md") << "past the last place of a chapter";
    EXPECT_EQ(text().extraSelections().size(), 2);
    EXPECT_TRUE(find<QLabel>("manualFound").text().startsWith("1 of 2"));
    QTest::keyClick(&field, Qt::Key_Return);
    QTest::keyClick(&field, Qt::Key_Return);
    EXPECT_EQ(view_->place(), "first.md") << "and round";
    field.setText("not there at all");
    QTest::keyClick(&field, Qt::Key_Return);
    EXPECT_EQ(view_->place(), "first.md");
    EXPECT_TRUE(text().extraSelections().isEmpty());
}

TEST_F(ManualViewTest, ReadsTheLanguageOfTheWindowAndEnglishWhereThereIsNone) {
    ASSERT_TRUE(view_->follow("first.md"));
    themes_.setLanguage("ko");
    view_->retranslate();
    EXPECT_TRUE(shown().startsWith("첫째 장")) << "the same chapter";
    themes_.setLanguage("zh_CN");
    view_->retranslate();
    EXPECT_TRUE(shown().startsWith("The first"));
    EXPECT_EQ(QDir(view_->book().folder()).dirName(), "en");
}

TEST_F(ManualViewTest, FitsPicturesIntoTheColumnAndKeepsThemSharp) {
    ASSERT_TRUE(view_->follow("first.md"));
    const auto picture = [this] {
        for (QTextBlock block = text().document()->begin(); block.isValid(); block = block.next()) {
            for (auto it = block.begin(); !it.atEnd(); ++it) {
                if (it.fragment().charFormat().isImageFormat()) return it.fragment().charFormat().toImageFormat();
            }
        }
        return QTextImageFormat();
    };
    const auto drawn = [this, &picture] {
        return text().document()->resource(QTextDocument::ImageResource, QUrl(picture().name())).value<QImage>();
    };
    const double before = picture().width();
    EXPECT_GT(before, 300);
    EXPECT_LE(before, text().viewport()->width());
    EXPECT_EQ(drawn().width(), qRound(before * drawn().devicePixelRatio())) << "a pixel of the picture for each of the screen";
    EXPECT_NEAR(before / picture().height(), 4, 0.05);
    view_->resize(700, 600);
    EXPECT_TRUE(QTest::qWaitFor([&] { return picture().width() < before; }, 180'000));
    EXPECT_EQ(text().horizontalScrollBar()->maximum(), 0);
}

TEST_F(ManualViewTest, TakesTheColoursOfBothThemes) {
    ASSERT_TRUE(view_->follow("first.md"));
    for (const auto choice : {theme::Choice::kDark, theme::Choice::kLight}) {
        themes_.setChoice(choice);
        EXPECT_EQ(view_->place(), "first.md");
        bool has_link = false;
        for (QTextBlock block = text().document()->begin(); block.isValid(); block = block.next()) {
            for (auto it = block.begin(); !it.atEnd(); ++it) {
                if (!it.fragment().charFormat().isAnchor()) continue;
                has_link = true;
                EXPECT_EQ(it.fragment().charFormat().foreground().color(), themes_.theme().accent);
            }
        }
        EXPECT_TRUE(has_link);
        const auto frames = text().document()->rootFrame()->childFrames();
        ASSERT_EQ(frames.size(), 1) << "the code";
        EXPECT_EQ(frames.front()->frameFormat().background().color(), themes_.theme().sunken);
    }
}

TEST_F(ManualViewTest, SaysWhereAMissingManualWasExpected) {
    const QTemporaryDir nothing;
    ManualView empty(nothing.path(), themes_, nullptr);
    empty.retranslate();
    empty.open();
    EXPECT_TRUE(empty.findChild<ManualText*>("manual")->toPlainText().contains(nothing.path()));
    EXPECT_FALSE(empty.follow("first.md"));
}

}  // namespace
}  // namespace ui::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hosts/run_folder_dialog.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "made_up_run.h"
#include "ui/session/host/far_hosts.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/text_label.h"

namespace ui::views {
namespace {

using tests::waitUntil;

class RunFolderDialogTest : public testing::Test {
protected:
    void SetUp() override {
        {
            const std::lock_guard lock(studio_.world().mutex);
            studio_.world().runs.push_back({.id = "far", .name = "far", .created_unix_ns = 1, .run_dir = "/shared/run"});
        }
        ASSERT_TRUE(studio_.agentIsReady());
        studio_.hosts().setEntries({{.name = "login", .destination = "ann@login"}});
        studio_.session().farHosts().reload();
        ASSERT_TRUE(waitUntil([&] { return studio_.session().farHosts().hosts().size() == 1; }));
        dialog_ = std::make_unique<RunFolderDialog>(studio_.session(), themes_);
        dialog_->show();
    }
    template <typename Widget>
    Widget& find(const char* name) {
        return *dialog_->findChild<Widget*>(QLatin1String(name));
    }
    void type(const QString& text) {
        auto& field = find<QLineEdit>("runFolderPath");
        field.setFocus();
        field.selectAll();
        QTest::keyClicks(&field, text);
    }
    QString problem() { return find<widgets::TextLabel>("runFolderProblem").text(); }

    tests::MadeUpStudio studio_;
    theme::ThemeController themes_;
    std::unique_ptr<RunFolderDialog> dialog_;
};

TEST_F(RunFolderDialogTest, OpensTheFolderOfAHost) {
    EXPECT_TRUE(find<QPushButton>("runFolderBrowse").isEnabled());
    find<QComboBox>("runFolderHost").setCurrentIndex(1);
    EXPECT_FALSE(find<QPushButton>("runFolderBrowse").isEnabled()) << "folders of another computer can't be looked through from here";
    type("/shared/run");
    QSignalSpy closed(dialog_.get(), &QDialog::accepted);
    QTest::mouseClick(&find<QPushButton>("runFolderOpen"), Qt::LeftButton);
    EXPECT_FALSE(find<QPushButton>("runFolderOpen").isEnabled()) << "once";
    ASSERT_TRUE(waitUntil([&] { return closed.count() == 1; }));
    ASSERT_NE(studio_.session().runs().current(), nullptr);
    EXPECT_EQ(studio_.session().runs().current()->id(), "far");
    const std::lock_guard lock(studio_.world().mutex);
    ASSERT_EQ(studio_.world().folders.size(), 1U);
    EXPECT_EQ(studio_.world().folders.front().host, "login");
}

TEST_F(RunFolderDialogTest, StaysWithTheReasonWhereTheFolderIsNone) {
    EXPECT_FALSE(find<QPushButton>("runFolderOpen").isEnabled());
    type("run");
    EXPECT_EQ(problem(), "The folder begins with /.");
    EXPECT_FALSE(find<QPushButton>("runFolderOpen").isEnabled());
    type("/shared/none");
    EXPECT_EQ(problem(), "");
    QTest::keyClick(&find<QLineEdit>("runFolderPath"), Qt::Key_Return);
    ASSERT_TRUE(waitUntil([&] { return !problem().isEmpty(); }));
    EXPECT_TRUE(problem().startsWith("/shared/none: expected the folder of a run")) << problem().toStdString();
    EXPECT_TRUE(dialog_->isVisible());
    EXPECT_TRUE(find<QPushButton>("runFolderOpen").isEnabled()) << "to be tried again";
    const std::lock_guard lock(studio_.world().mutex);
    EXPECT_EQ(studio_.world().folders.front().host, "") << "this computer's";
}

}  // namespace
}  // namespace ui::views

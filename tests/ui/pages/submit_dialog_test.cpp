// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/submit_dialog.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include "made_up_run.h"
#include "ui/session/host/far_hosts.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/text_label.h"

namespace ui::views {
namespace {

using tests::waitUntil;

class SubmitDialogTest : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(studio_.agentIsReady());
        ASSERT_TRUE(studio_.openTwoWorkers());
        dialog_ = std::make_unique<SubmitDialog>(studio_.session(), themes_);
        dialog_->resize(1080, 664);
        dialog_->show();
    }
    template <typename Widget>
    Widget& find(const char* name) {
        return *dialog_->findChild<Widget*>(QLatin1String(name));
    }
    void type(const char* name, const QString& text) {
        auto& field = find<QLineEdit>(name);
        field.setFocus();
        field.selectAll();
        QTest::keyClicks(&field, text);
    }
    QString problem() { return find<widgets::TextLabel>("submitProblem").text(); }

    tests::MadeUpStudio studio_;
    theme::ThemeController themes_;
    std::unique_ptr<SubmitDialog> dialog_;
};

TEST_F(SubmitDialogTest, ShowsTheScriptAsItIsFilledIn) {
    EXPECT_EQ(find<QSpinBox>("submitNodes").value(), 2) << "a node for each task of the cluster";
    find<QSpinBox>("submitNodes").setValue(3);
    find<QSpinBox>("submitGpus").setValue(1);
    type("submitTime", "02:00:00");
    type("submitFolder", "/shared/first run");
    const QString script = find<QPlainTextEdit>("submitScript").toPlainText();
    EXPECT_TRUE(script.contains("#SBATCH --nodes=3\n")) << script.toStdString();
    EXPECT_TRUE(script.contains("#SBATCH --gpus-per-task=1\n")) << script.toStdString();
    EXPECT_TRUE(script.contains("#SBATCH --time=02:00:00\n")) << script.toStdString();
    EXPECT_TRUE(script.contains("run='/shared/first run'\n")) << script.toStdString();
    EXPECT_EQ(problem(), "");
}

TEST_F(SubmitDialogTest, SaysWhatIsWrongAndSubmitsNothing) {
    type("submitTime", "soon");
    EXPECT_TRUE(problem().startsWith("--time: expected ")) << problem().toStdString();
    EXPECT_FALSE(find<QPushButton>("submitUse").isEnabled());
    type("submitTime", "60");
    EXPECT_TRUE(find<QPushButton>("submitUse").isEnabled());
    type("submitFolder", "run");
    EXPECT_EQ(problem(), "The folder begins with /.");
    EXPECT_FALSE(dialog_->isGood());
}

TEST_F(SubmitDialogTest, HandsTheProjectOverAndShowsTheRun) {
    type("submitFolder", "/shared/run");
    QSignalSpy closed(dialog_.get(), &QDialog::accepted);
    QTest::mouseClick(&find<QPushButton>("submitUse"), Qt::LeftButton);
    EXPECT_FALSE(find<QPushButton>("submitUse").isEnabled()) << "once";
    ASSERT_TRUE(waitUntil([&] { return closed.count() == 1; }));
    ASSERT_NE(studio_.session().runs().current(), nullptr);
    EXPECT_EQ(studio_.session().runs().current()->summary().run_dir, "/shared/run");
    const std::lock_guard lock(studio_.world().mutex);
    ASSERT_EQ(studio_.world().jobs.size(), 1U);
    EXPECT_EQ(studio_.world().jobs.front().job.run_folder, "/shared/run");
    EXPECT_EQ(taskCount(studio_.world().jobs.front().job), 2);
    EXPECT_EQ(studio_.world().jobs.front().host, "");
    EXPECT_EQ(studio_.world().jobs.front().run, studio_.session().project().spec());
}

TEST_F(SubmitDialogTest, ChangesValuesOfTheProjectForTheJobAlone) {
    auto& settings = find<QPlainTextEdit>("submitSettings");
    const auto set = [&](const QString& text) {
        settings.setPlainText(text);
        return problem().toStdString();
    };
    EXPECT_EQ(set("epochs"), "--set: expected a setting PATH=VALUE, got epochs");
    EXPECT_FALSE(dialog_->isGood());
    EXPECT_EQ(set("fit.epochs=many").substr(0, 22), "fit.epochs: expected a");
    find<QSpinBox>("submitSeeds").setValue(3);
    EXPECT_EQ(set("fit.seed=7"),
              "--seeds: expected no setting of fit.seed beside it, which gives each run a seed of its own, got fit.seed=7");
    find<QSpinBox>("submitSeeds").setValue(1);
    EXPECT_EQ(set("\n  fit.epochs=7 \nname=for the cluster\n"), "");
    ASSERT_TRUE(dialog_->isGood());
    EXPECT_FALSE(find<QPlainTextEdit>("submitScript").toPlainText().contains("fit.epochs")) << "the project that is handed over has it";
    QSignalSpy closed(dialog_.get(), &QDialog::accepted);
    QTest::mouseClick(&find<QPushButton>("submitUse"), Qt::LeftButton);
    ASSERT_TRUE(waitUntil([&] { return closed.count() == 1; }));
    const std::lock_guard lock(studio_.world().mutex);
    ASSERT_EQ(studio_.world().jobs.size(), 1U);
    EXPECT_EQ(studio_.world().jobs.front().run.fit.epochs, 7);
    EXPECT_EQ(studio_.world().jobs.front().run.name, "for the cluster");
    EXPECT_TRUE(studio_.world().jobs.front().job.settings.empty());
    EXPECT_NE(studio_.session().project().spec().fit.epochs, 7) << "the project stays as it is";
}

TEST_F(SubmitDialogTest, HandsTheProjectOverByAHostOfTheList) {
    studio_.hosts().setEntries({{.name = "login", .destination = "ann@login"}, {.name = "node2", .destination = "node2"}});
    studio_.session().farHosts().reload();
    ASSERT_TRUE(waitUntil([&] { return studio_.session().farHosts().hosts().size() == 2; }));
    SubmitDialog dialog(studio_.session(), themes_);
    dialog.show();
    auto* host = dialog.findChild<QComboBox*>("submitHost");
    auto* folder = dialog.findChild<QLineEdit*>("submitFolder");
    const QString here = folder->text();
    host->setCurrentIndex(1);
    EXPECT_EQ(folder->text(), "") << "a folder of this computer means nothing there";
    EXPECT_TRUE(dialog.isGood()) << "the host chooses one";
    EXPECT_FALSE(dialog.findChild<QPushButton*>("submitBrowse")->isEnabled());
    host->setCurrentIndex(0);
    EXPECT_EQ(folder->text(), here);
    host->setCurrentIndex(1);
    QSignalSpy closed(&dialog, &QDialog::accepted);
    QTest::mouseClick(dialog.findChild<QPushButton*>("submitUse"), Qt::LeftButton);
    ASSERT_TRUE(waitUntil([&] { return closed.count() == 1; }));
    const std::lock_guard lock(studio_.world().mutex);
    ASSERT_EQ(studio_.world().jobs.size(), 1U);
    const agent::client::JobRequest& request = studio_.world().jobs.front();
    EXPECT_EQ(request.host, "login");
    EXPECT_TRUE(request.job.programs.empty() && request.job.run_folder.empty());
}

TEST_F(SubmitDialogTest, KnowsWhatTheLastJobAskedOfTheCluster) {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
    tests::MadeUpStudio studio(&settings);
    ASSERT_TRUE(studio.agentIsReady() && studio.openTwoWorkers());
    studio.hosts().setEntries({{.name = "login", .destination = "ann@login"}});
    studio.session().farHosts().reload();
    ASSERT_TRUE(waitUntil([&] { return studio.session().farHosts().hosts().size() == 1; }));
    const auto open = [&] {
        dialog_ = std::make_unique<SubmitDialog>(studio.session(), themes_);
        dialog_->show();
    };
    open();
    find<QComboBox>("submitHost").setCurrentIndex(1);
    find<QSpinBox>("submitNodes").setValue(5);
    find<QSpinBox>("submitCores").setValue(8);
    type("submitPartition", "long");
    open();
    EXPECT_EQ(find<QLineEdit>("submitPartition").text(), "") << "that job was not submitted";
    find<QComboBox>("submitHost").setCurrentIndex(1);
    find<QSpinBox>("submitNodes").setValue(5);
    find<QSpinBox>("submitCores").setValue(8);
    type("submitPartition", "long");
    find<QPlainTextEdit>("submitSettings").setPlainText("fit.epochs=7");
    QSignalSpy closed(dialog_.get(), &QDialog::accepted);
    QTest::mouseClick(&find<QPushButton>("submitUse"), Qt::LeftButton);
    ASSERT_TRUE(waitUntil([&] { return closed.count() == 1; }));
    open();
    EXPECT_EQ(find<QComboBox>("submitHost").currentData().toString(), "login");
    EXPECT_EQ(find<QLineEdit>("submitFolder").text(), "") << "the host chooses it";
    EXPECT_EQ(find<QSpinBox>("submitCores").value(), 8);
    EXPECT_EQ(find<QLineEdit>("submitPartition").text(), "long");
    EXPECT_EQ(find<QLineEdit>("submitTime").text(), "");
    EXPECT_EQ(find<QSpinBox>("submitNodes").value(), 2) << "those are the project's";
    EXPECT_EQ(find<QPlainTextEdit>("submitSettings").toPlainText(), "fit.epochs=7");
    EXPECT_TRUE(dialog_->isGood());
    ASSERT_TRUE(studio.session().project().openStarter("mnist_mlp"));
    open();
    EXPECT_EQ(find<QPlainTextEdit>("submitSettings").toPlainText(), "") << "that was for another project";
    EXPECT_EQ(find<QLineEdit>("submitPartition").text(), "long");
    dialog_.reset();
}

TEST_F(SubmitDialogTest, StaysWithSlurmsReasonWhenItTakesNoJob) {
    {
        const std::lock_guard lock(studio_.world().mutex);
        studio_.world().slurm_says = "Slurm took no job: invalid partition specified: nosuch";
    }
    type("submitPartition", "nosuch");
    QTest::mouseClick(&find<QPushButton>("submitUse"), Qt::LeftButton);
    ASSERT_TRUE(waitUntil([&] { return problem() == "Slurm took no job: invalid partition specified: nosuch"; }))
        << problem().toStdString();
    EXPECT_TRUE(dialog_->isVisible());
    EXPECT_TRUE(find<QPushButton>("submitUse").isEnabled());
    type("submitPartition", "main");
    EXPECT_EQ(problem(), "");
}

}  // namespace
}  // namespace ui::views

// SPDX-License-Identifier: GPL-3.0-or-later
// The first hour of a new user, from an empty HOME: open the marked project, look at its data, change its model, save it, launch two
// workers, lose one, stop, go on from the backup to the end, train a second model, compare the two, evaluate and export the first, close
// the window and find everything again. What each page says of the run is one story all the way.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QTableView>
#include <algorithm>
#include <csignal>

#include "engine/spec/cluster/task_plan.h"
#include "home.h"
#include "studio.h"
#include "ui/canvas/model_canvas.h"
#include "ui/charts/chart_card.h"
#include "ui/export/export_dialog.h"
#include "ui/models/run_table_model.h"
#include "ui/monitor/monitor_marks.h"
#include "ui/session/event_list.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/project/recent_projects.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_names.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/values.h"
#include "ui/welcome/template_card.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/status_pill.h"
#include "ui/widgets/text_label.h"
#include "ui/window/output_panes.h"

namespace tests {
namespace {

using ui::models::RunTableModel;
using ui::session::RunRecord;
using ui::session::RunState;
using ui::views::ExportPage;
using ui::views::Mode;

constexpr int kTrainingMs = 240'000;  // for twelve epochs on a busy machine
constexpr int kEpochs = 12;

class FirstHour : public testing::Test {
protected:
    QString pill(const char* name) { return studio_->find<ui::widgets::StatusPill>(name).text(); }
    QTableView& table() { return studio_->find<QTableView>("runTable"); }
    QModelIndex rowOf(const QString& run, int column) {
        const auto& model = static_cast<const RunTableModel&>(*table().model());
        for (int row = 0; row < model.rowCount(); ++row)
            if (const auto* shown = model.run(row); shown != nullptr && shown->id == run) return model.index(row, column);
        throw std::runtime_error("no row of run " + run.toStdString());
    }
    QString cell(const QString& run, int column) { return rowOf(run, column).data().toString(); }

    void openTheMarkedProject() {
        EXPECT_EQ(studio_->window().mode(), Mode::kWelcome);
        EXPECT_TRUE(studio_->session().runs().list().empty());
        EXPECT_TRUE(studio_->session().recents().list().empty());
        studio_->doubleClickAt(studio_->find<ui::views::TemplateCard>("template_mnist_two_workers"), {60, 60});
        ASSERT_EQ(studio_->window().mode(), Mode::kModel);
        EXPECT_EQ(pill("modelState"), "Fits the data");
        studio_->clickMode(Mode::kData);
        ASSERT_TRUE(waitFor([this] { return studio_->session().project().dataset().train_samples == 60'000; })) << "the data that ship";
        studio_->shoot("hour-1-data");
    }

    // One layer more; the code beside it is in step.
    void changeTheModel() {
        studio_->clickMode(Mode::kModel);
        studio_->clickNode(4);
        studio_->key(Qt::Key_A);
        studio_->key(Qt::Key_O);
        const auto& layers = studio_->session().project().spec().model.layers;
        ASSERT_EQ(layers.size(), 6u);
        EXPECT_EQ(layers[4].class_name, "Dropout");
        EXPECT_EQ(pill("modelState"), "Fits the data");
        const QString file = home_.path("first.tandem");
        studio_->inFileDialog(file, [this] { studio_->key(Qt::Key_S, Qt::ControlModifier); });
        ASSERT_TRUE(QFile::exists(file));
        EXPECT_FALSE(studio_->session().project().isModified());
        studio_->shoot("hour-2-model");
    }

    void launchTwoWorkers() {
        studio_->chooseFreePorts();
        studio_->key(Qt::Key_S, Qt::ControlModifier);
        studio_->clickMode(Mode::kCluster);
        auto& launch = studio_->find<QPushButton>("launchButton");
        EXPECT_EQ(launch.text(), "Launch 2 workers");
        EXPECT_EQ(studio_->session().launcher().obstacle(), QString());
        studio_->shoot("hour-3-cluster");
        studio_->click(launch);
        ASSERT_TRUE(waitFor([this] { return studio_->session().runs().current() != nullptr; }));
        EXPECT_EQ(studio_->window().mode(), Mode::kMonitor);
    }

    // A lost worker is started again by itself.
    void loseAWorker() {
        RunRecord& run = studio_->run();
        ASSERT_TRUE(waitFor([&] { return !run.checkpoints().empty() || isFinal(run.state()); }));
        ASSERT_FALSE(isFinal(run.state())) << run.summary().detail.toStdString();
        const auto workers = home_.processes("tandem-worker", {QStringLiteral("\"index\": 1")});
        ASSERT_EQ(workers.size(), 1u);
        ::kill(workers.front(), SIGKILL);
        ASSERT_TRUE(waitFor([&] {
            return isFinal(run.state()) ||
                   (run.attempts().size() == 1 && run.attempts()[0].resumed_step && run.lastStep() > *run.attempts()[0].resumed_step + 20);
        }));
        ASSERT_FALSE(isFinal(run.state())) << run.summary().detail.toStdString();
        studio_->shoot("hour-4-lost-worker");
    }

    void stopAndGoOnToTheEnd() {
        RunRecord& run = studio_->run();
        const QString id = run.id(), folder = run.summary().run_dir;
        studio_->click("monitorStop");
        ASSERT_TRUE(waitFor([&] { return isFinal(run.state()); }));
        ASSERT_EQ(run.state(), RunState::kStopped) << run.summary().detail.toStdString();
        ASSERT_TRUE(waitFor([&] { return studio_->find("monitorRestart").isVisible() && studio_->find("monitorRestart").isEnabled(); }))
            << studio_->session().launcher().restartObstacle().toStdString();
        studio_->click("monitorRestart");
        ASSERT_TRUE(waitFor([&] { return run.attempts().size() == 2; })) << "the same run goes on";
        ASSERT_TRUE(waitFor([&] { return isFinal(run.state()); }, kTrainingMs));
        ASSERT_EQ(run.state(), RunState::kDone) << run.summary().detail.toStdString();
        EXPECT_EQ(&studio_->run(), &run);
        EXPECT_EQ(run.id(), id);
        EXPECT_EQ(run.summary().run_dir, folder);
        EXPECT_EQ(run.summary().name, "MNIST on two workers");
        EXPECT_TRUE(waitFor([this] { return pill("monitorState") == "Done"; }));
        studio_->shoot("hour-5-done");
    }

    // One curve, one list of checkpoints, one time in all; a mark at each restart.
    void expectOneStory(const RunRecord& run) {
        ASSERT_EQ(run.attempts().size(), 2u);
        EXPECT_FALSE(run.attempts()[0].started.by_hand);
        EXPECT_TRUE(run.attempts()[1].started.by_hand);
        ASSERT_EQ(run.global().size(), static_cast<std::size_t>(run.totalSteps()));
        const auto& steps = run.global().step;
        for (std::size_t i = 0; i < steps.size(); ++i) ASSERT_EQ(steps[i], static_cast<double>(i + 1));
        EXPECT_EQ(run.epochs().size(), static_cast<std::size_t>(kEpochs));
        EXPECT_GT(run.epochs().back().log("val_accuracy"), 0.97);
        std::vector<int> saved;
        for (const auto& one : run.checkpoints()) saved.push_back(one.saved.epoch);
        for (int epoch = 0; epoch < kEpochs; ++epoch)
            EXPECT_NE(std::find(saved.begin(), saved.end(), epoch), saved.end()) << "the checkpoint of epoch " << epoch;
        const auto marks = ui::views::controlMarks(run);
        const auto restarts =
            std::count_if(marks.begin(), marks.end(), [](const auto& mark) { return mark.kind == ui::charts::Marker::Kind::kRestart; });
        EXPECT_EQ(restarts, 2);
    }

    // Half the units, as another run of the same project.
    void trainASecondModel() {
        const QString first = studio_->run().id();
        studio_->clickMode(Mode::kModel);
        studio_->clickNode(4);
        QLineEdit& units = *studio_->find("field_units").findChild<QLineEdit*>();
        studio_->click(units);
        studio_->key(Qt::Key_A, Qt::ControlModifier);
        studio_->type("32");
        studio_->key(Qt::Key_Return);
        ASSERT_EQ(studio_->session().project().spec().model.layers[3].config.getInt("units", 0), 32);
        studio_->key(Qt::Key_R, Qt::ControlModifier);
        ASSERT_TRUE(waitFor([&] { return studio_->run().id() != first; }));
        RunRecord& run = studio_->run();
        ASSERT_TRUE(waitFor([&] { return isFinal(run.state()); }, kTrainingMs));
        ASSERT_EQ(run.state(), RunState::kDone) << run.summary().detail.toStdString();
        EXPECT_TRUE(run.attempts().empty()) << "not in the folder of the first";
    }

    void compare(const QString& first, const QString& second) {
        studio_->clickMode(Mode::kRuns);
        ASSERT_TRUE(waitFor([this] { return table().model()->rowCount() == 2; })) << "one row a run, whatever happened to it";
        EXPECT_EQ(cell(first, RunTableModel::kState), "Done");
        for (const QString& run : {first, second}) {
            const QModelIndex box = rowOf(run, RunTableModel::kCheck);
            if (box.data(Qt::CheckStateRole).toInt() == Qt::Unchecked) studio_->clickRow(table(), box);
        }
        auto& loss = studio_->find<ui::charts::ChartCard>("compareLoss");
        ASSERT_TRUE(waitFor([&] { return loss.seriesCount() == 2 && !loss.drawnPoints(0).empty() && !loss.drawnPoints(1).empty(); }));
        studio_->shoot("hour-6-compared");
        studio_->chooseSegment(studio_->find<ui::widgets::SegmentedControl>("compareTabs"), 1);
        const auto& differences = *studio_->find<QTableView>("settingsTable").model();
        QStringList told;
        for (int row = 0; row < differences.rowCount(); ++row) {
            QStringList values;
            for (int column = 0; column < differences.columnCount(); ++column) values << differences.index(row, column).data().toString();
            told << values.join('|');
        }
        EXPECT_TRUE(std::any_of(told.begin(), told.end(), [](const QString& row) {
            return row.contains("units") && row.split('|').contains("64") && row.split('|').contains("32");
        })) << told.join('\n').toStdString();
        studio_->shoot("hour-7-differences");
    }

    void evaluate(const QString& run) {
        studio_->clickRow(table(), rowOf(run, RunTableModel::kName));
        studio_->click("evaluateButton");
        auto& facts = studio_->find<ui::widgets::TextLabel>("evaluateFacts");
        EXPECT_TRUE(waitFor([&] { return facts.isVisible() && facts.text().contains("10,000 samples"); })) << facts.text().toStdString();
        studio_->shoot("hour-8-evaluated");
        studio_->click("evaluateBack");
    }

    // Opens the dialog on Monitor, picks the kind, writes; the names of the files.
    QStringList exportAs(ExportPage page, const QString& folder) {
        studio_->click("monitorExport");
        auto& kinds = studio_->find<QListView>("exportKinds");
        studio_->clickRow(kinds, kinds.model()->index(static_cast<int>(page), 0));
        studio_->click("exportFolder");
        studio_->key(Qt::Key_A, Qt::ControlModifier);
        studio_->type(folder);
        studio_->click("exportConfirm");
        EXPECT_TRUE(waitFor([this] { return studio_->window().findChild<ui::views::ExportDialog*>() == nullptr; }));
        return QDir(folder).entryList(QDir::Files, QDir::Name);
    }
    static QString textOf(const QString& file) {
        QFile in(file);
        EXPECT_TRUE(in.open(QIODevice::ReadOnly)) << file.toStdString();
        return QString::fromUtf8(in.readAll());
    }

    void exportTheRun(const QString& id) {
        studio_->doubleClickRow(table(), rowOf(id, RunTableModel::kName));
        ASSERT_TRUE(waitFor([&] { return studio_->window().mode() == Mode::kMonitor && studio_->run().id() == id; }));
        RunRecord& run = studio_->run();
        ASSERT_TRUE(waitFor([&] { return run.hasAllEvents(); }));
        const QString stem = ui::session::fileStemOf(run.summary());
        EXPECT_EQ(stem, "MNIST-on-two-workers") << "as the run is called, not as its id";
        const QString folder = home_.path("exported");
        EXPECT_EQ(exportAs(ExportPage::kReport, folder + "/report"), QStringList{stem + ".html"});
        const QString report = textOf(folder + "/report/" + stem + ".html");
        EXPECT_TRUE(report.contains(id) && report.contains("3 attempts")) << report.left(3000).toStdString();
        EXPECT_EQ(exportAs(ExportPage::kData, folder + "/data"), QStringList{stem + ".csv"});
        QStringList steps;
        for (const QString& line : textOf(folder + "/data/" + stem + ".csv").split('\n'))
            if (line.startsWith("loss,")) steps << line.section(',', 1, 1);
        ASSERT_EQ(steps.size(), static_cast<int>(run.totalSteps()));
        for (int i = 0; i < steps.size(); ++i) ASSERT_EQ(steps[i], QString::number(i + 1));
        EXPECT_EQ(exportAs(ExportPage::kTfConfig, folder + "/tf_config"), (QStringList{"worker-0.json", "worker-1.json"}));
        EXPECT_EQ(exportAs(ExportPage::kKeras, folder + "/keras"), QStringList{stem + ".keras"});
    }

    Home home_;
    std::unique_ptr<Studio> studio_ = std::make_unique<Studio>(home_.path("studio"));
};

TEST_F(FirstHour, EndsWithARunThatWasRestartedComparedAndExported) {
    ASSERT_TRUE(studio_->agentIsReady()) << studio_->session().host().agentProblem().toStdString();
    ASSERT_NO_FATAL_FAILURE(openTheMarkedProject());
    ASSERT_NO_FATAL_FAILURE(changeTheModel());
    ASSERT_NO_FATAL_FAILURE(launchTwoWorkers());
    ASSERT_NO_FATAL_FAILURE(loseAWorker());
    ASSERT_NO_FATAL_FAILURE(stopAndGoOnToTheEnd());
    const QString first = studio_->run().id();
    ASSERT_NO_FATAL_FAILURE(expectOneStory(studio_->run()));
    ASSERT_NO_FATAL_FAILURE(trainASecondModel());
    const QString second = studio_->run().id();
    ASSERT_NO_FATAL_FAILURE(compare(first, second));
    ASSERT_NO_FATAL_FAILURE(evaluate(first));
    ASSERT_NO_FATAL_FAILURE(exportTheRun(first));
    for (const auto& event : studio_->session().events().rows())
        EXPECT_NE(event.severity, engine::spec::Severity::kError) << event.text.toStdString();

    studio_.reset();
    studio_ = std::make_unique<Studio>(home_.path("studio"));
    ASSERT_TRUE(waitFor([&] { return studio_->session().runs().list().size() == 2; }));
    const auto recent = studio_->session().recents().list();
    ASSERT_EQ(recent.size(), 1u);
    EXPECT_EQ(recent[0].path, home_.path("first.tandem"));
    studio_->session().runs().show(first);
    ASSERT_TRUE(waitFor([&] { return studio_->run().id() == first && studio_->run().hasAllEvents(); }));
    expectOneStory(studio_->run());
}

}  // namespace
}  // namespace tests

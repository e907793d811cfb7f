// SPDX-License-Identifier: GPL-3.0-or-later
// The Data page with the real engine behind it.
#include "ui/data/data_page.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <functional>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/spec/cluster/cluster_edit.h"
#include "engine/spec/project/run_spec.h"
#include "made_up_run.h"
#include "tests/support/real_engine.h"
#include "ui/data/data_batch.h"
#include "ui/data/data_facts.h"
#include "ui/data/data_mix.h"
#include "ui/data/data_pipeline.h"
#include "ui/data/data_samples.h"
#include "ui/data/data_shards.h"
#include "ui/data/data_wizard.h"
#include "ui/models/data_set_model.h"
#include "ui/models/numbers.h"
#include "ui/parts/field_editor.h"
#include "ui/parts/finding_list.h"
#include "ui/session/event_list.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/switch_button.h"
#include "ui/widgets/text_label.h"

namespace ui::views {
namespace {

constexpr int kDeadlineMs = 180'000;  // the machine may be busy

// Takes connections and says nothing.
class SilentServer {
public:
    SilentServer() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        address_.sin_family = AF_INET;
        address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof(address_);
        auto* address = reinterpret_cast<sockaddr*>(&address_);
        EXPECT_EQ(bind(socket_, address, size), 0);
        EXPECT_EQ(listen(socket_, 4), 0);
        EXPECT_EQ(getsockname(socket_, address, &size), 0);
    }
    ~SilentServer() { close(socket_); }
    int port() const { return ntohs(address_.sin_port); }
    bool isAsked() const {
        pollfd waits{socket_, POLLIN, 0};
        return poll(&waits, 1, 0) == 1;
    }

private:
    int socket_;
    sockaddr_in address_{};
};

class DataPageTest : public testing::Test {
protected:
    void SetUp() override {
        qputenv("XDG_CACHE_HOME", folder_.filePath("cache").toUtf8());
        qputenv("TANDEM_DATA_DIR", TANDEM_RESOURCES "/datasets");
        qputenv("http_proxy", "http://127.0.0.1:1");
        qputenv("https_proxy", "http://127.0.0.1:1");
        themes_.setChoice(theme::Choice::kLight);
        studio_.world().engine = tests::askRealEngine;
        ASSERT_TRUE(studio_.openTwoWorkers());
        page_ = std::make_unique<DataPage>(studio_.session(), themes_, nullptr);
        page_->resize(1364, 832);
        page_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(page_.get(), 180'000));
        QApplication::setActiveWindow(page_.get());  // a display without a window manager activates none
    }
    void TearDown() override {
        page_.reset();
        for (const char* name : {"XDG_CACHE_HOME", "TANDEM_DATA_DIR", "http_proxy", "https_proxy"}) qunsetenv(name);
    }

    template <typename Widget = QWidget>
    Widget* find(const QString& name) {
        auto* found = page_->findChild<Widget*>(name);
        EXPECT_NE(found, nullptr) << name.toStdString();
        return found;
    }
    bool waitForSummary() {
        return QTest::qWaitFor([this] { return page_->desk().data().phase == session::DataPhase::kReady; }, kDeadlineMs);
    }
    void write(const QString& name, const QByteArray& bytes) {
        QDir(folder_.path()).mkpath(QFileInfo(name).path());
        QFile file(folder_.filePath(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
    const engine::spec::DataSpec& data() { return studio_.session().project().spec().data; }
    PipelinePanel& pipeline() { return *page_->findChild<PipelinePanel*>("pipeline"); }

    QTemporaryDir folder_;
    theme::ThemeController themes_;
    tests::MadeUpStudio studio_;
    std::unique_ptr<DataPage> page_;
};

TEST_F(DataPageTest, ShowsWhatEachDeviceOfAWorkerIsDealt) {
    studio_.session().project().change("Two devices in each worker", [](engine::spec::RunSpec& run) { run.strategy.logical_cpus = 2; });
    const auto& preview = *page_->findChild<ShardPreview*>("shardPreview");
    const auto& steps = page_->desk().shards().steps;
    ASSERT_TRUE(QTest::qWaitFor([&] { return !steps.empty() && !steps[0].parts.empty(); }, kDeadlineMs))
        << page_->desk().shards().problem.toStdString();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return preview.rowCount() == 4 && !preview.samplesOf(3, static_cast<int>(steps.size()) - 1).empty(); }, kDeadlineMs));
    EXPECT_EQ(preview.rowName(0), "worker 0, CPU:0");
    EXPECT_EQ(preview.rowName(3), "worker 1, CPU:1");
    for (int step = 0; step < static_cast<int>(steps.size()); ++step) {
        const auto& tasks = steps[static_cast<std::size_t>(step)].samples;
        std::vector<std::uint32_t> rows, dealt;
        for (int row = 0; row < 4; ++row) {
            const auto samples = preview.samplesOf(row, step);
            EXPECT_EQ(static_cast<std::int64_t>(samples.size()), data().batch_size_per_replica) << row;
            rows.insert(rows.end(), samples.begin(), samples.end());
        }
        for (const auto& task : tasks) dealt.insert(dealt.end(), task.begin(), task.end());
        EXPECT_EQ(rows, dealt) << "the engine's samples, each once";
    }
    studio_.session().project().change("Five", [](engine::spec::RunSpec& run) { run.strategy.logical_cpus = 5; });
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return preview.rowCount() == 10 && !steps.empty() && steps[0].parts.at(0).size() == 5; }, kDeadlineMs));
    EXPECT_EQ(preview.sizeHint().height(), 40 + 18 + 8 * 20 + 8) << "no taller, in low rows";
    studio_.session().project().change("One", [](engine::spec::RunSpec& run) { run.strategy.logical_cpus = 1; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return preview.rowCount() == 2 && steps.size() == 6 && steps[0].parts.empty(); }, kDeadlineMs));
    EXPECT_EQ(preview.rowName(1), "worker 1");
    EXPECT_TRUE(QTest::qWaitFor([&] { return preview.samplesOf(1, 0).size() == steps[0].samples[1].size(); }, kDeadlineMs));
}

TEST_F(DataPageTest, ShowsRealSamplesClassesAndShardsOfTheShippedSet) {
    ASSERT_TRUE(waitForSummary()) << page_->desk().data().problem.toStdString();
    const session::DataSummary& summary = page_->desk().data().summary;
    EXPECT_EQ(summary.train_samples, 60000);
    EXPECT_EQ(summary.test_samples, 10000);
    EXPECT_TRUE(summary.checksum_fits);
    ASSERT_EQ(summary.groups.size(), 10U);
    EXPECT_EQ(summary.groups[0].train, 5923);
    EXPECT_EQ(summary.groups[9].test, 1009);
    EXPECT_GE(summary.groups[5].samples.size(), 12U);
    EXPECT_EQ(summary.groups[5].samples[0].image.size(), QSize(28, 28));
    const auto& rows = *page_->findChild<SampleRows*>();
    EXPECT_NEAR(10 * rows.rowHeight(), rows.viewport()->height(), 10) << "the classes take the room there is";
    EXPECT_TRUE(find("dataFacts")->accessibleName().contains("60,000 training samples"))
        << find("dataFacts")->accessibleName().toStdString();
    EXPECT_TRUE(find("dataFacts")->accessibleName().contains("5,421 to 6,742 samples each"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return !page_->desk().shards().steps.empty() || !page_->desk().shards().problem.isEmpty(); },
                                kDeadlineMs));
    const session::ShardState& shards = page_->desk().shards();
    EXPECT_EQ(shards.problem, "");
    EXPECT_EQ(shards.policy, "DATA");
    ASSERT_EQ(shards.steps.size(), 6U);
    EXPECT_EQ(shards.steps[0].samples.size(), 2U);
    EXPECT_EQ(static_cast<std::int64_t>(shards.steps[0].samples[0].size()), data().batch_size_per_replica);
    EXPECT_TRUE(QTest::qWaitFor([this] { return !find<QLabel>("shardReason")->text().isEmpty(); }, kDeadlineMs));
    EXPECT_EQ(find<QLabel>("shardReason")->text(), "AUTO deals single samples (DATA), because the set is held in memory.");
    const auto first = summary.groups[5].samples[0].index;
    QTest::mouseClick(find<QPushButton>("otherSamples"), Qt::LeftButton);
    EXPECT_TRUE(QTest::qWaitFor(
        [this, first] {
            return page_->desk().data().phase == session::DataPhase::kReady &&
                   page_->desk().data().summary.groups[5].samples[0].index != first;
        },
        kDeadlineMs));
}

TEST_F(DataPageTest, LinksTheThreeBatchBoxes) {
    auto *each = find<QSpinBox>("batchField"), *replicas = find<QSpinBox>("replicasField"), *global = find<QSpinBox>("globalBatchField");
    each->setValue(48);
    EXPECT_EQ(global->value(), 96);
    global->setValue(256);
    EXPECT_EQ(data().batch_size_per_replica, 128);
    EXPECT_EQ(each->value(), 128);
    replicas->setValue(4);
    EXPECT_EQ(ui::session::localWorkers(studio_.session().project()), 4);
    EXPECT_EQ(global->value(), 512);
    EXPECT_TRUE(find<QLabel>("batchAdvice")->text().contains("(linear) are usual")) << find<QLabel>("batchAdvice")->text().toStdString();
    global->setValue(511);  // four replicas cannot share it
    EXPECT_EQ(global->value(), 508);
    studio_.session().project().undoStack().undo();
    studio_.session().project().undoStack().undo();
    EXPECT_EQ(replicas->value(), 2);
}

// What the agent tells about a set comes when it comes, and the page shows it at once.
TEST_F(DataPageTest, ARefreshLeavesANumberThatIsBeingTyped) {
    pipeline().row(PipelineStep::kTake).switchButton().click();
    const std::pair<const char*, std::function<std::int64_t()>> fields[] = {
        {"batchField", [this] { return data().batch_size_per_replica; }},
        {"seedField", [this] { return studio_.session().project().spec().fit.seed; }},
        {"replicasField", [this] { return std::int64_t{ui::session::localWorkers(studio_.session().project())}; }},
        {nullptr, [this] { return data().take; }}};
    for (const auto& [name, value] : fields) {
        auto* field = name != nullptr ? find<QSpinBox>(name) : static_cast<QSpinBox*>(pipeline().row(PipelineStep::kTake).value());
        field->setFocus();
        field->selectAll();
        QTest::keyClick(field, Qt::Key_7);
        find<BatchPanel>("batchPanel")->setSamples({.samples = 60000}, 10000);
        pipeline().refresh();
        EXPECT_EQ(field->text(), "7") << field->objectName().toStdString();
        QTest::keyClick(field, Qt::Key_Return);
        EXPECT_EQ(value(), 7) << field->objectName().toStdString();
    }
    // A change of the project counts more than what is typed.
    auto* batch = find<QSpinBox>("batchField");
    batch->selectAll();
    QTest::keyClick(batch, Qt::Key_9);
    studio_.session().project().change("Edit", [](engine::spec::RunSpec& run) { run.data.batch_size_per_replica = 32; });
    EXPECT_EQ(batch->text(), "32");
}

// Ctrl+S and Ctrl+R take no focus from the field.
TEST_F(DataPageTest, WhatIsTypedCountsBeforeTheProjectIsSaved) {
    auto& project = studio_.session().project();
    auto* batch = find<QSpinBox>("batchField");
    batch->setFocus();
    batch->selectAll();
    QTest::keyClick(batch, Qt::Key_7);
    ASSERT_NE(data().batch_size_per_replica, 7);
    ASSERT_TRUE(project.saveAs(folder_.filePath("typed.tandem")));
    EXPECT_EQ(data().batch_size_per_replica, 7);
    EXPECT_FALSE(project.isModified());
    pipeline().row(PipelineStep::kNormalize).switchButton().click();
    auto* normal = find<QLineEdit>("normaliseField");
    const QString before = normal->text();
    normal->setFocus();
    normal->selectAll();
    QTest::keyClicks(normal, "0.2 / 0.3");
    emit project.typingWanted();
    EXPECT_EQ(data().mean, std::vector<double>{0.2});
    EXPECT_EQ(data().std, std::vector<double>{0.3});
    project.undoStack().undo();
    EXPECT_EQ(normal->text(), before) << "undo is shown where the focus is";
}

// Both projects name train.csv, each its own.
TEST_F(DataPageTest, FilesOfTheSameNameBesideAnotherProjectAreOtherFiles) {
    write("a/train.csv", "x,y,label\n0.5,1.5,0\n1.0,2.0,1\n");
    write("b/train.csv", "x,y,label\n0.5,1.5,0\n1.0,2.0,1\n0.1,0.2,1\n");
    auto& project = studio_.session().project();
    project.change("Use a table", [](engine::spec::RunSpec& run) {
        run.data.dataset = "csv";
        run.data.train_files = {"train.csv"};
        run.data.csv = {.label = "label"};
    });
    const auto samples = [this] { return page_->desk().data().has_summary ? page_->desk().data().summary.train_samples : 0; };
    ASSERT_TRUE(project.saveAs(folder_.filePath("a/mine.tandem")));
    EXPECT_TRUE(QTest::qWaitFor([&] { return samples() == 2; }, kDeadlineMs)) << page_->desk().data().problem.toStdString();
    ASSERT_TRUE(project.saveAs(folder_.filePath("b/mine.tandem")));
    EXPECT_TRUE(QTest::qWaitFor([&] { return samples() == 3; }, kDeadlineMs)) << page_->desk().data().problem.toStdString();
}

TEST_F(DataPageTest, CountsTheDevicesOfEveryWorkerAsReplicas) {
    auto *each = find<QSpinBox>("batchField"), *replicas = find<QSpinBox>("replicasField"), *global = find<QSpinBox>("globalBatchField");
    studio_.session().project().change("Use two devices", [](engine::spec::RunSpec& run) { run.strategy.logical_cpus = 2; });
    ASSERT_EQ(ui::session::localWorkers(studio_.session().project()), 2);
    EXPECT_EQ(replicas->value(), 4);
    EXPECT_EQ(replicas->singleStep(), 2);
    EXPECT_EQ(global->value(), 4 * each->value());
    replicas->setValue(6);
    EXPECT_EQ(ui::session::localWorkers(studio_.session().project()), 3);
    EXPECT_EQ(global->value(), 6 * each->value());
    replicas->setValue(5);  // a worker comes with all its devices
    EXPECT_EQ(ui::session::localWorkers(studio_.session().project()), 2);
    EXPECT_EQ(replicas->value(), 4);
    replicas->setValue(2);
    EXPECT_EQ(ui::session::localWorkers(studio_.session().project()), 1);
    EXPECT_EQ(studio_.session().project().spec().strategy.logical_cpus, 2);
    replicas->setValue(4);
    EXPECT_EQ(ui::session::localWorkers(studio_.session().project()), 2);
}

TEST_F(DataPageTest, TheReplicasOfATpuAreItsOwn) {
    auto *each = find<QSpinBox>("batchField"), *replicas = find<QSpinBox>("replicasField"), *global = find<QSpinBox>("globalBatchField");
    studio_.session().project().change("Edit", [](engine::spec::RunSpec& run) { chooseStrategy(run, "TPUStrategy", {}); });
    EXPECT_TRUE(each->isEnabled());
    for (QSpinBox* box : {replicas, global}) {
        EXPECT_FALSE(box->isEnabled());
        EXPECT_EQ(box->text(), QString(models::kMissing));
        EXPECT_EQ(box->toolTip(), "The TPU that the script finds says how many replicas there are.");
    }
    EXPECT_EQ(find<widgets::TextLabel>("batchAdvice")->text(), replicas->toolTip());
    studio_.session().project().undoStack().undo();
    EXPECT_TRUE(replicas->isEnabled());
    EXPECT_EQ(global->value(), each->value() * replicas->value());
}

TEST_F(DataPageTest, SwitchesStepsOfThePipelineAsEditsOfTheProject) {
    using enum PipelineStep;
    EXPECT_EQ(pipeline().shownSteps(), (std::vector{kScale, kCache, kShuffle, kBatch, kPrefetch}));
    const bool was_cached = data().cache;
    pipeline().row(kCache).setFocus();
    QTest::keyClick(&pipeline().row(kCache), Qt::Key_Space);
    EXPECT_NE(data().cache, was_cached);
    studio_.session().project().undoStack().undo();
    EXPECT_EQ(data().cache, was_cached);
    pipeline().row(kTake).switchButton().click();
    EXPECT_GT(data().take, 0);
    EXPECT_EQ(pipeline().shownSteps().front(), kTake);
    find<QSpinBox>("takeField")->setValue(128);
    EXPECT_EQ(data().take, 128);
    pipeline().row(kNormalize).switchButton().click();
    auto* normal = find<QLineEdit>("normaliseField");
    normal->setText("0.1307 / 0.3081");
    emit normal->editingFinished();
    EXPECT_EQ(data().mean, std::vector<double>{0.1307});
    EXPECT_EQ(data().std, std::vector<double>{0.3081});
    normal->setText("none");
    emit normal->editingFinished();
    EXPECT_TRUE(normal->property("invalid").toBool());
    EXPECT_EQ(data().mean, std::vector<double>{0.1307});
}

TEST_F(DataPageTest, ChoosesWhatMixesTheSamplesOfBatches) {
    QUndoStack& undo = studio_.session().project().undoStack();
    const int before = undo.count();
    auto* panel = find<MixPanel>("mixPanel");
    auto* choice = panel->findChild<QComboBox*>();
    ASSERT_NE(choice, nullptr);
    EXPECT_EQ(choice->currentText(), "None");
    EXPECT_EQ(panel->findChild<FieldEditor*>("field_alpha"), nullptr);
    const auto choose = [choice](const QString& name) {
        choice->setCurrentIndex(choice->findText(name));
        emit choice->activated(choice->currentIndex());
    };
    choose("MixUp");
    EXPECT_EQ(data().mix, (engine::spec::ObjectSpec{"MixUp", {}}));
    auto* alpha = panel->findChild<FieldEditor*>("field_alpha");
    ASSERT_NE(alpha, nullptr);
    EXPECT_EQ(alpha->findChild<QLineEdit*>()->text(), "0.2");
    emit alpha->valueChanged(0.4);
    EXPECT_EQ(data().mix, (engine::spec::ObjectSpec{"MixUp", {{"alpha", 0.4}}}));
    EXPECT_EQ(alpha->findChild<QLineEdit*>()->text(), "0.4");
    emit alpha->valueChanged(0.2);
    EXPECT_TRUE(data().mix.config.empty()) << "a default is not written";
    choose("CutMix");
    EXPECT_EQ(data().mix, (engine::spec::ObjectSpec{"CutMix", {}}));
    EXPECT_EQ(panel->findChild<FieldEditor*>("field_alpha"), nullptr);
    EXPECT_NE(panel->findChild<FieldEditor*>("field_factor"), nullptr);
    EXPECT_TRUE(page_->reveal("data.mix.factor"));
    EXPECT_TRUE(page_->reveal("data.mix"));
    choose("None");
    EXPECT_TRUE(data().mix.class_name.empty());
    EXPECT_EQ(panel->findChild<FieldEditor*>("field_factor"), nullptr);
    undo.undo();
    EXPECT_EQ(choice->currentText(), "CutMix");
    EXPECT_NE(panel->findChild<FieldEditor*>("field_factor"), nullptr);
    undo.setIndex(before);
    EXPECT_EQ(choice->currentText(), "None");
}

TEST_F(DataPageTest, TellsWhatIsWrongWithTheMixAndMendsIt) {
    auto* panel = find<MixPanel>("mixPanel");
    auto* choice = panel->findChild<QComboBox*>();
    auto* findings = find<FindingList>("mixFindings");
    EXPECT_FALSE(findings->isVisibleTo(panel));
    ASSERT_EQ(studio_.session().project().spec().compile.loss.class_name, "SparseCategoricalCrossentropy");
    choice->setCurrentIndex(choice->findText("CutMix"));
    emit choice->activated(choice->currentIndex());
    ASSERT_TRUE(findings->isVisibleTo(panel));
    ASSERT_EQ(findings->rows(), 1);
    EXPECT_EQ(findings->row(0).fix, "Take labels as rows, with CategoricalCrossentropy");
    // Tab goes from the choice to the fields that it brought.
    const QWidget* next = choice->nextInFocusChain();
    while (next != choice && (next->focusPolicy() & Qt::TabFocus) == 0) next = next->nextInFocusChain();
    auto* factor = panel->findChild<FieldEditor*>("field_factor");
    ASSERT_NE(factor, nullptr);
    EXPECT_TRUE(factor->isAncestorOf(next)) << next->objectName().toStdString();
    emit findings->fixWanted(0);
    EXPECT_EQ(studio_.session().project().spec().compile.loss.class_name, "CategoricalCrossentropy");
    EXPECT_EQ(data().one_hot, 10);
    EXPECT_EQ(data().mix.class_name, "CutMix");
    EXPECT_FALSE(findings->isVisibleTo(panel));
}

TEST_F(DataPageTest, MovesAStepByKeys) {
    using enum PipelineStep;
    page_->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(page_.get(), 180'000));
    QUndoStack& undo = studio_.session().project().undoStack();
    const int before = undo.count();
    const auto usual = data().order;
    pipeline().row(kShuffle).setFocus();
    QTest::keyClick(&pipeline().row(kShuffle), Qt::Key_Up, Qt::AltModifier);
    EXPECT_EQ(pipeline().shownSteps(), (std::vector{kScale, kShuffle, kCache, kBatch, kPrefetch}));
    EXPECT_TRUE(pipeline().row(kShuffle).hasFocus()) << "it moves on with the next key";
    EXPECT_LT(pipeline().row(kShuffle).y(), pipeline().row(kCache).y());
    EXPECT_EQ(undo.count(), before + 1);
    EXPECT_EQ(undo.undoText(), "Move shuffle");
    EXPECT_TRUE(pipeline().row(kShuffle).accessibleDescription().endsWith("step 2 of 5"));
    undo.undo();
    EXPECT_EQ(data().order, usual);
    QCoreApplication::sendPostedEvents();
    EXPECT_GT(pipeline().row(kShuffle).y(), pipeline().row(kCache).y());
    undo.redo();
    EXPECT_EQ(pipeline().shownSteps()[1], kShuffle);
    undo.undo();
    // From the value as well; at the ends nothing happens.
    find<QSpinBox>("prefetchField")->setFocus();
    QTest::keyClick(find<QSpinBox>("prefetchField"), Qt::Key_Down, Qt::AltModifier);
    EXPECT_EQ(data().order, usual);
    EXPECT_EQ(data().prefetch, 2);
    pipeline().row(kScale).setFocus();
    QTest::keyClick(&pipeline().row(kScale), Qt::Key_Up, Qt::AltModifier);
    EXPECT_EQ(data().order, usual);
    // A step that is not shown stays beside the one that the row passes.
    pipeline().row(kCache).setFocus();
    QTest::keyClick(&pipeline().row(kCache), Qt::Key_Up, Qt::AltModifier);
    EXPECT_EQ(data().order, (std::vector{kTake, kCache, kScale, kNormalize, kOneHot, kShuffle, kRepeat, kBatch, kPrefetch}));
}

TEST_F(DataPageTest, MovesAStepByDragging) {
    using enum PipelineStep;
    const auto usual = data().order;
    PipelineRow& shuffle = pipeline().row(kShuffle);
    const auto drag = [&](int rows, bool cancels) {
        QTest::mousePress(&shuffle, Qt::LeftButton, {}, QPoint(12, 22));
        QTest::mouseMove(&shuffle, QPoint(12, 22 + rows * 11));
        QTest::mouseMove(&shuffle, QPoint(12, 22 + rows * 44));
        if (const QString shots = qEnvironmentVariable("TANDEM_SHOTS"); !shots.isEmpty()) page_->grab().save(shots + "/data-drag.png");
        if (cancels) QTest::keyClick(&shuffle, Qt::Key_Escape);
        QTest::mouseRelease(&shuffle, Qt::LeftButton, {}, QPoint(12, 22 + rows * 44));
    };
    drag(1, true);
    EXPECT_EQ(data().order, usual) << "Esc gives it up";
    drag(1, false);
    EXPECT_EQ(pipeline().shownSteps(), (std::vector{kScale, kCache, kBatch, kShuffle, kPrefetch}));
    EXPECT_EQ(pipeline().dropPlace(), -1);
    drag(-2, false);
    EXPECT_EQ(pipeline().shownSteps(), (std::vector{kScale, kShuffle, kCache, kBatch, kPrefetch}));
    studio_.session().project().undoStack().undo();
    studio_.session().project().undoStack().undo();
    EXPECT_EQ(data().order, usual);
    QTest::mouseClick(&shuffle, Qt::LeftButton, {}, QPoint(12, 22));
    EXPECT_EQ(data().order, usual) << "a click moves nothing";
    EXPECT_TRUE(shuffle.hasFocus());
}

TEST_F(DataPageTest, SaysWhatAnOrderMeansAndMendsOneThatIsNotPossible) {
    using enum PipelineStep;
    auto* findings = find<FindingList>("orderFindings");
    EXPECT_FALSE(findings->isVisible());
    page_->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(page_.get(), 180'000));
    const auto shards = [this] { return page_->desk().shards(); };
    ASSERT_TRUE(QTest::qWaitFor([&] { return shards().steps.size() == 6; }, kDeadlineMs));
    const auto first = shards().steps[0].samples;
    pipeline().row(kShuffle).setFocus();
    QTest::keyClick(&pipeline().row(kShuffle), Qt::Key_Down, Qt::AltModifier);
    ASSERT_TRUE(findings->isVisible());
    ASSERT_EQ(findings->rows(), 1);
    EXPECT_TRUE(findings->row(0).title.startsWith("shuffle: expected it before batch")) << findings->row(0).title.toStdString();
    // The preview is the engine's own: whole batches change places.
    ASSERT_TRUE(QTest::qWaitFor([&] { return shards().steps.size() == 6 && shards().steps[0].samples != first; }, kDeadlineMs))
        << shards().problem.toStdString();
    const auto batch = shards().steps[0].samples;
    EXPECT_EQ(batch[1].front(), batch[0].back() + 1);
    EXPECT_EQ(batch[0].back(), batch[0].front() + 63);
    QTest::keyClick(&pipeline().row(kShuffle), Qt::Key_Down, Qt::AltModifier);
    EXPECT_EQ(studio_.session().project().errorCount(), 1) << "prefetch comes last";
    EXPECT_EQ(findings->row(0).fix, "Move prefetch behind shuffle");
    EXPECT_TRUE(QTest::qWaitFor([&] { return shards().problem.contains("prefetch: expected it behind all other steps"); }, kDeadlineMs));
    if (const QString shots = qEnvironmentVariable("TANDEM_SHOTS"); !shots.isEmpty()) page_->grab().save(shots + "/data-order.png");
    emit findings->fixWanted(0);
    EXPECT_EQ(studio_.session().project().errorCount(), 0);
    EXPECT_EQ(pipeline().shownSteps().back(), kPrefetch);
}

TEST_F(DataPageTest, RepeatsWithoutAnEndWhenAnEpochCountsSteps) {
    using enum PipelineStep;
    ASSERT_TRUE(QTest::qWaitFor([this] { return studio_.session().project().stepsPerEpoch() > 0; }, kDeadlineMs));
    const std::int64_t whole = studio_.session().project().stepsPerEpoch();
    pipeline().row(kRepeat).switchButton().click();
    EXPECT_EQ(studio_.session().project().spec().fit.steps_per_epoch, whole);
    EXPECT_EQ(pipeline().shownSteps(), (std::vector{kScale, kCache, kShuffle, kRepeat, kBatch, kPrefetch}));
    find<QSpinBox>("repeatField")->setValue(70);
    EXPECT_EQ(studio_.session().project().spec().fit.steps_per_epoch, 70);
    pipeline().row(kRepeat).switchButton().click();
    EXPECT_EQ(studio_.session().project().spec().fit.steps_per_epoch, 0);
}

// The well is as high as its sentence, whatever stood in it before.
TEST_F(DataPageTest, GivesTheAdviceTheHeightOfItsSentence) {
    auto* advice = find<QLabel>("batchAdvice");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !advice->text().isEmpty(); }, kDeadlineMs));
    const auto needed = [&] {
        return advice->fontMetrics().boundingRect(QRect(0, 0, advice->width(), 1000), Qt::TextWordWrap, advice->text()).height();
    };
    const auto fits = [&] {
        QCoreApplication::processEvents();  // what has to be laid out anew begins with the next event
        return QTest::qWaitFor([&] { return std::abs(advice->height() - needed()) <= 2; }, kDeadlineMs);
    };
    for (const QSize size : {QSize(1364, 832), QSize(1024, 632), QSize(1364, 832)}) {
        page_->setNarrow(size.width() < 1200);
        page_->resize(size);
        EXPECT_TRUE(fits()) << size.width() << ": " << advice->height() << ", needed " << needed();
    }
    const QString before = advice->text();
    find<QSpinBox>("replicasField")->setValue(1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return advice->text() != before; }, kDeadlineMs));
    EXPECT_TRUE(fits()) << advice->height() << ", needed " << needed();
}

TEST_F(DataPageTest, HoldsBackAPartForValidation) {
    ASSERT_TRUE(waitForSummary());
    auto* validation = find<QComboBox>("validation");
    emit validation->activated(1);
    EXPECT_DOUBLE_EQ(data().validation_split, 0.1);
    find<QSpinBox>("validationPercent")->setValue(25);
    EXPECT_DOUBLE_EQ(data().validation_split, 0.25);
    emit validation->activated(2);
    EXPECT_EQ(data().validation_split, 0);
    EXPECT_FALSE(data().validate_on_test);
}

TEST_F(DataPageTest, SaysWhatIsNotHereAndThatTheNetworkIsMissing) {
    ASSERT_TRUE(waitForSummary());
    auto* list = find<QListView>("dataSets");
    find<QLineEdit>("dataSetSearch")->setText("kuzu");
    ASSERT_EQ(list->model()->rowCount(), 2);
    emit list->clicked(list->model()->index(1, 0));
    EXPECT_EQ(data().dataset, "kmnist");
    auto* state = find<widgets::StatePanel>("dataState");
    ASSERT_TRUE(QTest::qWaitFor([&] { return state->isVisible() && state->title().contains("is not on this computer"); }, kDeadlineMs))
        << state->title().toStdString();
    QTest::mouseClick(find<QPushButton>("dataStateFirst"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return state->title() == "No network. MNIST ships with Tandem"; }, kDeadlineMs))
        << state->title().toStdString() << ": " << page_->desk().fetchState().problem.toStdString();
    EXPECT_EQ(find<QLabel>("dataStateSentence")->text().toStdString(),
              "None of its mirrors can be reached: look at the network, then try again.");
    EXPECT_TRUE(find<QLabel>("dataStateSentence")->toolTip().contains("http")) << "the addresses are there for whoever wants them";
    EXPECT_TRUE(studio_.session().events().rows().back().text.contains("http"));
    EXPECT_EQ(find<QPushButton>("dataStateSecond")->text(), "Try again");
    QTest::mouseClick(find<QPushButton>("dataStateFirst"), Qt::LeftButton);
    EXPECT_EQ(data().dataset, "mnist");
    EXPECT_TRUE(waitForSummary());
    studio_.session().project().undoStack().undo();
    EXPECT_EQ(data().dataset, "kmnist");
}

TEST_F(DataPageTest, ShowsAtOnceThatAFetchBeginsThoughNobodyAnswers) {
    ASSERT_TRUE(waitForSummary());
    const SilentServer silent;
    qputenv("TANDEM_DATA_MIRROR", QStringLiteral("http://127.0.0.1:%1/").arg(silent.port()).toUtf8());
    qputenv("no_proxy", "127.0.0.1");
    studio_.session().project().change("Another set", [](engine::spec::RunSpec& run) { run.data.dataset = "kmnist"; });
    auto* state = find<widgets::StatePanel>("dataState");
    ASSERT_TRUE(QTest::qWaitFor([&] { return state->isVisible() && state->title().contains("is not on this computer"); }, kDeadlineMs));
    QTest::mouseClick(find<QPushButton>("dataStateFirst"), Qt::LeftButton);
    EXPECT_EQ(state->title(), "Fetching Kuzushiji-MNIST") << "before anybody answered";
    EXPECT_EQ(find<QLabel>("dataStateSentence")->text(), "Asking its mirrors");
    ASSERT_TRUE(QTest::qWaitFor([&] { return silent.isAsked(); }, kDeadlineMs));
    const auto picture = [&] {
        QCoreApplication::processEvents();
        return state->grab().toImage();
    };
    const QImage before = picture();
    EXPECT_TRUE(QTest::qWaitFor([&] { return picture() != before; }, kDeadlineMs)) << "the bar moves";
    QTest::mouseClick(find<QPushButton>("dataStateSecond"), Qt::LeftButton);
    EXPECT_TRUE(QTest::qWaitFor([&] { return state->title().contains("is not on this computer"); }, kDeadlineMs));
    // A set that is not the project's: what becomes of it is said as well.
    QStringList said;
    std::function<void()> act;
    QObject::connect(page_.get(), &Page::toastRequested, page_.get(),
                     [&](const widgets::Words& text, const widgets::Words&, const std::function<void()>& again) {
                         said << text();
                         act = again;
                     });
    qunsetenv("TANDEM_DATA_MIRROR");
    qunsetenv("no_proxy");
    page_->desk().fetch("fashion_mnist");
    EXPECT_EQ(said.value(0), "Fetching Fashion-MNIST");
    ASSERT_TRUE(QTest::qWaitFor([&] { return said.size() == 2; }, kDeadlineMs));
    EXPECT_TRUE(said[1].startsWith("Fashion-MNIST was not fetched. None of its mirrors")) << said[1].toStdString();
    act();
    EXPECT_EQ(page_->desk().fetching(), "fashion_mnist") << "tried again";
    page_->desk().cancelFetch();
}

TEST_F(DataPageTest, IsEmptyWithoutAProject) {
    studio_.session().project().close();
    EXPECT_TRUE(find<widgets::StatePanel>("dataState")->isVisible());
    EXPECT_EQ(find<widgets::StatePanel>("dataState")->title(), "Choose a data set on the left, or drop a folder here.");
}

TEST_F(DataPageTest, TakesAFolderOfTexts) {
    for (const char* name : {"train/bad/1.txt", "train/good/1.txt", "train/good/2.txt", "test/bad/1.txt", "test/good/1.txt"}) {
        write(QStringLiteral("reviews/%1").arg(QLatin1String(name)), "a film");
    }
    page_->openWizard({}, {folder_.filePath("reviews")});
    auto* wizard = page_->window()->findChild<DataWizard*>("dataWizard");
    ASSERT_NE(wizard, nullptr);
    EXPECT_EQ(wizard->data().dataset, "text_folder");
    EXPECT_EQ(wizard->data().train_files, std::vector<std::string>{folder_.filePath("reviews/train").toStdString()});
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->state().phase == session::DataPhase::kReady; }, kDeadlineMs))
        << wizard->state().problem.toStdString();
    EXPECT_EQ(wizard->state().summary.train_samples, 3);
    EXPECT_EQ(wizard->state().summary.test_samples, 2);
    EXPECT_EQ(wizard->state().summary.groups.size(), 2U);
}

TEST_F(DataPageTest, TakesATableFromFilesWithItsTypesGuessed) {
    write("flowers.csv", "length,colour,kind\n1.5,red,a\n2,blue,b\n3,red\n4,blue,a\n");
    page_->openWizard({}, {folder_.filePath("flowers.csv")});
    auto* wizard = page_->window()->findChild<DataWizard*>("dataWizard");
    ASSERT_NE(wizard, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->state().phase == session::DataPhase::kReady; }, kDeadlineMs))
        << wizard->state().problem.toStdString();
    EXPECT_EQ(wizard->state().summary.train_samples, 3);
    EXPECT_EQ(wizard->findChild<QLabel*>("wizardColumns")->text(), "length: number,  colour: category of 2,  kind (label): category of 2");
    EXPECT_TRUE(wizard->findChild<QLabel*>("wizardBad")->text().contains("flowers.csv:4: expected 3 cells, got 2"));
    if (const QString shots = qEnvironmentVariable("TANDEM_SHOTS"); !shots.isEmpty()) {
        QCoreApplication::processEvents();
        page_->grab().save(shots + "/data-wizard-light.png");
    }
    auto* label = wizard->findChild<QComboBox*>("wizardLabel");
    ASSERT_EQ(label->count(), 3);
    emit label->activated(1);
    EXPECT_EQ(wizard->data().csv.label, "colour");
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return wizard->state().phase == session::DataPhase::kReady && wizard->state().summary.columns[2].name == "colour"; },
        kDeadlineMs));
    QTest::mouseClick(wizard->findChild<QPushButton*>("wizardTake"), Qt::LeftButton);
    EXPECT_EQ(data().dataset, "csv");
    EXPECT_EQ(data().train_files, std::vector<std::string>{folder_.filePath("flowers.csv").toStdString()});
    EXPECT_EQ(data().csv.label, "colour");
    studio_.session().project().undoStack().undo();
    EXPECT_EQ(data().dataset, "mnist");
}

TEST_F(DataPageTest, GuessesHowATableIsWrittenOnceAndLeavesTheRestToTheUser) {
    write("parted.csv", "1.5;red;1\n2;blue;2\n3;red;1\n");
    page_->openWizard({}, {folder_.filePath("parted.csv")});
    auto* wizard = page_->window()->findChild<DataWizard*>("dataWizard");
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->state().phase == session::DataPhase::kReady; }, kDeadlineMs))
        << wizard->state().problem.toStdString();
    EXPECT_EQ(wizard->data().csv.delimiter, ";");
    EXPECT_FALSE(wizard->data().csv.header);
    auto* delimiter = wizard->findChild<QComboBox*>("wizardDelimiter");
    EXPECT_EQ(delimiter->currentData().toString(), ";");
    EXPECT_EQ(wizard->state().summary.train_samples, 3);
    delimiter->setFocus();
    QTest::keyClick(delimiter, Qt::Key_Up);
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->state().phase == session::DataPhase::kFailed; }, kDeadlineMs));
    EXPECT_EQ(wizard->data().csv.delimiter, ",") << "as the user says";
    EXPECT_TRUE(wizard->findChild<QLabel*>("wizardSentence")->text().contains("where \",\" parts cells"));
    wizard->reject();
}

TEST_F(DataPageTest, NamesWhatTheWizardCannotRead) {
    write("empty.npz", "no archive");
    page_->openWizard({}, {folder_.filePath("empty.npz")});
    auto* wizard = page_->window()->findChild<DataWizard*>("dataWizard");
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->state().phase == session::DataPhase::kFailed; }, kDeadlineMs));
    EXPECT_TRUE(wizard->findChild<QLabel*>("wizardSentence")->text().contains("empty.npz"));
    EXPECT_FALSE(wizard->findChild<QPushButton*>("wizardTake")->isEnabled());
    wizard->reject();
}

TEST_F(DataPageTest, ForgetsWhatAnEarlierFileHeldWhenTheNextOneFails) {
    write("flowers.csv", "length,colour,kind\n1.5,red,a\n2,blue,b\n3,red\n4,blue,a\n");
    write("noise.csv", QByteArray("\0\1\2,\0\n", 6));
    page_->openWizard({}, {folder_.filePath("flowers.csv")});
    auto* wizard = page_->window()->findChild<DataWizard*>("dataWizard");
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->state().phase == session::DataPhase::kReady; }, kDeadlineMs));
    auto* take = wizard->findChild<QPushButton*>("wizardTake");
    auto *columns = wizard->findChild<QLabel*>("wizardColumns"), *bad = wizard->findChild<QLabel*>("wizardBad");
    auto* facts = wizard->findChild<DataFacts*>();
    const QString known = facts->accessibleName();
    ASSERT_TRUE(take->isEnabled() && columns->isVisible() && bad->isVisible());
    auto* file = wizard->findChild<QLineEdit*>("wizardTrain");
    file->selectAll();
    QTest::keyClicks(file, folder_.filePath("noise.csv"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->state().phase == session::DataPhase::kFailed; }, kDeadlineMs));
    EXPECT_FALSE(take->isEnabled());
    EXPECT_FALSE(columns->isVisible());
    EXPECT_FALSE(bad->isVisible());
    EXPECT_NE(facts->accessibleName(), known);
    EXPECT_TRUE(wizard->findChild<QLabel*>("wizardSentence")->text().contains("noise.csv")) << "it says what is wrong";
    wizard->reject();
}

TEST_F(DataPageTest, ReadsAFileAsWhatItsNameSaysWhereThatIsBeyondDoubt) {
    write("digits.npz", "PK");
    write("table.txt", "a,b\n1,2\n");
    auto* wizard = page_->openWizard("csv");
    auto* file = wizard->findChild<QLineEdit*>("wizardTrain");
    QTest::keyClicks(file, folder_.filePath("table.txt"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->state().phase == session::DataPhase::kReady; }, kDeadlineMs));
    EXPECT_EQ(wizard->data().dataset, "csv") << "a table may be called .txt";
    file->selectAll();
    QTest::keyClicks(file, folder_.filePath("digits.npz"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->data().dataset == "npz"; }, kDeadlineMs));
    EXPECT_EQ(wizard->data().train_files, std::vector<std::string>{folder_.filePath("digits.npz").toStdString()});
    EXPECT_EQ(wizard->findChild<QComboBox*>("wizardFormat")->currentData().toString(), "npz");
    EXPECT_TRUE(wizard->findChild<QLineEdit*>("wizardSample")->isVisible()) << "the fields of that format";
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->state().phase == session::DataPhase::kFailed; }, kDeadlineMs));
    EXPECT_FALSE(wizard->findChild<QPushButton*>("wizardTake")->isEnabled());
    wizard->reject();
}

TEST_F(DataPageTest, KeepsItsPlaceInBothThemesAndAtTheSmallestSize) {
    ASSERT_TRUE(waitForSummary());
    for (const QSize size : {QSize(1364, 832), QSize(1024, 632)}) {
        page_->setNarrow(size.width() < 1200);
        page_->resize(size);
        QCoreApplication::processEvents();
        EXPECT_EQ(page_->size(), size);
        const QString folder = qEnvironmentVariable("TANDEM_SHOTS");
        for (const auto choice : {theme::Choice::kLight, theme::Choice::kDark}) {
            themes_.setChoice(choice);
            QCoreApplication::processEvents();
            const QImage picture = page_->grab().toImage();
            EXPECT_EQ(picture.pixelColor(4, 200).name(), themes_.theme().surface.name());
            if (!folder.isEmpty()) {
                picture.save(QStringLiteral("%1/data-%2-%3.png")
                                 .arg(folder)
                                 .arg(size.width())
                                 .arg(choice == theme::Choice::kLight ? "light" : "dark"));
            }
        }
    }
}

TEST(DataSetModel, KeepsQtsRulesAndFilters) {
    models::DataSetModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const int all = model.rowCount();
    model.setHere({"mnist"});
    model.setFetching("cifar10", 0.25);
    EXPECT_EQ(model.index(model.rowOf("cifar10")).data(models::DataSetModel::kPlaceRole).toInt(),
              static_cast<int>(models::DataSetPlace::kFetching));
    EXPECT_EQ(model.index(model.rowOf("kmnist")).data(models::DataSetModel::kPlaceRole).toInt(),
              static_cast<int>(models::DataSetPlace::kCanBeFetched));
    model.setFilter("mnist");
    EXPECT_LT(model.rowCount(), all);
    EXPECT_EQ(model.rowOf("csv"), -1);
    model.setFilter("nothing of the kind");
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(GuessFormat, KnowsFilesByTheirNames) {
    const std::pair<const char*, const char*> rows[] = {{"a/train-images-idx3-ubyte.gz", "idx"},
                                                        {"x.CSV", "csv"},
                                                        {"x.npz", "npz"},
                                                        {"x_train.npy", "npy"},
                                                        {"a.tfrecord", "tfrecord"},
                                                        {"data_batch_1.bin", "cifar10_files"},
                                                        {"train.bin", "cifar100_files"},
                                                        {"words.txt", "text"},
                                                        {"x.exe", ""}};
    for (const auto& [name, format] : rows) EXPECT_EQ(guessFormat(name), QLatin1String(format)) << name;
    const QTemporaryDir folder;
    const auto write = [&](const QString& name) {
        ASSERT_TRUE(QFileInfo(folder.filePath(name)).dir().mkpath("."));
        QFile file(folder.filePath(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    };
    EXPECT_EQ(guessFormat(folder.path()), "image_folder");
    write("readme.txt");
    EXPECT_EQ(guessFormat(folder.path()), "image_folder") << "beside the classes";
    write("train/good/1.TXT");
    EXPECT_EQ(guessFormat(folder.path()), "text_folder");
    write("train/cat/1.jpg");
    EXPECT_EQ(guessFormat(folder.path()), "image_folder") << "a note beside pictures";
}

}  // namespace
}  // namespace ui::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chaos/chaos_dialog.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QTranslator>

#include "made_up_run.h"
#include "ui/chaos/fault_table_model.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/text_label.h"

namespace ui::views {
namespace {

using namespace std::chrono_literals;
using engine::chaos::Fault;
using engine::chaos::FaultKind;
using models::FaultTableModel;
using tests::waitUntil;

const engine::spec::TaskId kWorker0{"worker", 0}, kWorker1{"worker", 1};

class ChaosDialogTest : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(studio_.agentIsReady()); }
    // A run of two workers that trains.
    void train() {
        ASSERT_TRUE(studio_.openTwoWorkers());
        ASSERT_TRUE(studio_.launch(60));
        ASSERT_TRUE(studio_.feed({event(1, kWorker0, engine::spec::StateChanged{engine::spec::TaskState::kTraining, ""}),
                                  event(1, kWorker1, engine::spec::StateChanged{engine::spec::TaskState::kTraining, ""})}));
        run_ = studio_.runId();
    }
    void open() {
        dialog_ = std::make_unique<ChaosDialog>(studio_.session().chaos(), themes_);
        dialog_->resize(900, 640);
        dialog_->show();
    }
    std::int64_t at(double second) { return studio_.createdUnixNs() + static_cast<std::int64_t>(second * 1e9); }
    engine::spec::TaskEvent event(int second, const engine::spec::TaskId& task, engine::spec::EventBody body) {
        return {0, at(second), task, std::move(body)};
    }
    engine::spec::TaskEvent line(int second, const Fault& fault) {
        return event(second, fault.task,
                     engine::spec::LogLine{engine::spec::LogLevel::kWarning, engine::chaos::journalLine({fault, false})});
    }
    template <typename Widget>
    Widget& find(const char* name) {
        return *dialog_->findChild<Widget*>(QLatin1String(name));
    }
    void press(const char* name) { QTest::mouseClick(&find<QPushButton>(name), Qt::LeftButton); }
    QString problem() { return find<widgets::TextLabel>("chaosProblem").text(); }
    QString cell(int row, int column) {
        const QAbstractItemModel& model = *find<QTableView>("chaosTable").model();
        return model.data(model.index(row, column)).toString();
    }
    std::vector<std::pair<std::string, Fault>> injected() {
        const std::lock_guard lock(studio_.world().mutex);
        return studio_.world().faults;
    }

    tests::MadeUpStudio studio_;
    theme::ThemeController themes_;
    std::unique_ptr<ChaosDialog> dialog_;
    std::string run_;
};

TEST_F(ChaosDialogTest, HasNothingToPressWithoutARun) {
    open();
    EXPECT_TRUE(problem().startsWith("No run goes on.")) << problem().toStdString();
    for (const auto& kind : engine::chaos::faultKinds()) {
        EXPECT_FALSE(find<QPushButton>(("chaos-" + std::string(kind.word)).c_str()).isEnabled()) << kind.word;
    }
    EXPECT_FALSE(find<QPushButton>("chaosCopy").isEnabled());
}

TEST_F(ChaosDialogTest, HandsAFaultOfEachKindToTheAgent) {
    train();
    open();
    EXPECT_EQ(find<QComboBox>("chaosTask").currentText(), "worker 1") << "not the chief";
    EXPECT_EQ(find<QComboBox>("chaosPeer").currentText(), "worker 0");
    EXPECT_EQ(problem(), "");
    press("chaos-kill");
    find<QSpinBox>("chaos-stop-for").setValue(3);
    press("chaos-stop");
    find<QSpinBox>("chaos-slow-by").setValue(50);
    press("chaos-slow");
    press("chaos-cut");
    find<QSpinBox>("chaos-skew-by").setValue(-2);
    press("chaos-skew");
    ASSERT_TRUE(waitUntil([&] { return injected().size() == 5; }));
    const std::vector<Fault> expected{{FaultKind::kKill, kWorker1},
                                      {FaultKind::kStop, kWorker1, {}, 3s},
                                      {FaultKind::kSlow, kWorker1, {}, 10s, 50ms},
                                      {FaultKind::kCut, kWorker1, kWorker0, 5s},
                                      {FaultKind::kSkew, kWorker1, {}, 10s, -2s}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(injected()[i].first, run_);
        EXPECT_EQ(toText(injected()[i].second), toText(expected[i]));
    }
    find<QSpinBox>("chaos-skew-by").setValue(0);
    EXPECT_FALSE(find<QPushButton>("chaos-skew").isEnabled()) << "a clock that is right";
    find<QComboBox>("chaosPeer").setCurrentIndex(1);
    EXPECT_FALSE(find<QPushButton>("chaos-cut").isEnabled()) << "from itself";
}

TEST_F(ChaosDialogTest, ShowsWhatCameOfEach) {
    train();
    open();
    EXPECT_TRUE(find<widgets::TextLabel>("chaosEmpty").isVisible()) << "an empty table says what fills it";
    EXPECT_FALSE(find<QTableView>("chaosTable").isVisible());
    QAbstractItemModelTester tester(find<QTableView>("chaosTable").model());
    const Fault kill{FaultKind::kKill, kWorker1}, cut{FaultKind::kCut, kWorker1, kWorker0, 5s};
    engine::spec::StepPoints points;
    points.step = {41};
    points.epoch = {0};
    points.time_unix_ns = {at(14.5)};
    points.columns = {{"loss", {1.0F}}};
    studio_.world().addEvents(
        run_,
        {line(10, kill), event(12, kWorker1, engine::spec::StateChanged{engine::spec::TaskState::kFailed, "killed by signal 9 (SIGKILL)"}),
         event(13, kWorker1, engine::spec::AttemptStarted{2, 4, true, "killed by signal 9 (SIGKILL)"}), event(14, kWorker0, points),
         line(20, cut)});
    ASSERT_TRUE(waitUntil([&] { return find<QTableView>("chaosTable").model()->rowCount() == 2; }));
    EXPECT_TRUE(waitUntil([&] { return find<QTableView>("chaosTable").isVisible(); }));
    EXPECT_FALSE(find<widgets::TextLabel>("chaosEmpty").isVisible());
    EXPECT_EQ(cell(1, FaultTableModel::kFault), "Kill");
    EXPECT_EQ(cell(1, FaultTableModel::kTask), "worker 1");
    EXPECT_EQ(cell(1, FaultTableModel::kNamed), "2.00 s");
    EXPECT_EQ(cell(1, FaultTableModel::kBy), "worker 1: killed by signal 9 (SIGKILL)");
    EXPECT_EQ(cell(1, FaultTableModel::kHealed), "4.50 s, step 41");
    EXPECT_EQ(cell(0, FaultTableModel::kTask), "worker 1 from worker 0");
    EXPECT_EQ(cell(0, FaultTableModel::kNamed), "–");
    EXPECT_EQ(cell(0, FaultTableModel::kHealed), "…");
    ASSERT_TRUE(find<QPushButton>("chaosCopy").isEnabled());
    press("chaosCopy");
    EXPECT_EQ(QGuiApplication::clipboard()->text(), "kill worker:1\ncut worker:1-worker:0 for 5s after 10s\n");
    studio_.world().setState(run_, engine::run::RunState::kFailed, "worker 1 at localhost:1 sent no heartbeat for 15 s");
    ASSERT_TRUE(waitUntil([&] { return cell(0, FaultTableModel::kHealed) == "not before the end"; }));
    EXPECT_TRUE(waitUntil([&] { return !find<QPushButton>("chaos-kill").isEnabled(); }));
}

TEST_F(ChaosDialogTest, HasNothingToPressForARunThatIsOnlyFollowed) {
    train();
    {
        const std::lock_guard lock(studio_.world().mutex);
        studio_.world().runs.front().followed = true;
    }
    studio_.session().runs().refresh();
    ASSERT_TRUE(waitUntil([&] { return studio_.session().runs().current()->summary().followed; }));
    open();
    EXPECT_EQ(problem(), "This run is only followed. Faults are for a run that was launched from here.");
    EXPECT_FALSE(find<QPushButton>("chaos-kill").isEnabled());
}

TEST_F(ChaosDialogTest, SaysWhyTheAgentRefusesInTheUsersLanguage) {
    // Of another language, in which the sentence has other words.
    class Language : public QTranslator {
    public:
        Language() { QCoreApplication::installTranslator(this); }
        ~Language() override { QCoreApplication::removeTranslator(this); }
        bool isEmpty() const override { return false; }
        QString translate(const char*, const char* source, const char*, int) const override {
            return std::string_view(source) == "%1: \"%2\" is not over yet" ? QStringLiteral("%1: \"%2\" dauert an") : QString();
        }
    };
    const Language language;
    train();
    open();
    {
        const std::lock_guard lock(studio_.world().mutex);
        studio_.world().fault_refusal = "worker 1: \"stop worker:1 for 5s\" is not over yet";
    }
    press("chaos-stop");
    EXPECT_TRUE(waitUntil([&] { return problem() == "worker 1: \"stop worker:1 for 5s\" dauert an"; })) << problem().toStdString();
}

TEST_F(ChaosDialogTest, CountsTimeInTheUsersLanguage) {
    class Language : public QTranslator {
    public:
        ~Language() override { QCoreApplication::removeTranslator(this); }
        bool isEmpty() const override { return false; }
        QString translate(const char*, const char* source, const char*, int) const override {
            return std::string_view(source) == "%1 s" ? QString::fromUtf8("%1초") : QString();
        }
    };
    open();
    const auto suffix = [this](const char* box) { return find<QSpinBox>(box).suffix().toStdString(); };
    EXPECT_EQ(suffix("chaos-stop-for"), " s");
    Language language;
    QCoreApplication::installTranslator(&language);
    QEvent changed(QEvent::LanguageChange);
    QCoreApplication::sendEvent(dialog_.get(), &changed);
    EXPECT_EQ(suffix("chaos-stop-for"), "초");
    EXPECT_EQ(suffix("chaos-skew-by"), "초");
    EXPECT_EQ(suffix("chaos-slow-by"), " ms");
}

TEST_F(ChaosDialogTest, SaysWhyTheAgentRefuses) {
    train();
    open();
    {
        const std::lock_guard lock(studio_.world().mutex);
        studio_.world().fault_refusal = "run 7: is ending";
    }
    press("chaos-kill");
    ASSERT_TRUE(waitUntil([&] { return problem() == "run 7: is ending"; })) << problem().toStdString();
    EXPECT_TRUE(injected().empty());
}

}  // namespace
}  // namespace ui::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <cstdlib>
#include <map>

#include "engine/launch/launch_kind.h"
#include "engine/launch/launch_options.h"
#include "engine/report/model_dot.h"
#include "engine/script/script.h"
#include "made_up_run.h"
#include "ui/charts/chart_card.h"
#include "ui/export/report_pdf.h"
#include "ui/export/report_words.h"
#include "ui/monitor/monitor_charts.h"
#include "ui/monitor/monitor_page.h"
#include "ui/parts/languages.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/run_data.h"
#include "ui/session/runs/run_names.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/segmented_control.h"

namespace ui::views {
namespace {

using tests::waitUntil;

class ExportDialogTest : public testing::Test {
protected:
    void SetUp() override {
        themes_.setChoice(theme::Choice::kLight);
        ASSERT_TRUE(studio_.agentIsReady());
        ASSERT_TRUE(studio_.openTwoWorkers());
    }
    void train() {
        ASSERT_TRUE(studio_.launch(20));
        page_ = std::make_unique<MonitorPage>(studio_.session(), themes_);
        page_->resize(1200, 640);
        page_->show();
        ASSERT_TRUE(studio_.feed(tests::eventsOf({.steps = 1000}, studio_.createdUnixNs())));
        studio_.session().runs().current()->flush();
    }
    ExportDialog& open(ExportPage page) {
        dialog_ =
            std::make_unique<ExportDialog>(studio_.session(), themes_, page_ ? page_->charts().order() : std::vector<charts::ChartCard*>());
        dialog_->resize(1080, 664);
        dialog_->setFolder(folder_.filePath("out"));
        dialog_->showPage(page);
        dialog_->show();
        return *dialog_;
    }
    template <typename Widget>
    Widget* find(const char* name) {
        auto* found = dialog_->findChild<Widget*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    // What files of the run are called: as the run is.
    QString stem() { return session::fileStemOf(studio_.session().runs().current()->summary()); }
    // Presses the button, waits for the files, answers their names.
    QStringList write() {
        QSignalSpy exported(dialog_.get(), &ExportDialog::exported);
        find<QPushButton>("exportConfirm")->click();
        EXPECT_TRUE(waitUntil([&] { return exported.count() == 1; }));
        return QDir(folder_.filePath("out")).entryList(QDir::Files, QDir::Name);
    }
    QByteArray read(const QString& name) {
        QFile file(folder_.filePath("out/" + name));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name.toStdString();
        return file.readAll();
    }
    // Presses the button, answers the question that comes; its text.
    QString writeAndAnswer(const QString& answer) {
        QString asked;
        QTimer::singleShot(0, dialog_.get(), [&] {
            auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            ASSERT_NE(question, nullptr);
            asked = question->text();
            shoot("export-question", question);
            for (QAbstractButton* one : question->buttons()) {
                EXPECT_TRUE(one->icon().isNull()) << "a stock icon";
                if (one->text().remove('&') == answer) return one->click();
            }
            question->reject();
        });
        find<QPushButton>("exportConfirm")->click();
        return asked;
    }
    QString head() {
        for (const QLabel* label : dialog_->findChildren<QLabel*>()) {
            if (label->text().contains(" task")) return label->text();
        }
        return {};
    }
    void shoot(const QString& name) { shoot(name, dialog_.get()); }
    void shoot(const QString& name, QWidget* widget) {
        const QString folder = qEnvironmentVariable("TANDEM_SHOTS");
        if (folder.isEmpty()) return;
        for (const auto choice : {theme::Choice::kLight, theme::Choice::kDark}) {
            themes_.setChoice(choice);
            QCoreApplication::processEvents();
            widget->grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name, choice == theme::Choice::kLight ? "light" : "dark"));
        }
        themes_.setChoice(theme::Choice::kLight);
    }

    theme::ThemeController themes_;
    tests::MadeUpStudio studio_;
    QTemporaryDir folder_;
    std::unique_ptr<MonitorPage> page_;
    std::unique_ptr<ExportDialog> dialog_;
};

TEST_F(ExportDialogTest, GreysWhatIsImpossibleAndSaysWhy) {
    ExportDialog& dialog = open(ExportPage::kData);
    EXPECT_EQ(dialog.page(), ExportPage::kTfConfig) << "the next possible kind";
    auto* kinds = find<QListView>("exportKinds")->model();
    EXPECT_FALSE(kinds->flags(kinds->index(static_cast<int>(ExportPage::kData), 0)) & Qt::ItemIsEnabled);
    EXPECT_EQ(kinds->index(static_cast<int>(ExportPage::kData), 0).data(Qt::ToolTipRole).toString(), "no step yet");
}

TEST_F(ExportDialogTest, SaysOfEachKindWhyItIsNotThereYet) {
    open(ExportPage::kTfConfig);
    auto* kinds = find<QListView>("exportKinds")->model();
    ASSERT_EQ(kinds->rowCount(), 12);
    const auto reason = [&](ExportPage page) {
        const QModelIndex row = kinds->index(static_cast<int>(page), 0);
        return row.flags() & Qt::ItemIsEnabled ? std::string() : row.data(Qt::ToolTipRole).toString().toStdString();
    };
    for (const ExportPage page : {ExportPage::kCheckpoint, ExportPage::kKeras, ExportPage::kOnnx, ExportPage::kLogs})
        EXPECT_EQ(reason(page), "no run yet");
    for (const ExportPage page : {ExportPage::kCode, ExportPage::kScript, ExportPage::kDiagram, ExportPage::kLaunch})
        EXPECT_EQ(reason(page), "") << "the open project's";
    train();
    open(ExportPage::kTfConfig);
    kinds = find<QListView>("exportKinds")->model();
    for (const ExportPage page : {ExportPage::kCheckpoint, ExportPage::kKeras, ExportPage::kLogs})
        EXPECT_NE(reason(page), "") << "the made up run has no folder";
}

// A run holds its cluster: its TF_CONFIG needs no open project.
TEST_F(ExportDialogTest, WritesTheTfConfigOfARunWhereNoProjectIsOpen) {
    train();
    const engine::spec::ClusterSpec cluster = studio_.session().runs().current()->run().cluster.spec;
    ASSERT_EQ(cluster.taskCount("worker"), 2);
    studio_.session().project().close();
    ASSERT_FALSE(studio_.session().project().isOpen());
    ExportDialog& dialog = open(ExportPage::kTfConfig);
    ASSERT_EQ(dialog.page(), ExportPage::kTfConfig);
    dialog.setFormat(engine::launch::TfConfigFormat::kEnv);
    ASSERT_EQ(write(), (QStringList{"worker-0.env", "worker-1.env"}));
    for (const auto& file : engine::launch::tfConfigFiles(cluster, engine::launch::TfConfigFormat::kEnv))
        EXPECT_EQ(read(QString::fromStdString(file.file_name)).toStdString(), file.text);
}

TEST_F(ExportDialogTest, WritesAllDataAsCsvThatPythonReads) {
    train();
    open(ExportPage::kData);
    EXPECT_TRUE(find<QPlainTextEdit>("exportText")->toPlainText().startsWith("series,step,epoch,time_s,value\nloss,1,"));
    shoot("export-data");
    const QStringList files = write();
    ASSERT_EQ(files, QStringList{stem() + ".csv"});
    const QByteArray text = read(files[0]);
    EXPECT_GT(text.count("\nloss,"), 990);
    EXPECT_TRUE(text.contains("worker 1/wait_us,"));
    if (std::system("command -v python3 > /dev/null 2>&1") != 0) GTEST_SKIP() << "python3 is not installed";
    const QString script = QStringLiteral(
        "import csv,sys\nrows=list(csv.DictReader(open(sys.argv[1])))\nassert all(float(r['value'])==float(r['value']) for "
        "r in rows if r['value'])\nassert sum(r['series']=='loss' for r in rows)==1000");
    EXPECT_EQ(QProcess::execute("python3", {"-c", script, folder_.filePath("out/" + stem() + ".csv")}), 0);
}

TEST_F(ExportDialogTest, WritesTheChosenSeriesApartAsJson) {
    train();
    open(ExportPage::kData);
    find<widgets::SegmentedControl>("exportDataFormat")->setCurrent(1);
    find<widgets::SegmentedControl>("exportDataFiles")->setCurrent(1);
    auto* series = static_cast<QStandardItemModel*>(find<QListView>("exportSeries")->model());
    for (int row = 0; row < series->rowCount(); ++row) series->item(row)->setCheckState(row < 2 ? Qt::Checked : Qt::Unchecked);
    EXPECT_EQ(find<QPushButton>("exportConfirm")->isEnabled(), true);
    EXPECT_EQ(write(), (QStringList{stem() + "-accuracy.json", stem() + "-loss.json"}));
    const QByteArray text = read(stem() + "-loss.json");
    EXPECT_TRUE(text.startsWith("{\"run\":{\"id\":\"run-1\""));
    if (std::system("command -v python3 > /dev/null 2>&1") != 0) GTEST_SKIP() << "python3 is not installed";
    const QString script = QStringLiteral(
        "import json,sys\nd=json.load(open(sys.argv[1]))\ns=d['series'][0]\nassert s['name']=='loss' and len(s['step'])==1000");
    EXPECT_EQ(QProcess::execute("python3", {"-c", script, folder_.filePath("out/" + stem() + "-loss.json")}), 0);
}

TEST_F(ExportDialogTest, CountsTheSeriesInTheLanguageInForce) {
    train();
    ExportDialog& dialog = open(ExportPage::kData);
    auto* series = static_cast<QStandardItemModel*>(find<QListView>("exportSeries")->model());
    ASSERT_GT(series->rowCount(), 1);
    series->item(0)->setCheckState(Qt::Unchecked);
    StudioTranslator translator;
    QEvent changed(QEvent::LanguageChange);
    const QString all = QString::number(series->rowCount()), chosen = QString::number(series->rowCount() - 1);
    for (const auto& [language, text] : {std::pair{"ko", "계열: %2개 중 %1개"}, {"zh_CN", "系列：%1 / %2"}, {"en", "Series: %1 of %2"}}) {
        translator.setLanguage(language);
        QApplication::sendEvent(&dialog, &changed);
        const QString wanted = QString::fromUtf8(text).arg(chosen, all);
        const auto labels = dialog.findChildren<QLabel*>();
        EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [&](const QLabel* one) { return one->text() == wanted; }))
            << wanted.toStdString();
    }
}

TEST_F(ExportDialogTest, WritesNothingWhenNoSeriesIsChosen) {
    train();
    open(ExportPage::kData);
    auto* series = static_cast<QStandardItemModel*>(find<QListView>("exportSeries")->model());
    for (int row = 0; row < series->rowCount(); ++row) series->item(row)->setCheckState(Qt::Unchecked);
    EXPECT_FALSE(find<QPushButton>("exportConfirm")->isEnabled());
    EXPECT_EQ(find<QPushButton>("exportConfirm")->toolTip(), "Nothing is chosen");
}

TEST_F(ExportDialogTest, WritesTheModelAsADiagram) {
    open(ExportPage::kDiagram);
    find<widgets::SegmentedControl>("exportDiagramDirection")->setCurrent(1);
    find<widgets::SegmentedControl>("exportDiagramBoxes")->setCurrent(1);
    ASSERT_EQ(write(), QStringList{"model.dot"});
    EXPECT_EQ(read("model.dot").toStdString(),
              engine::report::modelDot(studio_.session().project().spec().model,
                                       {.show_layer_activations = false, .show_params = false, .left_to_right = true}));
    bool found = false;
    for (const QLabel* label : dialog_->findChildren<QLabel*>())
        found = found || label->text().contains(" --rankdir LR --no-activations --no-params --out ");
    EXPECT_TRUE(found);
}

TEST_F(ExportDialogTest, WritesAWholeProgramOfTheChosenApi) {
    open(ExportPage::kScript);
    auto* api = find<widgets::SegmentedControl>("exportScriptApi");
    const engine::spec::RunSpec& run = studio_.session().project().spec();
    for (std::size_t i = 0; i < engine::script::apis().size(); ++i) {
        const engine::script::ApiRow& row = engine::script::apis()[i];
        api->setCurrent(static_cast<int>(i));
        shoot(QStringLiteral("export-script-") + QString::fromUtf8(row.name.data(), static_cast<qsizetype>(row.name.size())));
        const bool has_command = std::ranges::any_of(dialog_->findChildren<QLabel*>(), [&](const QLabel* label) {
            return label->text().startsWith("tandem-cli export script PROJECT.tandem --api " +
                                            QString::fromStdString(std::string(row.name)));
        });
        EXPECT_TRUE(has_command) << row.name;
        ASSERT_TRUE(write().contains(QString::fromStdString(std::string(row.file)))) << row.name;
        EXPECT_EQ(read(QString::fromStdString(std::string(row.file))).toStdString(), engine::script::writeScript(run, row.api).text)
            << row.name;
    }
}

TEST_F(ExportDialogTest, SaysWhatPyTorchHasNoEqualFor) {
    open(ExportPage::kScript);
    find<widgets::SegmentedControl>("exportScriptApi")->setCurrent(3);
    EXPECT_FALSE(find<QLabel>("exportRefusal")->isVisible());
    studio_.session().project().change("Repeat whole batches", [](engine::spec::RunSpec& run) {
        using enum engine::spec::DataStep;
        run.data.order = {kTake, kScale, kNormalize, kOneHot, kShuffle, kCache, kRepeat, kBatch, kPrefetch};
    });
    dialog_->close();
    open(ExportPage::kScript);
    find<widgets::SegmentedControl>("exportScriptApi")->setCurrent(3);
    EXPECT_TRUE(find<QLabel>("exportRefusal")->isVisible());
    EXPECT_TRUE(find<QLabel>("exportRefusal")->text().startsWith("data.order: expected the order take, cache, shuffle, repeat, batch"))
        << find<QLabel>("exportRefusal")->text().toStdString();
    EXPECT_FALSE(find<QPushButton>("exportConfirm")->isEnabled());
}

// The options of a kind are those that its row of engine::launch::launchKinds() has, by their names in the form.
TEST_F(ExportDialogTest, ShowsWhatEachLauncherTakes) {
    const std::map<std::string, const char*> fields{{"--hosts", "exportLaunchHosts"},
                                                    {"--nodes", "exportLaunchNodes"},
                                                    {"--tasks-per-node", "exportLaunchTasksPerNode"},
                                                    {"--cpus-per-task", "exportLaunchCores"},
                                                    {"--gpus-per-task", "exportLaunchGpus"},
                                                    {"--memory", "exportLaunchMemory"},
                                                    {"--time", "exportLaunchTime"},
                                                    {"--partition", "exportLaunchPartition"},
                                                    {"--seeds", "exportLaunchSeeds"},
                                                    {"--image", "exportLaunchImage"}};
    open(ExportPage::kLaunch);
    auto* launcher = find<QComboBox>("exportLauncher");
    ASSERT_EQ(launcher->count(), static_cast<int>(engine::launch::launchKinds().size()));
    for (int i = 0; i < launcher->count(); ++i) {
        const engine::launch::LaunchKind& kind = engine::launch::launchKinds()[static_cast<std::size_t>(i)];
        launcher->setCurrentIndex(i);
        for (const auto& [option, name] : fields)
            EXPECT_EQ(find<QWidget>(name)->isVisible(), engine::launch::takes(kind, option)) << kind.name << ' ' << option;
        shoot(QStringLiteral("export-launch-") + QString::fromUtf8(kind.name.data(), static_cast<qsizetype>(kind.name.size())));
    }
}

// A starter project is known by its name wherever Tandem is.
TEST_F(ExportDialogTest, WritesWhatSlurmIsAskedFor) {
    open(ExportPage::kLaunch);
    EXPECT_EQ(find<QSpinBox>("exportLaunchNodes")->value(), 2) << "of the project's two workers";
    find<QSpinBox>("exportLaunchNodes")->setValue(4);
    find<QSpinBox>("exportLaunchGpus")->setValue(1);
    find<QLineEdit>("exportLaunchTime")->setText("02:00:00");
    find<QLineEdit>("exportLaunchPartition")->setText(" gpu,long ");
    engine::launch::LaunchJob job{.project = "mnist_multi_worker", .name = "mnist_multi_worker"};
    job.nodes = 4;
    job.gpus_per_task = 1;
    job.time = "02:00:00";
    job.partition = "gpu,long";
    const std::string text = engine::launch::findLaunchKind("slurm")->write(job, studio_.session().project().spec());
    EXPECT_EQ(find<QPlainTextEdit>("exportText")->toPlainText().toStdString(), text);
    bool found = false;
    for (const QLabel* label : dialog_->findChildren<QLabel*>()) {
        found = found || label->text().startsWith(
                             "tandem-cli export launch mnist_multi_worker --kind slurm --nodes 4 --gpus-per-task 1 --time 02:00:00 "
                             "--partition gpu,long --out ");
    }
    EXPECT_TRUE(found);
    ASSERT_EQ(write(), QStringList{"mnist_multi_worker-slurm.sh"});
    EXPECT_EQ(read("mnist_multi_worker-slurm.sh").toStdString(), text);
}

TEST_F(ExportDialogTest, SaysWhyThereIsNoLaunchFile) {
    open(ExportPage::kLaunch);
    auto* refusal = find<QLabel>("exportRefusal");
    EXPECT_FALSE(refusal->isVisible());
    auto* memory = find<QLineEdit>("exportLaunchMemory");
    memory->setText("plenty");
    EXPECT_TRUE(refusal->isVisible());
    EXPECT_EQ(refusal->text(), "--memory: expected a number with K, M, G or T, such as 4G, got plenty");
    EXPECT_TRUE(memory->property("invalid").toBool());
    EXPECT_FALSE(find<QPushButton>("exportConfirm")->isEnabled());
    EXPECT_EQ(find<QPushButton>("exportConfirm")->toolTip(), refusal->text());
    EXPECT_FALSE(find<QPushButton>("exportCopy")->isVisible());
    shoot("export-launch-refusal");
    // A kind that has no such field does not mind it; the project's own workers are on this computer.
    auto* launcher = find<QComboBox>("exportLauncher");
    launcher->setCurrentText("ssh");
    EXPECT_TRUE(refusal->text().startsWith("--hosts: expected the computers on which the tasks are to run"))
        << refusal->text().toStdString();
    EXPECT_FALSE(memory->property("invalid").toBool());
    auto* hosts = find<QLineEdit>("exportLaunchHosts");
    EXPECT_TRUE(hosts->property("invalid").toBool());
    hosts->setText("node1,node1");
    EXPECT_EQ(refusal->text(), "hosts: expected each host once, got node1 twice; \"node1:2\" gives it two workers");
    EXPECT_TRUE(hosts->property("invalid").toBool());
    hosts->setText("node1,ann@node2:2");
    EXPECT_FALSE(refusal->isVisible());
    EXPECT_FALSE(hosts->property("invalid").toBool());
    EXPECT_EQ(write(), QStringList{"mnist_multi_worker-ssh.sh"});
}

TEST_F(ExportDialogTest, ChangesValuesOfTheProjectForALaunchFileAlone) {
    open(ExportPage::kLaunch);
    auto* settings = find<QPlainTextEdit>("exportLaunchSettings");
    auto* refusal = find<QLabel>("exportRefusal");
    settings->setPlainText("fit.epoch=5");
    EXPECT_TRUE(refusal->isVisible());
    EXPECT_TRUE(refusal->text().startsWith("fit.epoch: unknown key: expected ")) << refusal->text().toStdString();
    EXPECT_TRUE(settings->property("invalid").toBool());
    shoot("export-launch-setting-refusal");
    settings->setPlainText("fit.epochs=-1");
    EXPECT_TRUE(refusal->text().startsWith("fit.epochs: expected ")) << refusal->text().toStdString();
    settings->setPlainText("fit.epochs=5\n\n name=It's mine");
    EXPECT_FALSE(refusal->isVisible());
    EXPECT_FALSE(settings->property("invalid").toBool());
    const QString text = find<QPlainTextEdit>("exportText")->toPlainText();
    EXPECT_TRUE(text.contains("options+=(--set 'fit.epochs=5')\noptions+=(--set 'name=It'\\''s mine')\n")) << text.toStdString();
    bool found = false;
    for (const QLabel* label : dialog_->findChildren<QLabel*>())
        found = found || label->text().contains(" --kind slurm --set fit.epochs=5 --set 'name=It'\\''s mine' --out ");
    EXPECT_TRUE(found);
    EXPECT_NE(studio_.session().project().spec().fit.epochs, 5);
    shoot("export-launch-settings");
}

TEST_F(ExportDialogTest, KnowsWhatTheLastLaunchFileAskedFor) {
    QSettings settings(folder_.filePath("settings.ini"), QSettings::IniFormat);
    tests::MadeUpStudio studio(&settings);
    ASSERT_TRUE(studio.agentIsReady() && studio.openTwoWorkers());
    const auto openAnew = [&] {
        dialog_ = std::make_unique<ExportDialog>(studio.session(), themes_, std::vector<charts::ChartCard*>());
        dialog_->setFolder(folder_.filePath("out"));
        dialog_->showPage(ExportPage::kLaunch);
        dialog_->show();
    };
    const auto fill = [&] {
        find<QComboBox>("exportLauncher")->setCurrentText("Kubernetes");
        find<QSpinBox>("exportLaunchNodes")->setValue(5);
        find<QSpinBox>("exportLaunchCores")->setValue(8);
        find<QLineEdit>("exportLaunchImage")->setText("registry.example/tandem:1");
        find<QLineEdit>("exportLaunchPartition")->setText("long");
        find<QPlainTextEdit>("exportLaunchSettings")->setPlainText("fit.epochs=5");
    };
    openAnew();
    fill();
    openAnew();
    EXPECT_EQ(find<QComboBox>("exportLauncher")->currentText(), "Slurm") << "that file was not written";
    EXPECT_EQ(find<QSpinBox>("exportLaunchCores")->value(), 0);
    fill();
    EXPECT_EQ(write(), QStringList{"mnist-multi-worker-kubernetes.yaml"});
    openAnew();
    EXPECT_EQ(find<QComboBox>("exportLauncher")->currentText(), "Kubernetes");
    EXPECT_EQ(find<QSpinBox>("exportLaunchCores")->value(), 8);
    EXPECT_EQ(find<QLineEdit>("exportLaunchImage")->text(), "registry.example/tandem:1");
    EXPECT_EQ(find<QLineEdit>("exportLaunchPartition")->text(), "") << "Kubernetes has none";
    EXPECT_EQ(find<QSpinBox>("exportLaunchNodes")->value(), 2) << "those are the project's";
    EXPECT_EQ(find<QPlainTextEdit>("exportLaunchSettings")->toPlainText(), "fit.epochs=5");
    EXPECT_TRUE(find<QPlainTextEdit>("exportText")->toPlainText().contains("image: \"registry.example/tandem:1\""));
    ASSERT_TRUE(studio.session().project().openStarter("mnist_mlp"));
    openAnew();
    EXPECT_EQ(find<QPlainTextEdit>("exportLaunchSettings")->toPlainText(), "") << "that was for another project";
    EXPECT_EQ(find<QSpinBox>("exportLaunchCores")->value(), 8);
    dialog_.reset();
}

// mpirun's hosts say where the ranks go; nothing else does then.
TEST_F(ExportDialogTest, TakesHostsInPlaceOfNodes) {
    open(ExportPage::kLaunch);
    find<QComboBox>("exportLauncher")->setCurrentText("Open MPI (mpirun)");
    find<QSpinBox>("exportLaunchTasksPerNode")->setValue(3);
    find<QLineEdit>("exportLaunchHosts")->setText("node1,node2:2");
    for (const char* name : {"exportLaunchNodes", "exportLaunchTasksPerNode"}) EXPECT_FALSE(find<QSpinBox>(name)->isEnabled()) << name;
    EXPECT_TRUE(find<QPlainTextEdit>("exportText")->toPlainText().contains("-np 3)\nmpirun+=(--host 'node1:1,node2:2')"));
    find<QLineEdit>("exportLaunchHosts")->clear();
    for (const char* name : {"exportLaunchNodes", "exportLaunchTasksPerNode"}) EXPECT_TRUE(find<QSpinBox>(name)->isEnabled()) << name;
    EXPECT_TRUE(find<QPlainTextEdit>("exportText")->toPlainText().contains("-np 6)"));
}

// What starts the tasks reads the project's file: the one that the window shows.
TEST_F(ExportDialogTest, NamesTheProjectsFileInALaunchFile) {
    session::Project& project = studio_.session().project();
    project.change("Rename", [](engine::spec::RunSpec& run) { run.name = "mine"; });
    const auto reason = [this] {
        auto* kinds = find<QListView>("exportKinds")->model();
        const QModelIndex row = kinds->index(static_cast<int>(ExportPage::kLaunch), 0);
        return row.flags() & Qt::ItemIsEnabled ? std::string() : row.data(Qt::ToolTipRole).toString().toStdString();
    };
    open(ExportPage::kTfConfig);
    EXPECT_EQ(reason(), "save the project first");
    const QString path = folder_.filePath("My project.tandem");
    ASSERT_TRUE(project.saveAs(path));
    open(ExportPage::kLaunch);
    EXPECT_EQ(reason(), "");
    find<QComboBox>("exportLauncher")->setCurrentText("Kubernetes");
    const QString text = find<QPlainTextEdit>("exportText")->toPlainText();
    EXPECT_TRUE(text.contains("my-project.tandem")) << text.toStdString();
    EXPECT_TRUE(text.contains("\"mnist\"")) << "the project goes along";
    EXPECT_EQ(write(), QStringList{"my-project-kubernetes.yaml"});
    open(ExportPage::kLaunch);
    EXPECT_TRUE(find<QPlainTextEdit>("exportText")->toPlainText().contains("project='" + path + "'"));
    project.change("Train longer", [](engine::spec::RunSpec& run) { ++run.fit.epochs; });
    open(ExportPage::kTfConfig);
    EXPECT_EQ(reason(), "save the project first");
}

TEST_F(ExportDialogTest, WritesChartsAsPictures) {
    train();
    open(ExportPage::kCharts);
    shoot("export-charts");
    EXPECT_EQ(write(), QStringList{stem() + "-charts.png"});
    const QImage png = QImage::fromData(read(stem() + "-charts.png"));
    EXPECT_EQ(png.width(), 2 * (2 * 960 + 10));
    open(ExportPage::kCharts);
    find<widgets::SegmentedControl>("exportPictureFormat")->setCurrent(1);
    find<QComboBox>("exportCharts")->setCurrentIndex(1);
    const QStringList files = write();
    EXPECT_TRUE(files.contains(stem() + "-loss.svg")) << files.join(' ').toStdString();
    EXPECT_TRUE(read(stem() + "-loss.svg").contains("<svg"));
}

TEST_F(ExportDialogTest, WritesTheReportAsHtmlAndPdf) {
    train();
    open(ExportPage::kReport);
    shoot("export-report");
    EXPECT_EQ(write(), QStringList{stem() + ".html"});
    EXPECT_TRUE(read(stem() + ".html").contains("<svg"));
    open(ExportPage::kReport);
    find<widgets::SegmentedControl>("exportReportFormat")->setCurrent(1);
    EXPECT_TRUE(write().contains(stem() + ".pdf"));
    EXPECT_TRUE(read(stem() + ".pdf").startsWith("%PDF"));
    if (std::system("command -v pdftotext > /dev/null 2>&1") != 0) GTEST_SKIP() << "pdftotext (poppler-utils) is not installed";
    QProcess text;
    text.start("pdftotext", {"-layout", folder_.filePath("out/" + stem() + ".pdf"), "-"});
    ASSERT_TRUE(text.waitForFinished(10'000));
    const QString words = QString::fromUtf8(text.readAllStandardOutput());
    const auto second = studio_.session().runs().current()->run().cluster.spec.address({"worker", 1});
    ASSERT_TRUE(second);
    for (const std::string& part :
         {std::string("Settings"), std::string("Tasks"), *second, std::string("Epochs"), std::string("Checkpoints")})
        EXPECT_TRUE(words.contains(QString::fromStdString(part))) << part;
}

TEST_F(ExportDialogTest, AsksBeforeItReplacesFiles) {
    const auto content = [this] { return read("worker-0.json"); };
    open(ExportPage::kTfConfig);
    find<QPushButton>("exportConfirm")->click();
    QFile own(folder_.filePath("out/worker-0.json"));
    ASSERT_TRUE(own.open(QIODevice::WriteOnly));
    own.write("mine");
    own.close();
    ExportDialog& dialog = open(ExportPage::kTfConfig);
    QSignalSpy exported(&dialog, &ExportDialog::exported);
    EXPECT_EQ(writeAndAnswer("Cancel"), "2 files already exist. Do you want to replace them?");
    EXPECT_EQ(exported.count(), 0);
    EXPECT_TRUE(dialog.isVisible());
    EXPECT_EQ(content(), "mine");
    ASSERT_TRUE(QFile::remove(folder_.filePath("out/worker-1.json")));
    EXPECT_EQ(writeAndAnswer("Replace"), "worker-0.json already exists. Do you want to replace it?");
    EXPECT_EQ(exported.count(), 1);
    EXPECT_NE(content(), "mine");
}

TEST_F(ExportDialogTest, NamesWhatTheChosenKindIsAbout) {
    train();
    ASSERT_TRUE(studio_.session().project().openStarter("mnist_lenet5"));  // the run stays the one that is shown
    const std::string run = studio_.session().runs().current()->summary().name.toStdString();
    ASSERT_NE(run, studio_.session().project().spec().name);
    open(ExportPage::kReport);
    EXPECT_EQ(head().toStdString(), run + " · 2 task(s)");
    ui::session::setLocalWorkers(studio_.session().project(), 3);
    ExportDialog& dialog = open(ExportPage::kTfConfig);
    EXPECT_EQ(head().toStdString(), studio_.session().project().spec().name + " · 3 task(s)");
    dialog.showPage(ExportPage::kData);
    EXPECT_EQ(head().toStdString(), run + " · 2 task(s)");
}

TEST_F(ExportDialogTest, OffersAFolderOfTheChosenKindUntilOneIsChosen) {
    train();
    dialog_ = std::make_unique<ExportDialog>(studio_.session(), themes_);
    auto* folder = find<QLineEdit>("exportFolder");
    dialog_->showPage(ExportPage::kData);
    EXPECT_EQ(folder->text(), "~/tandem/export/" + stem());
    dialog_->showPage(ExportPage::kTfConfig);
    EXPECT_NE(folder->text(), "~/tandem/export/" + stem());
    QTest::keyClicks(folder, "/mine");
    const QString chosen = folder->text();
    dialog_->showPage(ExportPage::kReport);
    EXPECT_EQ(folder->text(), chosen);
}

TEST_F(ExportDialogTest, TellsTheSizeThatTheFileWillHave) {
    train();
    open(ExportPage::kData);
    const QString told = find<QListView>("exportFiles")->model()->index(0, 0).data(Qt::UserRole + 3).toString();
    ASSERT_TRUE(told.startsWith("≈ ") && told.endsWith(" KB")) << told.toStdString();
    const double kilobytes = told.mid(2, told.size() - 5).toDouble();
    const QStringList files = write();
    EXPECT_NEAR(kilobytes, static_cast<double>(read(files[0]).size()) / 1024, 0.05 * kilobytes);
}

TEST_F(ExportDialogTest, ListsFilesInWholeRowsAndScrollsBeyond) {
    train();
    session::setLocalWorkers(studio_.session().project(), 8);
    ExportDialog& dialog = open(ExportPage::kTfConfig);
    auto* list = find<QListView>("exportFiles");
    ASSERT_EQ(list->model()->rowCount(), 8);
    const int row = list->sizeHintForRow(0);
    ASSERT_GT(row, 0);
    for (const QSize& size : {QSize(1080, 664), dialog.minimumSize()}) {  // as the window opens it, and its least
        dialog.resize(size);
        int of_several = 0;
        for (int page = 0; page <= static_cast<int>(ExportPage::kReport); ++page) {
            dialog.showPage(static_cast<ExportPage>(page));
            if (static_cast<int>(dialog.page()) != page) continue;  // an impossible kind
            const int files = list->model()->rowCount(), least = std::clamp(files, 1, 3) * row;
            of_several += files >= 3 ? 1 : 0;
            EXPECT_TRUE(waitUntil([&] {
                const int height = list->viewport()->height();
                return height >= least && height % row == 0;
            })) << page
                << ": " << list->viewport()->height() << " px for rows of " << row;
            EXPECT_TRUE(list->rect().contains(list->viewport()->geometry()));
            EXPECT_LE(list->mapTo(&dialog, QPoint(0, list->height())).y(), dialog.height()) << page;
            EXPECT_TRUE(waitUntil([&] { return (list->verticalScrollBar()->maximum() > 0) == (files * row > list->viewport()->height()); }))
                << page;
        }
        EXPECT_GE(of_several, 1);
    }
    dialog.showPage(ExportPage::kTfConfig);
    list->scrollToBottom();
    EXPECT_TRUE(waitUntil([&] { return list->viewport()->rect().contains(list->visualRect(list->model()->index(7, 0))); }));
    EXPECT_EQ(list->visualRect(list->indexAt(QPoint(4, 4))).top(), 0) << "the first row of those in sight is whole, too";
}

TEST_F(ExportDialogTest, NamesTheSameAsACommandLine) {
    train();
    open(ExportPage::kReport);
    bool found = false;
    for (const QLabel* label : dialog_->findChildren<QLabel*>())
        found = found || label->text().startsWith("tandem --export report --format html --run run-1 --out ");
    EXPECT_TRUE(found);
}

TEST_F(ExportDialogTest, AReportSpeaksTheLanguageInForce) {
    train();
    engine::report::RunData run = session::runData(*studio_.session().runs().current());
    run.tasks[1].failure = engine::spec::TaskFailed{};
    run.tasks[1].detail = "no heartbeat for 30 s";
    run.marks.push_back({12, 40, "worker 1 lost: no heartbeat for 30 s"});
    run.checkpoints.push_back({"checkpoints/ckpt_1", 0, 40, 1 << 20, 0.1, true});
    run.problems = {"worker 1: a line of its log"};
    // Whatever a report asks for is a word that is translated, or one of these sentences and names.
    const auto known = reportWords();
    engine::report::ReportLanguage asking;
    asking.word = [&](std::string_view english) {
        EXPECT_TRUE(std::find(known.begin(), known.end(), english) != known.end() || english.find("heartbeat") != english.npos) << english;
        return std::string(english);
    };
    EXPECT_FALSE(engine::report::htmlReport(run, asking).text.empty());
    EXPECT_EQ(reportLanguage().tag, "en");
    StudioTranslator translator;
    for (const char* code : {"ko", "zh_CN"}) {
        translator.setLanguage(code);
        const engine::report::ReportLanguage language = reportLanguage();
        EXPECT_EQ(language.tag, QString(code).replace('_', '-').toStdString());
        for (const std::string_view word : known) {
            EXPECT_TRUE(language.word(word) != word || word == "MB") << code << ": " << word;
        }
        EXPECT_TRUE(QString::fromStdString(language.word("worker 1 lost: no heartbeat for 30 s")).contains("worker 1"));
        EXPECT_EQ(language.word("worker 1 lost: no heartbeat for 30 s").find("heartbeat"), std::string::npos);
        EXPECT_FALSE(reportPdf(run, {}).isEmpty());
    }
    translator.setLanguage("en");
    EXPECT_EQ(reportLanguage().word("Settings"), "Settings");
}

}  // namespace
}  // namespace ui::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/submit_dialog.h"

#include <QComboBox>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QGridLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/launch/launch_options.h"
#include "engine/spec/error.h"
#include "ui/export/kept_fields.h"
#include "ui/export/settings_field.h"
#include "ui/models/finding_text.h"
#include "ui/session/host/far_hosts.h"
#include "ui/session/host/host.h"
#include "ui/session/project/open_project.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/runs.h"
#include "ui/session/session.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kFormColumns = 4, kMostJobNodes = 4096, kMostJobTasks = 256, kMostJobSeeds = 1000;
constexpr QLatin1String kSubmitSettings{"submit"};

int tasksOf(const engine::spec::RunSpec& run) {
    int tasks = 0;
    for (const engine::spec::Job& job : run.cluster.spec.jobs) tasks += static_cast<int>(job.tasks.size());
    return tasks;
}

}  // namespace

SubmitDialog::SubmitDialog(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QDialog(parent), session_(session) {
    setObjectName("submitDialog");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kSpace6, theme::kSpace5, theme::kSpace6, theme::kSpace5);
    column->setSpacing(theme::kSpace3);
    title_ = new TextLabel(themes, TextRole::kSection, Ink::kText, this);
    about_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    about_->setWordWrap(true);
    host_label_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    host_ = new QComboBox(this);
    host_->setObjectName("submitHost");
    host_->addItem(QString());
    for (const session::FarHost& host : session_.farHosts().hosts()) host_->addItem(host.entry.name, host.entry.name);
    connect(host_, &QComboBox::currentIndexChanged, this, &SubmitDialog::chooseHost);
    auto* where = new QHBoxLayout;
    where->setSpacing(theme::kSpace3);
    where->addWidget(host_label_);
    where->addWidget(host_);
    where->addStretch(1);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(theme::kSpace3);
    grid->setVerticalSpacing(theme::kSpace1);
    const engine::spec::RunSpec& run = session_.project().spec();
    struct Range {
        const char* name;
        int least = 0, most = 0, value = 0;  // most 0: a text
    };
    const std::array<Range, kFields> ranges{Range{"submitNodes", 1, kMostJobNodes, std::max(2, tasksOf(run))},
                                            Range{"submitTasksPerNode", 1, kMostJobTasks, 1},
                                            Range{"submitCores", 0, kMostJobTasks, 0},
                                            Range{"submitGpus", 0, kMostJobTasks, 0},
                                            Range{"submitSeeds", 1, kMostJobSeeds, 1},
                                            Range{"submitMemory"},
                                            Range{"submitTime"},
                                            Range{"submitPartition"}};
    for (int i = 0; i < kFields; ++i) {
        const Range& range = ranges[static_cast<std::size_t>(i)];
        QWidget* field = nullptr;
        if (range.most > 0) {
            auto* box = new QSpinBox(this);
            box->setRange(range.least, range.most);
            box->setValue(range.value);
            connect(box, &QSpinBox::valueChanged, this, &SubmitDialog::refresh);
            field = box;
        } else {
            auto* edit = new QLineEdit(this);
            edit->setFont(themes.font(TextRole::kMonoField));
            connect(edit, &QLineEdit::textEdited, this, &SubmitDialog::refresh);
            field = edit;
        }
        field->setObjectName(QLatin1String(range.name));
        auto* label = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
        labels_[static_cast<std::size_t>(i)] = label;
        fields_[static_cast<std::size_t>(i)] = field;
        const int row = i / kFormColumns * 3, place = i % kFormColumns;
        grid->addWidget(label, row, place);
        grid->addWidget(field, row + 1, place);
        grid->setColumnStretch(place, 1);
        grid->setRowMinimumHeight(row + 2, theme::kSpace1);
    }
    settings_label_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    settings_ = new SettingsField(themes, this);
    settings_->setObjectName("submitSettings");
    folder_label_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    folder_ = new QLineEdit(this);
    folder_->setObjectName("submitFolder");
    folder_->setFont(themes.font(TextRole::kMonoField));
    const QString name = QString::fromStdString(engine::launch::plainName(run.name));
    const QString base = session_.project().baseFolder();
    folder_->setText(QDir(base.isEmpty() ? QDir::homePath() : base).filePath(name + QStringLiteral("-run")));
    connect(folder_, &QLineEdit::textEdited, this, &SubmitDialog::refresh);
    browse_ = widgets::makeButton(themes, {.object_name = "submitBrowse", .icon = "folder"}, this);
    auto* place = new QHBoxLayout;
    place->setSpacing(theme::kSpace2);
    place->addWidget(folder_, 1);
    place->addWidget(browse_);
    script_label_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    script_ = new QPlainTextEdit(this);
    script_->setObjectName("submitScript");
    script_->setProperty("kind", "field");
    script_->setReadOnly(true);
    script_->setTabChangesFocus(true);
    script_->setLineWrapMode(QPlainTextEdit::NoWrap);
    script_->setFont(themes.font(TextRole::kMono));
    problem_ = new TextLabel(themes, TextRole::kSmall, Ink::kError, this);
    problem_->setObjectName("submitProblem");
    problem_->setWordWrap(true);
    cancel_ = widgets::makeButton(themes, {.object_name = "submitCancel"}, this);
    submit_ = widgets::makeButton(themes, {.object_name = "submitUse", .kind = widgets::ButtonKind::kPrimary}, this);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(theme::kSpace2);
    foot->addWidget(problem_, 1);
    foot->addWidget(cancel_);
    foot->addWidget(submit_);
    column->addWidget(title_);
    column->addWidget(about_);
    column->addLayout(where);
    column->addLayout(grid);
    column->addWidget(settings_label_);
    column->addWidget(settings_);
    column->addWidget(folder_label_);
    column->addLayout(place);
    column->addWidget(script_label_);
    column->addWidget(script_, 1);
    column->addLayout(foot);
    connect(browse_, &QPushButton::clicked, this, &SubmitDialog::chooseFolder);
    connect(cancel_, &QPushButton::clicked, this, &QDialog::reject);
    connect(submit_, &QPushButton::clicked, this, &SubmitDialog::submit);
    connect(&session_.launcher(), &session::Launcher::jobTaken, this, [this] {
        if (!is_asking_) return;
        keep();
        accept();
    });
    connect(&session_.launcher(), &session::Launcher::jobRefused, this, [this](const QString& why) {
        if (!std::exchange(is_asking_, false)) return;
        refresh();
        problem_->setText(models::findingText(why));
    });
    setFocusProxy(fields_[kNodes]);
    recall();
    connect(settings_, &QPlainTextEdit::textChanged, this, &SubmitDialog::refresh);
    // Whether a job can be handed over changes with the agent and with a launch.
    connect(&session_.host(), &session::Host::agentChanged, this, &SubmitDialog::refresh);
    connect(&session_.runs(), &session::Runs::stateChanged, this, &SubmitDialog::refresh);
    retranslate();
}

QString SubmitDialog::project() const {
    return session::placeOfProject(session_.project(), session_.starters());
}

// Returns the fields that a cluster wants of all jobs alike. Nodes, seeds and the folder belong to the project; settings are kept for this
// one.
std::vector<QWidget*> SubmitDialog::keptFields() const {
    std::vector<QWidget*> kept;
    for (const Field field : {kTasksPerNode, kCores, kGpus, kMemory, kTime, kPartition}) kept.push_back(fields_[field]);
    return kept;
}

void SubmitDialog::keep() const {
    QSettings* settings = session_.settings();
    keepFields(settings, kSubmitSettings, keptFields());
    if (settings != nullptr) settings->setValue(kSubmitSettings + QLatin1Char('/') + host_->objectName(), host());
    settings_->keep(settings, kSubmitSettings, project());
}

void SubmitDialog::recall() {
    const QSettings* settings = session_.settings();
    recallFields(session_.settings(), kSubmitSettings, keptFields());
    settings_->recall(settings, kSubmitSettings, project());
    const int place = settings != nullptr ? host_->findData(settings->value(kSubmitSettings + QLatin1Char('/') + host_->objectName())) : 0;
    if (place > 0) host_->setCurrentIndex(place);  // a host that is no longer in the list: this computer
}

QSpinBox& SubmitDialog::number(Field field) const {
    return *static_cast<QSpinBox*>(fields_[field]);
}

QLineEdit& SubmitDialog::text(Field field) const {
    return *static_cast<QLineEdit*>(fields_[field]);
}

void SubmitDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QDialog::changeEvent(event);
}

void SubmitDialog::retranslate() {
    title_->setText(tr("Submit to Slurm"));
    about_->setText(
        tr("Slurm's programs take the job, those of this computer or of a host that is reached over ssh, such as a login node. The run "
           "waits in the queue, and Monitor shows it from there on. The project is kept as it is now."));
    host_label_->setText(tr("Slurm's programs are on"));
    host_->setItemText(0, tr("this computer"));
    host_->setAccessibleName(host_label_->text());
    const std::array<QString, kFields> labels{tr("Nodes"),        tr("Tasks a node"),  tr("Cores a task"), tr("GPUs a task"),
                                              tr("Seeds (runs)"), tr("Memory a node"), tr("Longest time"), tr("Partition")};
    for (std::size_t i = 0; i < kFields; ++i) {
        labels_[i]->setText(labels[i]);
        fields_[i]->setAccessibleName(labels[i]);
    }
    number(kCores).setSpecialValueText(tr("as usual"));
    number(kGpus).setSpecialValueText(tr("none"));
    for (const Field field : {kMemory, kTime, kPartition}) text(field).setPlaceholderText(tr("as usual"));
    folder_->setPlaceholderText(tr("among the runs of that host"));
    text(kMemory).setToolTip(QStringLiteral("4G"));
    text(kTime).setToolTip(QStringLiteral("02:00:00"));
    settings_label_->setText(tr("Other values of the project for this job, one a line"));
    settings_->setAccessibleName(settings_label_->text());
    settings_->setToolTip(tr("PATH=VALUE, for this job alone: the project stays as it is."));
    folder_label_->setText(tr("The run's folder, which every node sees"));
    folder_->setAccessibleName(folder_label_->text());
    browse_->setText(tr("Choose…"));
    script_label_->setText(tr("The script for sbatch"));
    script_->setAccessibleName(script_label_->text());
    cancel_->setText(tr("Cancel"));
    refresh();
}

engine::launch::LaunchJob SubmitDialog::job() const {
    engine::launch::LaunchOptions options;
    options.nodes = number(kNodes).value();
    options.settings = settings_->settings();
    engine::launch::LaunchJob& asked = options.job;
    asked.tasks_per_node = number(kTasksPerNode).value();
    asked.cpus_per_task = number(kCores).value();
    asked.gpus_per_task = number(kGpus).value();
    asked.seeds = number(kSeeds).value();
    asked.memory = text(kMemory).text().trimmed().toStdString();
    asked.time = text(kTime).text().trimmed().toStdString();
    asked.partition = text(kPartition).text().trimmed().toStdString();
    if (const QString folder = folder_->text().trimmed(); !folder.isEmpty()) asked.run_folder = QDir::cleanPath(folder).toStdString();
    engine::launch::LaunchJob job = engine::launch::jobOf(options, session_.project().spec());
    job.settings = options.settings;
    return job;
}

void SubmitDialog::refresh() {
    is_good_ = false;
    problem_->setText({});
    if (const QString obstacle = session_.launcher().submitObstacle(); !obstacle.isEmpty() && !is_asking_) {
        problem_->setText(obstacle);
    } else if (const QString folder = folder_->text().trimmed(); !QDir::isAbsolutePath(folder) && (host().isEmpty() || !folder.isEmpty())) {
        problem_->setText(tr("The folder begins with /."));
    } else {
        try {
            const QString script = QString::fromStdString(session_.launcher().scriptOf(job(), host()));
            if (script != script_->toPlainText()) script_->setPlainText(script);  // one that is read stays where it is scrolled to
            is_good_ = true;
        } catch (const engine::Error& error) {
            problem_->setText(models::findingText(std::string(error.what())));
        }
    }
    submit_->setText(is_asking_ ? tr("Asking Slurm…") : tr("Submit"));
    submit_->setEnabled(is_good_ && !is_asking_);
}

QString SubmitDialog::host() const {
    return host_->currentData().toString();
}

// A folder of this computer means nothing on another one.
void SubmitDialog::chooseHost() {
    const bool is_here = host().isEmpty();
    if (is_here != folder_here_.isEmpty()) {
        const QString shown = folder_->text();
        folder_->setText(is_here ? folder_here_ : QString());
        folder_here_ = is_here ? QString() : shown;
    }
    browse_->setEnabled(is_here);
    refresh();
}

void SubmitDialog::chooseFolder() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("An empty folder for the run"), QFileInfo(folder_->text()).path());
    if (folder.isEmpty()) return;
    folder_->setText(folder);
    refresh();
}

void SubmitDialog::submit() {
    if (!is_good_ || is_asking_) return;
    if (!session_.launcher().submitObstacle().isEmpty()) return refresh();
    is_asking_ = true;
    session_.launcher().submitJob(job(), host());
    refresh();
}

}  // namespace ui::views

#include "moc_submit_dialog.cpp"

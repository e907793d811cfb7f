// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_launch_kind.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QSettings>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/launch/container_text.h"
#include "engine/spec/error.h"
#include "engine/spec/validate/validate.h"
#include "ui/export/kept_fields.h"
#include "ui/export/settings_field.h"
#include "ui/models/finding_text.h"
#include "ui/parts/commands_pane.h"
#include "ui/session/project/open_project.h"
#include "ui/session/project/project.h"
#include "ui/session/project/starters.h"
#include "ui/session/project/whole_file.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::launch::LaunchFile;
using engine::launch::LaunchJob;
using engine::launch::LaunchKind;
using engine::launch::LaunchOptions;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kColumns = 3, kMostNodes = 4096, kMostTasks = 256, kMostSeeds = 1000;
constexpr QLatin1String kSettings{"launch_files"};

struct FieldRow {
    const char *option, *object_name;
    int columns = 1;
    int least = 0, most = 0;  // most 0: a text
};
// The rows are in the order of the fields, which is that of the form.
constexpr std::array kRows{
    FieldRow{"--hosts", "exportLaunchHosts", kColumns},
    FieldRow{"--nodes", "exportLaunchNodes", 1, 1, kMostNodes},
    FieldRow{"--tasks-per-node", "exportLaunchTasksPerNode", 1, 1, kMostTasks},
    FieldRow{"--cpus-per-task", "exportLaunchCores", 1, 0, kMostTasks},
    FieldRow{"--gpus-per-task", "exportLaunchGpus", 1, 0, kMostTasks},
    FieldRow{"--memory", "exportLaunchMemory"},
    FieldRow{"--time", "exportLaunchTime"},
    FieldRow{"--seeds", "exportLaunchSeeds", 1, 1, kMostSeeds},
    FieldRow{"--partition", "exportLaunchPartition", 2},
    FieldRow{"--image", "exportLaunchImage", kColumns},
};

// Returns the launchers' names, which no language changes, in the order of engine::launch::launchKinds().
const QStringList& launcherNames() {
    static const QStringList names{QStringLiteral("Slurm"),      QStringLiteral("Docker Compose"),
                                   QStringLiteral("Kubernetes"), QStringLiteral("TFJob (Kubeflow)"),
                                   QStringLiteral("ssh"),        QStringLiteral("Open MPI (mpirun)")};
    return names;
}

}  // namespace

LaunchFilesKind::LaunchFilesKind(ExportContext& context, QWidget* parent)
    : OfProject(context, {.icon = QStringLiteral("server"), .formats_name = {}, .formats = {QStringLiteral("Slurm, k8s, compose, MPI")}},
                parent) {
    launcher_label_ = addLabel();
    launcher_ = new QComboBox(this);
    launcher_->setObjectName(QStringLiteral("exportLauncher"));
    launcher_->addItems(launcherNames());
    column_->addWidget(launcher_);
    // The settings are made before the other fields, which ask what is set while they are filled.
    settings_label_ = new TextLabel(context.themes, TextRole::kSmall, Ink::kText2, this);
    settings_label_->setElided(true);
    settings_ = new SettingsField(context.themes, this);
    settings_->setObjectName(QStringLiteral("exportLaunchSettings"));
    grid_ = new QGridLayout;
    grid_->setHorizontalSpacing(theme::kSpace2);
    grid_->setVerticalSpacing(theme::kSpace1);
    for (int column = 0; column < kColumns; ++column) grid_->setColumnStretch(column, 1);
    for (std::size_t i = 0; i < kFields; ++i) {
        const FieldRow& row = kRows[i];
        labels_[i] = new TextLabel(context.themes, TextRole::kSmall, Ink::kText2, this);
        labels_[i]->setElided(true);
        if (row.most > 0) {
            auto* box = new QSpinBox(this);
            box->setRange(row.least, row.most);
            connect(box, &QSpinBox::valueChanged, this, &LaunchFilesKind::useOption);
            editors_[i] = box;
        } else {
            auto* edit = new QLineEdit(this);
            edit->setFont(context.themes.font(TextRole::kMonoField));
            connect(edit, &QLineEdit::textChanged, this, &LaunchFilesKind::useOption);
            editors_[i] = edit;
        }
        editors_[i]->setObjectName(QLatin1String(row.object_name));
        editors_[i]->setMinimumWidth(0);
    }
    if (run() != nullptr) {
        static_cast<QSpinBox*>(editors_[kNodes])->setValue(engine::launch::usualNodes(run()->cluster.spec));
    }
    column_->addLayout(grid_);
    column_->addWidget(settings_label_);
    column_->addWidget(settings_);
    setTabOrder(editors_.back(), settings_);
    column_->addStretch();
    recall();
    arrange();
    connect(settings_, &QPlainTextEdit::textChanged, this, &LaunchFilesKind::useOption);
    connect(launcher_, &QComboBox::currentIndexChanged, this, [this] {
        arrange();
        useOption();
    });
}

const LaunchKind& LaunchFilesKind::launchKind() const {
    return engine::launch::launchKinds()[static_cast<std::size_t>(std::max(0, launcher_->currentIndex()))];
}

// The text is that of the project's file, and so is what the tasks read: both are what the window shows.
QString LaunchFilesKind::place() const {
    const session::Project& project = context_.session.project();
    if (!project.path().isEmpty()) return project.isModified() ? QString() : project.path();
    return session::placeOfProject(project, context_.session.starters()).mid(QLatin1String(session::kStarterScheme).size());
}

KindTexts LaunchFilesKind::texts() const {
    KindTexts texts{tr("Launch files"), {}};
    switch (std::max(0, launcher_->currentIndex())) {
        case 0:
            texts.about = tr("A batch script for sbatch. Its job is queued again when a node is lost or its time is over.");
            break;
        case 1:
            texts.about = tr("Containers of one computer, for docker compose up. What fails is started again.");
            break;
        case 2:
            texts.about = tr("A Job of Kubernetes with all that it needs, for kubectl apply.");
            break;
        case 3:
            texts.about = tr("A TFJob of Kubeflow's training operator, for kubectl apply.");
            break;
        case 4:
            texts.about = tr("A bash script that starts each task over ssh, and ends all when one fails.");
            break;
        default:
            texts.about = tr("A bash script that starts the tasks as ranks of Open MPI.");
    }
    if (!context_.session.project().isOpen()) {
        texts.obstacle = tr("No project is open");
        return texts;
    }
    const engine::spec::Diagnostics found = engine::spec::validate(context_.session.project().spec());
    const auto errors =
        std::count_if(found.begin(), found.end(), [](const auto& one) { return one.severity == engine::spec::Severity::kError; });
    if (errors > 0) texts.obstacle = tr("%n problem(s)", nullptr, static_cast<int>(errors));
    if (texts.obstacle.isEmpty() && place().isEmpty()) texts.obstacle = tr("save the project first");
    return texts;
}

bool LaunchFilesKind::isUsed(Field field) const {
    if (!engine::launch::takes(launchKind(), kRows[field].option)) return false;
    const bool is_said_by_hosts = field == kNodes || field == kTasksPerNode;
    return !is_said_by_hosts || given(kHosts).isEmpty();
}

QString LaunchFilesKind::given(Field field) const {
    if (!isUsed(field)) return {};
    if (const auto* edit = qobject_cast<const QLineEdit*>(editors_[field])) return edit->text().trimmed();
    const int value = static_cast<const QSpinBox*>(editors_[field])->value();
    const int usual = field == kNodes && run() != nullptr ? engine::launch::usualNodes(run()->cluster.spec) : kRows[field].least;
    return value == usual ? QString() : QString::number(value);
}

LaunchOptions LaunchFilesKind::options() const {
    const auto text = [this](Field field) { return given(field).toStdString(); };
    const auto set = [this](Field field, int& value) {
        if (const QString number = given(field); !number.isEmpty()) value = number.toInt();
    };
    LaunchOptions options;
    if (const QString nodes = given(kNodes); !nodes.isEmpty()) options.nodes = nodes.toInt();
    if (const QString hosts = given(kHosts); !hosts.isEmpty()) options.hosts = hosts.toStdString();
    set(kTasksPerNode, options.job.tasks_per_node);
    set(kCores, options.job.cpus_per_task);
    set(kGpus, options.job.gpus_per_task);
    set(kSeeds, options.job.seeds);
    options.job.memory = text(kMemory);
    options.job.time = text(kTime);
    options.job.partition = text(kPartition);
    options.job.image = text(kImage);
    options.settings = settings_->settings();
    return options;
}

LaunchFilesKind::Outcome LaunchFilesKind::outcome() const {
    const QString at = place();
    if (run() == nullptr || at.isEmpty()) return {};
    const LaunchOptions asked = options();
    engine::spec::RunSpec changed;
    try {
        changed = engine::launch::withSettings(*run(), asked.settings);
    } catch (const engine::Error& error) {
        return {{}, QString::fromStdString(error.what()), true};
    }
    try {
        LaunchJob job = engine::launch::jobOf(asked, changed);
        job.settings = asked.settings;  // the tasks read the project's file
        if (context_.session.project().path().isEmpty()) {
            job.project = job.name = at.toStdString();  // a starter project, which lies wherever Tandem does
        } else {
            engine::launch::takeProjectFile(job, at.toStdString());
            if (launchKind().takes_text) {
                QString problem;
                job.project_text = session::readNamedFile(at, problem).toStdString();
                if (!problem.isEmpty()) return {{}, problem, false};
            }
        }
        return {{launchKind().file_name(job), launchKind().write(job, changed)}, {}, false};
    } catch (const engine::Error& error) {
        return {{}, QString::fromStdString(error.what()), false};
    }
}

QString LaunchFilesKind::refusal() {
    return models::findingText(outcome().refusal);
}

std::vector<ExportEntry> LaunchFilesKind::entries() {
    const Outcome made = outcome();
    if (made.file.text.empty()) return {};
    return {{QString::fromStdString(made.file.file_name), static_cast<qint64>(made.file.text.size())}};
}

void LaunchFilesKind::preview(int, ExportPreview& preview) {
    preview.showText(QString::fromStdString(outcome().file.text));
}

QString LaunchFilesKind::command(const QString& folder) {
    const Outcome made = outcome();
    if (made.file.text.empty()) return {};
    QString said;
    for (std::size_t i = 0; i < kFields; ++i) {
        if (const QString value = given(static_cast<Field>(i)); !value.isEmpty())
            said += QStringLiteral(" %1 %2").arg(QLatin1String(kRows[i].option), shellQuoted(value));
    }
    for (const std::string& setting : settings_->settings())
        said += QStringLiteral(" --set ") + shellQuoted(QString::fromStdString(setting));
    const std::string_view name = launchKind().name;
    return QStringLiteral("tandem-cli export launch %1 --kind %2%3 --out %4/%5")
        .arg(shellQuoted(place()), QLatin1String(name.data(), static_cast<qsizetype>(name.size())), said, folder,
             QString::fromStdString(made.file.file_name));
}

ExportKind::Work LaunchFilesKind::work() {
    keep();
    return [file = outcome().file] { return std::vector<LaunchFile>{file}; };
}

// Keeps what the computers want of all projects alike, and the settings for this project alone. Nodes and seeds belong to the project;
// fields that the kind does not take were not shown to anybody.
void LaunchFilesKind::keep() const {
    std::vector<QWidget*> fields;
    for (const Field field : kKept) {
        if (engine::launch::takes(launchKind(), kRows[field].option)) fields.push_back(editors_[field]);
    }
    QSettings* settings = context_.session.settings();
    keepFields(settings, kSettings, fields);
    if (settings != nullptr) settings->setValue(kSettings + QLatin1Char('/') + launcher_->objectName(), launcher_->currentText());
    settings_->keep(settings, kSettings, place());
}

void LaunchFilesKind::recall() {
    const QSettings* settings = context_.session.settings();
    if (settings == nullptr) return;
    std::vector<QWidget*> fields;
    fields.reserve(std::size(kKept));
    for (const Field field : kKept) fields.push_back(editors_[field]);
    recallFields(context_.session.settings(), kSettings, fields);
    settings_->recall(settings, kSettings, place());
    const QString launcher = settings->value(kSettings + QLatin1Char('/') + launcher_->objectName()).toString();
    if (const int place = launcher_->findText(launcher); place >= 0) launcher_->setCurrentIndex(place);
}

// Puts the fields that the kind takes in rows of three.
void LaunchFilesKind::arrange() {
    for (std::size_t i = 0; i < kFields; ++i) {
        grid_->removeWidget(labels_[i]);
        grid_->removeWidget(editors_[i]);
    }
    int row = 0, column = 0;
    for (std::size_t i = 0; i < kFields; ++i) {
        const bool is_taken = engine::launch::takes(launchKind(), kRows[i].option);
        labels_[i]->setVisible(is_taken);
        editors_[i]->setVisible(is_taken);
        if (!is_taken) continue;
        if (column + kRows[i].columns > kColumns) {
            column = 0;
            row += 3;
        }
        grid_->setRowMinimumHeight(row + 2, theme::kSpace1);  // between a field and the next one's name
        grid_->addWidget(labels_[i], row, column, 1, kRows[i].columns);
        grid_->addWidget(editors_[i], row + 1, column, 1, kRows[i].columns);
        column += kRows[i].columns;
    }
    showState();
}

QString LaunchFilesKind::labelOf(Field field) const {
    const std::string_view kind = launchKind().name;
    const bool is_compose = kind == "compose";
    const bool are_pods = kind == "kubernetes" || kind == "tfjob";
    switch (field) {
        case kHosts:
            return tr("Computers");
        case kNodes:
            return are_pods ? tr("Pods") : is_compose ? tr("Containers") : tr("Nodes");
        case kTasksPerNode:
            return tr("Tasks a node");
        case kCores:
            return tr("Cores a task");
        case kGpus:
            return tr("GPUs a task");
        case kMemory:
            return are_pods || is_compose ? tr("Memory a task") : tr("Memory a node");
        case kTime:
            return tr("Longest time");
        case kSeeds:
            return tr("Seeds (runs)");
        case kPartition:
            return tr("Partition");
        default:
            return tr("Image");
    }
}

// Shows what depends on the kind and on the other fields: names, hints, which fields are not used, what is refused.
void LaunchFilesKind::showState() {
    const Outcome made = outcome();
    for (std::size_t i = 0; i < kFields; ++i) {
        const auto field = static_cast<Field>(i);
        labels_[i]->setText(labelOf(field));
        editors_[i]->setAccessibleName(labelOf(field));
        editors_[i]->setEnabled(isUsed(field));
        const QString option = QLatin1String(kRows[i].option);
        const bool is_refused = made.refusal.startsWith(option + ':') || made.refusal.startsWith(option + ',') ||
                                (field == kHosts && made.refusal.startsWith(QLatin1String("hosts:")));
        if (editors_[i]->property("invalid").toBool() != is_refused) widgets::setSheetProperty(editors_[i], "invalid", is_refused);
    }
    if (settings_->property("invalid").toBool() != made.is_of_settings)
        widgets::setSheetProperty(settings_, "invalid", made.is_of_settings);
    LaunchJob job;
    job.gpus_per_task = given(kGpus).toInt();
    static_cast<QLineEdit*>(editors_[kImage])->setPlaceholderText(QString::fromStdString(engine::launch::imageOf(job)));
    editors_[kHosts]->setToolTip(launchKind().name == "ssh"
                                     ? tr("Names as ssh has them, with the number of tasks where it is not 1. Without any: the project's "
                                          "cluster, at its addresses.")
                                     : tr("Names as mpirun has them, with the number of tasks where it is not 1. Without any: where mpirun "
                                          "puts the ranks."));
}

void LaunchFilesKind::useOption() {
    showState();
    emit changed();
}

void LaunchFilesKind::retranslate() {
    OfProject::retranslate();
    launcher_label_->setText(tr("Started by"));
    launcher_->setAccessibleName(tr("Started by"));
    static_cast<QSpinBox*>(editors_[kCores])->setSpecialValueText(tr("as usual"));
    static_cast<QSpinBox*>(editors_[kGpus])->setSpecialValueText(tr("none"));
    for (const Field field : {kMemory, kTime, kPartition}) static_cast<QLineEdit*>(editors_[field])->setPlaceholderText(tr("as usual"));
    editors_[kMemory]->setToolTip(QStringLiteral("4G"));
    editors_[kTime]->setToolTip(QStringLiteral("02:00:00"));
    editors_[kImage]->setToolTip(tr("With Tandem in it, as installer/image.sh makes it."));
    settings_label_->setText(tr("Other values of the project, one a line"));
    settings_->setAccessibleName(settings_label_->text());
    settings_->setToolTip(tr("PATH=VALUE, for this file alone: the project stays as it is."));
    static_cast<QLineEdit*>(editors_[kHosts])->setPlaceholderText(QStringLiteral("node1,node2:2"));
    showState();
}

}  // namespace ui::views

#include "moc_export_launch_kind.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cluster/paste_cluster_dialog.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "engine/spec/cluster/cluster_edit.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/cluster/cluster_repair.h"
#include "engine/spec/project/run_spec.h"
#include "ui/models/engine_text.h"
#include "ui/models/finding_text.h"
#include "ui/parts/finding_list.h"
#include "ui/session/project/project.h"
#include "ui/session/project/whole_file.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::ClusterText;
using engine::spec::Diagnostic;
using engine::spec::Severity;
using engine::spec::TfConfigUse;
using theme::TextRole;
using widgets::Ink;

namespace {

constexpr qint64 kMostBytes = 1 << 20;

// True when a finding concerns the cluster: the task part of a pasted text is somebody else's and does not stand in the way.
bool concernsCluster(const Diagnostic& finding) {
    return !finding.path.starts_with("task") && finding.path != "service";
}

bool usable(const ClusterText& read) {
    if (engine::spec::allTasks(read.cluster).empty()) return false;
    return std::none_of(read.diagnostics.begin(), read.diagnostics.end(),
                        [](const Diagnostic& d) { return d.severity == Severity::kError && concernsCluster(d); });
}

}  // namespace

PasteClusterDialog::PasteClusterDialog(session::Project& project, const theme::ThemeController& themes, QWidget* parent)
    : QDialog(parent), project_(project) {
    setObjectName("pasteClusterDialog");
    setMinimumSize(560, 420);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kSpace6, theme::kSpace5, theme::kSpace6, theme::kSpace5);
    column->setSpacing(theme::kSpace3);
    title_ = new widgets::TextLabel(themes, TextRole::kSection, Ink::kText, this);
    about_ = new widgets::TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    about_->setWordWrap(true);
    text_ = new QPlainTextEdit(this);
    text_->setObjectName("pasteText");
    text_->setFont(themes.font(TextRole::kMono));
    text_->setTabChangesFocus(true);
    findings_ = new FindingList(themes, this);
    findings_->setObjectName("pasteFindings");
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(findings_);
    findings_->setAutoFillBackground(false);
    scroll->viewport()->setAutoFillBackground(false);
    summary_ = new widgets::TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    summary_->setObjectName("pasteSummary");
    summary_->setElided(true);
    file_ = widgets::makeButton(themes, {.object_name = "pasteFile", .icon = "folder"}, this);
    cancel_ = widgets::makeButton(themes, {.object_name = "pasteCancel"}, this);
    use_ = widgets::makeButton(themes, {.object_name = "pasteUse", .kind = widgets::ButtonKind::kPrimary}, this);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(theme::kSpace2);
    foot->addWidget(file_);
    foot->addWidget(summary_, 1);
    foot->addWidget(cancel_);
    foot->addWidget(use_);
    column->addWidget(title_);
    column->addWidget(about_);
    column->addWidget(text_, 3);
    column->addWidget(scroll, 2);
    column->addLayout(foot);
    connect(text_, &QPlainTextEdit::textChanged, this, &PasteClusterDialog::refresh);
    connect(findings_, &FindingList::fixWanted, this, &PasteClusterDialog::mend);
    connect(file_, &QPushButton::clicked, this, &PasteClusterDialog::openFile);
    connect(cancel_, &QPushButton::clicked, this, &QDialog::reject);
    connect(use_, &QPushButton::clicked, this, &PasteClusterDialog::take);
    setFocusProxy(text_);
    retranslate();
}

void PasteClusterDialog::setText(const QString& text) {
    text_->setPlainText(text);
}

bool PasteClusterDialog::useText(session::Project& project, const QString& text) {
    const ClusterText read = engine::spec::readClusterText(text.toStdString());
    if (!usable(read)) return false;
    project.change(tr("Paste a cluster"), [&read](engine::spec::RunSpec& run) { useCluster(run, read.cluster); });
    return true;
}

void PasteClusterDialog::retranslate() {
    title_->setText(tr("Paste a cluster"));
    about_->setText(
        tr("TF_CONFIG (alone, or inside export, TF_CONFIG=, os.environ), an MPI hostfile (host slots=2), or Slurm's variables "
           "(SLURM_JOB_NODELIST=node[01-04])."));
    text_->setAccessibleName(tr("Text of the cluster"));
    findings_->setAccessibleName(tr("Findings"));
    file_->setText(tr("Open a file…"));
    cancel_->setText(tr("Cancel"));
    use_->setText(tr("Use this cluster"));
    refresh();
}

void PasteClusterDialog::refresh() {
    const std::string text = text_->toPlainText().toStdString();
    const bool empty = text_->toPlainText().trimmed().isEmpty();
    read_ = empty ? ClusterText{} : engine::spec::readClusterText(text);
    std::vector<models::CheckRow> rows;
    for (const Diagnostic& found : read_.diagnostics) {
        const auto state = found.severity == Severity::kError
                               ? concernsCluster(found) ? models::CheckState::kError : models::CheckState::kWarning
                           : found.severity == Severity::kWarning ? models::CheckState::kWarning
                                                                  : models::CheckState::kInfo;
        const QString path = QString::fromStdString(found.path), message = models::findingText(found.message);
        const auto repair = read_.kind == engine::spec::ClusterTextKind::kTfConfig
                                ? repairTfConfig(read_.tf_config, TfConfigUse::kAuto, found)
                                : std::optional<engine::spec::TfConfigRepair>();
        rows.push_back({state, path.isEmpty() ? message : models::withName(path, message), models::findingText(found.fix),
                        repair ? tr("Fix: %1").arg(models::engineText(repair->text)) : QString(), path});
    }
    const int tasks = static_cast<int>(engine::spec::allTasks(read_.cluster).size());
    const bool good = usable(read_);
    if (good && rows.empty()) rows.push_back({models::CheckState::kOk, tr("All rules hold")});
    findings_->setRows(std::move(rows));
    const QString kind = QString::fromLatin1(toString(read_.kind).data());
    summary_->setText(empty       ? tr("Nothing pasted yet")
                      : tasks > 0 ? tr("%1: %n task(s)", nullptr, tasks).arg(kind)
                                  : tr("%1: no task found").arg(kind));
    use_->setEnabled(good);
    use_->setToolTip(good ? QString() : empty ? tr("Nothing pasted yet") : tr("The findings above come first"));
}

void PasteClusterDialog::mend(int row) {
    if (row < 0 || row >= static_cast<int>(read_.diagnostics.size())) return;
    const auto repair = repairTfConfig(read_.tf_config, TfConfigUse::kAuto, read_.diagnostics[static_cast<std::size_t>(row)]);
    if (!repair) return;
    // The text is set through the document, so that its own undo takes it back.
    QTextCursor all(text_->document());
    all.select(QTextCursor::Document);
    all.insertText(QString::fromStdString(repair->tf_config));
}

void PasteClusterDialog::openFile() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a TF_CONFIG, hostfile or Slurm variables"));
    if (path.isEmpty()) return;
    QString problem;
    const bool is_large = QFileInfo(path).size() > kMostBytes;
    const QByteArray text = is_large ? QByteArray() : session::readWholeFile(path, problem);
    if (is_large || !problem.isEmpty()) {
        summary_->setText(is_large ? tr("%1: expected at most 1 MB").arg(path) : tr("%1: %2").arg(path, problem));
        return;
    }
    setText(QString::fromUtf8(text));
}

void PasteClusterDialog::take() {
    if (useText(project_, text_->toPlainText())) accept();
}

void PasteClusterDialog::keyPressEvent(QKeyEvent* event) {
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && event->modifiers() & Qt::ControlModifier) return take();
    QDialog::keyPressEvent(event);
}

void PasteClusterDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QDialog::changeEvent(event);
}

}  // namespace ui::views

#include "moc_paste_cluster_dialog.cpp"

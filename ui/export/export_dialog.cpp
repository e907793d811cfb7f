// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QThread>
#include <QVBoxLayout>

#include "ui/charts/chart_card.h"
#include "ui/export/export_command_row.h"
#include "ui/export/export_file_list.h"
#include "ui/export/export_launch_kind.h"
#include "ui/export/export_preview_card.h"
#include "ui/export/export_run_kinds.h"
#include "ui/export/export_script_kind.h"
#include "ui/parts/commands_pane.h"
#include "ui/parts/tf_config_card.h"
#include "ui/session/event_list.h"
#include "ui/session/project/exported_files.h"
#include "ui/session/values.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/fit_scroll.h"
#include "ui/widgets/message_box.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using theme::TextRole;
using widgets::ButtonKind;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kHeadHeight = 52, kFootHeight = 60, kKindsWidth = 248, kOptionsWidth = 326, kKindRow = 44, kLeastOptions = 100;
constexpr int kDetailRole = Qt::UserRole + 1, kIconRole = Qt::UserRole + 2;

// Two lines with an icon.
class KindDelegate : public QStyledItemDelegate {
public:
    KindDelegate(const theme::ThemeController& themes, QObject* parent) : QStyledItemDelegate(parent), themes_(themes) {}
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {100, kKindRow}; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        constexpr double kIcon = 18;
        const theme::Theme& t = themes_.theme();
        const bool chosen = option.state & QStyle::State_Selected;
        const bool possible = index.flags() & Qt::ItemIsEnabled;
        const QRectF row = QRectF(option.rect).adjusted(8, 1, -8, -1);
        if (chosen)
            widgets::paintBox(*painter, row, theme::kRadiusControl, t.accent_tint,
                              option.state & QStyle::State_HasFocus ? t.accent : QColor(), 2);
        themes_.paintIcon(*painter, index.data(kIconRole).toString(), QRectF(row.left() + 12, row.center().y() - kIcon / 2, kIcon, kIcon),
                          chosen ? t.accent : (possible ? t.text2 : t.text3));
        const double left = row.left() + 44;
        widgets::paintText(*painter, QRectF(left, row.top() + 4, row.right() - left - 8, 18), index.data(Qt::DisplayRole).toString(),
                           themes_.font(chosen ? TextRole::kStrong : TextRole::kButton), chosen ? t.accent : (possible ? t.text : t.text3));
        widgets::paintText(*painter, QRectF(left, row.top() + 22, row.right() - left - 8, 16), index.data(kDetailRole).toString(),
                           themes_.font(TextRole::kSmall), possible ? t.text2 : t.text3);
    }

private:
    const theme::ThemeController& themes_;
};

QString folderFor(const ExportSubject& subject) {
    return QStringLiteral("~/tandem/export/") + (subject.folder.isEmpty() ? QStringLiteral("run") : subject.folder);
}

}  // namespace

ExportDialog::ExportDialog(session::Session& session, const theme::ThemeController& themes, const std::vector<charts::ChartCard*>& charts,
                           QWidget* parent)
    : QDialog(parent), session_(session), themes_(themes), context_(session, themes, charts), kinds_model_(new QStandardItemModel(this)) {
    setObjectName("exportDialog");
    setMinimumSize(860, 560);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 0, 1, 1);
    column->setSpacing(0);
    auto* head = new QWidget(this);
    head->setFixedHeight(kHeadHeight);
    auto* head_row = new QHBoxLayout(head);
    head_row->setContentsMargins(theme::kSpace6, 0, theme::kSpace4, 0);
    title_ = new TextLabel(themes, TextRole::kSection, Ink::kText, head);
    subtitle_ = new TextLabel(themes, TextRole::kSmall, Ink::kText2, head);
    close_ =
        widgets::makeButton(themes, {.object_name = "exportClose", .icon = "close", .kind = ButtonKind::kGhost, .compact = true}, head);
    head_row->addWidget(title_);
    head_row->addSpacing(theme::kSpace2);
    head_row->addWidget(subtitle_);
    head_row->addStretch();
    head_row->addWidget(close_);
    auto* body = new QHBoxLayout;
    body->setSpacing(0);
    body->addWidget(buildKinds());
    body->addWidget(buildOptions());
    body->addWidget(preview_ = new ExportPreviewCard(themes, this), 1);
    column->addWidget(head);
    column->addLayout(body, 1);
    column->addWidget(buildFoot());
    for (const ExportKind* one : kinds_in_order_) {
        auto* item = new QStandardItem;
        item->setData(one->icon(), kIconRole);
        item->setEnabled(one->texts().obstacle.isEmpty());
        kinds_model_->appendRow(item);
    }
    connect(close_, &QPushButton::clicked, this, &QDialog::reject);
    connect(cancel_, &QPushButton::clicked, this, [this] {
        if (worker_ == nullptr) return reject();
        *cancelled_ = true;  // what is being made is thrown away
        setWorking(false);
    });
    connect(export_, &QPushButton::clicked, this, &ExportDialog::exportFiles);
    connect(browse_, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(kinds_->selectionModel(), &QItemSelectionModel::currentChanged, this, &ExportDialog::refresh);
    connect(files_, &ExportFileList::currentChanged, this, &ExportDialog::refreshPreview);
    connect(folder_, &QLineEdit::textChanged, this, [this] {
        is_folder_chosen_ = true;
        refresh();
    });
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
    retranslate();
    showPage(ExportPage::kTfConfig);
    kinds_->setFocus();
}

ExportDialog::~ExportDialog() {
    if (worker_ == nullptr) return;
    *cancelled_ = true;
    worker_->wait();
}

QWidget* ExportDialog::buildKinds() {
    auto* box = new QWidget(this);
    box->setFixedWidth(kKindsWidth);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, theme::kSpace3, 0, theme::kSpace3);
    kinds_ = new QListView(box);
    kinds_->setObjectName("exportKinds");
    kinds_->setModel(kinds_model_);
    kinds_->setItemDelegate(new KindDelegate(themes_, kinds_));
    kinds_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    kinds_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    kinds_->viewport()->setAutoFillBackground(false);
    column->addWidget(kinds_);
    return box;
}

QWidget* ExportDialog::buildOptions() {
    auto* box = new QWidget(this);
    box->setFixedWidth(kOptionsWidth);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(theme::kSpace5, theme::kSpace4, theme::kSpace5, theme::kSpace4);
    column->setSpacing(theme::kSpace2);
    about_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, box);
    about_->setWordWrap(true);
    save_to_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, box);
    folder_ = new QLineEdit(box);
    folder_->setObjectName("exportFolder");
    folder_->setFont(themes_.font(TextRole::kMonoField));
    browse_ = widgets::makeButton(themes_, {.object_name = "exportBrowse", .icon = "folder"}, box);
    files_ = new ExportFileList(themes_, box);
    // As high as the options of the chosen kind: a list of files below is the higher, and a long form scrolls before the list shrinks.
    auto* scroll = new widgets::FitScroll(kLeastOptions, box);
    options_ = new QWidget(scroll);
    auto* forms = new QVBoxLayout(options_);
    forms->setContentsMargins(0, 0, 0, 0);
    forms->setSpacing(0);
    config_ = new TfConfigKind(context_, options_);
    charts_ = new ChartsKind(context_, options_);
    kinds_in_order_ = {config_,
                       new CheckpointKind(context_, options_),
                       new KerasKind(context_, options_),
                       new OnnxKind(context_, options_),
                       new LogsKind(context_, options_),
                       new CodeKind(context_, options_),
                       new ScriptKind(context_, options_),
                       new DiagramKind(context_, options_),
                       new LaunchFilesKind(context_, options_),
                       charts_,
                       new DataKind(context_, options_),
                       new ReportKind(context_, options_)};
    for (ExportKind* one : kinds_in_order_) {
        one->hide();
        forms->addWidget(one);
        connect(one, &ExportKind::changed, this, &ExportDialog::refresh);
    }
    scroll->setWidget(options_);
    options_->setAutoFillBackground(false);
    column->addWidget(about_);
    column->addSpacing(theme::kSpace2);
    column->addWidget(scroll);
    column->addSpacing(theme::kSpace2);
    column->addWidget(save_to_);
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kSpace1);
    row->addWidget(folder_, 1);
    row->addWidget(browse_);
    column->addLayout(row);
    column->addSpacing(theme::kSpace2);
    column->addWidget(files_, 1);
    return box;
}

QWidget* ExportDialog::buildFoot() {
    auto* box = new QWidget(this);
    box->setFixedHeight(kFootHeight);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(theme::kSpace6, 0, theme::kSpace5, 0);
    row->setSpacing(theme::kSpace2);
    command_ = new ExportCommandRow(themes_, box);
    cancel_ = widgets::makeButton(themes_, {.object_name = "exportCancel"}, box);
    export_ = widgets::makeButton(themes_, {.object_name = "exportConfirm", .kind = ButtonKind::kPrimary}, box);
    row->addWidget(command_, 1);
    row->addWidget(cancel_);
    row->addWidget(export_);
    return box;
}

ExportKind& ExportDialog::kind() const {
    return *kinds_in_order_[static_cast<std::size_t>(std::max(0, kinds_->currentIndex().row()))];
}

ExportPage ExportDialog::page() const {
    return static_cast<ExportPage>(std::max(0, kinds_->currentIndex().row()));
}

void ExportDialog::showPage(ExportPage page, charts::ChartCard* chart) {
    const int count = kinds_model_->rowCount();
    for (int step = 0; step < count; ++step) {
        const int row = (static_cast<int>(page) + step) % count;
        if (!kinds_model_->item(row)->isEnabled()) continue;
        if (chart != nullptr) charts_->choose(chart);
        kinds_->setCurrentIndex(kinds_model_->index(row, 0));
        return;
    }
    refresh();
}

void ExportDialog::setFormat(engine::launch::TfConfigFormat format) {
    config_->setFormat(format);
}

void ExportDialog::setFolder(const QString& folder) {
    folder_->setText(folder);
    folder_->setCursorPosition(0);
}

void ExportDialog::retranslate() {
    title_->setText(tr("Export"));
    for (int i = 0; i < kinds_model_->rowCount(); ++i) {
        ExportKind& one = *kinds_in_order_[static_cast<std::size_t>(i)];
        one.retranslate();
        const KindTexts texts = one.texts();
        const QString detail = texts.obstacle.isEmpty() ? one.detail() : texts.obstacle;
        kinds_model_->item(i)->setText(texts.title);
        kinds_model_->item(i)->setData(detail, kDetailRole);
        kinds_model_->item(i)->setToolTip(detail);
    }
    save_to_->setText(tr("Save to"));
    folder_->setAccessibleName(tr("Folder to save to"));
    browse_->setAccessibleName(tr("Choose a folder"));
    close_->setAccessibleName(tr("Close"));
    kinds_->setAccessibleName(tr("What to export"));
    files_->retranslate();
    preview_->retranslate();
    command_->retranslate();
    cancel_->setText(tr("Cancel"));
    refresh();
}

// The head speaks of the chosen kind alone: an earlier run's charts and the open project's TF_CONFIG are not of the same thing.
void ExportDialog::refreshHead() {
    const ExportSubject subject = kind().subject();
    subtitle_->setText(tr("%1 · %n task(s)", nullptr, subject.tasks).arg(subject.name));
    if (is_folder_chosen_) return;
    const QSignalBlocker quiet(folder_);
    folder_->setText(folderFor(subject));
    folder_->setCursorPosition(0);  // what has no room is its end, which the tooltip has
}

void ExportDialog::refresh() {
    ExportKind& chosen = kind();
    for (ExportKind* one : kinds_in_order_) one->setVisible(one == &chosen);
    refreshHead();
    const KindTexts texts = chosen.texts();
    about_->setText(texts.about);
    const bool possible = texts.obstacle.isEmpty();
    const std::vector<ExportEntry> entries = possible ? chosen.entries() : std::vector<ExportEntry>();
    files_->setEntries(entries);
    folder_->setToolTip(folder_->text());
    command_->showCommand(possible ? chosen.command(shellQuoted(folder_->text())) : QString());
    export_->setText(tr("Export %n file(s)", nullptr, static_cast<int>(entries.size())));
    export_->setEnabled(worker_ == nullptr && !entries.empty() && !folder_->text().trimmed().isEmpty());
    const QString refusal = possible ? chosen.refusal() : texts.obstacle;
    export_->setToolTip(refusal.isEmpty() && entries.empty() ? tr("Nothing is chosen") : refusal);
    refreshPreview();
}

void ExportDialog::refreshPreview() {
    const int row = files_->current();
    row < files_->count() ? preview_->showFile(kind(), row, files_->name(row)) : preview_->showNothing(kind().refusal());
}

void ExportDialog::browse() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Choose a folder"), folder_->text());
    if (!folder.isEmpty()) setFolder(folder);
}

QString ExportDialog::folder() const {
    QString folder = QDir::cleanPath(folder_->text().trimmed());
    if (folder.startsWith("~/")) folder.replace(0, 1, QDir::homePath());
    return folder;
}

bool ExportDialog::mayReplace() {
    QStringList names;
    for (const ExportEntry& entry : kind().entries()) names << entry.name;
    const QStringList there = session::filesThere(folder(), names);
    if (there.isEmpty()) return true;
    const int count = static_cast<int>(there.size());
    QMessageBox question(QMessageBox::NoIcon, tr("Replace files"),
                         count == 1 ? tr("%1 already exists. Do you want to replace it?").arg(there.front())
                                    : tr("%n files already exist. Do you want to replace them?", nullptr, count),
                         QMessageBox::Cancel, this);
    question.setInformativeText(folder());
    QPushButton* replace = question.addButton(tr("Replace"), QMessageBox::AcceptRole);
    question.setDefaultButton(QMessageBox::Cancel);
    widgets::dressMessageBox(question, themes_, "warning");
    question.exec();
    return question.clickedButton() == replace;
}

// Long work is done on a thread of its own; the dialog stays and Cancel throws away what it makes.
void ExportDialog::exportFiles() {
    if (worker_ != nullptr || !mayReplace()) return;
    if (const ExportKind::Writer writer = kind().writer()) {
        const auto problem = std::make_shared<QString>();
        const auto stop = cancelled_ = std::make_shared<std::atomic<bool>>(false);
        start([writer, problem, stop, to = folder()] { *problem = writer(to, *stop); },
              [this, problem, count = static_cast<int>(kind().entries().size())] {
                  if (!problem->isEmpty()) return fail(*problem);
                  session_.events().addFiles(folder(), count);
                  emit exported(count, folder());
                  accept();
              });
        return;
    }
    const ExportKind::Work work = kind().work();
    if (!kind().isLong()) return finish(work());
    cancelled_ = std::make_shared<std::atomic<bool>>(false);
    const auto made = std::make_shared<std::vector<engine::launch::LaunchFile>>();
    start([work, made] { *made = work(); }, [this, made] { finish(*made); });
}

// `done` is left out when it was cancelled meanwhile.
void ExportDialog::start(std::function<void()> work, std::function<void()> done) {
    worker_ = QThread::create(std::move(work));
    worker_->setParent(this);
    connect(worker_, &QThread::finished, this, [this, done = std::move(done), stopped = cancelled_] {
        worker_->deleteLater();
        worker_ = nullptr;
        setWorking(false);
        if (!*stopped) done();
    });
    setWorking(true);
    worker_->start();
}

void ExportDialog::setWorking(bool on) {
    for (QWidget* one : std::initializer_list<QWidget*>{options_, folder_, browse_, kinds_}) one->setEnabled(!on);
    refresh();
    if (on) export_->setText(tr("Exporting…"));
}

void ExportDialog::finish(const std::vector<engine::launch::LaunchFile>& files) {
    const session::ErrorInfo problem = session::writeFiles(session_.events(), folder(), files);
    if (!problem.detail.isEmpty()) return fail(problem.detail);
    emit exported(static_cast<int>(files.size()), folder());
    accept();
}

void ExportDialog::fail(const QString& problem) {
    command_->showProblem(problem);
}

void ExportDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QDialog::changeEvent(event);
}

void ExportDialog::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && event->modifiers() & Qt::ControlModifier) {
        if (export_->isEnabled()) exportFiles();
        return;
    }
    QDialog::keyPressEvent(event);
}

void ExportDialog::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    painter.fillRect(QRect(1, kHeadHeight, kKindsWidth, height() - kHeadHeight - kFootHeight), t.sunken);
    for (const int y : {kHeadHeight, height() - kFootHeight}) painter.fillRect(QRect(1, y, width() - 2, 1), t.border);
    painter.fillRect(QRect(kKindsWidth, kHeadHeight, 1, height() - kHeadHeight - kFootHeight), t.border);
}

}  // namespace ui::views

#include "moc_export_dialog.cpp"

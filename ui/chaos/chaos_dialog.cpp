// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chaos/chaos_dialog.h"

#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

#include "engine/chaos/script.h"
#include "ui/chaos/fault_table_model.h"
#include "ui/models/finding_text.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

namespace chaos = engine::chaos;
using chaos::FaultKind;
using theme::TextRole;
using widgets::Ink;

namespace {

constexpr QSize kMinimum{760, 520};
constexpr int kNumberWidth = 110;

QString kindHint(FaultKind kind) {
    switch (kind) {
        case FaultKind::kKill:
            return ChaosDialog::tr("Its process is killed.");
        case FaultKind::kStop:
            return ChaosDialog::tr("Its process stands still, then goes on.");
        case FaultKind::kSlow:
            return ChaosDialog::tr("Each of its messages to other workers leaves so much later.");
        case FaultKind::kCut:
            return ChaosDialog::tr("Nothing passes between the two, signs of life neither.");
        case FaultKind::kFillDisk:
            return ChaosDialog::tr("No file that it writes can grow, as on a full disk.");
        case FaultKind::kSkew:
            return ChaosDialog::tr("Its clock is so much ahead in all that it tells, or behind below zero.");
    }
    return {};
}

// A clock's fault is told in seconds, a message's delay in milliseconds.
std::chrono::milliseconds unitOf(FaultKind kind) {
    return kind == FaultKind::kSkew ? std::chrono::milliseconds(1000) : std::chrono::milliseconds(1);
}

// Returns what stands behind a number of `unit` in a box.
QString suffixOf(std::chrono::milliseconds unit) {
    const QString text = unit.count() == 1 ? ChaosDialog::tr("%1 ms") : ChaosDialog::tr("%1 s");
    return text.section(QLatin1String("%1"), 1);
}

QString name(const engine::spec::TaskId& task) {
    return QString::fromStdString(toString(task));
}

}  // namespace

ChaosDialog::ChaosDialog(session::Chaos& chaos, const theme::ThemeController& themes, QWidget* parent)
    : QDialog(parent), chaos_(chaos), themes_(themes), model_(new models::FaultTableModel(chaos, themes, this)) {
    setObjectName("chaosDialog");
    setMinimumSize(kMinimum);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme::kSpace6, theme::kSpace5, theme::kSpace6, theme::kSpace5);
    column->setSpacing(theme::kSpace4);
    title_ = new widgets::TextLabel(themes, TextRole::kTitle, Ink::kText, this);
    note_ = new widgets::TextLabel(themes, TextRole::kBody, Ink::kText2, this);
    note_->setWordWrap(true);
    column->addWidget(title_);
    column->addWidget(note_);

    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(theme::kSpace4);
    grid->setVerticalSpacing(theme::kSpace2);
    grid->setColumnStretch(1, 1);
    task_label_ = new widgets::TextLabel(themes, TextRole::kBody, Ink::kText2, this);
    task_ = makeTaskBox("chaosTask");
    peer_ = makeTaskBox("chaosPeer");
    peer_label_ = new widgets::TextLabel(themes, TextRole::kBody, Ink::kText2, this);
    task_label_->setBuddy(task_);
    peer_label_->setBuddy(peer_);
    amount_label_ = new widgets::TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    lasting_label_ = new widgets::TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    auto* who = new QHBoxLayout;
    who->setSpacing(theme::kSpace2);
    for (QWidget* one : std::initializer_list<QWidget*>{task_label_, task_, peer_label_, peer_}) who->addWidget(one);
    who->addStretch();
    grid->addLayout(who, 0, 0, 1, 2);
    grid->addWidget(amount_label_, 0, 2);
    grid->addWidget(lasting_label_, 0, 3);
    for (const chaos::FaultTraits& kind : chaos::faultKinds()) addKind(*grid, kind);
    column->addLayout(grid);

    problem_ = new widgets::TextLabel(themes, TextRole::kSmall, Ink::kWarn, this);
    problem_->setObjectName("chaosProblem");
    problem_->setWordWrap(true);
    column->addWidget(problem_);

    table_ = new QTableView(this);
    table_->setObjectName("chaosTable");
    table_->setModel(model_);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setShowGrid(false);
    table_->setTabKeyNavigation(false);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(theme::kListRowHeight);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setSectionResizeMode(models::FaultTableModel::kBy, QHeaderView::Stretch);
    empty_ = new widgets::TextLabel(themes, TextRole::kSmall, Ink::kText2, this);
    empty_->setObjectName("chaosEmpty");
    empty_->setWordWrap(true);
    stack_ = new QStackedLayout;
    column->addLayout(stack_, 1);
    stack_->addWidget(table_);
    stack_->addWidget(empty_);

    auto* foot = new QHBoxLayout;
    copy_ = widgets::makeButton(themes, {.object_name = "chaosCopy"}, this);
    close_ = widgets::makeButton(themes, {.object_name = "chaosClose"}, this);
    foot->addWidget(copy_);
    foot->addStretch();
    foot->addWidget(close_);
    column->addLayout(foot);

    connect(task_, &QComboBox::currentIndexChanged, this, [this] { refresh(); });
    connect(peer_, &QComboBox::currentIndexChanged, this, [this] { refresh(); });
    connect(copy_, &QPushButton::clicked, this, &ChaosDialog::copyScript);
    connect(close_, &QPushButton::clicked, this, &QDialog::accept);
    connect(&chaos_, &session::Chaos::runChanged, this, &ChaosDialog::refreshTasks);
    connect(&chaos_, &session::Chaos::storiesChanged, this, [this] {
        model_->reset();
        refresh();
    });
    connect(&chaos_, &session::Chaos::refused, this, [this](const QString& sentence) {
        refusal_ = sentence;
        refresh();
    });
    refreshTasks();
    retranslate();
    setFocusProxy(task_);
}

QComboBox* ChaosDialog::makeTaskBox(const char* object_name) {
    auto* box = new QComboBox(this);
    box->setObjectName(object_name);
    return box;
}

void ChaosDialog::addKind(QGridLayout& grid, const chaos::FaultTraits& traits) {
    const QString word = QString::fromUtf8(traits.word.data(), static_cast<qsizetype>(traits.word.size()));
    const auto number = [&](const QString& role, std::chrono::milliseconds value, std::chrono::milliseconds unit,
                            std::pair<std::chrono::milliseconds, std::chrono::milliseconds> range) {
        auto* box = new QSpinBox(this);
        box->setObjectName("chaos-" + word + "-" + role);
        box->setRange(static_cast<int>(range.first / unit), static_cast<int>(range.second / unit));
        box->setValue(static_cast<int>(value / unit));
        box->setFixedWidth(kNumberWidth);
        connect(box, &QSpinBox::valueChanged, this, [this] { refresh(); });
        return box;
    };
    KindRow row{traits.kind, widgets::makeButton(themes_, {.object_name = "chaos-" + word, .kind = widgets::ButtonKind::kDanger}, this),
                new widgets::TextLabel(themes_, TextRole::kBody, Ink::kText2, this), nullptr, nullptr};
    row.hint->setWordWrap(true);
    if (traits.amount.count() != 0) row.amount = number("by", traits.amount, unitOf(traits.kind), {traits.smallest, traits.largest});
    if (traits.lasting.count() != 0) {
        row.lasting = number("for", traits.lasting, std::chrono::seconds(1), {std::chrono::seconds(1), chaos::kLongestFault});
    }
    const int line = grid.rowCount();
    grid.addWidget(row.button, line, 0);
    grid.addWidget(row.hint, line, 1);
    if (row.amount) grid.addWidget(row.amount, line, 2);
    if (row.lasting) grid.addWidget(row.lasting, line, 3);
    rows_.push_back(row);
    connect(row.button, &QPushButton::clicked, this, [this, row] { inject(row); });
}

// The chosen ones stay chosen where they are still there.
void ChaosDialog::refreshTasks() {
    const auto tasks = chaos_.tasks();
    if (tasks != tasks_ || task_->count() == 0) {
        tasks_ = tasks;
        for (QComboBox* box : {task_, peer_}) {
            const QSignalBlocker quiet(box);
            const QString chosen = box->currentText();
            box->clear();
            for (const auto& task : tasks_) box->addItem(name(task));
            const int before = box->findText(chosen);
            // A worker that is not the chief, and the chief: what most faults are tried at.
            box->setCurrentIndex(before >= 0 ? before : box == task_ ? std::min(1, box->count() - 1) : std::min(0, box->count() - 1));
        }
    }
    refresh();
}

void ChaosDialog::refresh() {
    const bool has_task = chaos_.isPossible() && task_->currentIndex() >= 0;
    for (const KindRow& row : rows_) {
        const bool has_peer = !chaos::traits(row.kind).has_peer || task_->currentIndex() != peer_->currentIndex();
        row.button->setEnabled(has_task && has_peer && (row.amount == nullptr || row.amount->value() != 0));
    }
    copy_->setEnabled(!chaos_.stories().empty());
    stack_->setCurrentIndex(chaos_.stories().empty() ? 1 : 0);
    problem_->setText(chaos_.isFollowed()    ? tr("This run is only followed. Faults are for a run that was launched from here.")
                      : !chaos_.isPossible() ? tr("No run goes on. Faults are for a run that Monitor shows while it trains.")
                      : refusal_.isEmpty()   ? QString()
                                             : models::findingText(refusal_));
}

void ChaosDialog::inject(const KindRow& row) {
    const auto index = static_cast<std::size_t>(task_->currentIndex());
    if (index >= tasks_.size()) return;
    chaos::Fault fault = chaos::usualFault(row.kind, tasks_[index]);
    if (chaos::traits(row.kind).has_peer) fault.peer = tasks_.at(static_cast<std::size_t>(peer_->currentIndex()));
    if (row.amount) fault.amount = unitOf(row.kind) * row.amount->value();
    if (row.lasting) fault.lasting = std::chrono::seconds(row.lasting->value());
    refusal_.clear();
    refresh();
    chaos_.inject(fault);
}

// Copies a file for tandem-cli chaos --script: the same faults, as far apart as they were.
void ChaosDialog::copyScript() {
    std::vector<chaos::Step> steps;
    for (const chaos::FaultStory& story : chaos_.stories()) {
        const auto after = std::chrono::nanoseconds(story.time_unix_ns - chaos_.stories().front().time_unix_ns);
        steps.push_back({.fault = story.fault, .after = std::chrono::duration_cast<std::chrono::milliseconds>(after)});
    }
    QGuiApplication::clipboard()->setText(QString::fromStdString(chaos::toText(steps)));
}

void ChaosDialog::retranslate() {
    title_->setText(tr("Chaos"));
    setWindowTitle(title_->text());
    note_->setText(tr("Lets something go wrong in the run that Monitor shows, to see how soon it is named and healed."));
    task_label_->setText(tr("Task"));
    task_->setAccessibleName(task_label_->text());
    peer_label_->setText(tr("Cut off from"));
    peer_->setAccessibleName(peer_label_->text());
    amount_label_->setText(tr("By"));
    lasting_label_->setText(tr("For"));
    for (const KindRow& row : rows_) {
        row.button->setText(models::FaultTableModel::kindWord(row.kind));
        row.hint->setText(kindHint(row.kind));
        if (row.amount) {
            row.amount->setAccessibleName(models::withName(row.button->text(), amount_label_->text()));
            row.amount->setSuffix(suffixOf(unitOf(row.kind)));
        }
        if (row.lasting) {
            row.lasting->setAccessibleName(models::withName(row.button->text(), lasting_label_->text()));
            row.lasting->setSuffix(suffixOf(std::chrono::seconds(1)));
        }
    }
    table_->setAccessibleName(tr("Faults and what came of them"));
    empty_->setText(tr("No fault yet. A button above begins one, and what comes of it is shown here."));
    copy_->setText(tr("Copy as script"));
    close_->setText(tr("Close"));
    model_->repaint();
    refresh();
}

void ChaosDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QDialog::changeEvent(event);
}

}  // namespace ui::views

#include "moc_chaos_dialog.cpp"

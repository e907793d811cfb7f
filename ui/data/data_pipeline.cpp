// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_pipeline.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/spec/project/data_order.h"
#include "engine/spec/project/run_spec.h"
#include "ui/data/number_box.h"
#include "ui/models/engine_text.h"
#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/parts/finding_list.h"
#include "ui/session/host/host.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/switch_button.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/window_undo.h"

namespace ui::views {

using engine::spec::DataSpec;
using engine::spec::RunSpec;
using theme::TextRole;
using widgets::Ink;

namespace {

constexpr int kRowHeight = 44, kGrip = 16, kGripLeft = theme::kSpace2, kLeft = kGripLeft + kGrip + theme::kSpace2, kValueWidth = 84,
              kTextWidth = 124, kNarrowText = 92, kMostSamples = 1'000'000'000, kMostPrefetch = 1024;
constexpr int kMostClasses = 1 << 24, kUsualShuffle = 10000, kUsualPrefetch = 2, kUsualSteps = 100;
constexpr std::array kOptional{PipelineStep::kTake, PipelineStep::kNormalize, PipelineStep::kOneHot, PipelineStep::kRepeat};

// The mark where a dragged row would be dropped.
class DropMark : public QWidget {
public:
    DropMark(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
    }

protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), themes_.theme().accent); }

private:
    const theme::ThemeController& themes_;
};

QString listText(const std::vector<double>& numbers) {
    QStringList parts;
    for (const double number : numbers) parts << QString::number(number, 'g', 6);
    return parts.join(", ");
}

bool readList(const QString& text, std::vector<double>& numbers) {
    numbers.clear();
    for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        bool is_number = false;
        numbers.push_back(QLocale::c().toDouble(part.trimmed(), &is_number));
        if (!is_number) return false;
    }
    return true;
}

}  // namespace

PipelineRow::PipelineRow(PipelineStep step, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), step_(step), themes_(themes) {
    setFixedHeight(kRowHeight);
    setFocusPolicy(Qt::TabFocus);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kLeft, 0, theme::kSpace2, 0);
    row->setSpacing(theme::kSpace2);
    row->addStretch(1);
    switch_ = new widgets::SwitchButton(themes, this);
    row->addWidget(switch_);
    setAttribute(Qt::WA_Hover);
    // These keys also work while the value or the switch has the keyboard.
    for (const auto& [key, places] : {std::pair{Qt::Key_Up, -1}, {Qt::Key_Down, 1}}) {
        auto* keys = new QShortcut(QKeySequence(Qt::ALT | key), this);
        keys->setContext(Qt::WidgetWithChildrenShortcut);
        connect(keys, &QShortcut::activated, this, [this, places = places] { emit moveWanted(places); });
    }
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void PipelineRow::setNarrow(bool narrow) {
    if (qobject_cast<QLineEdit*>(value_) != nullptr) value_->setFixedWidth(narrow ? kNarrowText : kTextWidth);
}

void PipelineRow::setTexts(const QString& name, const QString& sentence, const QString& place) {
    name_ = name;
    sentence_ = sentence;
    setAccessibleName(name);
    setAccessibleDescription(QStringLiteral("%1; %2").arg(sentence, place));
    setToolTip(models::withName(name, sentence));
    switch_->setAccessibleName(name);
    if (value_ != nullptr) value_->setAccessibleName(name);
    update();
}

void PipelineRow::setLast(bool last) {
    last_ = last;
    update();
}

NumberBox* PipelineRow::addNumber(int minimum, int maximum) {
    auto* box = new NumberBox(minimum, maximum, this);
    box->setProperty("compact", true);
    box->setFont(themes_.font(TextRole::kMono));
    box->setAlignment(Qt::AlignRight);
    box->setGroupSeparatorShown(true);
    box->setFixedWidth(kValueWidth);
    static_cast<QHBoxLayout*>(layout())->insertWidget(1, box);
    value_ = box;
    return box;
}

QLineEdit* PipelineRow::addText() {
    auto* text = new QLineEdit(this);
    text->setProperty("compact", true);
    text->setFont(themes_.font(TextRole::kMono));
    text->setFixedWidth(kTextWidth);
    widgets::leaveUndoToWindowOnceFinished(text);
    static_cast<QHBoxLayout*>(layout())->insertWidget(1, text);
    value_ = text;
    return text;
}

void PipelineRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    if (!last_) painter.fillRect(QRect(1, height() - 1, width() - 2, 1), t.border);
    const QWidget* first = value_ != nullptr && value_->isVisibleTo(this) ? value_ : static_cast<const QWidget*>(switch_);
    const double room = first->x() - kLeft - theme::kSpace1;
    const bool is_off = !switch_->isChecked();
    if (is_dragged_) painter.fillRect(rect().adjusted(1, 1, -1, -1), t.accent_tint);
    themes_.paintIcon(painter, QStringLiteral("grip"), QRectF(kGripLeft, (height() - kGrip) / 2.0, kGrip, kGrip),
                      underMouse() || is_dragged_ ? t.text2 : t.text3);
    widgets::paintText(painter, QRectF(kLeft, 4, room, 18), name_, themes_.font(TextRole::kButton), is_off ? t.text2 : t.text);
    widgets::paintText(painter, QRectF(kLeft, 22, room, 16), sentence_, themes_.font(TextRole::kSmall), t.text2);
    if (hasFocus()) widgets::paintBox(painter, rect().adjusted(1, 1, -1, -2), theme::kRadiusControl, QColor(), t.accent, 2);
}

void PipelineRow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && is_dragged_) {
        endDrag();
        emit dragCancelled();
        return;
    }
    if (event->key() == Qt::Key_Space) return switch_->click();
    QWidget::keyPressEvent(event);
}

void PipelineRow::mousePressEvent(QMouseEvent* event) {
    is_held_ = event->button() == Qt::LeftButton;
    pressed_at_ = event->pos();
    if (is_held_) setFocus(Qt::MouseFocusReason);
}

void PipelineRow::mouseMoveEvent(QMouseEvent* event) {
    if (!is_held_) return;
    if (!is_dragged_ && (event->pos() - pressed_at_).manhattanLength() < QApplication::startDragDistance()) return;
    if (!is_dragged_) {
        is_dragged_ = true;
        setCursor(Qt::ClosedHandCursor);
        update();
    }
    emit dragged(event->globalPosition().toPoint());
}

void PipelineRow::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const bool was_dragged = is_dragged_;
    endDrag();
    if (was_dragged) emit dropped();
}

void PipelineRow::endDrag() {
    is_held_ = is_dragged_ = false;
    unsetCursor();
    update();
}

void PipelineRow::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void PipelineRow::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

PipelinePanel::PipelinePanel(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), session_(session), themes_(themes) {
    setObjectName("pipeline");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kSpace2);
    auto* head = new QHBoxLayout;
    title_ = new widgets::TextLabel(themes, TextRole::kSection, Ink::kText, this);
    add_ = widgets::makeButton(themes, {"addStep", "plus", widgets::ButtonKind::kGhost, true}, this);
    head->addWidget(title_);
    head->addStretch(1);
    head->addWidget(add_);
    column->addLayout(head);
    frame_ = new widgets::CardFrame(themes, widgets::FrameKind::kCard, this);
    list_ = new QVBoxLayout(frame_);
    list_->setContentsMargins(0, 0, 0, 0);
    list_->setSpacing(0);
    column->addWidget(frame_);
    drop_mark_ = new DropMark(themes, frame_);
    findings_ = new FindingList(themes, this);
    findings_->setObjectName("orderFindings");
    column->addWidget(findings_);
    connect(findings_, &FindingList::fixWanted, this, &PipelinePanel::mend);
    buildRows();
    connect(add_, &QAbstractButton::clicked, this, &PipelinePanel::openMenu);
    retranslate();
}

PipelineRow* PipelinePanel::addRow(PipelineStep step) {
    auto* row = new PipelineRow(step, themes_, frame_);
    rows_.push_back(row);
    list_->addWidget(row);
    connect(&row->switchButton(), &QAbstractButton::clicked, this, [this, step](bool on) { switchStep(step, on); });
    connect(row, &PipelineRow::moveWanted, this, [this, step](int places) { moveBy(step, places); });
    connect(row, &PipelineRow::dragged, this, [this, step](const QPoint& at) { showDropPlace(step, at); });
    connect(row, &PipelineRow::dragCancelled, this, &PipelinePanel::endDrag);
    connect(row, &PipelineRow::dropped, this, [this, step] {
        const int place = drop_place_;
        endDrag();
        if (place >= 0) moveTo(step, place);
    });
    return row;
}

void PipelinePanel::buildRows() {
    for (const PipelineStep step : engine::spec::kUsualDataOrder) addRow(step);
    const auto number = [this](PipelineStep step, const char* name, int minimum, int maximum, std::int64_t& (*field)(RunSpec&)) {
        NumberBox* box = row(step).addNumber(minimum, maximum);
        box->setObjectName(QLatin1String(name) + "Field");
        connect(box, qOverload<int>(&QSpinBox::valueChanged), this, [this, step, name, field](int value) {
            session_.project().change(
                tr("Change %1").arg(nameOf(step)), [field, value](RunSpec& run) { field(run) = value; },
                session::Project::mergeKey(QStringLiteral("data.") + QLatin1String(name)));
        });
        return box;
    };
    take_ = number(PipelineStep::kTake, "take", 1, kMostSamples, [](RunSpec& run) -> std::int64_t& { return run.data.take; });
    classes_ = number(PipelineStep::kOneHot, "oneHot", 2, kMostClasses, [](RunSpec& run) -> std::int64_t& { return run.data.one_hot; });
    shuffle_ = number(PipelineStep::kShuffle, "shuffle", 1, kMostSamples, [](RunSpec& run) -> std::int64_t& { return run.data.shuffle; });
    repeat_ =
        number(PipelineStep::kRepeat, "repeat", 1, kMostSamples, [](RunSpec& run) -> std::int64_t& { return run.fit.steps_per_epoch; });
    prefetch_ =
        number(PipelineStep::kPrefetch, "prefetch", 1, kMostPrefetch, [](RunSpec& run) -> std::int64_t& { return run.data.prefetch; });
    normal_ = row(PipelineStep::kNormalize).addText();
    normal_->setObjectName("normaliseField");
    connect(normal_, &QLineEdit::editingFinished, this, &PipelinePanel::readNormalise);
    row(PipelineStep::kCache).switchButton().setObjectName("cacheSwitch");
    row(PipelineStep::kBatch).switchButton().setObjectName("keepRemainderSwitch");
}

void PipelinePanel::finishTyping() {
    if (!normal_->isModified()) return;
    normal_->setModified(false);
    readNormalise();
}

// Reads "0.1307 / 0.3081", with one number for each channel and commas between them.
void PipelinePanel::readNormalise() {
    const QStringList halves = normal_->text().split(QLatin1Char('/'));
    std::vector<double> mean, std;
    const bool is_good = halves.size() == 2 && readList(halves[0], mean) && readList(halves[1], std) && !mean.empty() && !std.empty();
    widgets::setSheetProperty(normal_, "invalid", !is_good);
    normal_->setToolTip(is_good ? QString() : tr("Expected mean / standard deviation, such as 0.1307 / 0.3081"));
    if (!is_good) return;
    session_.project().change(tr("Change %1").arg(nameOf(PipelineStep::kNormalize)), [&](RunSpec& run) {
        run.data.mean = mean;
        run.data.std = std;
    });
}

void PipelinePanel::openMenu() {
    QMenu menu(this);
    for (const PipelineStep step : kOptional) {
        if (isShown(step)) continue;
        menu.addAction(nameOf(step), this, [this, step] { switchStep(step, true); });
    }
    if (menu.isEmpty()) menu.addAction(tr("Every step is there"))->setEnabled(false);
    menu.exec(add_->mapToGlobal(QPoint(0, add_->height() + theme::kSpace1)));
}

void PipelinePanel::switchStep(PipelineStep step, bool on) {
    const std::int64_t classes = static_cast<std::int64_t>(session_.project().dataset().train_per_class.size());
    const std::int64_t steps = session_.project().stepsPerEpoch() > 0 ? session_.project().stepsPerEpoch() : kUsualSteps;
    session_.project().change(tr("Switch %1").arg(nameOf(step)), [step, on, classes, steps](RunSpec& run) {
        DataSpec& spec = run.data;
        const DataSpec usual;
        switch (step) {
            case PipelineStep::kTake:
                spec.take = on ? 1000 : 0;
                break;
            case PipelineStep::kScale:
                spec.scale = on ? usual.scale : 1;
                spec.offset = 0;
                break;
            case PipelineStep::kNormalize:
                spec.mean = on ? std::vector<double>{0.5} : std::vector<double>{};
                spec.std = on ? std::vector<double>{0.5} : std::vector<double>{};
                break;
            case PipelineStep::kOneHot:
                spec.one_hot = on ? std::max<std::int64_t>(2, classes) : 0;
                break;
            case PipelineStep::kCache:
                spec.cache = on;
                break;
            case PipelineStep::kShuffle:
                spec.shuffle = on ? kUsualShuffle : 0;
                break;
            case PipelineStep::kRepeat:
                run.fit.steps_per_epoch = on ? steps : 0;
                break;
            case PipelineStep::kBatch:
                spec.drop_remainder = !on;
                break;
            case PipelineStep::kPrefetch:
                spec.prefetch = on ? kUsualPrefetch : 0;
                break;
        }
    });
    refresh();
}

// The batch is always on: its switch says what becomes of the remainder.
bool PipelinePanel::isOn(PipelineStep step) const {
    const RunSpec& run = session_.project().spec();
    return step == PipelineStep::kBatch ? !run.data.drop_remainder : engine::spec::isOn(run.data, passesOf(run), step);
}

bool PipelinePanel::isShown(PipelineStep step) const {
    return std::find(kOptional.begin(), kOptional.end(), step) == kOptional.end() || isOn(step);
}

QString PipelinePanel::nameOf(PipelineStep step) const {
    switch (step) {
        case PipelineStep::kTake:
            return tr("take");
        case PipelineStep::kScale:
            return tr("map: scale");
        case PipelineStep::kNormalize:
            return tr("normalize");
        case PipelineStep::kOneHot:
            return tr("map: one-hot labels");
        case PipelineStep::kCache:
            return tr("cache");
        case PipelineStep::kShuffle:
            return tr("shuffle");
        case PipelineStep::kRepeat:
            return tr("repeat");
        case PipelineStep::kBatch:
            return tr("batch");
        case PipelineStep::kPrefetch:
            return tr("prefetch");
    }
    return {};
}

QString PipelinePanel::sentenceOf(PipelineStep step) const {
    const DataSpec& spec = session_.project().spec().data;
    const engine::spec::OrderMeaning meaning = meaningOf(spec, passesOf(session_.project().spec()));
    switch (step) {
        case PipelineStep::kTake:
            if (meaning.take_counts_batches) return tr("batches");
            return meaning.take_varies ? tr("others each epoch") : tr("the first samples");
        case PipelineStep::kScale: {
            if (!isOn(step)) return tr("values as stored");
            const double inverse = spec.scale != 0 ? 1 / spec.scale : 0;
            const bool is_share = spec.scale < 1 && std::abs(inverse - std::round(inverse)) < 1e-6;
            const QString scaled = is_share ? QStringLiteral("x / %1").arg(std::round(inverse)) : QStringLiteral("x × %1").arg(spec.scale);
            return spec.offset == 0 ? tr("%1 to float32").arg(scaled) : QStringLiteral("%1 + %2").arg(scaled).arg(spec.offset);
        }
        case PipelineStep::kNormalize:
            return tr("mean / std");
        case PipelineStep::kOneHot:
            return tr("classes");
        case PipelineStep::kCache:
            if (meaning.keeps_first_order) return tr("keeps the first epoch's order");
            return cache_bytes_ > 0 ? tr("in memory, %1").arg(models::formatBytes(cache_bytes_)) : tr("decoded samples stay in memory");
        case PipelineStep::kShuffle:
            if (meaning.shuffles_batches) return tr("whole batches");
            return isOn(step) ? tr("buffer") : tr("samples in their order");
        case PipelineStep::kRepeat:
            return tr("steps an epoch");
        case PipelineStep::kBatch:
            return spec.drop_remainder ? tr("a smaller last batch is dropped") : tr("keeps a smaller last batch");
        case PipelineStep::kPrefetch:
            return tr("batches ahead");
    }
    return {};
}

void PipelinePanel::setCacheBytes(std::int64_t bytes) {
    if (cache_bytes_ == bytes) return;
    cache_bytes_ = bytes;
    refresh();
}

std::vector<PipelineStep> PipelinePanel::shownSteps() const {
    std::vector<PipelineStep> steps;
    for (const PipelineStep step : session_.project().spec().data.order) {  // of a file: may name a step twice
        if (isShown(step) && std::find(steps.begin(), steps.end(), step) == steps.end()) steps.push_back(step);
    }
    return steps;
}

void PipelinePanel::refresh() {
    const DataSpec& spec = session_.project().spec().data;
    const std::vector<PipelineStep> shown = shownSteps();
    for (PipelineRow* one : rows_) one->setVisible(std::find(shown.begin(), shown.end(), one->step()) != shown.end());
    for (std::size_t i = 0; i < shown.size(); ++i) {
        PipelineRow& one = row(shown[i]);
        if (list_->indexOf(&one) != static_cast<int>(i)) {
            list_->removeWidget(&one);
            list_->insertWidget(static_cast<int>(i), &one);
        }
        one.setLast(i + 1 == shown.size());
        one.switchButton().setChecked(isOn(shown[i]));
        one.setTexts(nameOf(shown[i]), sentenceOf(shown[i]), tr("step %1 of %2").arg(i + 1).arg(shown.size()));
    }
    QWidget* before = add_;
    for (const PipelineStep step : shown) {
        for (QWidget* next : {static_cast<QWidget*>(&row(step)), row(step).value(), static_cast<QWidget*>(&row(step).switchButton())}) {
            if (next == nullptr) continue;
            setTabOrder(before, next);
            before = next;
        }
    }
    const std::tuple<NumberBox*, PipelineStep, std::int64_t> numbers[] = {
        {take_, PipelineStep::kTake, spec.take},
        {classes_, PipelineStep::kOneHot, spec.one_hot},
        {shuffle_, PipelineStep::kShuffle, spec.shuffle},
        {repeat_, PipelineStep::kRepeat, session_.project().spec().fit.steps_per_epoch},
        {prefetch_, PipelineStep::kPrefetch, spec.prefetch}};
    for (const auto& [box, step, value] : numbers) {
        box->setVisible(isOn(step));
        if (isOn(step)) box->showValue(value);
    }
    // What is being typed stays, but for another value of the project.
    if (const QString said = listText(spec.mean) + " / " + listText(spec.std); !normal_->hasFocus() || said != shown_normal_) {
        shown_normal_ = said;
        normal_->setText(said);
        widgets::setSheetProperty(normal_, "invalid", false);
    }
    setEnabled(session_.project().isOpen());
    refreshFindings();
}

void PipelinePanel::refreshFindings() {
    shown_findings_.clear();
    if (session_.project().isOpen()) shown_findings_ = orderFindings(session_.project().spec().data, passesOf(session_.project().spec()));
    std::vector<models::CheckRow> rows;
    for (const engine::spec::Diagnostic& finding : shown_findings_) {
        using engine::spec::Severity;
        const auto repair =
            finding.severity == Severity::kInfo ? std::nullopt : session::repairOf(session_.project(), session_.host(), finding);
        rows.push_back({finding.severity == Severity::kError     ? models::CheckState::kError
                        : finding.severity == Severity::kWarning ? models::CheckState::kWarning
                                                                 : models::CheckState::kInfo,
                        models::findingText(finding.message), models::findingText(finding.fix),
                        repair ? models::engineText(repair->text) : QString(), QString::fromStdString(finding.path)});
    }
    findings_->setRows(std::move(rows));
    findings_->setVisible(!shown_findings_.empty());
    findings_->setAccessibleName(tr("What the order of the steps means"));
}

void PipelinePanel::mend(int finding) {
    if (finding >= 0 && finding < std::ssize(shown_findings_))
        session::repair(session_.project(), session_.host(), shown_findings_[static_cast<std::size_t>(finding)]);
}

void PipelinePanel::moveBy(PipelineStep step, int places) {
    const std::vector<PipelineStep> shown = shownSteps();
    const auto at = static_cast<int>(std::find(shown.begin(), shown.end(), step) - shown.begin());
    const int to = at + places;
    if (to >= 0 && to < std::ssize(shown)) moveTo(step, places > 0 ? to + 1 : to);
}

// `place` counts the rows in front. Steps without a row keep theirs beside the one that the row passes.
void PipelinePanel::moveTo(PipelineStep step, int place) {
    using engine::spec::Side;
    const std::vector<PipelineStep> shown = shownSteps();
    const auto at = static_cast<int>(std::find(shown.begin(), shown.end(), step) - shown.begin());
    if (place == at || place == at + 1) return;
    const auto [side, other] = place < at ? std::pair{Side::kBefore, shown[static_cast<std::size_t>(place)]}
                                          : std::pair{Side::kBehind, shown[static_cast<std::size_t>(place - 1)]};
    session_.project().change(tr("Move %1").arg(nameOf(step)),
                              [&](RunSpec& run) { run.data.order = engine::spec::movedStep(run.data.order, step, side, other); });
    refresh();
    row(step).setFocus(Qt::OtherFocusReason);
}

// A row takes the place of the one under the mouse; the mark stands at its far edge.
void PipelinePanel::showDropPlace(PipelineStep step, const QPoint& global_at) {
    const std::vector<PipelineStep> shown = shownSteps();
    const auto at = static_cast<int>(std::find(shown.begin(), shown.end(), step) - shown.begin());
    const int y = frame_->mapFromGlobal(global_at).y();
    const int under = std::clamp(y / kRowHeight, 0, static_cast<int>(shown.size()) - 1);
    const bool moves = under != at && y > -kRowHeight && y < frame_->height() + kRowHeight;
    drop_place_ = !moves ? -1 : under > at ? under + 1 : under;
    drop_mark_->setVisible(moves);
    if (!moves) return;
    drop_mark_->setGeometry(1, std::clamp(drop_place_ * kRowHeight - 1, 1, frame_->height() - 3), frame_->width() - 2, 2);
    drop_mark_->raise();
}

void PipelinePanel::endDrag() {
    drop_place_ = -1;
    drop_mark_->hide();
}

void PipelinePanel::setNarrow(bool narrow) {
    for (PipelineRow* one : rows_) one->setNarrow(narrow);
}

void PipelinePanel::retranslate() {
    title_->setText(tr("Pipeline"));
    add_->setText(tr("Step"));
    add_->setToolTip(tr("Add a step"));
    frame_->setAccessibleName(tr("Steps, in the order in which samples pass them"));
    refresh();
}

}  // namespace ui::views

#include "moc_data_pipeline.cpp"

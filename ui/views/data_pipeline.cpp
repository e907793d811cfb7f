// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/data_pipeline.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/models/numbers.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/switch_button.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::DataSpec;
using engine::spec::RunSpec;
using theme::TextRole;
using widgets::Ink;

namespace {

constexpr int kRowHeight = 44, kLeft = theme::kSpace4, kValueWidth = 84, kTextWidth = 116, kMostSamples = 1'000'000'000,
              kMostPrefetch = 1024;
constexpr int kMostClasses = 1 << 24, kUsualShuffle = 10000, kUsualPrefetch = 2;
constexpr std::array kAll{PipelineStep::kTake,  PipelineStep::kMap,     PipelineStep::kNormalise, PipelineStep::kOneHot,
                          PipelineStep::kCache, PipelineStep::kShuffle, PipelineStep::kBatch,     PipelineStep::kPrefetch};
constexpr std::array kOptional{PipelineStep::kTake, PipelineStep::kNormalise, PipelineStep::kOneHot};
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
    row->setContentsMargins(kLeft, 0, theme::kSpace3, 0);
    row->setSpacing(theme::kSpace2);
    row->addStretch(1);
    switch_ = new widgets::SwitchButton(themes, this);
    row->addWidget(switch_);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void PipelineRow::setTexts(const QString& name, const QString& sentence) {
    name_ = name;
    sentence_ = sentence;
    setAccessibleName(name);
    setAccessibleDescription(sentence);
    setToolTip(sentence);
    switch_->setAccessibleName(name);
    if (value_ != nullptr) value_->setAccessibleName(name);
    update();
}

void PipelineRow::setLast(bool last) {
    last_ = last;
    update();
}

QSpinBox* PipelineRow::addNumber(int minimum, int maximum) {
    auto* box = new QSpinBox(this);
    box->setRange(minimum, maximum);
    box->setProperty("compact", true);
    box->setFont(themes_.font(TextRole::kMono));
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setAlignment(Qt::AlignRight);
    box->setGroupSeparatorShown(true);
    box->setKeyboardTracking(false);
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
    static_cast<QHBoxLayout*>(layout())->insertWidget(1, text);
    value_ = text;
    return text;
}

void PipelineRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    if (!last_) painter.fillRect(QRect(1, height() - 1, width() - 2, 1), t.border);
    const QWidget* first = value_ != nullptr ? value_ : static_cast<const QWidget*>(switch_);
    const double room = first->x() - kLeft - theme::kSpace1;
    const bool is_off = !switch_->isChecked();
    widgets::paintText(painter, QRectF(kLeft, 4, room, 18), name_, themes_.font(TextRole::kButton), is_off ? t.text2 : t.text);
    widgets::paintText(painter, QRectF(kLeft, 22, room, 16), sentence_, themes_.font(TextRole::kSmall), t.text2);
    if (hasFocus()) widgets::paintBox(painter, rect().adjusted(1, 1, -1, -2), theme::kRadiusControl, QColor(), t.accent, 2);
}

void PipelineRow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space) return switch_->click();
    QWidget::keyPressEvent(event);
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
    buildRows();
    connect(add_, &QAbstractButton::clicked, this, &PipelinePanel::openMenu);
    retranslate();
}

PipelineRow* PipelinePanel::addRow(PipelineStep step) {
    auto* row = new PipelineRow(step, themes_, frame_);
    rows_.push_back(row);
    list_->addWidget(row);
    connect(&row->switchButton(), &QAbstractButton::clicked, this, [this, step](bool on) { switchStep(step, on); });
    return row;
}

void PipelinePanel::buildRows() {
    for (const PipelineStep step : kAll) addRow(step);
    const auto number = [this](PipelineStep step, const char* name, int minimum, int maximum, std::int64_t DataSpec::*field) {
        QSpinBox* box = row(step).addNumber(minimum, maximum);
        box->setObjectName(QLatin1String(name) + "Field");
        connect(box, qOverload<int>(&QSpinBox::valueChanged), this, [this, step, name, field](int value) {
            session_.change(
                tr("Change %1").arg(nameOf(step)), [field, value](RunSpec& run) { run.data.*field = value; },
                session::Session::mergeKey(QStringLiteral("data.") + QLatin1String(name)));
        });
        return box;
    };
    take_ = number(PipelineStep::kTake, "take", 1, kMostSamples, &DataSpec::take);
    classes_ = number(PipelineStep::kOneHot, "oneHot", 2, kMostClasses, &DataSpec::one_hot);
    shuffle_ = number(PipelineStep::kShuffle, "shuffle", 1, kMostSamples, &DataSpec::shuffle);
    prefetch_ = number(PipelineStep::kPrefetch, "prefetch", 1, kMostPrefetch, &DataSpec::prefetch);
    normal_ = row(PipelineStep::kNormalise).addText();
    normal_->setObjectName("normaliseField");
    connect(normal_, &QLineEdit::editingFinished, this, &PipelinePanel::readNormalise);
    row(PipelineStep::kCache).switchButton().setObjectName("cacheSwitch");
    row(PipelineStep::kBatch).switchButton().setObjectName("keepRemainderSwitch");
}

// "0.1307 / 0.3081"; a number a channel with commas between.
void PipelinePanel::readNormalise() {
    const QStringList halves = normal_->text().split(QLatin1Char('/'));
    std::vector<double> mean, std;
    const bool is_good = halves.size() == 2 && readList(halves[0], mean) && readList(halves[1], std) && !mean.empty() && !std.empty();
    widgets::setSheetProperty(normal_, "invalid", !is_good);
    normal_->setToolTip(is_good ? QString() : tr("Expected mean / standard deviation, such as 0.1307 / 0.3081"));
    if (!is_good) return;
    session_.change(tr("Change %1").arg(nameOf(PipelineStep::kNormalise)), [&](RunSpec& run) {
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
    const std::int64_t classes = static_cast<std::int64_t>(session_.dataset().train_per_class.size());
    session_.change(tr("Switch %1").arg(nameOf(step)), [step, on, classes](RunSpec& run) {
        DataSpec& spec = run.data;
        const DataSpec usual;
        switch (step) {
            case PipelineStep::kTake:
                spec.take = on ? 1000 : 0;
                break;
            case PipelineStep::kMap:
                spec.scale = on ? usual.scale : 1;
                spec.offset = 0;
                break;
            case PipelineStep::kNormalise:
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

bool PipelinePanel::isOn(PipelineStep step) const {
    const DataSpec& spec = session_.project().data;
    switch (step) {
        case PipelineStep::kTake:
            return spec.take > 0;
        case PipelineStep::kMap:
            return spec.scale != 1 || spec.offset != 0;
        case PipelineStep::kNormalise:
            return !spec.mean.empty() || !spec.std.empty();
        case PipelineStep::kOneHot:
            return spec.one_hot > 0;
        case PipelineStep::kCache:
            return spec.cache;
        case PipelineStep::kShuffle:
            return spec.shuffle > 0;
        case PipelineStep::kBatch:
            return !spec.drop_remainder;
        case PipelineStep::kPrefetch:
            return spec.prefetch > 0;
    }
    return false;
}

bool PipelinePanel::isShown(PipelineStep step) const {
    return std::find(kOptional.begin(), kOptional.end(), step) == kOptional.end() || isOn(step);
}

QString PipelinePanel::nameOf(PipelineStep step) const {
    switch (step) {
        case PipelineStep::kTake:
            return tr("take");
        case PipelineStep::kMap:
            return tr("map: scale");
        case PipelineStep::kNormalise:
            return tr("map: normalise");
        case PipelineStep::kOneHot:
            return tr("map: one-hot labels");
        case PipelineStep::kCache:
            return tr("cache");
        case PipelineStep::kShuffle:
            return tr("shuffle");
        case PipelineStep::kBatch:
            return tr("batch");
        case PipelineStep::kPrefetch:
            return tr("prefetch");
    }
    return {};
}

QString PipelinePanel::sentenceOf(PipelineStep step) const {
    const DataSpec& spec = session_.project().data;
    switch (step) {
        case PipelineStep::kTake:
            return tr("the first samples");
        case PipelineStep::kMap: {
            if (!isOn(step)) return tr("values as stored");
            const double inverse = spec.scale != 0 ? 1 / spec.scale : 0;
            const bool is_share = spec.scale < 1 && std::abs(inverse - std::round(inverse)) < 1e-6;
            const QString scaled = is_share ? QStringLiteral("x / %1").arg(std::round(inverse)) : QStringLiteral("x × %1").arg(spec.scale);
            return spec.offset == 0 ? tr("%1 to float32").arg(scaled) : QStringLiteral("%1 + %2").arg(scaled).arg(spec.offset);
        }
        case PipelineStep::kNormalise:
            return tr("mean / deviation");
        case PipelineStep::kOneHot:
            return tr("classes");
        case PipelineStep::kCache:
            return cache_bytes_ > 0 ? tr("in memory, %1").arg(models::formatBytes(cache_bytes_)) : tr("decoded samples stay in memory");
        case PipelineStep::kShuffle:
            return isOn(step) ? tr("buffer") : tr("samples in their order");
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
    std::vector<PipelineStep> steps(kAll.begin(), kAll.end());
    std::erase_if(steps, [this](PipelineStep step) { return !isShown(step); });
    return steps;
}

void PipelinePanel::refresh() {
    const DataSpec& spec = session_.project().data;
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
        one.setTexts(nameOf(shown[i]), sentenceOf(shown[i]));
    }
    for (std::size_t i = 1; i < shown.size(); ++i) setTabOrder(&row(shown[i - 1]).switchButton(), &row(shown[i]));
    const std::tuple<QSpinBox*, PipelineStep, std::int64_t> numbers[] = {{take_, PipelineStep::kTake, spec.take},
                                                                         {classes_, PipelineStep::kOneHot, spec.one_hot},
                                                                         {shuffle_, PipelineStep::kShuffle, spec.shuffle},
                                                                         {prefetch_, PipelineStep::kPrefetch, spec.prefetch}};
    for (const auto& [box, step, value] : numbers) {
        const QSignalBlocker quiet(box);
        box->setVisible(isOn(step));
        if (isOn(step)) box->setValue(static_cast<int>(std::min<std::int64_t>(value, box->maximum())));
    }
    if (!normal_->hasFocus()) {
        normal_->setText(listText(spec.mean) + " / " + listText(spec.std));
        widgets::setSheetProperty(normal_, "invalid", false);
    }
    setEnabled(session_.hasProject());
}

void PipelinePanel::retranslate() {
    title_->setText(tr("Pipeline"));
    add_->setText(tr("Step"));
    add_->setToolTip(tr("Add a step"));
    frame_->setAccessibleName(tr("Steps, in the order in which samples pass them"));
    refresh();
}

}  // namespace ui::views

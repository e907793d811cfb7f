// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/field_editor.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QStylePainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/field_schema.h"
#include "ui/canvas/layer_look.h"
#include "ui/models/numbers.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/switch_button.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/window_undo.h"

namespace ui::views {

using engine::spec::FieldKind;
using engine::spec::FieldValue;
using engine::spec::ObjectBox;

namespace {

constexpr int kWidth = 150, kTimesWidth = 10, kMostSegmentLetters = 12;

// Long names end in an ellipsis; the tooltip has them whole.
class ChoiceBox : public QComboBox {
public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent*) override {
        QStylePainter painter(this);
        QStyleOptionComboBox option;
        initStyleOption(&option);
        painter.drawComplexControl(QStyle::CC_ComboBox, option);
        const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
        option.currentText = fontMetrics().elidedText(currentText(), Qt::ElideRight, room.width() - 2);
        painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    }
};

// Returns the choices without the words that all of them begin with: "last" and "first" of "channels_last" and "channels_first", which
// would be the same ones where there is no room for their ends.
QStringList withoutCommonWords(QStringList choices) {
    if (choices.size() < 2) return choices;
    const qsizetype end = choices.first().indexOf(QLatin1Char('_')) + 1;
    const QString words = choices.first().left(end);
    const auto has_them = [&](const QString& choice) { return choice.size() > end && choice.startsWith(words); };
    if (end == 0 || !std::all_of(choices.begin(), choices.end(), has_them)) return choices;
    for (QString& choice : choices) choice.remove(0, end);
    return withoutCommonWords(choices);
}

// Returns one text as it stands in a list: in quotes when it has characters that separate texts, with "" for a quote in it.
QString listedText(const std::string& value) {
    QString text = QString::fromStdString(value);
    const bool is_plain = !text.isEmpty() && text == text.trimmed() && !text.contains(QLatin1Char(',')) && !text.contains(QLatin1Char('"'));
    if (is_plain) return text;
    return QLatin1Char('"') + text.replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
}

// Returns the texts between commas, as listedText() writes them; nullopt for none between two commas, and for a quote that does not end.
std::optional<std::vector<std::string>> textsOf(const QString& line) {
    static const QRegularExpression one(QStringLiteral("\\G\\s*(?:\"((?:[^\"]|\"\")*)\"|([^,\"]+))\\s*(,|$)"));
    std::vector<std::string> texts;
    for (qsizetype at = 0;;) {
        const QRegularExpressionMatch match = one.match(line, at);
        if (!match.hasMatch()) return std::nullopt;
        const bool is_quoted = match.capturedStart(1) >= 0;
        const QString text =
            is_quoted ? match.captured(1).replace(QLatin1String("\"\""), QLatin1String("\"")) : match.captured(2).trimmed();
        if (text.isEmpty() && !is_quoted) return std::nullopt;
        texts.push_back(text.toStdString());
        if (match.captured(3).isEmpty()) return texts;
        at = match.capturedEnd();
    }
}

// Returns a number as short as it can be read: "1e-5", where Qt writes "1e-05".
QString realText(double value) {
    return QString::number(value, 'g', 10)
        .replace(QLatin1String("e-0"), QLatin1String("e-"))
        .replace(QLatin1String("e+0"), QLatin1String("e+"));
}

QString numberText(const FieldValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return QString::number(*whole);
    if (const auto* real = std::get_if<double>(&value)) return realText(*real);
    if (const auto* text = std::get_if<std::string>(&value)) return QString::fromStdString(*text);
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
        QStringList parts;
        for (const std::int64_t number : *list) parts << QString::number(number);
        return parts.join(QStringLiteral(", "));
    }
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
        QStringList parts;
        for (const std::string& text : *texts) parts << listedText(text);
        return parts.join(QStringLiteral(", "));
    }
    if (const auto* reals = std::get_if<std::vector<double>>(&value)) {
        QStringList parts;
        for (const double number : *reals) parts << realText(number);
        return parts.join(QStringLiteral(", "));
    }
    return {};
}

}  // namespace

FieldEditor::FieldEditor(engine::spec::FieldSchema schema, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), schema_(std::move(schema)), themes_(themes) {
    setObjectName(QStringLiteral("field_%1").arg(QString::fromStdString(schema_.name)));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kSpace2);
    layout->addStretch();
    switch (schema_.kind) {
        case FieldKind::kBool:
            switch_ = new widgets::SwitchButton(themes_, this);
            switch_->setCheckable(true);
            layout->addWidget(switch_);
            connect(switch_, &QAbstractButton::clicked, this, [this](bool on) { emit valueChanged(on); });
            break;
        case FieldKind::kChoice:
        case FieldKind::kObject:
            schema_.choices.empty() ? buildTexts(1) : buildChoice();
            break;
        case FieldKind::kIntPair:
        case FieldKind::kIntTriple:
            buildTexts(static_cast<int>(numbersIn(schema_.kind)));
            break;
        default:
            buildTexts(1);
            break;
    }
    setFieldWidth(kWidth);
    const QString label = canvas::fieldLabel(schema_.name);
    for (QWidget* child : findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) child->setAccessibleName(label);
}

void FieldEditor::buildTexts(int count) {
    auto* row = static_cast<QHBoxLayout*>(layout());
    for (int i = 0; i < count; ++i) {
        if (i > 0) {
            auto* times = new widgets::TextLabel(themes_, theme::TextRole::kBody, widgets::Ink::kText2, this);
            times->setText(QStringLiteral("\u00d7"));
            times->setAlignment(Qt::AlignCenter);
            times->setFixedWidth(kTimesWidth);
            row->addWidget(times);
        }
        auto* text = new QLineEdit(this);
        text->setFont(themes_.font(theme::TextRole::kMonoField));
        row->addWidget(text);
        texts_.push_back(text);
        text->installEventFilter(this);
        widgets::leaveUndoToWindow(text, [this] { return holdsNoValue(); });
        connect(text, &QLineEdit::textEdited, this, &FieldEditor::textEdited);
    }
}

void FieldEditor::buildChoice() {
    QStringList choices;
    for (const std::string& choice : schema_.choices) choices << QString::fromStdString(choice);
    const auto choose = [this, choices](int index) {
        const std::string chosen = choices[index].toStdString();
        emit valueChanged(schema_.kind == FieldKind::kObject ? FieldValue(ObjectBox({chosen, engine::spec::startingFields(chosen)}))
                                                             : FieldValue(chosen));
    };
    const QStringList different = withoutCommonWords(choices);
    if (choices.size() == 2 && different.join(QString()).size() <= kMostSegmentLetters && !mayBeUnset()) {
        segments_ = new widgets::SegmentedControl(themes_, this);
        segments_->setEntries(different);
        layout()->addWidget(segments_);
        connect(segments_, &widgets::SegmentedControl::currentChanged, this, choose);
        return;
    }
    combo_ = new ChoiceBox(this);
    if (mayBeUnset()) combo_->addItem(QString());
    combo_->addItems(choices);
    combo_->setFocusPolicy(Qt::StrongFocus);  // not by the wheel
    combo_->installEventFilter(this);
    layout()->addWidget(combo_);
    nameUnset();
    connect(combo_, &QComboBox::activated, this, [this, choose](int index) {
        const int unset = mayBeUnset() ? 1 : 0;
        index < unset ? emit valueChanged({}) : choose(index - unset);
    });
}

void FieldEditor::setFieldWidth(int width) {
    if (combo_ != nullptr) combo_->setFixedWidth(width);
    // A pair or a triple begins and ends where the other fields do.
    const int count = static_cast<int>(texts_.size()), between = (count - 1) * (kTimesWidth + 2 * theme::kSpace2);
    for (QLineEdit* text : texts_) text->setFixedWidth((width - between) / count);
    nameUnset();
}

void FieldEditor::nameUnset() {
    if (!mayBeUnset()) return;
    const QString word = tr("None");
    if (combo_ != nullptr) {
        combo_->setItemText(0, word);
        combo_->setToolTip(combo_->currentText());
    }
    for (QLineEdit* text : texts_) {
        // A field of a pair may be too narrow for the word: there a dash stands for it.
        constexpr int kPadding = 24;
        const bool has_room = text->fontMetrics().horizontalAdvance(word) + kPadding <= text->width();
        text->setPlaceholderText(has_room ? word : QString(QChar(models::kMissing)));
    }
}

void FieldEditor::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) nameUnset();
    QWidget::changeEvent(event);
}

bool FieldEditor::mayBeUnset() const {
    return !schema_.required && std::holds_alternative<std::monostate>(schema_.fallback);
}

void FieldEditor::setValue(const FieldValue& value) {
    value_ = value;
    if (switch_ != nullptr) {
        const bool* on = std::get_if<bool>(&value);
        switch_->setChecked(on != nullptr && *on);
        return;
    }
    if (combo_ != nullptr || segments_ != nullptr) {
        const auto* object = std::get_if<ObjectBox>(&value);
        const auto* text = std::get_if<std::string>(&value);
        const std::string chosen = object != nullptr ? object->get().class_name : (text != nullptr ? *text : std::string());
        const auto at = std::find(schema_.choices.begin(), schema_.choices.end(), chosen);
        const int index = at == schema_.choices.end() ? -1 : static_cast<int>(at - schema_.choices.begin());
        if (combo_ != nullptr) {
            combo_->setCurrentIndex(mayBeUnset() ? index + 1 : index);
            combo_->setToolTip(combo_->currentText());  // long class names do not fit
        }
        if (segments_ != nullptr) {
            const QSignalBlocker blocker(segments_);
            segments_->setCurrent(std::max(0, index));
        }
        return;
    }
    QString problem;
    const bool lists_layers = schema_.kind == FieldKind::kLayerList;  // shown by their classes; they are edited one by one, elsewhere
    const bool same = !lists_layers && parse(problem) == value && problem.isEmpty() && !texts_.front()->text().isEmpty();
    if (same) return;
    if (typing_ && !problem.isEmpty()) return;  // stays until the field is left
    typing_ = false;
    const auto* object = std::get_if<ObjectBox>(&value);
    for (std::size_t i = 0; i < texts_.size(); ++i) {
        const auto* list = std::get_if<std::vector<std::int64_t>>(&value);
        QString text = numberText(value);
        if (texts_.size() > 1 && list != nullptr) text = i < list->size() ? QString::number((*list)[i]) : QString();
        if (object != nullptr) text = QString::fromStdString(object->get().class_name);
        if (lists_layers && !std::holds_alternative<std::monostate>(value)) text = canvas::valueText(value);
        texts_[i]->setText(text);
        if (!texts_[i]->hasFocus()) texts_[i]->setCursorPosition(0);  // a long text shows its beginning
        texts_[i]->setReadOnly(object != nullptr || lists_layers);
        texts_[i]->setModified(false);
    }
    markInvalid(schema_.required && std::holds_alternative<std::monostate>(value) ? tr("A value is needed here") : QString());
}

// The wheel and the arrow keys count in a field of a whole number that has the focus, and the wheel goes through a list of choices that
// has it; elsewhere the wheel scrolls the form.
bool FieldEditor::eventFilter(QObject* watched, QEvent* event) {
    if (watched == combo_) {
        const bool scrolls = event->type() == QEvent::Wheel && !combo_->hasFocus();
        if (scrolls) event->ignore();  // for the form
        return scrolls || QWidget::eventFilter(watched, event);
    }
    auto* text = qobject_cast<QLineEdit*>(watched);
    if (text != nullptr && event->type() == QEvent::FocusOut) leave(static_cast<QFocusEvent*>(event)->reason());
    const bool counts = schema_.kind == FieldKind::kInt || numbersIn(schema_.kind) > 1;
    int by = 0;
    if (counts && text != nullptr && text->hasFocus() && event->type() == QEvent::Wheel) {
        by = static_cast<QWheelEvent*>(event)->angleDelta().y() > 0 ? 1 : -1;
    } else if (counts && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() == Qt::NoModifier) by = key->key() == Qt::Key_Up ? 1 : key->key() == Qt::Key_Down ? -1 : 0;
    }
    bool whole = false;
    const qlonglong number = by != 0 ? text->text().toLongLong(&whole) : 0;
    if (!whole) return QWidget::eventFilter(watched, event);
    const double next = static_cast<double>(number + by);
    if (next < schema_.minimum || next > schema_.maximum) return true;
    text->setText(QString::number(number + by));
    textEdited();
    return true;
}

void FieldEditor::focusEditor() {
    if (!texts_.empty()) {
        texts_.front()->setFocus(Qt::ShortcutFocusReason);
        texts_.front()->selectAll();
    } else if (QWidget* editor = combo_ != nullptr ? static_cast<QWidget*>(combo_)
                                                   : (segments_ != nullptr ? static_cast<QWidget*>(segments_) : switch_)) {
        editor->setFocus(Qt::ShortcutFocusReason);
    }
}

void FieldEditor::textEdited() {
    if (!typing_) before_ = value_;
    typing_ = true;
    QString problem;
    FieldValue value = parse(problem);
    markInvalid(problem);
    if (problem.isEmpty()) {
        emit valueChanged(std::move(value));
        return;
    }
    // A part of what is being typed may have been a value: it does not stay behind as one.
    if (!(value_ == before_)) emit valueChanged(before_);
    QLineEdit* text = texts_.front();
    QToolTip::showText(text->mapToGlobal(QPoint(0, text->height() / 2)), problem, text);
}

bool FieldEditor::holdsNoValue() const {
    QString problem;
    parse(problem);
    return typing_ && !problem.isEmpty();
}

// Text that is no value goes with the focus; a menu or another window only borrows it.
void FieldEditor::leave(Qt::FocusReason reason) {
    const bool is_borrowed = reason == Qt::PopupFocusReason || reason == Qt::ActiveWindowFocusReason;
    if (is_borrowed || !std::exchange(typing_, false)) return;
    QString problem;
    parse(problem);
    if (problem.isEmpty()) return;
    for (QLineEdit* text : texts_) text->setModified(false);
    QToolTip::hideText();
    setValue(FieldValue(value_));
}

void FieldEditor::markInvalid(const QString& problem) {
    for (QLineEdit* text : texts_) {
        if (text->property("invalid").toBool() != !problem.isEmpty()) widgets::setSheetProperty(text, "invalid", !problem.isEmpty());
        text->setToolTip(problem);
        if (problem.isEmpty() && QToolTip::isVisible()) QToolTip::hideText();
    }
}

FieldValue FieldEditor::parseNumber(const QString& text, QString& problem) const {
    bool ok = false;
    const bool whole = schema_.kind != FieldKind::kDouble && schema_.kind != FieldKind::kDoubleList;
    const double number = QLocale::c().toDouble(text.trimmed(), &ok);
    ok = ok && std::isfinite(number) && (!whole || number == std::floor(number));
    if (!ok && whole && !schema_.choices.empty()) {
        QStringList words;
        for (const std::string& choice : schema_.choices) words << QString::fromStdString(choice);
        problem = tr("Expected %1 or a whole number").arg(words.join(QStringLiteral(", ")));
        return {};
    }
    if (!ok) {
        problem = whole ? tr("Expected a whole number") : tr("Expected a number, such as 0.5 or 1e-3");
        return {};
    }
    const bool low = schema_.minimum_excluded ? number <= schema_.minimum : number < schema_.minimum;
    if (low)
        problem =
            schema_.minimum_excluded ? tr("Expected more than %1").arg(schema_.minimum) : tr("Expected at least %1").arg(schema_.minimum);
    if (number > schema_.maximum) problem = tr("Expected at most %1").arg(schema_.maximum);
    return whole ? FieldValue(static_cast<std::int64_t>(number)) : FieldValue(number);
}

FieldValue FieldEditor::parse(QString& problem) const {
    if (schema_.kind == FieldKind::kString) return texts_.front()->text().toStdString();
    if (schema_.kind == FieldKind::kLayerList) return value_;
    const QString first = texts_.front()->text();
    if (texts_.size() == 1 && first.trimmed().isEmpty() && mayBeUnset()) return {};  // elsewhere no number is no value
    const std::string word = first.trimmed().toStdString();
    const bool is_word = std::find(schema_.choices.begin(), schema_.choices.end(), word) != schema_.choices.end();
    if (schema_.kind == FieldKind::kInt && is_word) return word;  // "epoch" where else a number of steps stands
    if (schema_.kind == FieldKind::kInt || schema_.kind == FieldKind::kDouble) return parseNumber(first, problem);
    if (schema_.kind == FieldKind::kObject || schema_.kind == FieldKind::kChoice) return {};
    QStringList parts;
    if (texts_.size() > 1) {
        for (const QLineEdit* text : texts_) parts << text->text();
    } else {
        parts = first.split(QLatin1Char(','));
    }
    if (schema_.kind == FieldKind::kTextList) {
        if (auto texts = textsOf(first)) return *std::move(texts);
        problem = tr("Expected texts with a comma between two, such as red, \"dark, blue\"");
        return {};
    }
    if (schema_.kind == FieldKind::kDoubleList) {
        std::vector<double> reals;
        for (const QString& part : parts) {
            const FieldValue number = parseNumber(part, problem);
            if (const auto* real = std::get_if<double>(&number)) reals.push_back(*real);
        }
        return reals;
    }
    std::vector<std::int64_t> numbers;
    for (const QString& part : parts) {
        const FieldValue number = parseNumber(part, problem);
        if (const auto* whole = std::get_if<std::int64_t>(&number)) numbers.push_back(*whole);
    }
    return numbers;
}

}  // namespace ui::views

#include "moc_field_editor.cpp"

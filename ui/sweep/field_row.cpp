// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/field_row.h"

#include <QComboBox>
#include <QCompleter>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/spec/error.h"
#include "engine/sweep/usual_field.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::sweep::SweepField;
using Kind = SweepField::Kind;

namespace {

constexpr int kPathShare = 2, kValuesShare = 3, kPathWidth = 260, kKindWidth = 170, kBoundWidth = 104, kPointsWidth = 76, kRowHeight = 34;

double numberIn(const QString& text) {
    bool is_number = false;
    const double value = QLocale::c().toDouble(text.trimmed(), &is_number);
    return is_number ? value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

FieldRow::FieldRow(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent) {
    setFixedHeight(kRowHeight);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kSpace2);
    path_ = new QComboBox(this);
    path_->setObjectName("sweepFieldPath");
    path_->setProperty("compact", true);
    path_->setEditable(true);
    path_->setInsertPolicy(QComboBox::NoInsert);
    path_->completer()->setFilterMode(Qt::MatchContains);
    path_->completer()->setCompletionMode(QCompleter::PopupCompletion);
    path_->setFont(themes.font(theme::TextRole::kMonoField));
    path_->setMinimumWidth(kPathWidth);
    kind_ = new QComboBox(this);
    kind_->setObjectName("sweepFieldKind");
    kind_->setProperty("compact", true);
    kind_->setMinimumWidth(kKindWidth);
    const auto edit = [&](const char* name) {
        auto* made = new QLineEdit(this);
        made->setObjectName(QLatin1String(name));
        made->setProperty("compact", true);
        made->setFont(themes.font(theme::TextRole::kMonoField));
        connect(made, &QLineEdit::textEdited, this, &FieldRow::edited);
        return made;
    };
    choices_ = edit("sweepFieldChoices");
    low_ = edit("sweepFieldLow");
    high_ = edit("sweepFieldHigh");
    for (QLineEdit* bound : {low_, high_}) bound->setFixedWidth(kBoundWidth);
    to_ = new widgets::TextLabel(themes, theme::TextRole::kSmall, widgets::Ink::kText2, this);
    points_label_ = new widgets::TextLabel(themes, theme::TextRole::kSmall, widgets::Ink::kText2, this);
    points_ = new QSpinBox(this);
    points_->setObjectName("sweepFieldPoints");
    points_->setProperty("compact", true);
    points_->setRange(2, engine::sweep::kMostPoints);
    points_->setValue(3);
    points_->setFixedWidth(kPointsWidth);
    points_label_->setBuddy(points_);
    remove_ = widgets::makeButton(
        themes, {.object_name = "sweepFieldRemove", .icon = "trash", .kind = widgets::ButtonKind::kGhost, .compact = true}, this);
    row->addWidget(path_, kPathShare);
    row->addWidget(kind_);
    auto* values = new QHBoxLayout;  // as wide for each kind, so that rows stand under each other
    values->setSpacing(theme::kSpace2);
    values->addWidget(choices_, 1);
    for (QWidget* part : std::initializer_list<QWidget*>{low_, to_, high_, points_label_, points_}) values->addWidget(part);
    values->addStretch(0);
    row->addLayout(values, kValuesShare);
    row->addWidget(remove_);
    connect(path_, &QComboBox::activated, this, &FieldRow::takeUsual);
    connect(path_->lineEdit(), &QLineEdit::editingFinished, this, [this] { emit edited(); });
    connect(path_, &QComboBox::editTextChanged, this, &FieldRow::edited);
    connect(kind_, &QComboBox::activated, this, [this] {
        refresh();
        emit edited();
    });
    connect(points_, &QSpinBox::valueChanged, this, &FieldRow::edited);
    connect(remove_, &QPushButton::clicked, this, &FieldRow::removeWanted);
    retranslate();
}

void FieldRow::setKnown(const std::vector<std::pair<std::string, std::string>>& fields) {
    known_ = fields;
    const QString text = path_->currentText();
    const QSignalBlocker quiet(path_);
    path_->clear();
    for (const auto& [path, value] : known_) path_->addItem(QString::fromStdString(path));
    path_->setEditText(text);
}

void FieldRow::setField(const SweepField& field) {
    const QSignalBlocker quiet(this);
    path_->setEditText(QString::fromStdString(field.path));
    kind_->setCurrentIndex(static_cast<int>(field.kind));
    QStringList choices;
    for (const std::string& choice : field.choices) choices << QString::fromStdString(choice);
    choices_->setText(choices.join(QStringLiteral(", ")));
    low_->setText(QString::fromStdString(engine::sweep::plainNumber(field.low)));
    high_->setText(QString::fromStdString(engine::sweep::plainNumber(field.high)));
    points_->setValue(field.points > 0 ? field.points : 3);
    refresh();
}

// A path of the list brings values with it.
void FieldRow::takeUsual() {
    const std::string path = path_->currentText().toStdString();
    const auto known = std::find_if(known_.begin(), known_.end(), [&](const auto& one) { return one.first == path; });
    if (known != known_.end()) setField(engine::sweep::usualField(known->first, known->second));
    emit edited();
}

SweepField FieldRow::field() const {
    SweepField field{.path = path_->currentText().trimmed().toStdString(), .kind = static_cast<Kind>(kind_->currentIndex())};
    if (field.kind == Kind::kChoice) {
        try {
            field.choices = engine::sweep::parseField("x=" + choices_->text().toStdString()).choices;
        } catch (const engine::Error&) {  // problem() says so
        }
        return field;
    }
    field.low = numberIn(low_->text());
    field.high = numberIn(high_->text());
    field.points = points_->value();
    return field;
}

QString FieldRow::problem(bool is_for_grid) const {
    const SweepField now = field();
    if (now.path.empty()) return tr("Choose a field");
    const QString path = QString::fromStdString(now.path);
    if (now.kind == Kind::kChoice) {
        if (now.choices.empty()) return tr("%1: values with commas between them, each once").arg(path);
    } else {
        if (std::isnan(now.low) || std::isnan(now.high)) return tr("%1: from one number to another, such as 1e-4").arg(path);
        if (!(now.low < now.high)) return tr("%1: from a lower number to a higher one").arg(path);
        const bool is_logarithmic = now.kind == Kind::kLog || now.kind == Kind::kLogInteger;
        if (is_logarithmic && !(now.low > 0)) return tr("%1: a logarithmic range is above 0").arg(path);
        const bool is_whole = now.kind == Kind::kInteger || now.kind == Kind::kLogInteger;
        if (is_whole && (now.low != std::floor(now.low) || now.high != std::floor(now.high)))
            return tr("%1: from one integer to another").arg(path);
    }
    const bool is_known = engine::sweep::fieldProblem(now).empty() && (!is_for_grid || !engine::sweep::gridValues(now).empty());
    return is_known ? QString() : tr("%1: this is no field and its values").arg(path);
}

void FieldRow::setEditable(bool on) {
    setEnabled(on);
}

void FieldRow::refresh() {
    const bool is_choice = kind_->currentIndex() == static_cast<int>(Kind::kChoice);
    choices_->setVisible(is_choice);
    for (QWidget* part : std::initializer_list<QWidget*>{low_, to_, high_, points_label_, points_}) part->setVisible(!is_choice);
}

void FieldRow::retranslate() {
    const int kind = std::max(0, kind_->currentIndex());
    const QSignalBlocker quiet(kind_);
    kind_->clear();
    kind_->addItems({tr("Values"), tr("Range"), tr("Logarithmic range"), tr("Integers"), tr("Integers, logarithmic")});
    kind_->setCurrentIndex(kind);
    to_->setText(tr("to"));
    points_label_->setText(tr("points"));
    path_->setAccessibleName(tr("Field of the project"));
    kind_->setAccessibleName(tr("Kind of values"));
    choices_->setAccessibleName(tr("Values, with commas between them"));
    choices_->setPlaceholderText(QStringLiteral("64, 128, 256"));
    low_->setAccessibleName(tr("Lowest value"));
    high_->setAccessibleName(tr("Highest value"));
    points_->setAccessibleName(tr("Values of the range in a grid"));
    points_->setToolTip(tr("How many values of the range a grid has; drawn configurations have any of it"));
    remove_->setAccessibleName(tr("Remove the field"));
    remove_->setToolTip(tr("Remove the field"));
    refresh();
}

}  // namespace ui::views

#include "moc_field_row.cpp"

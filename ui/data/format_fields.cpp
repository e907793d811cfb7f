// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/format_fields.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <utility>

#include "ui/widgets/buttons.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/switch_button.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::DataSpec;
using theme::TextRole;
using widgets::TextLabel;

FormatFields::FormatFields(QFormLayout& form, const theme::ThemeController& themes, QWidget* parent)
    : QObject(parent), themes_(themes), parent_(parent) {
    label_label_ = makeLabel();
    label_column_ = new QComboBox(parent);
    label_column_->setObjectName("wizardLabel");
    form.addRow(label_label_, label_column_);
    delimiter_label_ = makeLabel();
    delimiter_ = new QComboBox(parent);
    delimiter_->setObjectName("wizardDelimiter");
    for (const char* sign : {",", ";", "\t", "|"}) delimiter_->addItem(QString(), QString::fromLatin1(sign));
    form.addRow(delimiter_label_, delimiter_);
    header_label_ = makeLabel();
    header_ = new widgets::SwitchButton(themes, parent);
    header_->setObjectName("wizardHeader");
    form.addRow(header_label_, header_);
    size_ = addText(form, "wizardSize", size_label_);
    color_label_ = makeLabel();
    color_ = new widgets::SegmentedControl(themes, parent);
    color_->setObjectName("wizardColor");
    color_->setEntries({"rgb", "grayscale"});
    form.addRow(color_label_, color_);
    sample_name_ = addText(form, "wizardSample", sample_label_);
    target_name_ = addText(form, "wizardTarget", target_label_);
    connect(label_column_, &QComboBox::activated, this, [this](int index) { emit labelChosen(label_column_->itemData(index).toString()); });
    connect(delimiter_, &QComboBox::activated, this, [this](int index) { emit delimiterChosen(delimiter_->itemData(index).toString()); });
    connect(header_, &QAbstractButton::clicked, this, &FormatFields::changed);
    connect(color_, &widgets::SegmentedControl::currentChanged, this, &FormatFields::changed);
}

TextLabel* FormatFields::makeLabel() {
    return new TextLabel(themes_, TextRole::kSmall, widgets::Ink::kText2, parent_);
}

QLineEdit* FormatFields::addText(QFormLayout& form, const char* name, TextLabel*& label) {
    label = makeLabel();
    auto* text = new QLineEdit(parent_);
    text->setObjectName(name);
    text->setFont(themes_.font(TextRole::kMonoField));
    form.addRow(label, text);
    connect(text, &QLineEdit::textEdited, this, &FormatFields::changed);
    return text;
}

void FormatFields::show(const DataSpec& data) {
    const std::string& format = data.dataset;
    const bool is_table = format == "csv";
    const bool has_pictures = format == "image_folder" || (format == "tfrecord" && data.tfrecord.encoding == "image");
    const bool has_names = format == "npz" || format == "tfrecord";
    const std::pair<QWidget*, bool> shown[] = {{label_label_, is_table},    {label_column_, is_table},  {delimiter_label_, is_table},
                                               {delimiter_, is_table},      {header_label_, is_table},  {header_, is_table},
                                               {size_label_, has_pictures}, {size_, has_pictures},      {color_label_, has_pictures},
                                               {color_, has_pictures},      {sample_label_, has_names}, {sample_name_, has_names},
                                               {target_label_, has_names},  {target_name_, has_names}};
    for (const auto& [part, is_shown] : shown) part->setVisible(is_shown);
    const QSignalBlocker quiet(color_);
    delimiter_->setCurrentIndex(delimiter_->findData(QString::fromStdString(data.csv.delimiter)));
    header_->setChecked(data.csv.header);
    size_->setText(QStringLiteral("%1 × %2").arg(data.images.size[0]).arg(data.images.size[1]));
    color_->setCurrent(data.images.color_mode == "grayscale" ? 1 : 0);
    sample_name_->setText(QString::fromStdString(format == "npz" ? data.npz.train_samples : data.tfrecord.sample));
    target_name_->setText(QString::fromStdString(format == "npz" ? data.npz.train_labels : data.tfrecord.label));
}

void FormatFields::read(DataSpec& data) {
    data.csv.header = header_->isChecked();
    data.images.color_mode = color_->current() == 1 ? "grayscale" : "rgb";
    const QStringList sides = size_->text().split(QRegularExpression("[^0-9]+"), Qt::SkipEmptyParts);
    const bool is_size = !sides.isEmpty() && sides.size() <= 2 && sides.front().toInt() > 0 && sides.back().toInt() > 0;
    widgets::setSheetProperty(size_, "invalid", !is_size);
    if (is_size) data.images.size = {sides.front().toInt(), sides.back().toInt()};
    (data.dataset == "npz" ? data.npz.train_samples : data.tfrecord.sample) = sample_name_->text().toStdString();
    (data.dataset == "npz" ? data.npz.train_labels : data.tfrecord.label) = target_name_->text().toStdString();
}

void FormatFields::setColumns(const std::vector<session::ColumnFacts>& columns, Label label) {
    if (columns.empty()) return;
    QStringList names, shown;
    for (const session::ColumnFacts& column : columns) names << column.name;
    for (int i = 0; i < label_column_->count(); ++i) shown << label_column_->itemText(i);
    if (names == shown && label == Label::kOfUser) return;
    const QSignalBlocker quiet(label_column_);
    label_column_->clear();
    for (const session::ColumnFacts& column : columns) {
        label_column_->addItem(column.name, column.name);
        if (column.is_label) label_column_->setCurrentIndex(label_column_->count() - 1);
    }
}

void FormatFields::retranslate(const DataSpec& data) {
    label_label_->setText(tr("Label column"));
    delimiter_label_->setText(tr("Cells are parted by"));
    const QString signs[] = {tr("comma ,"), tr("semicolon ;"), tr("tab"), tr("bar |")};
    for (int i = 0; i < delimiter_->count(); ++i) delimiter_->setItemText(i, signs[i]);
    header_label_->setText(tr("First line has names"));
    size_label_->setText(tr("Rows × columns"));
    color_label_->setText(tr("Colours"));
    sample_label_->setText(data.dataset == "npz" ? tr("Array of samples") : tr("Feature of samples"));
    target_label_->setText(data.dataset == "npz" ? tr("Array of labels") : tr("Feature of labels"));
    const std::pair<QWidget*, TextLabel*> named[] = {
        {label_column_, label_label_}, {delimiter_, delimiter_label_}, {header_, header_label_},     {size_, size_label_},
        {color_, color_label_},        {sample_name_, sample_label_},  {target_name_, target_label_}};
    for (const auto& [field, label] : named) field->setAccessibleName(label->text());
}

}  // namespace ui::views

#include "moc_format_fields.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/data_page.h"

#include <algorithm>
#include <array>

#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/models/numbers.h"
#include "ui/views/class_bars.h"
#include "ui/views/facts_well.h"
#include "ui/widgets/card_frame.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/switch_button.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::AutoShardPolicy;
using engine::spec::DataSpec;
using engine::spec::RunSpec;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr int kRightWidth = 330, kRightNarrow = 280, kFieldWidth = 120, kMostBatch = 65536, kMostSamples = 10'000'000;
constexpr std::array kPolicies{AutoShardPolicy::kAuto, AutoShardPolicy::kFile, AutoShardPolicy::kData, AutoShardPolicy::kOff};

QHBoxLayout* addRow(QVBoxLayout& column, QWidget* label, QWidget* field) {
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addStretch();
    row->addWidget(field);
    column.addLayout(row);
    return row;
}

}  // namespace

DataPage::DataPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : Page(parent), session_(session), themes_(themes) {
    setObjectName("dataPage");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    auto* left = new QVBoxLayout;
    left->setSpacing(0);
    header_ = new widgets::PageHeader(themes, this);
    left->addWidget(header_);
    auto* body = new QVBoxLayout;
    body->setContentsMargins(theme::kSpace6, theme::kSpace2, theme::kSpace5, theme::kSpace5);
    body->setSpacing(theme::kSpace3);
    facts_ = new FactsWell(themes, this, FactsWell::Layout::kRow);
    classes_title_ = new TextLabel(themes, TextRole::kSection, Ink::kText, this);
    bars_ = new ClassBars(themes, this);
    body->addWidget(facts_);
    body->addSpacing(theme::kSpace2);
    body->addWidget(classes_title_);
    body->addWidget(bars_, 1);
    left->addLayout(body, 1);
    row->addLayout(left, 1);
    row->addWidget(right_ = buildRight());
    connect(&session_, &session::Session::projectChanged, this, &DataPage::refresh);
    connect(&session_, &session::Session::datasetChanged, this, &DataPage::refresh);
    retranslate();
}

QSpinBox* DataPage::addNumber(QWidget* parent, TextLabel*& label, const QString& name, int minimum, int maximum,
                              std::int64_t DataSpec::*field) {
    label = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, parent);
    auto* box = new QSpinBox(parent);
    box->setObjectName(name);
    box->setRange(minimum, maximum);
    box->setFixedWidth(kFieldWidth);
    box->setFont(themes_.font(TextRole::kMonoField));
    box->setAlignment(Qt::AlignRight);
    box->setKeyboardTracking(false);
    connect(box, qOverload<int>(&QSpinBox::valueChanged), this, [this, name, field](int value) {
        session_.change(
            tr("Change the pipeline"), [field, value](RunSpec& run) { run.data.*field = value; },
            session::Session::mergeKey("data." + name));
    });
    return box;
}

QWidget* DataPage::buildRight() {
    auto* dock = new widgets::CardFrame(themes_, widgets::FrameKind::kDockRight, this);
    dock->setFixedWidth(kRightWidth);
    auto* column = new QVBoxLayout(dock);
    column->setContentsMargins(theme::kSpace6 - 1, theme::kSpace5, theme::kSpace5, theme::kSpace5);
    column->setSpacing(theme::kSpace2);
    pipeline_title_ = new TextLabel(themes_, TextRole::kSection, Ink::kText, dock);
    column->addWidget(pipeline_title_);
    batch_ = addNumber(dock, batch_label_, "batchField", 1, kMostBatch, &DataSpec::batch_size_per_replica);
    shuffle_ = addNumber(dock, shuffle_label_, "shuffleField", 0, kMostSamples, &DataSpec::shuffle);
    take_ = addNumber(dock, take_label_, "takeField", 0, kMostSamples, &DataSpec::take);
    prefetch_ = addNumber(dock, prefetch_label_, "prefetchField", 0, 1024, &DataSpec::prefetch);
    addRow(*column, batch_label_, batch_);
    addRow(*column, shuffle_label_, shuffle_);
    addRow(*column, take_label_, take_);
    addRow(*column, prefetch_label_, prefetch_);
    cache_label_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, dock);
    drop_label_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, dock);
    cache_ = new widgets::SwitchButton(themes_, dock);
    cache_->setObjectName("cacheSwitch");
    drop_ = new widgets::SwitchButton(themes_, dock);
    drop_->setObjectName("dropRemainderSwitch");
    addRow(*column, cache_label_, cache_);
    addRow(*column, drop_label_, drop_);
    connect(cache_, &QAbstractButton::clicked, this,
            [this](bool on) { session_.change(tr("Change the cache"), [on](RunSpec& run) { run.data.cache = on; }); });
    connect(drop_, &QAbstractButton::clicked, this,
            [this](bool on) { session_.change(tr("Change the last batch"), [on](RunSpec& run) { run.data.drop_remainder = on; }); });
    column->addSpacing(theme::kSpace4);
    sums_ = new FactsWell(themes_, dock);
    sentence_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, dock);
    sentence_->setWordWrap(true);
    column->addWidget(sums_);
    column->addWidget(sentence_);
    column->addSpacing(theme::kSpace4);
    shard_title_ = new TextLabel(themes_, TextRole::kSection, Ink::kText, dock);
    shard_ = new widgets::SegmentedControl(themes_, dock);
    shard_->setObjectName("autoShard");
    shard_->setEntries({"AUTO", "FILE", "DATA", "OFF"});
    shard_reason_ = new TextLabel(themes_, TextRole::kSmall, Ink::kText2, dock);
    shard_reason_->setWordWrap(true);
    column->addWidget(shard_title_);
    column->addWidget(shard_);
    column->addWidget(shard_reason_);
    column->addStretch(1);
    connect(shard_, &widgets::SegmentedControl::currentChanged, this, [this](int index) {
        session_.change(tr("Change the sharding"),
                        [index](RunSpec& run) { run.data.auto_shard = kPolicies[static_cast<std::size_t>(index)]; });
    });
    return dock;
}

void DataPage::setNarrow(bool narrow) {
    right_->setFixedWidth(narrow ? kRightNarrow : kRightWidth);
    header_->setNarrow(narrow);
}

void DataPage::retranslate() {
    header_->title().setText(tr("Data"));
    classes_title_->setText(tr("Classes"));
    pipeline_title_->setText(tr("Pipeline"));
    batch_label_->setText(tr("Batch per replica"));
    shuffle_label_->setText(tr("Shuffle buffer (0 = off)"));
    take_label_->setText(tr("Take first (0 = all)"));
    prefetch_label_->setText(tr("Prefetch, batches"));
    cache_label_->setText(tr("Cache in memory"));
    drop_label_->setText(tr("Drop the last, smaller batch"));
    shard_title_->setText(tr("Sharding"));
    const std::pair<QWidget*, TextLabel*> named[] = {{batch_, batch_label_},       {shuffle_, shuffle_label_}, {take_, take_label_},
                                                     {prefetch_, prefetch_label_}, {cache_, cache_label_},     {drop_, drop_label_},
                                                     {shard_, shard_title_}};
    for (const auto& [field, label] : named) field->setAccessibleName(label->text());
    refresh();
}

void DataPage::refresh() {
    const DataSpec& spec = session_.project().data;
    const session::DatasetFacts& facts = session_.dataset();
    const bool open = session_.hasProject();
    header_->sentence().setText(open ? QString::fromStdString(spec.dataset)
                                     : tr("Choose a template on the Welcome page or open a project."));
    if (!open) {
        header_->pill().setState(widgets::PillTone::kNeutral, tr("No project"), widgets::PillMark::kHollowDot);
    } else if (facts.found) {
        header_->pill().setState(widgets::PillTone::kOk, tr("On this computer"), widgets::PillMark::kCheck);
    } else {
        header_->pill().setState(facts.problem.isEmpty() ? widgets::PillTone::kNeutral : widgets::PillTone::kWarn,
                                 facts.problem.isEmpty() ? tr("Reading") : tr("Not found"), widgets::PillMark::kHollowDot);
    }
    const QString missing(models::kMissing);
    const auto count = [&](std::int64_t value) { return facts.found ? models::formatCount(value) : missing; };
    facts_->setFacts({{tr("Training samples"), count(facts.train_samples)},
                      {tr("Test samples"), count(facts.test_samples)},
                      {tr("Classes"), count(static_cast<std::int64_t>(facts.train_per_class.size()))},
                      {tr("Shape of a sample"), open ? models::formatShape(session_.project().model.input_shape) : missing},
                      {tr("Values"), open ? tr("x × %1 + %2").arg(spec.scale, 0, 'g', 6).arg(spec.offset) : missing}});
    bars_->setFacts(facts);
    const std::pair<QSpinBox*, std::int64_t> numbers[] = {
        {batch_, spec.batch_size_per_replica}, {shuffle_, spec.shuffle}, {take_, spec.take}, {prefetch_, spec.prefetch}};
    for (const auto& [box, value] : numbers) {
        const QSignalBlocker quiet(box);
        box->setValue(static_cast<int>(value));
        box->setEnabled(open);
    }
    cache_->setChecked(spec.cache);
    drop_->setChecked(spec.drop_remainder);
    for (QWidget* field : {static_cast<QWidget*>(cache_), static_cast<QWidget*>(drop_), static_cast<QWidget*>(shard_)})
        field->setEnabled(open);
    {
        const QSignalBlocker quiet(shard_);
        shard_->setCurrent(static_cast<int>(std::find(kPolicies.begin(), kPolicies.end(), spec.auto_shard) - kPolicies.begin()));
    }
    const int workers = session_.localWorkers();
    const auto batch = spec.batch_size_per_replica;
    sums_->setFacts({{tr("Per replica"), models::formatCount(batch)},
                     {tr("Replicas"), models::formatCount(workers)},
                     {tr("Global batch"), QStringLiteral("%1 × %2 = %3").arg(batch).arg(workers).arg(batch * workers)},
                     {tr("Steps per epoch"), session_.stepsPerEpoch() > 0 ? models::formatCount(session_.stepsPerEpoch()) : missing}});
    sentence_->setText(
        tr("Each step, every replica takes its own batch; the gradients are those of one batch of %1.").arg(batch * workers));
    shard_reason_->setText(spec.auto_shard == AutoShardPolicy::kOff ? tr("OFF: every worker reads all samples.")
                           : spec.auto_shard == AutoShardPolicy::kFile
                               ? tr("FILE: needs at least as many files as workers.")
                               : tr("DATA: every worker trains on a part of its own, 1/%1 of the samples.").arg(workers));
}

}  // namespace ui::views

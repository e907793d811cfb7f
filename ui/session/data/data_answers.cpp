// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/data/data_answers.h"

namespace ui::session {

namespace spec = engine::spec;

namespace {

QImage imageOf(const spec::SampleFacts& sample) {
    if (sample.pixels.empty()) return {};
    const int rows = static_cast<int>(sample.rows), columns = static_cast<int>(sample.columns);
    const auto format = sample.channels == 1 ? QImage::Format_Grayscale8 : QImage::Format_RGB888;
    return QImage(sample.pixels.data(), columns, rows, static_cast<qsizetype>(sample.columns * sample.channels), format).copy();
}

QStringList textsOf(const std::vector<std::string>& texts) {
    QStringList list;
    for (const std::string& text : texts) list << QString::fromStdString(text);
    return list;
}

}  // namespace

DataSummary toSummary(const spec::DataFacts& facts) {
    DataSummary summary;
    summary.dataset = QString::fromStdString(facts.dataset);
    summary.train_samples = facts.train_samples;
    summary.test_samples = facts.test_samples;
    summary.bytes = facts.bytes;
    summary.train_files = facts.train_files;
    summary.shape = facts.sample_shape;
    summary.dtype = QString::fromStdString(facts.sample_dtype);
    summary.label_dtype = QString::fromStdString(facts.label_dtype);
    summary.smallest = facts.smallest;
    summary.largest = facts.largest;
    summary.checksum_fits = facts.is_checked;
    summary.bad = facts.bad;
    summary.first_bad = textsOf(facts.first_bad);
    for (const spec::ColumnFacts& column : facts.columns) {
        summary.columns.push_back({QString::fromStdString(column.name), QString::fromStdString(column.type), column.is_label,
                                   static_cast<int>(column.categories)});
    }
    summary.has_classes = facts.has_classes;
    summary.groups_left_out = facts.groups_left_out;
    for (const spec::GroupFacts& told : facts.groups) {
        SampleGroup& group = summary.groups.emplace_back(SampleGroup{QString::fromStdString(told.name), told.train, told.test, {}});
        for (const spec::SampleFacts& sample : told.samples)
            group.samples.push_back({sample.index, imageOf(sample), QString::fromStdString(sample.text)});
    }
    return summary;
}

void take(const spec::DataFacts& facts, DataState& state) {
    if (facts.problem) {
        state.phase = DataPhase::kFailed;
        state.problem = QString::fromStdString(facts.problem->message);
        const std::string_view code = engine::toString(facts.problem->code);
        state.code = QString::fromUtf8(code.data(), static_cast<qsizetype>(code.size()));
        state.can_fetch = facts.problem->can_fetch;
        return;
    }
    state.summary = toSummary(facts);
    state.has_summary = true;
    state.phase = DataPhase::kReady;
    state.problem.clear();
    state.code.clear();
}

void take(const spec::EngineProgress& progress, DataState& state) {
    state.phase = progress.stage == spec::EngineProgress::Stage::kFetch ? DataPhase::kFetching : DataPhase::kReading;
    state.name = QString::fromStdString(progress.name);
    state.done = progress.done;
    state.total = progress.total;
}

ShardState toShards(const spec::ShardPreview& preview) {
    ShardState state;
    state.policy = QString::fromStdString(preview.policy);
    state.reason = QString::fromStdString(preview.reason);
    for (const spec::TaskId& task : preview.tasks) state.tasks << QString::fromStdString(toString(task));
    state.advice = textsOf(preview.advice);
    state.global_batch = preview.global_batch_size;
    state.steps_per_epoch = preview.steps_per_epoch;
    state.training_samples = preview.training_samples;
    for (const spec::ShardStep& step : preview.steps)
        state.steps.push_back({.step = step.step, .epoch = step.epoch, .samples = step.elements, .parts = step.parts});
    return state;
}

}  // namespace ui::session

// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine says of a data set and of its sharding: plain values for views. Filled by DataDesk.
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <vector>

#include "engine/spec/events/engine_question.h"

namespace ui::session {

struct SampleTile {
    std::int64_t index = 0;
    QImage image;  // null for samples that are no pictures
    QString text;
};

struct SampleGroup {
    QString name;
    std::int64_t train = 0, test = 0;
    std::vector<SampleTile> samples;
};

struct ColumnFacts {
    QString name, type;  // integer, number, category
    bool is_label = false;
    int categories = 0;
};

struct DataSummary {
    QString dataset;
    std::int64_t train_samples = 0, test_samples = 0, bytes = 0;
    std::vector<std::int64_t> train_files;  // samples of each, of a set that is read file by file
    std::vector<std::int64_t> shape;
    QString dtype, label_dtype;
    double smallest = 0, largest = 0;
    bool checksum_fits = false;
    std::int64_t bad = 0;
    QStringList first_bad;
    std::vector<ColumnFacts> columns;
    bool has_classes = false;
    std::int64_t groups_left_out = 0;
    std::vector<SampleGroup> groups;
};

enum class DataPhase { kIdle, kReading, kFetching, kReady, kFailed };

struct DataState {
    DataPhase phase = DataPhase::kIdle;
    DataSummary summary;  // of the last answer; stays while the next one is awaited
    bool has_summary = false;
    QString problem, code;  // code: "not found", "data loss", "unavailable", ...
    bool can_fetch = false;
    std::int64_t done = 0, total = 0;  // of reading (samples) or fetching (bytes of one file)
    QString name;                      // of what is read or fetched
};

struct ShardStepView {
    std::int64_t step = 0, epoch = 0;
    std::vector<std::vector<std::uint32_t>> samples;  // one list a task
    std::vector<std::vector<std::uint32_t>> parts{};  // a list a task: how many samples each device has; empty with one device
};

struct ShardState {
    bool is_running = false;
    QString problem;  // why there is no preview
    QString policy, reason;
    QStringList tasks, advice;
    std::int64_t global_batch = 0, steps_per_epoch = 0, training_samples = 0;
    std::vector<ShardStepView> steps;
};

// These turn the engine's answers into what views show: facts of a set, its progress with a set, shards.
DataSummary toSummary(const engine::spec::DataFacts& facts);
void take(const engine::spec::DataFacts& facts, DataState& state);
void take(const engine::spec::EngineProgress& progress, DataState& state);
ShardState toShards(const engine::spec::ShardPreview& preview);

}  // namespace ui::session

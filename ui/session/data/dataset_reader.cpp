// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/data/dataset_reader.h"

#include <utility>

#include "ui/session/data/label_counts.h"
#include "ui/session/worker_thread.h"

namespace ui::session {

engine::spec::DataSpec sourceOf(const engine::spec::DataSpec& data) {
    const engine::spec::DataSpec usual;
    engine::spec::DataSpec source = data;
    source.scale = usual.scale;
    source.offset = usual.offset;
    source.mean = source.std = {};
    source.one_hot = 0;
    source.cache = usual.cache;
    source.shuffle = usual.shuffle;
    source.batch_size_per_replica = usual.batch_size_per_replica;
    source.drop_remainder = usual.drop_remainder;
    source.prefetch = usual.prefetch;
    source.decode_threads = usual.decode_threads;
    source.take = usual.take;
    source.validation_split = usual.validation_split;
    source.split_seed = usual.split_seed;
    source.validate_on_test = usual.validate_on_test;
    source.auto_shard = usual.auto_shard;
    source.seed_per_worker = usual.seed_per_worker;
    source.log_shards = usual.log_shards;
    source.order = usual.order;
    source.on_error = usual.on_error;
    source.download = usual.download;
    return source;
}

using engine::spec::DataSpec;
using engine::spec::RunSpec;

namespace {

DatasetFacts factsOf(const DataSummary& summary) {
    DatasetFacts facts;
    facts.found = true;
    facts.train_samples = summary.train_samples;
    facts.test_samples = summary.test_samples;
    facts.train_files = summary.train_files;
    if (!summary.has_classes || summary.groups_left_out > 0) return facts;
    for (const SampleGroup& group : summary.groups) {
        facts.train_per_class.push_back(group.train);
        facts.test_per_class.push_back(group.test);
    }
    return facts;
}

}  // namespace

DatasetReader::DatasetReader(QString program, QStringList folders, QObject* parent)
    : QObject(parent), program_(std::move(program)), folders_(std::move(folders)), thread_(std::make_unique<WorkerThread>()) {
    connect(&call_, &WorkerLines::lineArrived, this, &DatasetReader::onLine);
    connect(&call_, &WorkerLines::ended, this, &DatasetReader::onEnded);
}

DatasetReader::~DatasetReader() {
    thread_->finish();
}

void DatasetReader::ask(const DataSpec& source, const QString& base) {
    cancel();
    source_ = source;
    base_ = base;
    thread_->post([this, source, question = question_] {
        const DatasetFacts facts = readDatasetFacts(source, folders_);
        QMetaObject::invokeMethod(
            this,
            [this, facts, question] {
                if (question != question_) return;
                facts.found ? emit answered(facts) : askWorker();
            },
            Qt::QueuedConnection);
    });
}

void DatasetReader::cancel() {
    ++question_;
    call_.cancel();
}

// The counts alone: no picture is decoded.
void DatasetReader::askWorker() {
    state_ = {};
    RunSpec run;
    run.data = source_;
    QStringList arguments{"data", "@project", "--json", "--samples", "0"};
    if (!base_.isEmpty()) arguments << "--base" << base_;
    call_.start({.program = program_, .arguments = arguments, .run = &run});
}

void DatasetReader::onLine(const QByteArray& line) {
    readDataLine(line, state_);
}

void DatasetReader::onEnded(const ErrorInfo& error) {
    if (state_.phase == DataPhase::kReady) {
        emit answered(factsOf(state_.summary));
        return;
    }
    DatasetFacts facts;
    facts.problem = !state_.problem.isEmpty() ? state_.problem
                    : error.code != 0         ? error.detail
                                              : QStringLiteral("tandem-worker: expected an answer, got none");
    emit answered(facts);
}

}  // namespace ui::session

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
    source.mix = usual.mix;
    source.order = usual.order;
    source.on_error = usual.on_error;
    source.download = usual.download;
    return source;
}

using engine::spec::DataSpec;

namespace {

DatasetFacts factsOf(const engine::spec::DataFacts& told) {
    DatasetFacts facts;
    if (told.problem) {
        facts.problem = QString::fromStdString(told.problem->message);
        return facts;
    }
    facts.found = true;
    facts.train_samples = told.train_samples;
    facts.test_samples = told.test_samples;
    facts.train_files = told.train_files;
    if (!told.has_classes || told.groups_left_out > 0) return facts;
    for (const engine::spec::GroupFacts& group : told.groups) {
        facts.train_per_class.push_back(group.train);
        facts.test_per_class.push_back(group.test);
    }
    return facts;
}

}  // namespace

DatasetReader::DatasetReader(std::shared_ptr<ClientSlot> slot, QStringList folders, QObject* parent)
    : QObject(parent), folders_(std::move(folders)), call_(std::move(slot)), thread_(std::make_unique<WorkerThread>()) {
    connect(&call_, &EngineCall::answered, this,
            [this](const engine::spec::EngineAnswer& answer) { emit answered(factsOf(std::get<engine::spec::DataFacts>(answer))); });
    connect(&call_, &EngineCall::failed, this, [this](const ErrorInfo& error) {
        DatasetFacts facts;
        facts.problem = error.detail;
        emit answered(facts);
    });
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
                facts.found ? emit answered(facts) : askEngine();
            },
            Qt::QueuedConnection);
    });
}

void DatasetReader::cancel() {
    ++question_;
    call_.cancel();
}

// Asks for the counts alone: no picture is decoded.
void DatasetReader::askEngine() {
    engine::spec::EngineQuestion question{.run = {}, .base_dir = base_.toStdString(), .asked = engine::spec::DataQuestion{.samples = 0}};
    question.run.data = source_;
    call_.start([question] { return question; });
}

}  // namespace ui::session

#include "moc_dataset_reader.cpp"

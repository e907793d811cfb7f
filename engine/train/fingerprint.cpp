#include "engine/train/fingerprint.h"

#include <string>
#include <string_view>

#include "engine/spec/project/data_order.h"

namespace engine::train {
namespace {

std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return hash;
}

spec::RunSpec withoutHost(spec::RunSpec run) {
    run.cluster = {};
    run.name.clear();
    run.code.clear();
    run.algorithms.clear();
    for (std::string* file : {&run.data.train_images, &run.data.train_labels, &run.data.test_images, &run.data.test_labels,
                              &run.fit.initial_weights, &run.fit.save_weights}) {
        file->clear();
    }
    run.data.train_files.clear();
    run.data.test_files.clear();
    return run;
}

}  // namespace

std::uint64_t replicaFingerprint(const spec::RunSpec& run) {
    return fnv1a(spec::toProjectJson(withoutHost(run)));
}

std::uint64_t resumeFingerprint(const spec::RunSpec& run, int replicas, std::int64_t global_batch) {
    spec::RunSpec kept = withoutHost(run);
    kept.callbacks.clear();
    kept.strategy = {};
    kept.fit.initial_state = false;  // a branch of a run is its project still
    const spec::FitSpec any;
    kept.fit.epochs = any.epochs;
    kept.fit.initial_epoch = any.initial_epoch;
    kept.fit.validation_freq = any.validation_freq;
    kept.fit.validation_steps = any.validation_steps;
    kept.fit.validation_batch_size = any.validation_batch_size;
    kept.fit.validation_epochs = any.validation_epochs;
    kept.fit.log_every = any.log_every;
    kept.fit.histogram_freq = any.histogram_freq;
    kept.data.validate_on_test = true;
    kept.data.cache = true;
    if (meaningOf(kept.data, passesOf(kept)).keeps_first_order) {
        kept.data.cache = run.data.cache;  // else it changes no sample
    }
    kept.data.prefetch = 0;
    kept.data.decode_threads = 0;
    kept.data.log_shards = 0;
    return fnv1a(spec::toProjectJson(kept) + std::to_string(replicas) + " " + std::to_string(global_batch));
}

}  // namespace engine::train

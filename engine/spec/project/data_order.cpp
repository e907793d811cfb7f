#include "engine/spec/project/data_order.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/mixing/mix_settings.h"

namespace engine::spec {
namespace {

constexpr std::pair<DataStep, const char*> kOrderNames[] = {
    {DataStep::kTake, "take"},      {DataStep::kScale, "scale"}, {DataStep::kNormalize, "normalize"},
    {DataStep::kOneHot, "one_hot"}, {DataStep::kCache, "cache"}, {DataStep::kShuffle, "shuffle"},
    {DataStep::kRepeat, "repeat"},  {DataStep::kBatch, "batch"}, {DataStep::kPrefetch, "prefetch"},
};
constexpr std::int64_t kMostEndlessBuffer = std::int64_t{1} << 24;  // positions of samples, 4 bytes each

class OrderReader {
public:
    OrderReader(const DataSpec& data, Passes passes) : data_(data), passes_(passes) {}

    bool isOn(DataStep step) const { return spec::isOn(data_, passes_, step); }
    // Compares places alone; false when either step is missing.
    bool stands(DataStep first, DataStep second) const {
        const auto a = std::find(data_.order.begin(), data_.order.end(), first);
        const auto b = std::find(data_.order.begin(), data_.order.end(), second);
        return a < b && b != data_.order.end();
    }
    // True when both steps are on and stand in this order.
    bool comes(DataStep first, DataStep second) const { return isOn(first) && isOn(second) && stands(first, second); }

    const DataSpec& data() const { return data_; }

private:
    const DataSpec& data_;
    const Passes passes_;
};

using enum DataStep;

// "shuffle twice and no cache"; empty when each is there once.
std::string miscountText(const std::vector<DataStep>& order) {
    std::vector<std::string> parts;
    for (const auto& [step, name] : kOrderNames) {
        const auto times = std::count(order.begin(), order.end(), step);
        if (times > 1) {
            parts.push_back(std::string(name) + (times == 2 ? " twice" : " " + std::to_string(times) + " times"));
        } else if (times == 0) {
            parts.push_back(std::string("no ") + name);
        }
    }
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    }
    return text;
}

void addErrors(const OrderReader& order, Diagnostics& findings) {
    const auto refuse = [&](const std::string& message, const char* fix) {
        findings.push_back({Severity::kError, "data.order", message, fix});
    };
    const auto last = std::find_if(order.data().order.rbegin(), order.data().order.rend(), [&](DataStep step) { return order.isOn(step); });
    if (order.isOn(kPrefetch) && *last != kPrefetch) {
        refuse("prefetch: expected it behind all other steps, where it readies whole batches while a step runs, got it before " +
                   std::string(dataStepName(*last)),
               "Move prefetch to the end.");
    }
    if (order.comes(kRepeat, kCache)) {
        refuse("cache: expected it before repeat, got it behind: samples without an end never fill a cache", "Move cache before repeat.");
    }
    if (order.comes(kRepeat, kTake)) {
        refuse("take: expected it before repeat, where it shortens each epoch, got it behind: the data would end in the middle of the run",
               "Move take before repeat.");
    }
    const std::int64_t each = order.comes(kBatch, kShuffle) ? order.data().batch_size_per_replica : 1;
    if (order.comes(kRepeat, kShuffle) && order.data().shuffle > kMostEndlessBuffer / std::max<std::int64_t>(each, 1)) {
        findings.push_back({Severity::kError, "data.shuffle",
                            "expected a buffer of at most " + std::to_string(kMostEndlessBuffer / std::max<std::int64_t>(each, 1)) +
                                (each > 1 ? " batches" : " samples") + " behind repeat, which would fill any, got " +
                                std::to_string(order.data().shuffle),
                            "Move shuffle before repeat."});
    }
}

void addWarnings(const OrderReader& order, const OrderMeaning& meaning, Diagnostics& findings) {
    const auto warn = [&](const char* message, const char* fix) { findings.push_back({Severity::kWarning, "data.order", message, fix}); };
    if (meaning.keeps_first_order) {
        warn(
            "cache: expected it before shuffle, which then makes a new order in each epoch, got it behind: every epoch has the first one's",
            "Move cache before shuffle, unless one order is meant.");
    }
    if (meaning.shuffles_batches) {
        warn(
            "shuffle: expected it before batch, where it mixes samples, got it behind: whole batches change places, the samples of each "
            "stay "
            "together",
            "Move shuffle before batch, unless that is meant.");
    }
    if (order.comes(kCache, kTake)) {
        warn("take: expected it before cache, got it behind: TensorFlow gives up a cache that is not read to its end",
             "Move take before cache.");
    }
}

void addMeaning(const OrderReader& order, const OrderMeaning& meaning, Diagnostics& findings) {
    const auto tell = [&](const std::string& message) { findings.push_back({Severity::kInfo, "data.order", message, ""}); };
    if (meaning.take_varies) {
        tell("take behind shuffle: other samples in each epoch");
    } else if (order.comes(kShuffle, kTake)) {
        tell("take behind shuffle, before cache: samples drawn once, the same in each epoch");
    }
    if (meaning.take_counts_batches) {
        tell("take behind batch: it counts batches");
    }
    if (meaning.mixes_epochs) {
        tell(meaning.shuffles_batches ? "repeat before shuffle: batches of two epochs are mixed at their border"
                                      : "repeat before shuffle: samples of two epochs are mixed at their border");
    }
    if (meaning.repeats_batches) {
        tell(order.data().drop_remainder ? "repeat behind batch: each epoch drops its own remainder"
                                         : "repeat behind batch: each epoch ends in its own smaller batch");
    }
    if (meaning.normalizes_first) {
        tell("normalize before scale: (x - mean) / std * scale + offset");
    }
}

}  // namespace

const char* dataStepName(DataStep step) {
    return std::find_if(std::begin(kOrderNames), std::end(kOrderNames), [&](const auto& entry) { return entry.first == step; })->second;
}

std::optional<DataStep> dataStepOf(std::string_view name) {
    const auto* found =
        std::find_if(std::begin(kOrderNames), std::end(kOrderNames), [&](const auto& entry) { return entry.second == name; });
    return found == std::end(kOrderNames) ? std::nullopt : std::optional(found->first);
}

std::vector<std::string> dataStepNames() {
    std::vector<std::string> names;
    for (const auto& [step, name] : kOrderNames) {
        names.emplace_back(name);
    }
    return names;
}

Passes passesOf(const RunSpec& run) {
    const bool repeats = run.estimator ? run.estimator->train_spec.input_repeats != 1 : run.fit.steps_per_epoch > 0;
    return repeats ? Passes::kEndless : Passes::kOneAnEpoch;
}

bool isOn(const DataSpec& data, Passes passes, DataStep step) {
    switch (step) {
        case kTake:
            return data.take > 0;
        case kScale:
            return data.scale != 1 || data.offset != 0;
        case kNormalize:
            return !data.mean.empty() || !data.std.empty();
        case kOneHot:
            return data.one_hot > 0;
        case kCache:
            return data.cache;
        case kShuffle:
            return data.shuffle > 0;
        case kRepeat:
            return passes == Passes::kEndless;
        case kBatch:
            return true;
        case kPrefetch:
            return data.prefetch > 0;
    }
    return false;
}

OrderMeaning meaningOf(const DataSpec& data, Passes passes) {
    const OrderReader order(data, passes);
    OrderMeaning meaning;
    meaning.take_is_first = order.stands(kTake, kShuffle) && order.stands(kTake, kBatch);
    meaning.take_counts_batches = order.comes(kBatch, kTake);
    meaning.take_varies = order.comes(kShuffle, kTake) && !(order.comes(kShuffle, kCache) && order.comes(kTake, kCache));
    meaning.shuffles_batches = order.comes(kBatch, kShuffle);
    meaning.mixes_epochs = order.comes(kRepeat, kShuffle);
    meaning.repeats_batches = order.comes(kBatch, kRepeat);
    meaning.keeps_first_order = order.comes(kShuffle, kCache);
    meaning.normalizes_first = order.comes(kNormalize, kScale);
    return meaning;
}

Diagnostics orderFindings(const DataSpec& data, Passes passes) {
    Diagnostics findings;
    if (const std::string miscount = miscountText(data.order); !miscount.empty()) {
        findings.push_back(
            {Severity::kError, "data.order", "expected each step once, got " + miscount, "Leave data.order out for the usual one."});
        return findings;
    }
    const OrderReader order(data, passes);
    const OrderMeaning meaning = meaningOf(data, passes);
    addErrors(order, findings);
    addWarnings(order, meaning, findings);
    addMeaning(order, meaning, findings);
    return findings;
}

std::vector<DataStep> movedStep(std::vector<DataStep> order, DataStep step, Side side, DataStep other) {
    if (step == other) {
        return order;
    }
    std::erase(order, step);
    const auto at = std::find(order.begin(), order.end(), other);
    order.insert(side == Side::kBehind && at != order.end() ? at + 1 : at, step);
    return order;
}

std::int64_t trainedSamples(const DataSpec& data, std::int64_t samples) {
    const bool is_cut = data.take > 0 && meaningOf(data, Passes::kOneAnEpoch).take_is_first;
    const std::int64_t used = is_cut ? std::min(data.take, samples) : samples;
    const auto all = static_cast<double>(used);
    // Keras counts what is kept of a folder, of arrays what is left.
    if (isFolder(data.dataset)) {
        return used - static_cast<std::int64_t>(std::floor(all * data.validation_split));
    }
    return static_cast<std::int64_t>(std::floor(all * (1.0 - data.validation_split)));
}

std::string chainText(const RunSpec& run, std::int64_t global_batch) {
    const DataSpec& data = run.data;
    std::string text = "dataset";
    const std::string mix = isMixed(data) ? ".map(" + mixName(data) + ")" : "";
    for (const DataStep step : data.order) {
        if (!isOn(data, passesOf(run), step)) {
            continue;
        }
        const std::string name = dataStepName(step);
        switch (step) {
            case kTake:
                text += ".take(" + std::to_string(data.take) + ")";
                break;
            case kScale:
            case kNormalize:
            case kOneHot:
                text += ".map(" + name + ")";
                break;
            case kCache:
            case kRepeat:
                text += "." + name + "()";
                break;
            case kShuffle:
                text += ".shuffle(" + std::to_string(data.shuffle) + ")";
                break;
            case kBatch:
                text += ".batch(" + std::to_string(global_batch) + (data.drop_remainder ? ", drop_remainder=True)" : ")");
                break;
            case kPrefetch:
                text += mix + ".prefetch(" + std::to_string(data.prefetch) + ")";
                break;
        }
    }
    return isOn(data, passesOf(run), kPrefetch) ? text : text + mix;
}

}  // namespace engine::spec

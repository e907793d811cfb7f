// What the programs in Keras have in common: the head with its options and its data reader, weights, strategy, classes of layers.
// Texts are lines of Python, each ending in a newline. Only files of engine/script and below it include it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "engine/script/data_reader.h"
#include "engine/script/script_api.h"
#include "engine/script/written_script.h"
#include "engine/spec/keras/code/written_parts.h"
#include "engine/spec/project/run_spec.h"

namespace engine::script::keras {

// Which Keras trains with a strategy: MultiWorkerMirroredStrategy and ParameterServerStrategy work with fit() of Keras 2 alone.
enum class Version { kTwo, kThree };
Version versionOf(const spec::RunSpec& run, Api api);
std::string versionText(const spec::RunSpec& run, Api api, Version version);

struct HeadParts {
    Api api;
    Version version = Version::kThree;
    DataReader reader;
    std::string weights;  // what --weights is where nobody gives it: an expression
    std::set<std::string> imports{};
    std::int64_t steps = 0;
};

// From the first line to the end of the data reader.
std::string writeHead(const spec::RunSpec& run, const HeadParts& parts);

// `run` as fit() trains it where `asked` has an estimator: as many epochs as that one repeats its input.
spec::RunSpec withoutEstimator(const spec::RunSpec& asked);
// After how many steps training ends; 0: as the epochs say.
std::int64_t stepsOf(const spec::RunSpec& asked);

// The expression of HeadParts::weights. A file that Keras does not open is a finding of `script`.
std::string weightsOf(const spec::RunSpec& run, Script& script);

// load_weights() and save_weights(); `values` is the expression of what is stored, in the order of model.weights.
std::string writeWeights(const spec::RunSpec& run, std::string_view values = "model.get_weights()");
extern const std::string_view kLoadWeights;  // the call, where the program was given a file

spec::CodeLayout layoutOf();

// The values that a layer takes from the training samples, unless a file has them.
std::string adaptPart(const spec::RunSpec& run, const spec::CodeLayout& layout);

// The classes of layers that the model's statement needs in front.
std::string classesOf(const spec::RunSpec& run, const spec::CodeLayout& layout, Version version);

// The functions of a learning rate that callbacks name.
std::string schedulesOf(const spec::RunSpec& run, const spec::CodeLayout& layout);

// Empty for one device.
std::string strategyPart(const spec::RunSpec& run, const spec::CodeLayout& layout);

// `text` below `with strategy.scope():`.
std::string scoped(const std::string& text, const spec::CodeLayout& layout);

// `text` with its first `from` written as `to`.
void replaceOnce(std::string& text, std::string_view from, std::string_view to);

}  // namespace engine::script::keras

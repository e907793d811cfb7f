// What code says of fit(): its numbers, its callbacks, the function of the epoch that gives rates. Only files of this folder include it.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "engine/spec/keras/code/note_list.h"
#include "engine/spec/keras/code/rate_function.h"

namespace engine::spec::code {

class FitStatements {
public:
    // `before`: the callbacks of the project that the code is read over; used until finish().
    FitStatements(CodeReading& reading, AbsentArguments absent, const CallbackSpecs& before)
        : reading_(reading), notes_(reading.notes), absent_(absent), before_(before) {}

    // `knows_batch`: the statements of data have taken its batch_size.
    void readFit(const LogicalLine& line, const Node& call, bool knows_batch = false);
    // fit(x, x), with the names as they stand in the text.
    void refuseOwnInput(const Node& call);
    void addFunction(RateFunction function);
    // What the text's class PrintLR prints, in the words of its field `text`; nullopt: something else than epoch and rate.
    void setPrinted(std::optional<std::string> text) { printed_ = std::move(text); }
    // A function of another kind: why it gives no rates matters where it is asked for them.
    void addOtherFunction(const std::string& name, Fault why) { other_functions_[name] = std::move(why); }
    // Called when every statement was read.
    void finish();

private:
    template <typename Warn>
    void readBatchSize(const Node& value, Warn warn);
    template <typename Warn>
    void readClassWeights(const Node& value, Warn warn);
    void clearCallbacks();
    void readCallbacks(const Node& value);
    void keepPrefix(ObjectSpec& checkpoint);
    const ObjectSpec* checkpointBefore(const Fields& config);

    CodeReading& reading_;
    NoteList notes_;
    const AbsentArguments absent_;
    const CallbackSpecs& before_;
    // The ModelCheckpoints of before_ by the names that Keras has for their files, the first one of each name: with save_weights_only (1)
    // and without (0). Made when the first is looked for.
    struct FilesBefore {
        bool is_made = false;
        std::map<std::string, const ObjectSpec*, std::less<>> first;
    };
    std::array<FilesBefore, 2> files_before_;
    std::map<std::string, RateFunction, std::less<>> functions_;
    std::map<std::string, Fault, std::less<>> other_functions_;
    std::optional<Node> scheduler_;
    bool scheduler_asked_ = false;
    std::optional<std::string> printed_;
};

}  // namespace engine::spec::code

// The model as Keras Python, both ways: a project's model, compile and fit as text, and what such text says about a project. Text is read
// as a document: nothing in it is run. What is read: Sequential([...]) and model.add(...), chains of layers called on each other, slim's
// layers, functions that return one of these, compile(...), fit(...) with its callbacks, a function of the epoch that returns rates,
// optimizers and losses that are made without compile(), tf.distribute strategies, a TPU's resolver, tf.train.ClusterSpec, TF_CONFIG as
// JSON, as json.dumps({...}) and as a shell's variable; and between them imports, constants and arithmetic on them. Everything else is kept
// as text.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/diagnostic.h"
#include "engine/spec/project/run_spec.h"

namespace engine::spec {

// Lines from 1, both included.
struct CodeLines {
    int first = 0, last = 0;
    friend bool operator==(const CodeLines&, const CodeLines&) = default;
};

struct CodePlace {
    int line = 0, column = 0;  // from 1, columns count characters
    friend bool operator==(const CodePlace&, const CodePlace&) = default;
};

// kInfo: a statement that says nothing about a project; it is kept as text. kWarning: a part of a statement that has no meaning here; the
// rest applies. kError: a statement about the model that can't be read; what the project had stays.
struct CodeNote {
    Severity severity = Severity::kInfo;
    CodeLines lines;
    int column = 1;       // in the first line, counting characters
    std::string message;  // expectation and fact
    friend bool operator==(const CodeNote&, const CodeNote&) = default;
};

struct CodeReading {
    RunSpec run;                   // the base, changed by what the text says
    std::vector<CodeNote> notes;   // in the order of the text
    std::vector<CodeLines> model;  // the statements that make each part; empty: the text says nothing about it
    std::vector<CodeLines> compile, print_lr, schedule, adapt, fit, cluster, strategy, data;
    std::map<std::string, CodeLines, std::less<>> classes;  // of layers that Keras lacks, by their names, with their decorators
    std::map<std::string, CodeLines> estimator;  // the statements with calls of an estimator, by what they call: "TrainSpec", "train"
    std::vector<CodeLines> layers;               // one entry a layer; empty without a model
    // Variables: the one that the model's statement assigns, and the one that compile() and fit() know it by.
    std::string model_defined_as = "model", model_used_as = "model";
    std::string rate_function = "decay";        // that LearningRateScheduler is given
    std::optional<CodeLines> returned;          // the statement of `model` that returns it from a function instead
    std::string strategy_used_as = "strategy";  // its statement is the first of `strategy`; those that find a TPU follow
    // The places where the calls begin that make the strategy and its TPUClusterResolver; line 0: none.
    CodePlace strategy_at, resolver_at;
    // No compile(): the optimizer and the loss that a loop or an estimator makes, where their calls begin; line 0: none.
    bool own_loop = false;
    CodePlace optimizer_at, loss_at;
    // The data that fit() or a loop is given: in arrays (fit() then makes the batches), or in a chain whose numbers stand there, by the
    // names of DataSpec's fields.
    bool data_in_arrays = false;
    std::int64_t data_passes = 1;  // of the data: what repeat() says; 0 = without end
    std::map<std::string, CodePlace> data_numbers;
    std::string model_maker;  // "build()": a function without arguments that gives the model, where nothing calls it
    // A statement of a part can't be read: nothing of the text counts.
    bool hasErrors() const {
        return std::any_of(notes.begin(), notes.end(), [](const CodeNote& note) { return note.severity == Severity::kError; });
    }
    bool saysNothing() const {
        return model.empty() && compile.empty() && schedule.empty() && fit.empty() && cluster.empty() && strategy.empty() && data.empty() &&
               estimator.empty();
    }
};

// What a document holds of code: Markdown, a notebook (.ipynb), a page that was copied with its prose, in any language.
struct CodeDocument {
    struct Place {
        int cell = 0;  // of a notebook, from 1; else 0
        int line = 0;  // of the document, or in the cell
    };
    std::string code;               // its blocks, each without prompts and the indentation of all its lines, with a blank line between
    std::vector<Place> places;      // by line of the code; line 0: between blocks
    std::vector<CodeLines> blocks;  // in the document's lines
    int lines_left = 0;             // that are not blank and no code
    bool is_document = false;       // false: the text is code as it stands
};
// Never throws. A text of more than 1 MB comes back as it is.
CodeDocument readDocument(std::string_view text);

// An argument of fit() that is left out: the base's value stays (a piece of code that is pasted), or Keras' default counts (the whole code
// of a project that is edited).
enum class AbsentArguments { kStay, kDefault };

// A text of code that is split into its statements once, however often it is read. Copies share them; any thread may read any of them.
class CodeText {
public:
    // Reads at most 1 MB. Never throws, as read() does not.
    explicit CodeText(std::string text = {});
    const std::string& text() const;
    // What the text says over `base`. Once `stop` is requested it ends soon, and what it then returns says nothing.
    CodeReading read(const RunSpec& base, AbsentArguments absent = AbsentArguments::kStay, const std::stop_token& stop = {}) const;

private:
    struct Split;
    std::shared_ptr<const Split> split_;
};

// The reading of a text that is read once. At most 1 MB of it. Never throws.
CodeReading readKerasCode(std::string_view text, const RunSpec& base, AbsentArguments absent = AbsentArguments::kStay);

struct CodeLayout {
    int width = 88;  // columns, kept where names allow it
    int indent = 4;
    // writeKerasCode: the lines that Python needs in front, the strategy with its scope and the data, as far as Keras can load them.
    bool imports = true;
    // The data are what a function in front of this text gives, in place of sets that Keras loads: read_data(arguments.data) arrays, cut
    // and shaped, and shuffled(dataset) their order. Programs of engine/script have both.
    bool reads_arrays = false;
};

// Model, compile, the rates by epoch and fit, in Keras 3's names; what is at Keras' default is left out. Ends in a newline. With
// layout.imports it is a program that runs, except that data in files of one's own are given to fit() by name only, but for a folder of
// texts, which Keras reads; the cluster is no part of it (TF_CONFIG is).
std::string writeKerasCode(const RunSpec& run, const CodeLayout& layout = {});

// `text` with the parts that differ between its reading and `run` written anew, and the parts that it lacks added at its end. The other
// lines stay as they are, but for imports that what is written needs and the text lacks. `reading` is of this very text.
std::string updateKerasCode(std::string_view text, const CodeReading& reading, const RunSpec& run, const CodeLayout& layout = {});

// The code of a project: what its RunSpec::code holds, brought up to date, or written anew where it holds none. Text with an error stays as
// it is: nothing of it counts.
std::string projectCode(const RunSpec& run, const CodeLayout& layout = {});
// The same text and its reading over `run`, by AbsentArguments::kDefault, which is not made twice where the text needs no change.
struct ProjectCode {
    CodeText text;
    CodeReading reading;
};
ProjectCode readProjectCode(const RunSpec& run, const CodeLayout& layout = {}, const std::stop_token& stop = {});
// The parts of the project ("model", "compile", "fit", "callbacks", "data", "estimator") of which the text says something else: what could
// not be brought into it. "" stands for a text that can't be read.
std::vector<std::string> partsThatDiffer(std::string_view text, const RunSpec& run);
// The same by a reading of the text over `run`, by AbsentArguments::kDefault.
std::vector<std::string> partsThatDiffer(const CodeReading& reading, const RunSpec& run);
// Keeps `text` with the project, unless writing it anew, as a program, as its parts or these with imports, gives the same.
void keepCode(RunSpec& run, std::string_view text, const CodeLayout& layout = {});

// The layers alone, as they stand between the brackets of Sequential([...]): a call a line, a comma behind each. Names that Keras would
// give are left out.
std::string writeLayersCode(const std::vector<LayerSpec>& layers, const CodeLayout& layout = {});
// Text that holds calls of layers and nothing else, with commas between them; nullopt for every other text and for calls that can't be
// read. Each has the name that the text gives it, or Keras' own in a model of these layers alone; the input's shape is left out.
std::optional<std::vector<LayerSpec>> readLayersCode(std::string_view text);

// "line 3, column 7: kept as text: expected …, got …".
std::string toString(const CodeNote& note);

}  // namespace engine::spec

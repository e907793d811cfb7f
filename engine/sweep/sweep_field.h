// A field of a project that a sweep varies, and the values that it may have. Plain values, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine::sweep {

struct SweepField {
    enum class Kind {
        kChoice,      // one of `choices`
        kLinear,      // a number of [low, high], each as likely
        kLog,         // a number of [low, high], each power of ten as likely; low > 0
        kInteger,     // an integer of [low, high], each as likely
        kLogInteger,  // an integer of [low, high], each power of ten as likely; low >= 1
    };
    std::string path;  // as `--set` takes it: "compile.optimizer.learning_rate", "model.layers[1].units"
    Kind kind = Kind::kChoice;
    std::vector<std::string> choices{};  // each a plainValue() of `--set`, distinct, in the user's order
    double low = 0, high = 1;            // of the other kinds; low < high
    int points = 0;                      // how many values of a range a grid has; 0: a range can't be part of a grid
    friend bool operator==(const SweepField&, const SweepField&) = default;
};

inline constexpr int kMostPoints = 1000;  // choices, or points of a range

// "PATH=64,128,256" names choices, each JSON or a text (commas inside of brackets and quotes part none); "PATH=KIND:LOW..HIGH" a range,
// where KIND is linear, log, int or logint, and ":N" behind it its points in a grid: "PATH=log:1e-4..1e-1:4". Throws
// Error(kInvalidArgument) naming the field, what was expected and what was found.
SweepField parseField(std::string_view text);
// What stands behind PATH= in such a text; parseField() reads it back.
std::string valuesText(const SweepField& field);

// What keeps the field from being one, as one sentence that begins with its path; empty: nothing.
std::string fieldProblem(const SweepField& field);

// The values of the field in a grid: its choices, or `points` values of its range from low to high, evenly spread in its scale (integers
// that come twice count once). Empty for a range without points.
std::vector<std::string> gridValues(const SweepField& field);

// The value at a place of [0, 1): that of a choice, or of the range in its scale. Numbers have six digits at most.
std::string valueAt(const SweepField& field, double place);
// The place of a value, in [0, 1]: the middle of its choice's part, or its place in the range. nullopt for a text that is no value of the
// field.
std::optional<double> placeOf(const SweepField& field, const std::string& value);

// The fewest digits that are this number, six of them or more, as people write it.
std::string plainNumber(double value);

std::string_view toString(SweepField::Kind kind);  // "choice", "linear", "log", "int", "logint"

}  // namespace engine::sweep

#include "engine/sweep/sweep_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "engine/spec/error.h"
#include "engine/spec/project/setting.h"
#include "engine/sweep/setting_value.h"

namespace engine::sweep {
namespace {

using Kind = SweepField::Kind;

struct KindRow {
    Kind kind;
    std::string_view name;
    bool logarithmic, whole;
};
constexpr std::array<KindRow, 5> kKinds{{{Kind::kChoice, "choice", false, false},
                                         {Kind::kLinear, "linear", false, false},
                                         {Kind::kLog, "log", true, false},
                                         {Kind::kInteger, "int", false, true},
                                         {Kind::kLogInteger, "logint", true, true}}};

const KindRow& rowOf(Kind kind) {
    return kKinds[static_cast<std::size_t>(kind)];
}

constexpr double kLargestInteger = 9'007'199'254'740'992;  // of which a double has each

[[noreturn]] void refuse(const std::string& what) {
    throw Error(ErrorCode::kInvalidArgument, what);
}

std::string trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\n");
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t\n") - first + 1));
}

// Commas inside of brackets, braces and quotes part nothing.
std::vector<std::string> splitChoices(std::string_view text) {
    std::vector<std::string> parts;
    int depth = 0;
    bool quoted = false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ',';
        if (i < text.size() && quoted) {
            if (c == '\\') ++i;
            if (c == '"') quoted = false;
            continue;
        }
        if (c == '"') quoted = true;
        if (c == '[' || c == '{') ++depth;
        if (c == ']' || c == '}') --depth;
        if (i == text.size() || (c == ',' && depth == 0)) {
            parts.push_back(trimmed(text.substr(begin, i - begin)));
            begin = i + 1;
        }
    }
    return parts;
}

std::string numberText(double value, bool whole) {
    char text[40];
    std::snprintf(text, sizeof text, whole ? "%.0f" : "%.6g", value);
    return text;
}

double scaled(const SweepField& field, double value) {
    return rowOf(field.kind).logarithmic ? std::log(value) : value;
}

double unscaled(const SweepField& field, double value) {
    return rowOf(field.kind).logarithmic ? std::exp(value) : value;
}

// "LOW..HIGH" or "LOW..HIGH:N".
SweepField parseRange(SweepField field, const std::string& text) {
    const auto malformed = [&]() {
        refuse(field.path + ": expected " + std::string(toString(field.kind)) + ":LOW..HIGH or " + std::string(toString(field.kind)) +
               ":LOW..HIGH:POINTS with numbers, got " + std::string(toString(field.kind)) + ":" + text);
    };
    const std::size_t dots = text.find("..");
    if (dots == std::string::npos) malformed();
    std::string high = text.substr(dots + 2);
    if (const std::size_t colon = high.find(':'); colon != std::string::npos) {
        const auto points = numberIn(trimmed(high.substr(colon + 1)));
        if (!points || *points != std::floor(*points) || *points < 2 || *points > kMostPoints) {
            refuse(field.path + ": expected 2 to " + std::to_string(kMostPoints) + " points of the range, got " + high.substr(colon + 1));
        }
        field.points = static_cast<int>(*points);
        high.resize(colon);
    }
    const auto from = numberIn(trimmed(text.substr(0, dots))), to = numberIn(trimmed(high));
    if (!from || !to) malformed();
    field.low = *from;
    field.high = *to;
    return field;
}

}  // namespace

std::string_view toString(Kind kind) {
    return rowOf(kind).name;
}

SweepField parseField(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        refuse("field: expected PATH=VALUE,VALUE or PATH=log:LOW..HIGH, got " + std::string(text));
    }
    SweepField field;
    field.path = trimmed(text.substr(0, equals));
    const std::string values = trimmed(text.substr(equals + 1));
    const std::string word = values.substr(0, values.find(':'));
    const auto kind = std::find_if(kKinds.begin(), kKinds.end(), [&](const KindRow& row) { return row.name == word; });
    if (kind != kKinds.end() && kind->kind != Kind::kChoice && word.size() < values.size()) {
        field.kind = kind->kind;
        field = parseRange(std::move(field), values.substr(word.size() + 1));
    } else {
        for (const std::string& choice : splitChoices(values)) field.choices.push_back(plainValue(choice));
    }
    if (const std::string problem = fieldProblem(field); !problem.empty()) refuse(problem);
    return field;
}

std::string plainNumber(double value) {
    char text[40];
    for (int digits = 6; digits <= 17; ++digits) {
        std::snprintf(text, sizeof text, "%.*g", digits, value);
        if (numberIn(text) == value) break;
    }
    return text;
}

std::string valuesText(const SweepField& field) {
    std::string text;
    if (field.kind == Kind::kChoice) {
        for (const std::string& choice : field.choices) text += (text.empty() ? "" : ",") + choice;
        return text;
    }
    const bool whole = rowOf(field.kind).whole;
    const auto plain = [whole](double value) { return whole ? numberText(value, true) : plainNumber(value); };
    text = std::string(toString(field.kind)) + ":" + plain(field.low) + ".." + plain(field.high);
    return field.points > 0 ? text + ":" + std::to_string(field.points) : text;
}

std::string fieldProblem(const SweepField& field) {
    if (!spec::isSetting(field.path + "=1")) {
        return "field: expected a path such as fit.epochs or model.layers[2].units, got " + (field.path.empty() ? "none" : field.path);
    }
    if (field.kind == Kind::kChoice) {
        std::vector<std::string> sorted = field.choices;
        std::sort(sorted.begin(), sorted.end());
        const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
        if (sorted.empty() || sorted.front().empty()) return field.path + ": expected a value between two commas, got none";
        if (twice != sorted.end()) return field.path + ": expected each value once, got " + *twice + " twice";
        if (sorted.size() > kMostPoints) {
            return field.path + ": expected at most " + std::to_string(kMostPoints) + " values, got " + std::to_string(sorted.size());
        }
        return {};
    }
    const KindRow& row = rowOf(field.kind);
    const std::string name(row.name), range = numberText(field.low, false) + ".." + numberText(field.high, false);
    if (!std::isfinite(field.low) || !std::isfinite(field.high) || !(field.low < field.high)) {
        return field.path + ": expected a range from a lower to a higher number, got " + range;
    }
    if (row.logarithmic && !(field.low > 0)) {
        return field.path + ": expected a range above 0 for " + name + ", got " + range;
    }
    if (row.whole && (field.low != std::floor(field.low) || field.high != std::floor(field.high) || std::abs(field.low) > kLargestInteger ||
                      std::abs(field.high) > kLargestInteger)) {
        return field.path + ": expected a range of integers for " + name + ", got " + range;
    }
    if (field.points != 0 && (field.points < 2 || field.points > kMostPoints)) {
        return field.path + ": expected 2 to " + std::to_string(kMostPoints) + " points of the range, got " + std::to_string(field.points);
    }
    return {};
}

std::vector<std::string> gridValues(const SweepField& field) {
    if (field.kind == Kind::kChoice) return field.choices;
    std::vector<std::string> values;
    const double low = scaled(field, field.low), high = scaled(field, field.high);
    for (int i = 0; i < field.points; ++i) {
        const double at = unscaled(field, low + (high - low) * i / (field.points - 1));
        std::string text =
            numberText(std::clamp(rowOf(field.kind).whole ? std::round(at) : at, field.low, field.high), rowOf(field.kind).whole);
        if (values.empty() || values.back() != text) values.push_back(std::move(text));
    }
    return values;
}

std::string valueAt(const SweepField& field, double place) {
    if (field.kind == Kind::kChoice) {
        const auto count = static_cast<double>(field.choices.size());
        return field.choices[static_cast<std::size_t>(std::clamp(place * count, 0.0, count - 1))];
    }
    const bool whole = rowOf(field.kind).whole;
    // Each integer has as wide a part of the scale as its own half and half of the gaps beside it.
    const double low = scaled(field, whole ? field.low - 0.5 : field.low), high = scaled(field, whole ? field.high + 0.5 : field.high);
    const double at = unscaled(field, low + (high - low) * place);
    return numberText(std::clamp(whole ? std::round(at) : at, field.low, field.high), whole);
}

std::optional<double> placeOf(const SweepField& field, const std::string& value) {
    if (field.kind == Kind::kChoice) {
        const auto at = std::find(field.choices.begin(), field.choices.end(), value);
        if (at == field.choices.end()) return std::nullopt;
        return (static_cast<double>(at - field.choices.begin()) + 0.5) / static_cast<double>(field.choices.size());
    }
    const auto number = numberIn(value);
    // Six digits of a bound may lie beyond it.
    const double slack = 1e-5 * std::max(std::abs(field.low), std::abs(field.high));
    if (!number || *number < field.low - slack || *number > field.high + slack) return std::nullopt;
    const double low = scaled(field, field.low), high = scaled(field, field.high);
    return std::clamp((scaled(field, std::clamp(*number, field.low, field.high)) - low) / (high - low), 0.0, 1.0);
}

}  // namespace engine::sweep

#include "engine/spec/catalog/einsum_product.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/settings.h"

namespace engine::spec {
namespace {

// A letter, or from kElided on an axis that has none.
using Label = int;
using Labels = std::vector<Label>;
constexpr Label kElided = 256;

enum class Ellipsis { kNone, kLeft, kRight };

struct Equation {
    Labels input, kernel, output;
    Ellipsis ellipsis = Ellipsis::kNone;
};

bool isWord(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

Labels labelsOf(std::string_view word) {
    return {word.begin(), word.end()};
}

std::optional<Equation> parsed(std::string_view text) {
    constexpr std::string_view kDots = "...", kArrow = "->";
    const std::size_t comma = text.find(','), arrow = text.find(kArrow);
    if (comma == std::string_view::npos || arrow == std::string_view::npos || arrow < comma) return std::nullopt;
    std::string_view input = text.substr(0, comma), output = text.substr(arrow + kArrow.size());
    const std::string_view kernel = text.substr(comma + 1, arrow - comma - 1);
    Equation equation;
    if (input.starts_with(kDots) && output.starts_with(kDots)) {
        equation.ellipsis = Ellipsis::kLeft;
        input.remove_prefix(kDots.size());
        output.remove_prefix(kDots.size());
    } else if (input.ends_with(kDots) && output.ends_with(kDots)) {
        equation.ellipsis = Ellipsis::kRight;
        input.remove_suffix(kDots.size());
        output.remove_suffix(kDots.size());
    }
    if (!isWord(input) || !isWord(kernel) || !isWord(output)) return std::nullopt;
    equation.input = labelsOf(input);
    equation.kernel = labelsOf(kernel);
    equation.output = labelsOf(output);
    return equation;
}

bool has(const Labels& labels, Label label) {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
}

bool hasTwice(Labels labels) {
    std::sort(labels.begin(), labels.end());
    return std::adjacent_find(labels.begin(), labels.end()) != labels.end();
}

std::string letter(Label label) {
    return {static_cast<char>(label)};
}

// Where a label stands.
int placeOf(const Labels& labels, Label label) {
    return static_cast<int>(std::find(labels.begin(), labels.end(), label) - labels.begin());
}

class Reader {
public:
    Reader(const LayerSpec& layer, const Shape& input)
        : settings_(settingsOf(layer)), text_(settings_.getString("equation")), said_("\"" + text_ + "\""), input_(input) {}

    std::variant<EinsumProduct, EinsumFault> read() {
        const std::optional<Equation> equation = parsed(text_);
        if (!equation) {
            return EinsumFault{
                "equation",
                "expected the form X,Y->Z of letters, with ... on the left or on the right of X and Z or without, got " + said_};
        }
        equation_ = *equation;
        std::optional<EinsumFault> fault;
        for (auto step : {&Reader::nameElided, &Reader::checkLetters, &Reader::readOutput, &Reader::readProduct, &Reader::readBias}) {
            if (!fault) fault = (this->*step)();
        }
        if (fault) return *fault;
        return product_;
    }

private:
    // Gives the axes of the ellipsis labels of their own, and takes the batch away.
    std::optional<EinsumFault> nameElided() {
        const std::size_t rank = input_.size() + 1, letters = equation_.input.size();
        const bool is_open = equation_.ellipsis != Ellipsis::kNone;
        if (is_open ? rank < letters : rank != letters) {
            return EinsumFault{"", (is_open ? "expected rank " + std::to_string(letters) + " or more of the input for "
                                            : "expected input rank " + std::to_string(letters) + " for ") +
                                       said_ + ", got " + batchShapeText(input_)};
        }
        const std::size_t elided = rank - letters;
        Labels more(elided);
        std::iota(more.begin(), more.end(), kElided);
        for (Labels* labels : {&equation_.input, &equation_.output}) {
            labels->insert(equation_.ellipsis == Ellipsis::kLeft ? labels->begin() : labels->end(), more.begin(), more.end());
        }
        const Label batch = equation_.input.front();
        if (equation_.output.front() != batch || has(equation_.kernel, batch)) {
            return EinsumFault{"equation", "expected the batch first in X and Z and not in Y, got " + said_};
        }
        equation_.input.erase(equation_.input.begin());
        equation_.output.erase(equation_.output.begin());
        for (std::size_t i = 0; i < input_.size(); ++i) sizes_[equation_.input[i]] = input_[i];
        return std::nullopt;
    }

    std::optional<EinsumFault> checkLetters() {
        if (hasTwice(equation_.input) || hasTwice(equation_.kernel) || hasTwice(equation_.output)) {
            return EinsumFault{"equation", "expected each letter once in X, in Y and in Z, got " + said_};
        }
        for (const Labels* labels : {&equation_.input, &equation_.kernel, &equation_.output}) {
            for (const Label label : *labels) {
                const int parts = has(equation_.input, label) + has(equation_.kernel, label) + has(equation_.output, label);
                if (parts != 2) {
                    return EinsumFault{"equation", "expected " + letter(label) + " in two of X, Y and Z, got " + said_};
                }
            }
        }
        const auto is_summed = [this](Label label) { return has(equation_.input, label); };
        if (!std::is_partitioned(equation_.kernel.begin(), equation_.kernel.end(), is_summed)) {
            return EinsumFault{"equation", "expected the letters of Y that X has before those that Z has, got " + said_};
        }
        return std::nullopt;
    }

    // The sizes of the output: those of axes that stay may be left open, but for the bias, as in Keras.
    std::optional<EinsumFault> readOutput() {
        Labels letters = equation_.output;
        std::erase_if(letters, [](Label label) { return label >= kElided; });
        const std::vector<std::int64_t> given = settings_.getInts("output_shape");
        if (given.size() != letters.size()) {
            return EinsumFault{"output_shape", "expected " + std::to_string(letters.size()) + " sizes for " + said_ + ", got " +
                                                   std::to_string(given.size())};
        }
        for (std::size_t i = 0; i < given.size(); ++i) {
            const auto known = sizes_.find(letters[i]);
            const bool has_bias = settings_.getString("bias_axes").find(static_cast<char>(letters[i])) != std::string::npos;
            if ((known == sizes_.end() || has_bias) && given[i] < 1) {
                return EinsumFault{"output_shape", "expected a size of at least 1 for " + letter(letters[i]) + ", got " +
                                                       (given[i] == layers::kInputsSize ? "None" : std::to_string(given[i]))};
            }
            if (known != sizes_.end() && given[i] != layers::kInputsSize && given[i] != known->second) {
                return EinsumFault{"output_shape", "expected " + std::to_string(known->second) + ", the input's size, for " +
                                                       letter(letters[i]) + ", got " + std::to_string(given[i])};
            }
            sizes_.emplace(letters[i], given[i]);
        }
        for (const Label label : equation_.output) product_.output.push_back(sizes_.at(label));
        return std::nullopt;
    }

    std::optional<EinsumFault> readProduct() {
        Labels order;
        std::copy_if(equation_.input.begin(), equation_.input.end(), std::back_inserter(order),
                     [this](Label label) { return has(equation_.output, label); });
        product_.rows = order.size();
        Labels made = order;  // the product's own order of the output
        for (const Label label : equation_.kernel) {
            const bool is_summed = has(equation_.input, label);
            (is_summed ? order : made).push_back(label);
            (is_summed ? product_.inputs : product_.columns) *= sizes_.at(label);
            product_.kernel.push_back(sizes_.at(label));
        }
        for (const Label label : order) product_.input_order.push_back(placeOf(equation_.input, label));
        for (const Label label : equation_.output) product_.output_order.push_back(placeOf(made, label));
        return std::nullopt;
    }

    // The bias has the axes of the output from the first of bias_axes on, of size 1 where another does not name them.
    std::optional<EinsumFault> readBias() {
        const std::string axes = settings_.getString("bias_axes");
        if (axes.empty()) return std::nullopt;
        for (const char c : axes) {
            if (!has(equation_.output, c)) {
                return EinsumFault{"bias_axes", "expected letters of Z but the batch's, got " + axes};
            }
            product_.bias_axes.push_back(placeOf(equation_.output, c));
        }
        std::sort(product_.bias_axes.begin(), product_.bias_axes.end());
        product_.bias_axes.erase(std::unique(product_.bias_axes.begin(), product_.bias_axes.end()), product_.bias_axes.end());
        product_.bias.assign(product_.output.begin() + product_.bias_axes.front(), product_.output.end());
        for (std::size_t i = 0; i < product_.bias.size(); ++i) {
            const int axis = product_.bias_axes.front() + static_cast<int>(i);
            const bool has_values = std::find(product_.bias_axes.begin(), product_.bias_axes.end(), axis) != product_.bias_axes.end();
            if (!has_values) product_.bias[i] = 1;
        }
        return std::nullopt;
    }

    Settings settings_;
    std::string text_, said_;  // said: as messages have it
    const Shape& input_;
    Equation equation_{};
    std::map<Label, std::int64_t> sizes_{};
    EinsumProduct product_{};
};

}  // namespace

std::variant<EinsumProduct, EinsumFault> readEinsum(const LayerSpec& layer, const Shape& input) {
    return Reader(layer, input).read();
}

}  // namespace engine::spec

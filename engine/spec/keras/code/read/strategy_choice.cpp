#include "engine/spec/keras/code/read/strategy_choice.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "engine/spec/keras/python/python_tree.h"

namespace engine::spec::code {
namespace {

CodePlace placeOf(const std::optional<Node>& node) {
    return node ? CodePlace{node->line, node->column} : CodePlace{};
}

// A variable is used where its name stands, but where it is assigned, given to eval_distribute, or asked for its number of replicas.
bool isUsedBesideEvaluation(const std::vector<LogicalLine>& lines, const std::string& name) {
    const auto isUse = [&](const std::vector<Token>& tokens, std::size_t i) {
        if (tokens[i].kind != Token::Kind::kName || tokens[i].text != name || (i > 0 && tokens[i - 1].is("."))) return false;
        if (tokens[i + 1].is("=")) return false;
        if (tokens[i + 1].is(".") && tokens[i + 2].text == "num_replicas_in_sync") return false;
        return i < 2 || !tokens[i - 1].is("=") || tokens[i - 2].text != "eval_distribute";
    };
    return std::any_of(lines.begin(), lines.end(), [&](const LogicalLine& line) {
        for (std::size_t i = 0; i + 1 < line.tokens.size(); ++i) {
            if (isUse(line.tokens, i)) return true;
        }
        return false;
    });
}

bool isSame(const Node& a, const Node& b) {
    return a.kind == b.kind && a.flag == b.flag && a.whole == b.whole && a.real == b.real && a.text == b.text && a.keywords == b.keywords &&
           std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), isSame);
}

}  // namespace

bool StrategyChoice::take(CodePlace at) {
    if (left_out_.contains({at.line, at.column})) return false;
    made_.push_back({at, {}});
    return true;
}

void StrategyChoice::sayOfEvaluation() {
    const std::optional<Node>&trains = estimator_.trainDistribute(), &evaluates = estimator_.evalDistribute();
    if (!evaluates || placeOf(evaluates) == reading_.strategy_at || (trains && isSame(*trains, *evaluates))) return;
    notes_.add(
        Severity::kWarning, *evaluates,
        "eval_distribute: expected the strategy that trains, got " + nodeText(*evaluates) + ": an evaluation has none of its own here");
}

std::vector<CodePlace> StrategyChoice::leftOut(const std::vector<LogicalLine>& lines) const {
    std::vector<CodePlace> places;
    const CodePlace trains = placeOf(estimator_.trainDistribute()), evaluates = placeOf(estimator_.evalDistribute());
    const auto made = [&](CodePlace at) { return std::find_if(made_.begin(), made_.end(), [&](const Made& one) { return one.at == at; }); };
    if (made(trains) != made_.end()) {
        for (const Made& one : made_) {
            if (one.at != trains) places.push_back(one.at);
        }
    } else if (const auto own = made(evaluates); own != made_.end() && !isUsedBesideEvaluation(lines, own->name)) {
        places.push_back(own->at);
    }
    return places;
}

}  // namespace engine::spec::code

#include "engine/spec/keras/code/rate_function.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/spec/keras/python/read_work.h"

namespace engine::spec::code {
namespace {

constexpr std::int64_t kLastEpoch = 1000000000;

// if, elif, else or nothing before a return.
struct Branch {
    std::optional<Node> condition;
    Node rate;
};

class RateReader {
public:
    RateReader(const std::vector<LogicalLine>& lines, std::size_t at, const Bindings& bindings, Fault& fault)
        : lines_(lines), head_(lines[at]), at_(at), end_(endOfBlock(lines, at)), bindings_(bindings), fault_(fault) {}

    std::optional<RateFunction> read() {
        RateFunction function;
        if (!readHead(function.name) || !readBranches()) {
            return std::nullopt;
        }
        const std::optional<Fields> table = tabulate();
        if (!table) {
            return std::nullopt;
        }
        function.table = *table;
        function.lines = {head_.first_line, lines_[end_ - 1].last_line};
        return function;
    }

private:
    std::nullopt_t fail(int line, int column, std::string message) {
        if (!fault_) {
            fault_ = {line, column, std::move(message)};
        }
        return std::nullopt;
    }
    bool failAt(const Token& token, const std::string& expected) {
        fail(token.line, token.column, expected + ", got " + (token.kind == Token::Kind::kEnd ? "the end of the line" : token.text));
        return false;
    }

    // def NAME(epoch): or def NAME(epoch, lr):, with types and a type of the result or without.
    bool readHead(std::string& name) {
        const std::vector<Token>& tokens = head_.tokens;
        std::size_t i = 1;
        if (tokens[i].kind != Token::Kind::kName) return failAt(tokens[i], "expected the name of a function");
        name = tokens[i++].text;
        if (!tokens[i].is("(")) return failAt(tokens[i], "expected (");
        std::vector<std::string> parameters;
        for (++i; tokens[i].kind == Token::Kind::kName; ++i) {
            parameters.push_back(tokens[i].text);
            if (tokens[i + 1].is(":") && tokens[i + 2].kind == Token::Kind::kName) i += 2;
            if (!tokens[i + 1].is(",")) {
                ++i;
                break;
            }
            ++i;
        }
        if (!tokens[i].is(")") || parameters.empty() || parameters.size() > 2) {
            return failAt(tokens[i], "expected a function of the epoch, or of epoch and rate");
        }
        ++i;
        if (tokens[i].is("->")) i += 2;
        if (i >= tokens.size() || !tokens[i].is(":")) return failAt(tokens[std::min(i, tokens.size() - 1)], "expected :");
        epoch_ = parameters[0];
        rate_ = parameters.size() > 1 ? parameters[1] : "";
        body_ = i + 1;
        return true;
    }

    bool readReturn(const std::vector<Token>& tokens, std::size_t at, std::optional<Node> condition) {
        if (!tokens[at].is("return")) return failAt(tokens[at], "expected return");
        Fault fault;
        std::optional<Node> value = readTree(tokens, at + 1, fault);
        value = value ? fold(*value, bindings_) : std::nullopt;
        const bool keeps = value && value->kind == Node::Kind::kName && value->text == rate_;
        if (!value || (!value->isNumber() && !keeps)) {
            const std::string got = value ? nodeText(*value) : fault.message;
            fail(tokens[at].line, tokens[at].column, "expected a constant rate behind return, got " + got);
            return false;
        }
        branches_.push_back({std::move(condition), *std::move(value)});
        return true;
    }

    // An if or elif with its condition; `behind` is where the colon's statement begins.
    std::optional<Node> readCondition(const std::vector<Token>& tokens, std::size_t& behind) {
        TreeReader reader(tokens, 1);
        std::optional<Node> condition = reader.readExpression();
        condition = condition ? fold(*condition, bindings_) : std::nullopt;
        if (!condition || !reader.next().is(":")) {
            return fail(tokens[0].line, tokens[0].column, "expected a condition on the epoch and a colon, got another one");
        }
        behind = reader.position() + 1;
        return condition;
    }

    bool readBranches() {
        if (head_.tokens[body_].kind != Token::Kind::kEnd) return readReturn(head_.tokens, body_, std::nullopt);
        bool open = false;  // an if stands above, its returns end the function
        for (std::size_t i = at_ + 1; i < end_; ++i) {
            const LogicalLine& line = lines_[i];
            if (line.fault) {
                fail(line.fault.line, line.fault.column, line.fault.message);
                return false;
            }
            const std::vector<Token>& tokens = line.tokens;
            if (tokens[0].kind == Token::Kind::kText && tokens.size() == 2) continue;  // says what the function is for
            std::optional<Node> condition;
            std::size_t behind = 0;
            const bool is_else = tokens[0].is("else");
            if (tokens[0].is("if") || (open && tokens[0].is("elif"))) {
                condition = readCondition(tokens, behind);
                if (!condition) return false;
                open = true;
            } else if (open && is_else && tokens[1].is(":")) {
                behind = 2;
            } else if (!tokens[0].is("return")) {
                return failAt(tokens[0], "expected if, elif, else and return alone");
            }
            if (behind > 0 && tokens[behind].kind == Token::Kind::kEnd) {
                if (++i == end_) return failAt(tokens[0], "expected a return below");
                if (!readReturn(lines_[i].tokens, 0, std::move(condition))) return false;
            } else if (!readReturn(tokens, behind, std::move(condition))) {
                return false;
            }
            if (behind == 0 || is_else) break;  // what comes behind is never reached
        }
        if (branches_.empty() || branches_.back().condition) {
            fail(head_.first_line, 1, "expected a rate for every epoch, got none for some");
            return false;
        }
        return true;
    }

    // Collects the epochs at which a condition may change: the numbers that the epoch is compared with, and the next ones.
    void collectChanges(const Node& node, std::set<std::int64_t>& epochs) const {
        if (node.isNumber() && std::fabs(node.number()) < static_cast<double>(kLastEpoch)) {
            const auto at = static_cast<std::int64_t>(std::floor(node.number()));
            for (const std::int64_t epoch : {at, at + 1}) {
                if (epoch > 0) epochs.insert(epoch);
            }
        }
        for (const Node& item : node.items) collectChanges(item, epochs);
    }

    static std::size_t sizeOf(const Node& node) {
        std::size_t size = 1;
        for (const Node& item : node.items) size += sizeOf(item);
        return size;
    }

    std::optional<double> value(const Node& node, std::int64_t epoch) const {
        if (node.isNumber()) return node.number();
        const bool is_epoch = node.kind == Node::Kind::kName && node.text == epoch_;
        return is_epoch ? std::optional(static_cast<double>(epoch)) : std::nullopt;
    }

    std::optional<bool> holds(const Node& node, std::int64_t epoch) {
        ++readOfThisThread();
        if (node.kind == Node::Kind::kBool) return node.flag;
        if (node.kind != Node::Kind::kOperation) return std::nullopt;
        if (node.text == "not") {
            const std::optional<bool> inner = holds(node.items[0], epoch);
            return inner ? std::optional(!*inner) : std::nullopt;
        }
        if (node.items.size() != 2) return std::nullopt;
        if (node.text == "and" || node.text == "or") {
            const std::optional<bool> a = holds(node.items[0], epoch), b = holds(node.items[1], epoch);
            if (!a || !b) return std::nullopt;
            return node.text == "and" ? *a && *b : *a || *b;
        }
        const std::optional<double> a = value(node.items[0], epoch), b = value(node.items[1], epoch);
        if (!a || !b) return std::nullopt;
        if (node.text == "<") return *a < *b;
        if (node.text == "<=") return *a <= *b;
        if (node.text == ">") return *a > *b;
        if (node.text == ">=") return *a >= *b;
        if (node.text == "==") return *a == *b;
        if (node.text == "!=") return *a != *b;
        return std::nullopt;
    }

    std::optional<Fields> tabulate() {
        std::set<std::int64_t> changes{0};
        for (const Branch& branch : branches_) {
            if (branch.condition) collectChanges(*branch.condition, changes);
        }
        // Each of these epochs is looked for in each condition.
        constexpr std::size_t kMostLooks = 4000000;
        std::size_t parts = 0;
        for (const Branch& branch : branches_) parts += 1 + (branch.condition ? sizeOf(*branch.condition) : 0);
        if (changes.size() * parts > kMostLooks)
            return fail(head_.first_line, 1, "expected fewer comparisons of " + epoch_ + ", got too many");
        std::vector<std::int64_t> epochs;
        std::vector<double> rates;
        for (const std::int64_t epoch : changes) {
            const Node* rate = nullptr;
            for (const Branch& branch : branches_) {
                const std::optional<bool> taken = branch.condition ? holds(*branch.condition, epoch) : std::optional(true);
                if (!taken) {
                    return fail(branch.condition->line, branch.condition->column,
                                "expected comparisons of " + epoch_ + " with numbers, got another condition");
                }
                if (*taken) {
                    rate = &branch.rate;
                    break;
                }
            }
            if (!rate->isNumber()) {
                if (epochs.empty()) continue;  // the optimizer's rate until a first one is set
                return fail(rate->line, rate->column, "expected a constant rate from epoch " + std::to_string(epoch) + " on, got " + rate_);
            }
            if (rates.empty() || rates.back() != rate->number()) {
                epochs.push_back(epoch);
                rates.push_back(rate->number());
            }
        }
        if (epochs.empty()) return fail(head_.first_line, 1, "expected a rate, got none");
        return Fields{{"epochs", epochs}, {"rates", rates}};
    }

    const std::vector<LogicalLine>& lines_;
    const LogicalLine& head_;
    const std::size_t at_, end_;
    const Bindings& bindings_;
    Fault& fault_;
    std::string epoch_, rate_;
    std::size_t body_ = 0;  // token of the head where its own statement begins
    std::vector<Branch> branches_;
};

}  // namespace

std::size_t endOfBlock(const std::vector<LogicalLine>& lines, std::size_t at) {
    std::size_t end = at + 1;
    while (end < lines.size() && lines[end].indent > lines[at].indent) ++end;
    return end;
}

std::optional<RateFunction> readRateFunction(const std::vector<LogicalLine>& lines, std::size_t at, const Bindings& bindings,
                                             Fault& fault) {
    return RateReader(lines, at, bindings, fault).read();
}

}  // namespace engine::spec::code

// `strategies`: what works with what, the table behind the studio's picker.
#include <iomanip>
#include <ostream>

#include "app/cli/project_source.h"
#include "app/cli/verb.h"
#include "engine/spec/cluster/strategy_support.h"

namespace app::cli {
namespace {

namespace spec = engine::spec;

void printTable(std::ostream& out) {
    constexpr int kName = 30, kApi = 13, kLevel = 14;
    out << std::left << std::setw(kName) << "strategy" << std::setw(kApi) << "" << std::setw(kLevel) << "guide 2.0" << std::setw(kLevel)
        << "TF 2.21"
        << "here\n";
    for (const spec::StrategyRow& row : spec::strategyTable()) {
        for (int api = 0; api < spec::kTrainingApis; ++api) {
            const auto at = static_cast<std::size_t>(api);
            out << std::setw(kName) << (api == 0 ? row.name : "") << std::setw(kApi) << toString(static_cast<spec::TrainingApi>(api))
                << std::setw(kLevel) << toString(row.guide[at].level) << std::setw(kLevel) << toString(row.today[at].level)
                << toString(row.here[at].level);
            for (const spec::SupportCell* cell : {&row.today[at], &row.here[at]}) {
                out << (cell->reason.empty() ? "" : "  (" + std::string(cell->reason) + ")");
            }
            out << '\n';
        }
    }
}

void strategies(Context& context, const std::string& project) {
    if (project.empty()) {
        printTable(context.out);
        return;
    }
    const auto run = readProject(context, project, {});
    if (!run) {
        return;
    }
    for (const spec::StrategyOption& option : strategyOptions(*run)) {
        const std::string sentence = option.obstacle.empty() ? option.sentence : option.obstacle;
        const bool limited = option.obstacle.empty() && !option.limit.empty();
        context.out << (option.name == run->strategy.name ? "* "
                        : option.obstacle.empty()         ? "  "
                                                          : "- ")
                    << option.name << ": " << sentence << (limited ? (sentence.ends_with('.') ? " " : ". ") + option.limit : "") << '\n';
    }
}

}  // namespace

void addStrategies(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("strategies", "What works with what: strategies against ways to train, and why not");
    auto project = std::make_shared<std::string>();
    verb->add_option("PROJECT", *project, "a project or starter project: which strategies it can choose (* chosen, - why not)");
    verb->footer("Exit codes: 0 printed, 1 the project can't be read, 2 no such project.");
    verb->callback([&context, project] { strategies(context, *project); });
}

}  // namespace app::cli

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <ostream>

#include "app/cli/run_choice.h"
#include "app/cli/text_file.h"
#include "app/cli/verb.h"
#include "app/cli/verbs/chaos_session.h"

namespace app::cli {
namespace {

namespace chaos = engine::chaos;

struct ChaosArguments {
    std::string run, script, write_script, patience = "5m";
    bool json = false;
    std::map<std::string, std::vector<std::string>> words;  // of the options that make faults, by their names without "--"
};

constexpr const char* kSettings[]{"after", "at-step", "for", "by"};

void addFaultOptions(CLI::App& verb, ChaosArguments& arguments) {
    const std::map<chaos::FaultKind, const char*> hints{
        {chaos::FaultKind::kKill, "kill the process of that task, such as worker:1"},
        {chaos::FaultKind::kStop, "let its process stand still (--for)"},
        {chaos::FaultKind::kSlow, "let each of its messages to other tasks leave later (--by, --for)"},
        {chaos::FaultKind::kCut, "let nothing pass between two tasks, such as worker:1-worker:0 (--for)"},
        {chaos::FaultKind::kFillDisk, "let no file that it writes grow, as on a full disk (--for)"},
        {chaos::FaultKind::kSkew, "set its clock wrong in all that it tells (--by, --for)"},
    };
    const auto add = [&](const std::string& name, const std::string& hint) {
        verb.add_option("--" + name, arguments.words[name], hint)->allow_extra_args(false)->group("Faults");
    };
    for (const chaos::FaultTraits& kind : chaos::faultKinds()) {
        add(std::string(kind.word), hints.at(kind.kind));
    }
    add("after", "of the fault before it: so long after the begin of this command, such as 20s or 500ms");
    add("at-step", "of the fault before it, in place of --after: as soon as the run has done so many steps");
    add("for", "of the fault before it: how long it lasts");
    add("by", "of the fault before it: how much later messages leave, or how wrong the clock is (--by=-2s: behind)");
}

// The options in the order in which they were given, as a script; nullopt after saying what is wrong.
std::optional<std::vector<chaos::Step>> stepsOf(const CLI::App& verb, const ChaosArguments& arguments, std::ostream& err) {
    std::string text;
    std::map<std::string, std::size_t> seen;
    for (const CLI::Option* option : verb.parse_order()) {
        const std::string name = option->get_lnames().empty() ? std::string() : option->get_lnames().front();
        const auto words = arguments.words.find(name);
        if (words == arguments.words.end()) continue;
        const std::string& value = words->second.at(seen[name]++);
        const bool is_setting = std::find(std::begin(kSettings), std::end(kSettings), name) != std::end(kSettings);
        if (is_setting && text.empty()) {
            err << "error: --" << name << ": expected a fault such as --kill worker:1 before it, got none\n";
            return std::nullopt;
        }
        if (value.find_first_of("#\n \t") != std::string::npos) {
            err << "error: --" << name << ": expected one word, got \"" << value << "\"\n";
            return std::nullopt;
        }
        text += (is_setting ? " " : text.empty() ? "" : "\n") + name + " " + value;
    }
    chaos::ReadScript read = chaos::readScript(text);
    for (const auto& problem : read.problems) {
        err << "error: --" << problem.message << '\n';
    }
    return read.problems.empty() ? std::optional(std::move(read.steps)) : std::nullopt;
}

// Adds the faults of the file behind those of the options.
bool addScript(const std::string& file, std::vector<chaos::Step>& steps, std::ostream& err) {
    const auto text = readTextFile(file, err);
    if (!text) return false;
    chaos::ReadScript read = chaos::readScript(*text);
    for (const auto& problem : read.problems) {
        err << "error: " << file << ", " << problem.path << ": " << problem.message << '\n';
    }
    steps.insert(steps.end(), read.steps.begin(), read.steps.end());
    return read.problems.empty();
}

void runChaos(Context& context, const CLI::App& verb, const ChaosArguments& arguments) {
    const auto patience = chaos::parseDuration(arguments.patience);
    if (!patience || patience->count() <= 0) {
        context.err << "error: --patience: expected a time such as 5m, got \"" << arguments.patience << "\"\n";
        context.exit_code = kUsage;
        return;
    }
    auto steps = stepsOf(verb, arguments, context.err);
    if (!steps || (!arguments.script.empty() && !addScript(arguments.script, *steps, context.err))) {
        context.exit_code = kUsage;
        return;
    }
    if (steps->empty()) {
        context.err << "error: expected a fault, such as --kill worker:1, or --script FILE, got none\n";
        context.exit_code = kUsage;
        return;
    }
    if (!arguments.write_script.empty()) {
        if (!giveText(arguments.write_script, chaos::toText(*steps), context.out, context.err)) context.exit_code = kFailed;
        return;
    }
    const auto client = context.connect();
    if (const auto run = chooseRun(context, *client, arguments.run, RunChoice::kActive)) {
        doChaos(context, *client, *run, {.steps = std::move(*steps), .patience = *patience, .json = arguments.json});
    }
}

}  // namespace

void addChaos(CLI::App& app, Context& context) {
    CLI::App* verb =
        app.add_subcommand("chaos", "Let something go wrong in a run of this computer's agent and see how it is named and healed");
    auto arguments = std::make_shared<ChaosArguments>();
    verb->add_option("RUN", arguments->run, "id of the run, its beginning, or its folder (default: the one that is active)");
    addFaultOptions(*verb, *arguments);
    verb->add_option("--script", arguments->script, "file with a fault a line: kill worker:1 after 20s; stop worker:0 for 5s at-step 500");
    verb->add_option("--write-script", arguments->write_script, "write these faults as such a file, and do nothing else");
    verb->add_option("--patience", arguments->patience, "how long a fault may take to be done, or to heal")->capture_default_str();
    verb->add_flag("--json", arguments->json,
                   "one JSON object a line: fault, named, healed, not_healed or refused, with seconds since the fault; last finished");
    verb->footer(
        "Without --after or --at-step a fault comes at once. Named: the first event that blames the task; healed: a step is done again.\n"
        "Exit codes: 0 every fault was done and has healed, 1 one was refused or did not heal, or there is no such run, 2 wrong options or "
        "a "
        "script with errors, 3 the agent can't be reached, 130 ended by Ctrl+C.");
    verb->callback([&context, verb, arguments] { runChaos(context, *verb, *arguments); });
}

}  // namespace app::cli

#include <map>
#include <memory>
#include <ostream>
#include <string>

#include "app/cli/completion.h"
#include "app/cli/verb.h"

namespace app::cli {
namespace {

using Writer = std::string (*)(const std::vector<CompletionVerb>&);
const std::map<std::string, Writer> kShells{{"bash", bashCompletion}, {"fish", fishCompletion}, {"zsh", zshCompletion}};

}  // namespace

void addCompletion(CLI::App& app, Context& context) {
    CLI::App* verb =
        app.add_subcommand("completion", "Print a script by which bash, zsh or fish completes verbs, options, projects and runs");
    auto shell = std::make_shared<std::string>();
    verb->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember(kShells));
    verb->footer(
        "For this terminal: source <(tandem-cli completion bash). The packages install all three. Exit codes: 0, or 2 for another shell.");
    verb->callback([&app, &context, shell] { context.out << kShells.at(*shell)(completionVerbs(app)); });
}

}  // namespace app::cli

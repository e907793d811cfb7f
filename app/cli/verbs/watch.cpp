#include "app/cli/follow.h"
#include "app/cli/run_choice.h"
#include "app/cli/verb.h"

namespace app::cli {

void addWatch(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("watch", "Follow a run from its first point on; ending the watch leaves the run alone");
    auto run = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    auto ssh = std::make_shared<std::string>();
    verb->add_option("RUN", *run, "id of the run, its beginning, its folder, or a folder of event files (default: the newest)");
    verb->add_option("--ssh", *ssh, "RUN is a folder on this host of the list (tandem-cli host add), whose tasks have no agent");
    verb->add_flag("--json", *json, "one JSON object a line, as train prints them");
    verb->footer(
        "Exit codes: 0 the run is done, 1 it failed or there is no such run, 3 the agent can't be reached, 130 the watch was ended by "
        "Ctrl+C.");
    verb->callback([&context, run, json, ssh] {
        const auto client = context.connect();
        if (!ssh->empty()) {
            followRun(context, *client, followThere(*client, *ssh, *run), {.json = *json, .stop_on_interrupt = false});
        } else if (const auto chosen = chooseRun(context, *client, *run, RunChoice::kAny)) {
            followRun(context, *client, *chosen, {.json = *json, .stop_on_interrupt = false});
        }
    });
}

}  // namespace app::cli

#include <ostream>

#include "app/cli/run_choice.h"
#include "app/cli/verb.h"

namespace app::cli {

void addStop(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("stop", "Stop a run: after its current step, with a checkpoint, or at once");
    auto run = std::make_shared<std::string>();
    auto now = std::make_shared<bool>(false);
    verb->add_option("RUN", *run, "id of the run, its beginning, or its folder (default: the one that is active)");
    verb->add_flag("--now", *now, "end the tasks at once");
    verb->footer("Exit codes: 0 asked for, 1 no such run or it is over already, 3 the agent can't be reached.");
    verb->callback([&context, run, now] {
        const auto client = context.connect();
        const auto chosen = chooseRun(context, *client, *run, RunChoice::kActive);
        if (chosen) {
            using engine::spec::ControlVerb;
            client->control(chosen->id, {*now ? ControlVerb::kStopNow : ControlVerb::kStop, 0}, kCallDeadline);
            context.out << "stopping " << chosen->id << '\n';
        }
    });
}

}  // namespace app::cli

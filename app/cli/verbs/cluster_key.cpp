#include <ctime>
#include <iomanip>
#include <ostream>

#include "agent/trust/cluster_key.h"
#include "app/cli/verb.h"

namespace app::cli {
namespace {

void clusterKey(Context& context, const std::string& file) {
    const auto key = agent::trust::ClusterKey::make();
    key.write(file);
    constexpr std::size_t kDigits = 16;
    const std::time_t until = std::chrono::system_clock::to_time_t(key.expires());
    std::tm day{};
    localtime_r(&until, &day);
    context.out << file << ": key " << key.fingerprint().substr(0, kDigits) << ", good until " << std::put_time(&day, "%Y-%m-%d") << '\n'
                << "Copy it to each computer of the cluster, and start each task there with tandem-worker --cluster-key FILE. "
                   "Whoever has it can join.\n";
}

}  // namespace

void addClusterKey(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("cluster-key", "Make the key by which tasks of several computers know each other");
    auto file = std::make_shared<std::string>();
    verb->add_option("--out", *file, "where to write it; a file that exists is never overwritten")->required();
    verb->footer("Exit codes: 0 written, 1 it can't be written there, 2 wrong options.");
    verb->callback([&context, file] { clusterKey(context, *file); });
}

}  // namespace app::cli

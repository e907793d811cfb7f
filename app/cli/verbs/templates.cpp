#include <algorithm>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <ostream>

#include "app/cli/verb.h"
#include "engine/spec/names.h"
#include "engine/spec/project/run_spec.h"

namespace app::cli {
namespace {

void listTemplates(Context& context) {
    std::vector<std::filesystem::path> files;
    std::error_code missing;
    for (const auto& entry : std::filesystem::directory_iterator(context.share_dir / "templates", missing)) {
        if (entry.path().extension() == ".tandem") {
            files.push_back(entry.path());
        }
    }
    if (files.empty()) {
        context.err << "error: no starter projects in " << (context.share_dir / "templates").string() << '\n';
        context.exit_code = kFailed;
        return;
    }
    std::sort(files.begin(), files.end());
    std::size_t longest = 0;
    for (const auto& path : files) {
        longest = std::max(longest, path.stem().string().size());
    }
    for (const auto& path : files) {
        std::ifstream file(path, std::ios::binary);
        const auto report = engine::spec::parseProject(std::string{std::istreambuf_iterator<char>(file), {}});
        context.out << std::left << std::setw(static_cast<int>(longest) + 2) << path.stem().string()
                    << engine::spec::counted(report.run.model.layers.size(), "layer") << ", " << report.run.strategy.name << ", "
                    << report.run.compile.optimizer.class_name << ", " << report.run.fit.epochs
                    << (report.run.fit.epochs == 1 ? " epoch" : " epochs") << '\n';
    }
}

}  // namespace

void addTemplates(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("templates", "List the starter projects, which every verb takes by name");
    verb->callback([&context] { listTemplates(context); });
}

}  // namespace app::cli

#include "agent/client/project_files.h"

#include <cstdlib>
#include <string>

#include "agent/local/setting_files.h"

namespace agent::client {

namespace fs = std::filesystem;

void resolveFiles(engine::spec::RunSpec& run, const fs::path& folder) {
    const auto resolve = [&](std::string& file) { file = (folder / file).lexically_normal().string(); };
    if (!run.fit.initial_weights.empty()) {
        resolve(run.fit.initial_weights);
    }
    const auto resolveData = [&](std::string& file) {
        if (!file.empty() && fs::path(file).is_relative() && convert::liesBelow(folder, file)) {
            resolve(file);
        }
    };
    convert::visitFiles(run, resolveData);  // the weights are absolute by now
}

engine::spec::Diagnostics applySettingHere(engine::spec::RunSpec& run, std::string_view path_equals_value) {
    return convert::applySettingIn(fs::current_path(), run, path_equals_value);
}

std::string dataFolder() {
    const char* folder = std::getenv("TANDEM_DATA_DIR");
    return folder == nullptr || *folder == 0 ? "" : fs::absolute(folder).lexically_normal().string();
}

}  // namespace agent::client

#include "agent/local/setting_files.h"

#include <algorithm>
#include <string>
#include <vector>

namespace agent::convert {

namespace fs = std::filesystem;
namespace spec = engine::spec;

namespace {

// Visits the texts of visitFiles() that were not the same before.
template <class Visit>
void visitChanged(spec::RunSpec& run, const spec::RunSpec& before, const Visit& visit) {
    const auto single = [&](std::string& file, const std::string& was) {
        if (file != was) {
            visit(file);
        }
    };
    const auto list = [&](std::vector<std::string>& files, const std::vector<std::string>& was) {
        for (std::string& file : files) {
            if (std::find(was.begin(), was.end(), file) == was.end()) {
                visit(file);
            }
        }
    };
    single(run.fit.initial_weights, before.fit.initial_weights);
    single(run.data.train_images, before.data.train_images);
    single(run.data.train_labels, before.data.train_labels);
    single(run.data.test_images, before.data.test_images);
    single(run.data.test_labels, before.data.test_labels);
    list(run.data.train_files, before.data.train_files);
    list(run.data.test_files, before.data.test_files);
}

}  // namespace

bool liesBelow(const fs::path& folder, const fs::path& file) {
    const bool is_pattern = file.filename().string().find('*') != std::string::npos;
    std::error_code ignored;
    return fs::exists(is_pattern ? (folder / file).parent_path() : folder / file, ignored) ||
           fs::exists((folder / file).string() + ".index", ignored);  // the prefix of a checkpoint
}

spec::Diagnostics applySettingIn(const fs::path& folder, spec::RunSpec& run, std::string_view path_equals_value) {
    const spec::RunSpec before = run;
    spec::Diagnostics diagnostics = spec::applySetting(run, path_equals_value);
    visitChanged(run, before, [&](std::string& file) {
        if (!file.empty() && fs::path(file).is_relative() && liesBelow(folder, file)) {
            file = (fs::absolute(folder) / file).lexically_normal().string();
        }
    });
    return diagnostics;
}

}  // namespace agent::convert

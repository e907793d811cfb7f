// The files that a project names, and those that the command line names in a setting.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/project/run_spec.h"

namespace agent::convert {

// Every text of the project that names a file or a pattern of files to read, empty ones too; `visit` takes a std::string&.
template <typename Visit>
void visitFiles(engine::spec::RunSpec& run, const Visit& visit) {
    engine::spec::DataSpec& data = run.data;
    for (std::string* file : {&run.fit.initial_weights, &data.train_images, &data.train_labels, &data.test_images, &data.test_labels}) {
        visit(*file);
    }
    for (std::vector<std::string>* list : {&data.train_files, &data.test_files}) {
        for (std::string& file : *list) {
            visit(file);
        }
    }
}

// True when the file is there below `folder`. For a pattern ("train-*.tfrecord") its folder has to be there, for the prefix of a checkpoint
// its index.
bool liesBelow(const std::filesystem::path& folder, const std::filesystem::path& file);

// engine::spec::applySetting, and a relative file that it names becomes absolute where it lies below `folder`, the working one: it is the
// user's own word, not the project's. Others are looked for as those of the project.
engine::spec::Diagnostics applySettingIn(const std::filesystem::path& folder, engine::spec::RunSpec& run,
                                         std::string_view path_equals_value);

}  // namespace agent::convert

#include "agent/worker/chief_files.h"

#include <cstring>

#include <nlohmann/json.hpp>

#include "agent/local/run_folder.h"
#include "engine/export/atomic_file.h"
#include "engine/files/output_file.h"
#include "engine/spec/error.h"
#include "engine/spec/events/checkpoint_list.h"
#include "engine/spec/project/project_json.h"

namespace agent::worker {

namespace spec = engine::spec;
using engine::Error;
using engine::files::SafeFolder;

namespace {

constexpr const char* kRunFile = "run.json";

}  // namespace

void ChiefFiles::writeRun(const spec::RunSpec& run) {
    spec::RunSpec resolved = run;
    if (adapted_) resolved.model.layers.front() = *adapted_;
    try {
        engine::exporter::writeFileAtomically({*folder_, kRunFile}, spec::toProjectJson(resolved));
    } catch (const Error& error) {
        tell_(spec::LogLevel::kError, std::string("run.json could not be written: ") + error.what());
    }
}

void ChiefFiles::listCheckpoint(const spec::EventBody& body) {
    const std::optional<std::string> line = spec::checkpointListLine(body);
    if (!line || folder_ == nullptr) {
        return;
    }
    try {
        const auto* started = std::get_if<spec::RunStarted>(&body);
        const bool begins = started != nullptr && started->resumed_step == 0;
        engine::files::OutputFile list(begins ? folder_->create(spec::kCheckpointListFile)
                                              : folder_->openToAppend(spec::kCheckpointListFile));
        list.write(*line + "\n");
        if (const int error = list.flush(); error != 0) {
            throw Error(engine::files::codeOfErrno(error), std::strerror(error));
        }
    } catch (const Error& error) {
        if (!std::exchange(told_of_list_, true)) {
            tell_(spec::LogLevel::kWarning,
                  "the list of checkpoints, " + std::string(spec::kCheckpointListFile) + ", could not be written: " + error.what());
        }
    }
}

void ChiefFiles::markFinished(const spec::TaskFinished& finished) {
    const nlohmann::ordered_json mark{{"checkpoint", finished.checkpoint}, {"weights_sha256", finished.weights_sha256}};
    try {
        engine::exporter::writeFileAtomically({*folder_, convert::kFinishedFile},
                                              mark.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
    } catch (const Error& error) {
        tell_(spec::LogLevel::kError, error.what());
    }
}

std::map<std::string, std::string> algorithmsOfRun(const std::filesystem::path& folder_path) {
    try {
        const SafeFolder folder = SafeFolder::open(folder_path);
        return spec::parseProject(engine::exporter::readFile({folder, kRunFile})).run.algorithms;
    } catch (const Error&) {
        return {};  // it begins
    }
}

}  // namespace agent::worker

#include "agent/server/runs/submission_note.h"

#include <cstring>

#include <nlohmann/json.hpp>

#include "engine/files/output_file.h"
#include "engine/files/regular_file.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/error.h"

namespace agent::server {

namespace fs = std::filesystem;
using engine::files::SafeFolder;
using nlohmann::json;

namespace {

constexpr std::uint64_t kMostBytes = 64u << 20;

SubmissionNote noteOf(const json& text) {
    SubmissionNote note;
    note.run = text.at("run").get<std::string>();
    note.first_attempt = text.at("first_attempt").get<int>();
    note.stop_asked = text.at("stop_asked").get<bool>();
    Submission& submission = note.submission;
    submission.project_json = text.at("project").get<std::string>();
    note.tasks_project_json = text.at("tasks_project").get<std::string>();
    submission.data_dir = text.at("data_dir").get<std::string>();
    submission.save_weights = text.at("save_weights").get<std::string>();
    submission.local_workers = text.at("local_workers").get<int>();
    submission.local_servers = text.at("local_servers").get<int>();
    for (const json& host : text.at("hosts")) {
        submission.hosts.push_back({.host = host.at("host").get<std::string>(),
                                    .workers = host.at("workers").get<int>(),
                                    .servers = host.at("servers").get<int>()});
    }
    return note;
}

}  // namespace

std::optional<SubmissionNote> readSubmissionNote(const fs::path& folder, const std::string& run) {
    try {
        const engine::files::FileDescriptor file = SafeFolder::open(folder).openToRead(kSubmissionFile);
        SubmissionNote note = noteOf(json::parse(engine::files::readWhole(file.get(), folder / kSubmissionFile, kMostBytes)));
        note.submission.run_dir = folder.string();
        return note.run == run ? std::optional(std::move(note)) : std::nullopt;
    } catch (const engine::Error&) {
        return std::nullopt;
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

void writeSubmissionNote(const fs::path& folder, const SubmissionNote& note) {
    const Submission& submission = note.submission;
    json hosts = json::array();
    for (const engine::spec::HostShare& share : submission.hosts) {
        hosts.push_back({{"host", share.host}, {"workers", share.workers}, {"servers", share.servers}});
    }
    const json text{{"run", note.run},
                    {"first_attempt", note.first_attempt},
                    {"stop_asked", note.stop_asked},
                    {"project", submission.project_json},
                    {"tasks_project", note.tasks_project_json},
                    {"data_dir", submission.data_dir},
                    {"save_weights", submission.save_weights},
                    {"local_workers", submission.local_workers},
                    {"local_servers", submission.local_servers},
                    {"hosts", std::move(hosts)}};
    const SafeFolder opened = SafeFolder::open(folder);
    const std::string aside = std::string(kSubmissionFile) + ".new";
    engine::files::OutputFile file(opened.create(aside));
    file.write(text.dump(-1, ' ', false, json::error_handler_t::replace));
    if (const int error = file.finish(); error != 0) {
        throw engine::Error(engine::files::codeOfErrno(error),
                            (folder / kSubmissionFile).string() + ": can't be written: " + std::strerror(error));
    }
    opened.rename(aside, kSubmissionFile);
}

}  // namespace agent::server

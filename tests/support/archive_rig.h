// A run that is over in a folder, and its archive.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "agent/archive/run_archive.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/events/task_event.h"
#include "engine/spec/project/run_spec.h"
#include "tests/support/temp_dir.h"

namespace tests {

inline void writeText(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

inline std::string readText(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// Lines of a log with numbers from `first` to `last`.
inline std::vector<std::string> lines(std::uint64_t first, std::uint64_t last) {
    std::vector<std::string> events;
    for (std::uint64_t i = first; i <= last; ++i) {
        engine::spec::TaskEvent event;
        event.sequence = i;
        event.time_unix_ns = 1'700'000'000'000'000'000 + static_cast<std::int64_t>(i);
        event.task.type = "worker";
        event.body = engine::spec::LogLine{engine::spec::LogLevel::kInfo, "line " + std::to_string(i)};
        events.push_back(agent::convert::encodeEvent(event));
    }
    return events;
}

struct ArchiveRig {
    ArchiveRig() {
        run.id = "20261121-100000-7f3a";
        run.name = "MNIST";
        run.state = engine::run::RunState::kDone;
        run.created_unix_ns = 1'700'000'000'000'000'000;
        run.finished_unix_ns = run.created_unix_ns + 5'000'000'000;
        run.run_dir = dir.path() / "run";
        run.project_json = engine::spec::toProjectJson({});
        run.results = {{"test_accuracy", 0.98}};
        run.checkpoint = "checkpoints/ckpt_2";
        writeText(folder() / "finished.json", R"({"checkpoint": "checkpoints/ckpt_2", "weights_sha256": "ab"})");
        writeText(folder() / "run.json", run.project_json);
        writeText(folder() / "checkpoints.jsonl",
                  "{\"checkpoint\": \"checkpoints/ckpt_1\", \"epoch\": 1, \"step\": 10, \"best\": true}\n"
                  "{\"checkpoint\": \"checkpoints/ckpt_2\", \"epoch\": 2, \"step\": 20, \"best\": false}\n");
        for (const std::string name : {"ckpt_1", "ckpt_2"}) {
            writeText(folder() / "checkpoints" / (name + ".index"), "index of " + name);
            writeText(folder() / "checkpoints" / (name + ".data-00000-of-00001"), std::string(5000, name.back()));
        }
        writeText(folder() / "checkpoints" / "checkpoint", "model_checkpoint_path: \"ckpt_2\"\n");
        writeText(folder() / "logs" / "train" / "events.out.tfevents.1", std::string(3000, 'e'));
    }

    std::filesystem::path folder() const { return run.run_dir; }
    std::filesystem::path file() const { return dir.path() / "a.tandem-run"; }

    engine::run::WrittenArchive write(engine::run::ArchivedCheckpoints checkpoints = engine::run::ArchivedCheckpoints::kAll,
                                      const agent::archive::Progress& progress = {}, bool overwrite = true) const {
        agent::archive::ArchiveSource source{.run = run,
                                             .files = agent::archive::archivedFiles(run, checkpoints),
                                             .events =
                                                 [left = batches]() mutable {
                                                     if (left.empty()) return std::vector<std::string>();
                                                     std::vector<std::string> next = std::move(left.front());
                                                     left.erase(left.begin());
                                                     return next;
                                                 },
                                             .tandem = "1.0.0",
                                             .host = "node1",
                                             .now_unix_ns = 1'800'000'000'000'000'000};
        return writeArchive(source, {run.id, file(), checkpoints, overwrite}, progress);
    }

    support::TempDir dir;
    engine::run::RunInfo run;
    std::vector<std::vector<std::string>> batches{lines(1, 3), lines(5, 9)};
};

// The content of an archive that is unpacked into a folder of its own.
struct Unpacked {
    explicit Unpacked(const std::filesystem::path& file, const agent::archive::Progress& progress = {}) {
        const agent::archive::RunArchive archive(file);
        record = archive.record();
        archive.unpack(
            engine::files::SafeFolder::open(dir.path()),
            [this](std::vector<agent::archive::RunArchive::Event> batch) {
                for (auto& event : batch) events.push_back(std::move(event));
            },
            progress);
    }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(dir.path())) {
            if (entry.is_regular_file()) names.push_back(entry.path().lexically_relative(dir.path()));
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    support::TempDir dir;
    engine::run::RunInfo record;
    std::vector<agent::archive::RunArchive::Event> events;
};

}  // namespace tests

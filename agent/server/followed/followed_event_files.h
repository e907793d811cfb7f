// One run that Tandem did not make: event files of TensorFlow, Keras or PyTorch in a folder, which are only read. What they say is kept in
// a folder of the run's own below RUNS_DIR, so that nothing is ever written beside them; RUN/event_files.json there says where they lie.
//
//   Training ── nothing new for a while, or the session's end (hparams) ──▶ Done, or Failed where the session says so
//      ▲                                                                      │
//      └──────────────────────── the files grow ──────────────────────────────┘
//
// An agent that finds such a run of an agent before it reads the files anew once they have grown: as a further attempt, which takes the
// place of what was told before. So does one that finds further folders of the run: Keras makes the folder of the validation when the first
// one is over.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/server/followed/followed.h"
#include "agent/server/runs/run_book.h"
#include "engine/event_files/event_folder.h"
#include "engine/event_files/run_events.h"

namespace agent::server {

struct EventFilesOptions {
    std::chrono::milliseconds silence{300000};  // of the files: the run counts as over
    std::chrono::milliseconds settling{1000};   // then no more values of the same step are waited for
    std::chrono::milliseconds search{1000};     // between two looks for new files
    std::uint64_t piece = 16u << 20;            // bytes that one step() reads at the most, about
};

class FollowedEventFiles final : public Followed {
public:
    // `known` is the run as the index has it; nullopt: a new one. When its own folder says that it was read from other sources than those
    // of `folder`, it is read from the sources of `folder` from now on, and has their name. Reads no more than the beginning of the files.
    // Throws what RunBook and the run's folder throw.
    FollowedEventFiles(engine::event_files::EventFolder folder, std::optional<engine::run::RunInfo> known,
                       const std::filesystem::path& runs_dir, const EventFilesOptions& options, RunBook& book, LogSink log, SteadyTime now);

    const engine::run::RunInfo& record() const override { return record_; }
    bool isOver() const override { return log_ == nullptr; }
    bool isGone() const override { return false; }
    const engine::event_files::EventFolder* eventFiles() const override { return &folder_; }
    bool hasMore() const override { return has_more_; }
    void step(SteadyTime now) override { advance(now, options_.piece); }
    std::optional<convert::SchedulerJob> control(const engine::spec::Control& control) const override;

private:
    void begin(const std::filesystem::path& runs_dir);
    void takeOver(engine::run::RunInfo known);
    void beginAgain(const std::string& reason);
    void advance(SteadyTime now, std::uint64_t piece);
    void goOn();
    void take();
    void publish(std::vector<engine::spec::TaskEvent> events);
    void finish();
    struct Extent {
        std::uint64_t bytes = 0;           // of all files
        std::int64_t changed_unix_ns = 0;  // when one was written last, by the file system
    };
    Extent extent() const;
    void note(std::uint64_t bytes);

    const engine::event_files::EventFolder folder_;
    const EventFilesOptions options_;
    RunBook& book_;
    const LogSink tell_;
    engine::run::RunInfo record_;
    std::unique_ptr<engine::event_files::RunEvents> run_;  // null: an agent before this one told all of it, and it has not grown since
    std::uint64_t noted_bytes_ = 0;                        // that lay there when the journal had what they say
    int earlier_attempts_ = 0;                             // before this agent read the files
    bool has_more_ = true, is_caught_up_ = false, is_settled_ = false;
    SteadyTime heard_, searched_;
    std::shared_ptr<EventLog> log_;  // null: the run is over
};

// Returns the event files that a run is read from, as its own folder says; nullopt for a run that is not read from event files.
std::optional<engine::event_files::EventFolder> eventFilesOf(const engine::run::RunInfo& run);

}  // namespace agent::server

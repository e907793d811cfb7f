// Reads the event files of one run as if a task of Tandem told them, so that every view, table and export takes it for a run. Read this
// header of the folder first.
//
//   scalar of a tag                         a column of points, by the tag's name
//   epoch_loss, batch_loss, ... (Keras)     an epoch's end, and the columns loss, learning_rate, ...
//   any scalar of the folder validation     the log val_... of an epoch's end
//   histogram                               a weight report; of a tag with "grad" in it among the gradients
//   text, hparams, images                   lines of the log
//
// Points of all tags lie in one table while their steps allow it: rows of one table rise. A tag that counts other steps than the rest (a
// test loss by epochs beside a training loss by batches) goes to a table of its own, told by the task "curves 1", "curves 2" and so on.
//
// A writer that began again says from which step on (SessionLog): what any tag has from there on is void, as in TensorBoard. Where only the
// steps of a tag go back (batches of an epoch that are counted from 0 each time), what it writes takes the place of what it wrote, and
// other tags keep theirs. A newer file counts before an older one of the same tag.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/event_files/event.h"
#include "engine/event_files/event_folder.h"
#include "engine/event_files/record_tail.h"
#include "engine/event_files/step_rows.h"
#include "engine/spec/events/task_event.h"

namespace engine::event_files {

// One thread. Memory: one piece of each open file, some thousand rows and reports of one step, whatever the files hold.
class RunEvents {
public:
    explicit RunEvents(std::vector<RunSource> sources);
    ~RunEvents();
    RunEvents(const RunEvents&) = delete;
    RunEvents& operator=(const RunEvents&) = delete;

    // Looks for files that are new, and for files that others took the place of. What can't be read is told as a line of the log.
    void findFiles();
    // Reads on for about `most` bytes. True when there may be more at once.
    bool read(std::uint64_t most);
    // Call it when nothing came for a while: tells what waited for more of the same step.
    void settle();

    // What was told since the last call, in order, without sequences. The first event is that the chief (worker 0) trains.
    std::vector<spec::TaskEvent> takeEvents();

    bool hasBegun() const { return last_unix_ns_ > 0; }
    std::int64_t firstUnixNs() const { return first_unix_ns_; }  // by the events' own clocks; 0 before the first
    std::int64_t lastUnixNs() const { return last_unix_ns_; }
    std::uint64_t bytesRead() const { return bytes_read_; }
    // How often a writer said that it begins again, from 1.
    int attempt() const { return attempt_; }
    // hparams: the session said that it is over.
    bool isOver() const { return is_over_; }
    bool hasFailed() const { return has_failed_; }
    // The last value of each column of the first table, of 64 at the most, by name.
    std::vector<std::pair<std::string, double>> lastValues() const;

private:
    struct Tag;
    struct File;
    struct Table;
    struct Report;
    class Hearer;
    using EpochKey = std::pair<std::int64_t, std::int32_t>;  // step, epoch

    void openFiles(std::size_t source);
    void takeRecord(File& file, std::string_view record);
    void hear(double wall_time);
    Tag& tagOf(std::string_view name, bool is_validation);
    void takeScalar(const File& file, std::string_view name, std::int64_t step, double value);
    bool isOutdated(Tag& tag, const File& file, std::int64_t step);
    void cutEpochs(Tag& tag, std::int64_t step);
    void putPoint(Tag& tag, std::int64_t step, float value);
    void moveTag(Tag& tag, std::int64_t step);
    void cutTag(Tag& tag, std::int64_t step);
    void cutTable(std::size_t table, std::int64_t step);
    std::int64_t takeEpochLog(const Tag& tag, std::int64_t step, double value);
    void takeOther(const File& file, std::int64_t step, const EventValue& value);
    void takeHistogram(std::string_view tag, std::int64_t step, const EventHistogram& histogram);
    void restart(std::int64_t step);
    void tellEpochs();
    void tellReport();
    void tellHeld(bool but_last);
    void say(spec::LogLevel level, std::string text);
    void sayAll(std::vector<std::string> damage);
    void tell(std::int64_t time_unix_ns, spec::EventBody body, const spec::TaskId& task = {});

    const std::vector<RunSource> sources_;
    std::vector<std::unique_ptr<File>> files_;  // by the order in which they count
    std::map<std::string, int> seen_;           // paths of files, and how often each was opened
    int opened_ = 0;
    std::unordered_map<std::string, std::unique_ptr<Tag>> tags_;
    Tag* last_tag_ = nullptr;
    std::vector<std::unique_ptr<Table>> tables_;
    EventReader reader_;
    std::map<EpochKey, std::vector<std::pair<std::string, double>>> epochs_;  // not told yet
    std::map<std::int64_t, std::int64_t> epoch_steps_;                        // Keras: batches behind the end of an epoch
    std::unique_ptr<Report> report_;
    std::int64_t last_batch_step_ = 0;  // of Keras' batch_...; 0: there are none
    std::int64_t first_unix_ns_ = 0, last_unix_ns_ = 0, now_unix_ns_ = 0;
    std::uint64_t bytes_read_ = 0;
    int attempt_ = 1;
    bool is_over_ = false, has_failed_ = false, told_too_many_ = false;
    std::size_t lines_ = 0;
    std::vector<spec::TaskEvent> events_;
};

}  // namespace engine::event_files

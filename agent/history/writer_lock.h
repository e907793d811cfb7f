// The right to append to a journal: one process at a time, on whatever computer. Whoever writes JOURNAL holds an open file description lock
// on JOURNAL.lock, which names it ("tandem-agent (process 4711 on node2)"). The lock goes with the process, however that ends, and with the
// computer's hold on a shared file system; it says nothing of time, so that a run that tells nothing for hours is still its writer's.
//
// The file stays where its writer ends in the middle of a run: it then says that nobody writes. When nothing more is appended it goes.
//
// Some shared file systems keep the locks of each computer apart (NFS mounted with nolock, Lustre with localflock, BeeGFS unless it is told
// otherwise). A lock that was another computer's and is free here therefore proves nothing, and writerOf() does not
// say then that its writer is gone.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "engine/files/file_descriptor.h"

namespace agent::history {

// What the lock's file has behind the journal's name.
inline constexpr const char* kWriterLockSuffix = ".lock";

// Movable; the lock is let go by the destructor, also where a child between fork and exec still has the file open.
class WriterLock {
public:
    WriterLock() = default;  // none
    WriterLock(WriterLock&&) noexcept = default;
    WriterLock& operator=(WriterLock&& other) noexcept;
    ~WriterLock() { letGo(); }

    // Takes the right to append to `journal`, which need not exist. On a file system that has no locks it holds nothing. Throws Error:
    // kAlreadyExists naming who writes, and what keeps the lock's file from being made.
    static WriterLock take(const std::filesystem::path& journal);

    explicit operator bool() const { return static_cast<bool>(file_); }
    // Lets go and removes the lock's file: nothing more is appended.
    void end();

private:
    WriterLock(engine::files::FileDescriptor file, std::filesystem::path path) : file_(std::move(file)), path_(std::move(path)) {}
    void letGo() noexcept;

    engine::files::FileDescriptor file_;
    std::filesystem::path path_;
};

// Who writes a journal now. kUnknown: there is no lock's file, as beside a journal of an earlier version, or the file system has no locks,
// or the lock is free and was another computer's, whose locks may not be seen here. kGone: the last writer was one of this computer.
struct JournalWriter {
    enum class State { kUnknown, kGone, kWrites } state = State::kUnknown;
    std::string name{};  // of one that writes
};
JournalWriter writerOf(const std::filesystem::path& journal);

}  // namespace agent::history

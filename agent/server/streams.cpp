#include "agent/server/streams.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>

#include "agent/convert/file_descriptor.h"
#include "agent/convert/status.h"
#include "engine/spec/error.h"

namespace agent::server {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kChunkBytes = 64u << 10;

// Idle ── wake ─▶ Writing ── done ─▶ Idle | Writing;  Idle | Writing ── end, cancelled, failed ─▶ Finished. Guarded by mutex_.
class WatchStream final : public grpc::ServerWriteReactor<proto::WatchReply> {
public:
    WatchStream(std::shared_ptr<EventLog> log, std::uint64_t from_sequence, std::function<void()> ended)
        : ended_(std::move(ended)), link_(std::make_shared<Link>(this)) {
        subscription_ = log->subscribe(from_sequence, [link = link_] { link->wake(); });
    }

    void pump() {
        grpc::Status status;
        bool finish = false;
        {
            const std::lock_guard lock(mutex_);
            if (state_ != State::kIdle) {
                return;
            }
            finish = cancelled_;
            if (!finish) {
                status = convert::guarded([&] { finish = !fillReply(); });
                finish |= !status.ok();
            } else {
                status = grpc::Status::CANCELLED;
            }
            if (!finish && reply_.events_size() == 0 && reply_.dropped_points() == 0) {
                return;
            }
            state_ = finish ? State::kFinished : State::kWriting;
        }
        if (finish) {
            Finish(status);
        } else {
            StartWrite(&reply_);
        }
    }

    void OnWriteDone(bool ok) override {
        {
            const std::lock_guard lock(mutex_);
            state_ = State::kIdle;
            cancelled_ |= !ok;
        }
        pump();
    }

    void OnCancel() override {
        {
            const std::lock_guard lock(mutex_);
            cancelled_ = true;
        }
        pump();
    }

    void OnDone() override {
        link_->cut();
        ended_();
        delete this;
    }

private:
    enum class State { kIdle, kWriting, kFinished };

    // What a wake-up holds: it may come late, when the stream is gone.
    class Link {
    public:
        explicit Link(WatchStream* stream) : stream_(stream) {}
        void wake() {
            const std::lock_guard lock(mutex_);
            if (stream_ != nullptr) {
                stream_->pump();
            }
        }
        void cut() {
            const std::lock_guard lock(mutex_);
            stream_ = nullptr;
        }

    private:
        std::mutex mutex_;
        WatchStream* stream_;  // guarded by mutex_
    };

    // False when everything was delivered and nothing will follow.
    bool fillReply() {
        EventLog::Subscription::Batch batch = subscription_->next();
        reply_.Clear();
        for (std::string& event : batch.events) {
            reply_.add_events(std::move(event));
        }
        reply_.set_dropped_points(batch.dropped_points);
        return !(batch.end && batch.empty());
    }

    const std::function<void()> ended_;
    const std::shared_ptr<Link> link_;
    std::unique_ptr<EventLog::Subscription> subscription_;
    std::mutex mutex_;
    State state_ = State::kIdle;
    bool cancelled_ = false;
    proto::WatchReply reply_;  // not touched while it is being written
};

class FetchStream final : public grpc::ServerWriteReactor<proto::FileChunk> {
public:
    FetchStream(convert::FileDescriptor file, std::int64_t bytes, std::function<void()> ended)
        : file_(std::move(file)), ended_(std::move(ended)) {
        chunk_.set_total_bytes(bytes);
    }

    void sendNext() {
        std::string& data = *chunk_.mutable_data();
        data.resize(kChunkBytes);
        ssize_t received = 0;
        do {
            received = ::read(file_.get(), data.data(), data.size());
        } while (received < 0 && errno == EINTR);
        if (received < 0) {
            Finish({grpc::StatusCode::DATA_LOSS, std::string("file: ") + std::strerror(errno)});
        } else if (received == 0 && sent_) {
            Finish(grpc::Status::OK);
        } else {
            data.resize(static_cast<std::size_t>(received));
            sent_ = true;
            StartWrite(&chunk_);
        }
    }

    void OnWriteDone(bool ok) override {
        chunk_.set_total_bytes(0);
        if (ok) {
            sendNext();
        } else {
            Finish(grpc::Status::CANCELLED);
        }
    }

    void OnDone() override {
        ended_();
        delete this;
    }

private:
    const convert::FileDescriptor file_;
    const std::function<void()> ended_;
    proto::FileChunk chunk_;
    bool sent_ = false;  // an empty file is one empty chunk
};

fs::path confined(const fs::path& folder, const fs::path& path) {
    std::error_code error;
    const fs::path root = fs::canonical(folder, error);
    const fs::path target = error ? fs::path() : fs::canonical(root / path, error);
    if (error) {
        throw engine::Error(engine::ErrorCode::kNotFound, path.string() + ": not found in the run's folder");
    }
    if (std::mismatch(root.begin(), root.end(), target.begin(), target.end()).first != root.end() || path.is_absolute()) {
        throw engine::Error(engine::ErrorCode::kPermissionDenied, path.string() + ": expected a path inside the run's folder");
    }
    return target;
}

}  // namespace

grpc::ServerWriteReactor<proto::WatchReply>* startWatch(std::shared_ptr<EventLog> log, std::uint64_t from_sequence,
                                                        std::function<void()> ended) {
    auto* stream = new WatchStream(std::move(log), from_sequence, std::move(ended));  // deletes itself in OnDone
    stream->pump();
    return stream;
}

grpc::ServerWriteReactor<proto::FileChunk>* startFetch(const fs::path& folder, const fs::path& path, std::function<void()> ended) {
    convert::FileDescriptor file(::open(confined(folder, path).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0) {
        throw engine::Error(engine::ErrorCode::kPermissionDenied, path.string() + ": can't be opened: " + std::strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        throw engine::Error(engine::ErrorCode::kPermissionDenied, path.string() + ": expected a file, got something else");
    }
    auto* stream = new FetchStream(std::move(file), status.st_size, std::move(ended));  // deletes itself in OnDone
    stream->sendNext();
    return stream;
}

}  // namespace agent::server

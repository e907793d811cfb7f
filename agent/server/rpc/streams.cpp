#include "agent/server/rpc/streams.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "agent/local/file_descriptor.h"
#include "agent/wire/run_convert.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/status.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::server {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kChunkBytes = 64u << 10;

// Sends what its source has, the next message when the last one is done, and sleeps while there is nothing.
//
// Idle ── wake ─▶ Writing ── done ─▶ Idle | Writing;  Idle | Writing ── end, cancelled, failed ─▶ Finished. Guarded by mutex_.
template <typename Message>
class PumpedStream : public grpc::ServerWriteReactor<Message> {
public:
    explicit PumpedStream(std::function<void()> ended) : ended_(std::move(ended)), link_(std::make_shared<Link>(this)) {}

    void pump() {
        grpc::Status status;
        Fill filled = Fill::kEnd;
        {
            const engine::MutexLock lock(mutex_);
            if (state_ != State::kIdle) {
                return;
            }
            if (cancelled_) {
                status = grpc::Status::CANCELLED;
            } else {
                status = convert::guarded([&] {
                    message_.Clear();
                    filled = fill(message_);
                });
                filled = status.ok() ? filled : Fill::kEnd;
            }
            if (filled == Fill::kNothing) {
                return;
            }
            state_ = filled == Fill::kEnd ? State::kFinished : State::kWriting;
        }
        if (filled == Fill::kEnd) {
            this->Finish(status);
        } else {
            this->StartWrite(&message_);
        }
    }

    void OnWriteDone(bool ok) override {
        {
            const engine::MutexLock lock(mutex_);
            state_ = State::kIdle;
            cancelled_ |= !ok;
        }
        pump();
    }

    void OnCancel() override {
        {
            const engine::MutexLock lock(mutex_);
            cancelled_ = true;
        }
        pump();
    }

    void OnDone() override {
        link_->cut();
        ended_();
        delete this;
    }

protected:
    enum class Fill { kNothing, kMessage, kEnd };
    // kEnd: everything was delivered and nothing will follow. kNothing: the waker is called when there is something.
    virtual Fill fill(Message& message) = 0;
    // Returns the waker for the source. The source may call it late, when the stream is gone.
    std::function<void()> waker() const {
        return [link = link_] { link->wake(); };
    }

private:
    enum class State { kIdle, kWriting, kFinished };

    class Link {
    public:
        explicit Link(PumpedStream* stream) : stream_(stream) {}
        void wake() {
            const engine::MutexLock lock(mutex_);
            if (stream_ != nullptr) {
                stream_->pump();
            }
        }
        void cut() {
            const engine::MutexLock lock(mutex_);
            stream_ = nullptr;
        }

    private:
        engine::Mutex mutex_;
        PumpedStream* stream_ TANDEM_GUARDED_BY(mutex_);
    };

    const std::function<void()> ended_;
    const std::shared_ptr<Link> link_;
    engine::Mutex mutex_;
    State state_ TANDEM_GUARDED_BY(mutex_) = State::kIdle;
    bool cancelled_ TANDEM_GUARDED_BY(mutex_) = false;
    Message message_;  // not touched while it is being written
};

class WatchStream final : public PumpedStream<proto::WatchReply> {
public:
    WatchStream(const std::shared_ptr<EventLog>& log, std::uint64_t from_sequence, std::function<void()> ended)
        : PumpedStream(std::move(ended)), subscription_(log->subscribe(from_sequence, waker())) {}

private:
    Fill fill(proto::WatchReply& reply) override {
        EventLog::Subscription::Batch batch = subscription_->next();
        for (std::string& event : batch.events) {
            reply.add_events(convert::boundedEncoded(std::move(event)));
        }
        reply.set_dropped_points(batch.dropped_points);
        return !batch.empty() ? Fill::kMessage : batch.end ? Fill::kEnd : Fill::kNothing;
    }

    const std::unique_ptr<EventLog::Subscription> subscription_;
};

class HostStream final : public PumpedStream<proto::WatchHostReply> {
public:
    HostStream(HostSampler& sampler, std::int64_t after_unix_ns, std::function<void()> ended)
        : PumpedStream(std::move(ended)), subscription_(sampler.subscribe(after_unix_ns, waker())) {}

private:
    Fill fill(proto::WatchHostReply& reply) override {
        const HostSampler::Subscription::Batch batch = subscription_->next();
        for (const HostSampler::Load& load : batch.loads) {
            convert::toProto(*load, *reply.add_loads());
        }
        return !batch.loads.empty() ? Fill::kMessage : batch.end ? Fill::kEnd : Fill::kNothing;
    }

    const std::unique_ptr<HostSampler::Subscription> subscription_;
};

void setAnswer(proto::AskReply& reply, std::string answer) {
    reply.set_answer(std::move(answer));
}

template <typename Reply>
void setAnswer(Reply& reply, const std::string& encoded) {
    ENGINE_CHECK(reply.ParseFromString(encoded));
}

template <typename Reply>
class AnswerStream final : public PumpedStream<Reply> {
    using typename PumpedStream<Reply>::Fill;

public:
    AnswerStream(std::shared_ptr<AnswerQueue> queue, std::function<void()> ended)
        : PumpedStream<Reply>(std::move(ended)), queue_(std::move(queue)) {
        queue_->setWaker(this->waker());
    }
    ~AnswerStream() override {
        queue_->setWaker({});
        queue_->cancel();
    }
    AnswerStream(const AnswerStream&) = delete;
    AnswerStream& operator=(const AnswerStream&) = delete;

private:
    Fill fill(Reply& reply) override {
        AnswerQueue::Next next = queue_->next();
        if (next.answer) {
            setAnswer(reply, std::move(*next.answer));
        }
        return next.answer ? Fill::kMessage : next.is_end ? Fill::kEnd : Fill::kNothing;
    }

    const std::shared_ptr<AnswerQueue> queue_;
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

// A file of the run's own: no link on the way, no other name elsewhere, and of the user whose agent this is.
convert::FileDescriptor openOwnFile(const fs::path& folder, const fs::path& path, std::int64_t& bytes) {
    convert::FileDescriptor file = engine::files::SafeFolder::open(folder).openToRead(path.lexically_normal());
    struct stat status {};
    const bool known = ::fstat(file.get(), &status) == 0;
    const char* wrong = !known                         ? "something that can't be looked at"
                        : !S_ISREG(status.st_mode)     ? "something else"
                        : status.st_nlink != 1         ? "a file with another name elsewhere"
                        : status.st_uid != ::geteuid() ? "a file of another user"
                                                       : nullptr;
    if (wrong != nullptr) {
        throw engine::Error(engine::ErrorCode::kPermissionDenied, path.string() + ": expected a file of the run's own, got " + wrong);
    }
    bytes = status.st_size;
    return file;
}

}  // namespace

grpc::ServerWriteReactor<proto::WatchReply>* startWatch(const std::shared_ptr<EventLog>& log, std::uint64_t from_sequence,
                                                        std::function<void()> ended) {
    auto* stream = new WatchStream(log, from_sequence, std::move(ended));  // deletes itself in OnDone
    stream->pump();
    return stream;
}

grpc::ServerWriteReactor<proto::WatchHostReply>* startHostWatch(HostSampler& sampler, std::int64_t after_unix_ns,
                                                                std::function<void()> ended) {
    auto* stream = new HostStream(sampler, after_unix_ns, std::move(ended));  // deletes itself in OnDone
    stream->pump();
    return stream;
}

grpc::ServerWriteReactor<proto::AskReply>* startAnswer(std::shared_ptr<AnswerQueue> queue, std::function<void()> ended) {
    auto* stream = new AnswerStream<proto::AskReply>(std::move(queue), std::move(ended));  // deletes itself in OnDone
    stream->pump();
    return stream;
}

grpc::ServerWriteReactor<proto::ShareFilesReply>* startShare(std::shared_ptr<AnswerQueue> queue, std::function<void()> ended) {
    auto* stream = new AnswerStream<proto::ShareFilesReply>(std::move(queue), std::move(ended));  // deletes itself in OnDone
    stream->pump();
    return stream;
}

grpc::ServerWriteReactor<proto::ArchiveReply>* startArchive(std::shared_ptr<AnswerQueue> queue, std::function<void()> ended) {
    auto* stream = new AnswerStream<proto::ArchiveReply>(std::move(queue), std::move(ended));  // deletes itself in OnDone
    stream->pump();
    return stream;
}

grpc::ServerWriteReactor<proto::FileChunk>* startFetch(const fs::path& folder, const fs::path& path, std::function<void()> ended) {
    std::int64_t bytes = 0;
    convert::FileDescriptor file = openOwnFile(folder, path, bytes);
    auto* stream = new FetchStream(std::move(file), bytes, std::move(ended));  // deletes itself in OnDone
    stream->sendNext();
    return stream;
}

}  // namespace agent::server

// One Link stream between two tasks, seen from either end.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "agent/proto/collective.grpc.pb.h"
#include "agent/transport/completion.h"
#include "agent/transport/connection_gate.h"

namespace agent::worker {

// Reads all the time, writes one message after the other. All calls and callbacks happen on the thread that takes from the completion
// queue. Must live until it is spent, or that queue is drained.
class LinkStream {
public:
    struct Events {
        std::function<void(LinkStream&, const proto::LinkMessage&)> message;
        std::function<void(LinkStream&, const std::string& why)> ended;  // once; nothing comes afterwards
    };

    explicit LinkStream(Events events);
    virtual ~LinkStream() = default;
    LinkStream(const LinkStream&) = delete;
    LinkStream& operator=(const LinkStream&) = delete;

    void write(proto::LinkMessage message);
    // Ends the stream once everything is written; the other end sees a regular end. Messages that come meanwhile are not handed on.
    void finishAfterWrites();
    virtual void cancel() = 0;
    // Makes the stream start nothing from now on: the queue is about to go.
    void stop() { stopped_ = true; }

    bool open() const { return open_ && !ended_; }
    // True when the stream has ended and gRPC knows nothing of it any more.
    bool spent() const { return ended_ && !reading_ && !writing_; }
    bool idle() const { return !writing_ && to_write_.empty(); }
    std::chrono::steady_clock::time_point lastHeard() const { return last_heard_; }
    void forgiveSilence() { last_heard_ = std::chrono::steady_clock::now(); }

    // Returns what the other end has proven to get here; nullopt when it is not known.
    virtual std::optional<ProvenCall> proven(const ConnectionGate& gate) const = 0;
    virtual bool weCalled() const = 0;

    int peer = -1;  // rank, once known

protected:
    // The derived end calls this when the stream stands (or does not).
    void onOpen(bool ok);
    void end(const std::string& why);

    virtual void startRead(proto::LinkMessage* into, Completion* tag) = 0;
    virtual void startWrite(const proto::LinkMessage& message, Completion* tag) = 0;
    virtual void startFinish(Completion* tag) = 0;
    virtual std::string finishReason() const = 0;

private:
    void readNext();
    void writeNext();
    void finish();

    const Events events_;
    proto::LinkMessage incoming_;
    std::deque<proto::LinkMessage> to_write_;  // the first is being written while writing_
    std::chrono::steady_clock::time_point last_heard_;
    bool open_ = false;
    bool reading_ = false;
    bool writing_ = false;
    bool finish_after_writes_ = false;      // asked for
    bool finish_after_this_write_ = false;  // the stream is over, a write is not
    bool finishing_ = false;
    bool ended_ = false;
    bool stopped_ = false;
    Completion on_read_, on_written_, on_finished_;
};

class CallerStream final : public LinkStream {
public:
    CallerStream(Events events, Connection connection, grpc::CompletionQueue* queue);
    void cancel() override { context_.TryCancel(); }
    std::optional<ProvenCall> proven(const ConnectionGate&) const override { return proven_; }
    bool weCalled() const override { return true; }

private:
    void startRead(proto::LinkMessage* into, Completion* tag) override { stream_->Read(into, tag); }
    void startWrite(const proto::LinkMessage& message, Completion* tag) override { stream_->Write(message, tag); }
    void startFinish(Completion* tag) override { stream_->Finish(&status_, tag); }
    std::string finishReason() const override;

    const ProvenCall proven_;
    std::unique_ptr<proto::Collective::Stub> stub_;
    grpc::ClientContext context_;
    grpc::Status status_;
    std::unique_ptr<grpc::ClientAsyncReaderWriter<proto::LinkMessage, proto::LinkMessage>> stream_;
    Completion on_started_;
};

class ServedStream final : public LinkStream {
public:
    // Waits for a caller; `accepted(ok)` when one is there. Service is the generated service with an asynchronous Link.
    template <typename Service>
    ServedStream(Events events, Service& service, grpc::ServerCompletionQueue* queue, std::function<void(bool)> accepted)
        : LinkStream(std::move(events)), stream_(&context_) {
        on_accepted_.done = [this, accepted = std::move(accepted)](bool ok) {
            if (ok) accepted_ = true;
            accepted(ok);
            if (ok) onOpen(true);
        };
        service.RequestLink(&context_, &stream_, queue, queue, &on_accepted_);
    }
    void cancel() override {
        if (accepted_) context_.TryCancel();
    }
    std::optional<ProvenCall> proven(const ConnectionGate& gate) const override {
        return accepted_ ? gate.calledBy(context_.peer()) : std::nullopt;
    }
    bool weCalled() const override { return false; }

private:
    void startRead(proto::LinkMessage* into, Completion* tag) override { stream_.Read(into, tag); }
    void startWrite(const proto::LinkMessage& message, Completion* tag) override { stream_.Write(message, tag); }
    void startFinish(Completion* tag) override { stream_.Finish(grpc::Status::OK, tag); }
    std::string finishReason() const override { return {}; }

    grpc::ServerContext context_;
    grpc::ServerAsyncReaderWriter<proto::LinkMessage, proto::LinkMessage> stream_;
    bool accepted_ = false;
    Completion on_accepted_;
};

}  // namespace agent::worker

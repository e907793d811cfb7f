// The service's streams as write reactors: the next message goes out only when the last one is done. They delete themselves when gRPC
// is done with them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "agent/proto/agent.grpc.pb.h"
#include "agent/server/host/host_sampler.h"
#include "agent/server/rpc/answer_queue.h"
#include "agent/server/runs/event_log.h"

namespace agent::server {

// `ended` is called once, by a thread of gRPC, when the stream is over.
grpc::ServerWriteReactor<proto::WatchReply>* startWatch(const std::shared_ptr<EventLog>& log, std::uint64_t from_sequence,
                                                        std::function<void()> ended);

// The sampler lives until the stream is over.
grpc::ServerWriteReactor<proto::WatchHostReply>* startHostWatch(HostSampler& sampler, std::int64_t after_unix_ns,
                                                                std::function<void()> ended);

// Cancels the queue when the stream is over.
grpc::ServerWriteReactor<proto::AskReply>* startAnswer(std::shared_ptr<AnswerQueue> queue, std::function<void()> ended);

// The queue's answers are encoded replies. Cancels it when the stream is over.
grpc::ServerWriteReactor<proto::ShareFilesReply>* startShare(std::shared_ptr<AnswerQueue> queue, std::function<void()> ended);

// As startShare(), for archives.
grpc::ServerWriteReactor<proto::ArchiveReply>* startArchive(std::shared_ptr<AnswerQueue> queue, std::function<void()> ended);

// Throws Error: kNotFound, kPermissionDenied for a path that leads out of `folder`, over a link, or to something that is no
// file of this user with that name alone.
grpc::ServerWriteReactor<proto::FileChunk>* startFetch(const std::filesystem::path& folder, const std::filesystem::path& path,
                                                       std::function<void()> ended);

// A stream that ends at once with a status.
template <typename Message>
class RefusedStream final : public grpc::ServerWriteReactor<Message> {
public:
    RefusedStream(const grpc::Status& status, std::function<void()> ended) : ended_(std::move(ended)) { this->Finish(status); }
    void OnDone() override {
        ended_();
        delete this;
    }

private:
    const std::function<void()> ended_;
};

}  // namespace agent::server

// Files of another computer's project that come to this one, as read reactors, and the answers to who sends them. They delete themselves
// when gRPC is done with them.
#pragma once

#include <functional>
#include <memory>

#include "agent/files/file_store.h"
#include "agent/proto/agent.grpc.pb.h"
#include "agent/server/rpc/job_thread.h"

namespace agent::server {

// What those streams share. Looking for files and checking one that came take seconds, and don't wait for each other.
struct FileDesk {
    std::shared_ptr<const files::FileStore> store;
    std::shared_ptr<JobThread> looks = std::make_shared<JobThread>(), checks = std::make_shared<JobThread>();
};

// `ended` is called once, by a thread of gRPC, when the stream is over; `reply` lives until then.
grpc::ServerReadReactor<proto::FindFilesRequest>* startFind(const FileDesk& desk, proto::FindFilesReply* reply,
                                                            std::function<void()> ended);
grpc::ServerReadReactor<proto::SendFileRequest>* startReceive(const FileDesk& desk, std::function<void()> ended);

// A stream that ends at once with a status.
template <typename Message>
class RefusedReader final : public grpc::ServerReadReactor<Message> {
public:
    RefusedReader(const grpc::Status& status, std::function<void()> ended) : ended_(std::move(ended)) { this->Finish(status); }
    void OnDone() override {
        ended_();
        delete this;
    }

private:
    const std::function<void()> ended_;
};

}  // namespace agent::server

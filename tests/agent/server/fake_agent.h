// An agent that says of parts and their files what the test puts into it, whatever is true: one that is damaged, or in wrong hands.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <grpcpp/grpcpp.h>

#include "agent/client/part_client.h"
#include "agent/proto/agent.grpc.pb.h"

namespace tests::agent_server {

class FakeAgent final : public agent::proto::Agent::Service {
public:
    FakeAgent() {
        int port = 0;
        grpc::ServerBuilder builder;
        builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
        builder.RegisterService(this);
        server_ = builder.BuildAndStart();
        address_.address = "127.0.0.1:" + std::to_string(port);
    }
    agent::client::PartClient parts() const {
        return agent::client::PartClient(std::make_shared<agent::client::AgentChannel>(address_, [] { return true; }));
    }

    std::map<std::string, std::string> files;  // texts by path, of any run
    std::vector<int> ports;                    // that it holds, whatever it is asked for

    grpc::Status PreparePart(grpc::ServerContext*, const agent::proto::PreparePartRequest*,
                             agent::proto::PreparePartReply* reply) override {
        reply->set_part_id("held");
        for (const int port : ports) reply->add_ports(port);
        return grpc::Status::OK;
    }
    grpc::Status ListFiles(grpc::ServerContext*, const agent::proto::ListFilesRequest*, agent::proto::ListFilesReply* reply) override {
        for (const auto& [path, text] : files) {
            agent::proto::RunFile& file = *reply->add_files();
            file.set_path(path);
            file.set_bytes(static_cast<std::int64_t>(text.size()));
        }
        return grpc::Status::OK;
    }
    grpc::Status FetchFile(grpc::ServerContext*, const agent::proto::FetchFileRequest* request,
                           grpc::ServerWriter<agent::proto::FileChunk>* stream) override {
        agent::proto::FileChunk chunk;
        chunk.set_data(files.at(request->path()));
        chunk.set_total_bytes(static_cast<std::int64_t>(chunk.data().size()));
        stream->Write(chunk);
        return grpc::Status::OK;
    }

private:
    agent::convert::AgentAddress address_;
    std::unique_ptr<grpc::Server> server_;
};

}  // namespace tests::agent_server

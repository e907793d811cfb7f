#include "agent/server/rpc/trust.h"

#include <fstream>
#include <set>

#include <google/protobuf/descriptor.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>

#include "agent/proto/agent.grpc.pb.h"
#include "tests/agent/server/agent_fixture.h"

namespace {

using namespace tests::agent_server;
using agent::server::makeToken;

// Calls any method with an empty message and waits for its status, so long at the most: some methods say nothing to that.
grpc::StatusCode call(const std::string& address, const std::string& method, const std::string& authorization,
                      std::chrono::seconds patience = kDeadline) {
    grpc::GenericStub stub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + patience);
    if (!authorization.empty()) {
        context.AddMetadata("authorization", authorization);
    }
    grpc::CompletionQueue queue;
    const auto stream = stub.PrepareCall(&context, method, &queue);
    grpc::Slice slice("");
    grpc::ByteBuffer request(&slice, 1), reply;
    grpc::Status status;
    const auto next = [&] {
        void* tag = nullptr;
        bool ok = false;
        return queue.Next(&tag, &ok) && ok;
    };
    stream->StartCall(nullptr);
    next();
    stream->WriteLast(request, {}, nullptr);
    next();
    stream->Read(&reply, nullptr);
    if (next()) {
        context.TryCancel();  // admitted; some streams have no end
    }
    stream->Finish(&status, nullptr);
    next();
    return status.error_code();
}

// Every method that the service has, streams included: one that is added without the check fails here.
TEST_F(AgentTest, RefusesEveryCallWithoutTheToken) {
    start();
    const auto* service = google::protobuf::DescriptorPool::generated_pool()->FindServiceByName("agent.proto.Agent");
    ASSERT_NE(service, nullptr);
    ASSERT_GE(service->method_count(), 8);
    const std::string token = agent::convert::readAgentAddress(agent::convert::defaultRunsDir())->token;
    for (int i = 0; i < service->method_count(); ++i) {
        const std::string method = "/agent.proto.Agent/" + service->method(i)->name();
        for (const std::string& wrong : {std::string(), std::string("Bearer "), "Bearer " + makeToken(), token, "Bearer " + token + "0"}) {
            EXPECT_EQ(call(server_->address(), method, wrong), grpc::StatusCode::UNAUTHENTICATED) << method << " with \"" << wrong << '"';
        }
        EXPECT_NE(call(server_->address(), method, "Bearer " + token, 10s), grpc::StatusCode::UNAUTHENTICATED) << method;
    }
}

TEST(Trust, MakesANewTokenEveryTime) {
    std::set<std::string> tokens;
    for (int i = 0; i < 100; ++i) {
        tokens.insert(makeToken());
        EXPECT_EQ(tokens.begin()->size(), 64U);
    }
    EXPECT_EQ(tokens.size(), 100U);
}

class FetchTest : public AgentTest {
protected:
    grpc::Status fetch(const std::string& run_id, const std::string& path, std::string& out) {
        const auto address = agent::convert::readAgentAddress(agent::convert::defaultRunsDir());
        const auto stub = agent::proto::Agent::NewStub(grpc::CreateChannel(address->address, grpc::InsecureChannelCredentials()));
        grpc::ClientContext context;
        context.set_deadline(std::chrono::system_clock::now() + kDeadline);
        context.AddMetadata("authorization", "Bearer " + address->token);
        agent::proto::FetchFileRequest request;
        request.set_run_id(run_id);
        request.set_path(path);
        const auto reader = stub->FetchFile(&context, request);
        agent::proto::FileChunk chunk;
        out.clear();
        while (reader->Read(&chunk)) {
            out += chunk.data();
        }
        return reader->Finish();
    }
};

TEST_F(FetchTest, SendsFilesOfARunsFolderAndNoOthers) {
    start("0:finish");
    const engine::run::RunInfo run = submit(1);
    waitForEnd(run.id);
    const std::filesystem::path folder = run.run_dir;
    const std::string large(300'000, 'x');
    std::ofstream(folder / "logs" / "large") << large;
    std::ofstream(folder / "empty");
    std::ofstream(world_.path() / "secret") << "secret";
    std::filesystem::create_symlink(world_.path() / "secret", folder / "link");
    std::filesystem::create_directory_symlink(world_.path(), folder / "logs" / "out");
    std::filesystem::create_hard_link(world_.path() / "secret", folder / "shared");
    ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
    std::ofstream(folder / "foreign") << "another user's";
    const bool is_root = ::geteuid() == 0 && ::chown((folder / "foreign").c_str(), 65534, 65534) == 0;

    std::string text;
    EXPECT_TRUE(fetch(run.id, "logs/large", text).ok());
    EXPECT_EQ(text, large);
    EXPECT_TRUE(fetch(run.id, "empty", text).ok());
    EXPECT_EQ(text, "");
    EXPECT_TRUE(fetch(run.id, "logs/../project.tandem", text).ok()) << "stays inside";
    for (const std::string& outside :
         {std::string("../../secret"), std::string("link"), std::string("logs/out/secret"), (world_.path() / "secret").string(),
          (folder / "project.tandem").string(), std::string("logs"), std::string(".."), std::string("shared"), std::string("fifo"),
          std::string(is_root ? "foreign" : "shared")}) {
        EXPECT_EQ(fetch(run.id, outside, text).error_code(), grpc::StatusCode::PERMISSION_DENIED) << outside;
        EXPECT_EQ(text, "");
    }
    EXPECT_EQ(fetch(run.id, "nothing", text).error_code(), grpc::StatusCode::NOT_FOUND);
    EXPECT_EQ(fetch("no run", "empty", text).error_code(), grpc::StatusCode::NOT_FOUND);
}

}  // namespace

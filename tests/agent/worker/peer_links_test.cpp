// What strangers, and members that misbehave, can do to tasks that find each other: nothing. The tasks are real ones behind
// connectCollective; the others are sockets and gRPC calls of the test.
#include "agent/transport/peer_links.h"

#include <gmock/gmock.h>
#include <grpcpp/create_channel_posix.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>
#include <thread>

#include "engine/spec/error.h"
#include "local_cluster.h"
#include "raw_socket.h"
#include "tests/support/eventually.h"

namespace {

using namespace std::chrono_literals;
using namespace agent::worker;
using agent::proto::Collective;
using agent::proto::LinkMessage;
using engine::Error;
using engine::ErrorCode;
using engine::spec::TransportChoice;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using tests::support::holdsOnce;
using tests::support::LocalCluster;
using tests::support::provenSocket;
using tests::support::RawSocket;
using tests::support::targetOf;

constexpr ConnectOptions kQuick{.start_timeout = 180s, .operation_deadline = 180s};

// A task of the cluster on a thread of its own, which connects and takes part in one sum.
class RunningTask {
public:
    RunningTask(const LocalCluster& cluster, int rank, const ConnectOptions& options = kQuick) {
        std::promise<void> listening;
        const auto is_listening = listening.get_future();
        result_ = std::async(std::launch::async, [&cluster, rank, options, this, listening = std::move(listening)]() mutable {
            ConnectCallbacks callbacks;
            callbacks.on_listening = [&] { listening.set_value(); };
            callbacks.on_log = [this](const std::string& line) { note(log_, line); };
            callbacks.on_waiting = [this](const std::string& line, const auto&) { note(waiting_, line); };
            callbacks.is_cancelled = [this] { return is_stopped_.load(); };
            try {
                const auto collective = cluster.connect(rank, TransportChoice::kAuto, options, callbacks);
                std::vector<float> ones(100, 1.0f);
                collective->allReduceSum(ones);
                return std::to_string(static_cast<int>(ones.back()));
            } catch (const Error& error) {
                return std::string(toString(error.code())) + ": " + error.what();
            }
        });
        if (is_listening.wait_for(180s) != std::future_status::ready) ADD_FAILURE() << "does not listen";
    }

    // It waits no longer for others.
    void stop() { is_stopped_ = true; }
    // The sum ("2"), or why there is none.
    std::string result() { return result_.wait_for(240s) == std::future_status::ready ? result_.get() : "hangs"; }
    bool isOver() const { return result_.wait_for(0s) == std::future_status::ready; }
    std::vector<std::string> log() { return copy(log_); }
    std::vector<std::string> waiting() { return copy(waiting_); }

private:
    void note(std::vector<std::string>& lines, const std::string& line) {
        const std::lock_guard lock(mutex_);
        lines.push_back(line);
    }
    std::vector<std::string> copy(const std::vector<std::string>& lines) {
        const std::lock_guard lock(mutex_);
        return lines;
    }

    std::mutex mutex_;
    std::vector<std::string> log_, waiting_;
    std::atomic<bool> is_stopped_ = false;
    std::future<std::string> result_;  // first to go: its thread uses the others
};

// Worker 0 of a cluster, done by hand: it has the secret and says what it likes.
class Insider {
public:
    Insider(const LocalCluster& cluster, int called, Purpose purpose = Purpose::kLink, const Session& link = {}) : cluster_(cluster) {
        const int port = cluster.ports[static_cast<std::size_t>(called)].port();
        auto [socket, session] = provenSocket(port, cluster.secret.key, {purpose, 0, called}, link);
        session_ = session;
        channel_ = grpc::CreateInsecureChannelFromFd("task", socket.take().release());
        stub_ = Collective::NewStub(channel_);
        context_.set_deadline(std::chrono::system_clock::now() + 180s);
        stream_ = stub_->Link(&context_);
    }
    ~Insider() {
        context_.TryCancel();
        stream_->Finish();
    }

    LinkMessage hello() const {
        LinkMessage message;
        message.mutable_hello()->set_protocol(3);
        std::string text;
        for (const auto& task : cluster_.spec.trainingTasks()) {
            text += toString(task) + " " + *cluster_.spec.address(task) + "\n";
        }
        message.mutable_hello()->set_cluster(text);
        message.mutable_hello()->mutable_task()->set_type("worker");
        message.mutable_hello()->set_boot_id(engine::distribute::machineBootId());
        message.mutable_hello()->set_no_segment("none is wanted");
        return message;
    }
    bool say(const LinkMessage& message) { return stream_->Write(message); }
    // Nothing when the stream has ended.
    std::optional<LinkMessage> hear() {
        LinkMessage message;
        return stream_->Read(&message) ? std::optional(message) : std::nullopt;
    }
    bool isEnded() {
        while (hear()) {
        }
        return true;
    }
    const Session& session() const { return session_; }

private:
    const LocalCluster& cluster_;
    Session session_;
    std::shared_ptr<grpc::Channel> channel_;
    std::unique_ptr<Collective::Stub> stub_;
    grpc::ClientContext context_;
    std::unique_ptr<grpc::ClientReaderWriter<LinkMessage, LinkMessage>> stream_;
};

LinkMessage sharedMemory(bool usable) {
    LinkMessage message;
    message.mutable_shared_memory()->set_usable(usable);
    return message;
}

struct FirstWord {
    const char* name;
    LinkMessage message;
};

// Every kind of message; the last is as right as a stranger can know.
std::vector<FirstWord> firstWords(const LocalCluster& cluster) {
    std::vector<FirstWord> words(7);
    words[0].name = "nothing";
    words[1].name = "refusal";
    words[1].message.mutable_refusal()->set_reason("go away");
    words[2].name = "goodbye";
    words[2].message.mutable_goodbye()->set_failure("the end");
    words[3].name = "goodbye seen";
    words[3].message.mutable_goodbye_seen();
    words[4].name = "heartbeat";
    words[4].message.mutable_heartbeat();
    words[5].name = "shared memory";
    words[5].message = sharedMemory(true);
    words[6].name = "hello";
    auto& hello = *words[6].message.mutable_hello();
    hello.set_protocol(2);
    for (const auto& task : cluster.spec.trainingTasks()) {
        hello.set_cluster(hello.cluster() + toString(task) + " " + *cluster.spec.address(task) + "\n");
    }
    hello.mutable_task()->set_type("worker");
    return words;
}

TEST(PeerLinks, StrangersHearNothingAndDisturbNobody) {
    const LocalCluster cluster(2);
    RunningTask second(cluster, 1);
    for (const FirstWord& word : firstWords(cluster)) {
        const auto stub = Collective::NewStub(grpc::CreateChannel(targetOf(cluster.ports[1].port()), grpc::InsecureChannelCredentials()));
        grpc::ClientContext context;
        context.set_deadline(std::chrono::system_clock::now() + 180s);
        const auto stream = stub->Link(&context);
        stream->Write(word.message);
        LinkMessage heard;
        EXPECT_FALSE(stream->Read(&heard)) << word.name << ": " << heard.ShortDebugString();
        const grpc::Status status = stream->Finish();
        EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE) << word.name;
        EXPECT_THAT(status.error_message(), AllOf(Not(HasSubstr("worker")), Not(HasSubstr("localhost")))) << word.name;
        EXPECT_FALSE(second.isOver()) << word.name;
    }
    RunningTask first(cluster, 0);
    EXPECT_EQ(first.result(), "2");
    EXPECT_EQ(second.result(), "2");
    EXPECT_THAT(second.log(), Contains(HasSubstr("not proven the secret of the test")));
    EXPECT_LE(second.log().size(), 3U) << "strangers do not fill the log";
}

std::int64_t residentMegabytes() {
    std::int64_t total = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * 4096 / (1 << 20);
}

TEST(PeerLinks, HelloOfSixHundredMegabytesIsCutOff) {
    const LocalCluster cluster(2);
    RunningTask second(cluster, 1);
    const std::int64_t before = residentMegabytes();
    const std::string piece(1 << 20, 'x');
    const std::string opening = CallerProof({}, {Purpose::kLink, 0, 1}, "", {}).opening();
    for (const std::string& beginning : {std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), opening}) {
        const RawSocket stranger(cluster.ports[1].port());
        stranger.send(beginning);
        int sent = 0;
        while (sent < 600 && stranger.send(piece)) ++sent;
        EXPECT_LT(sent, 64) << "what the system's buffers hold";
    }
    EXPECT_LT(residentMegabytes(), before + 64);
    RunningTask first(cluster, 0);
    EXPECT_EQ(first.result(), "2");
    EXPECT_EQ(second.result(), "2");
}

TEST(PeerLinks, FiveHundredRefusedCallersLeaveNothingBehind) {
    const LocalCluster cluster(2);
    RunningTask second(cluster, 1);
    const auto descriptors = [] { return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}); };
    const auto before = descriptors();
    for (int i = 0; i < 500; ++i) {
        const RawSocket stranger(cluster.ports[1].port());
        stranger.send(std::string(kOpeningBytes, 'x'));
        ASSERT_TRUE(stranger.isClosed()) << i;
    }
    EXPECT_LE(descriptors(), before + 1);
    RunningTask first(cluster, 0);
    EXPECT_EQ(first.result(), "2");
    EXPECT_EQ(second.result(), "2");
}

// Two tasks that are there already, with short patience for each other, while a third is awaited and strangers do what they can.
void floodWithCallers(std::vector<std::string>& results) {
    const LocalCluster cluster(3);
    const ConnectOptions options{.start_timeout = 180s, .operation_deadline = 180s, .heartbeat = 100ms, .lost_after = 1000ms};
    RunningTask second(cluster, 1, options), third(cluster, 2, options);
    const auto until = std::chrono::steady_clock::now() + 2s;
    int calls = 0;
    while (std::chrono::steady_clock::now() < until) {
        for (const std::size_t rank : {1U, 2U}) {
            const RawSocket stranger(cluster.ports[rank].port());
            stranger.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + std::string(100, '\0'));
            ++calls;
        }
    }
    if (second.isOver() || third.isOver()) {
        second.stop();
        third.stop();
        results = {second.result(), third.result()};
        return;
    }
    RunningTask first(cluster, 0, options);
    results = {calls > 100 ? "many calls" : "few calls", first.result(), second.result(), third.result()};
}

TEST(PeerLinks, FloodOfCallersDoesNotStarveHeartbeats) {
    std::vector<std::string> results;
    EXPECT_TRUE(holdsOnce([&] {
        floodWithCallers(results);
        return results == std::vector<std::string>{"many calls", "3", "3", "3"};
    })) << testing::PrintToString(results);
}

// A member that says goodbye without an end: the other two still hear each other.
void floodWithGoodbyes(std::vector<std::string>& results) {
    const LocalCluster cluster(3);
    const ConnectOptions options{.start_timeout = 3500ms, .operation_deadline = 60s, .heartbeat = 100ms, .lost_after = 700ms};
    RunningTask second(cluster, 1, options), third(cluster, 2, options);
    Insider insider(cluster, 1);
    insider.say(insider.hello());
    insider.say(sharedMemory(false));
    LinkMessage goodbye;
    goodbye.mutable_goodbye();
    std::atomic<int> seen = 0;
    std::jthread reader([&] {
        while (const auto message = insider.hear()) seen += message->has_goodbye_seen() ? 1 : 0;
    });
    const auto until = std::chrono::steady_clock::now() + 2s;
    int said = 0;
    while (std::chrono::steady_clock::now() < until && insider.say(goodbye)) ++said;
    results = {said > 1000 ? "many goodbyes" : "few goodbyes", second.result(), third.result()};
    reader.join();
    EXPECT_LE(seen, 1) << "one answer, however often it is said";
    results.push_back(seen == 1 ? "answered" : "not answered");
}

TEST(PeerLinks, FloodOfGoodbyesDoesNotStarveHeartbeats) {
    std::vector<std::string> results;
    EXPECT_TRUE(holdsOnce([&] {
        floodWithGoodbyes(results);
        // Each gives up for want of worker 0, not of the other.
        return testing::Matches(testing::ElementsAre("many goodbyes",
                                                     AllOf(HasSubstr("gave up waiting for worker 0"), Not(HasSubstr("no heartbeat"))),
                                                     Not(HasSubstr("no heartbeat")), "answered"))(results);
    })) << testing::PrintToString(results);
}

TEST(PeerLinks, MemberMustBeginWithItsHello) {
    const LocalCluster cluster(2);
    RunningTask second(cluster, 1);
    for (FirstWord& word : firstWords(cluster)) {
        if (word.message.has_hello()) continue;
        Insider insider(cluster, 1);
        insider.say(word.message);
        EXPECT_TRUE(insider.isEnded()) << word.name;
        EXPECT_FALSE(second.isOver()) << word.name;
    }
    RunningTask first(cluster, 0);
    EXPECT_EQ(first.result(), "2");
    EXPECT_EQ(second.result(), "2");
}

TEST(PeerLinks, MessageBeyondTheLimitEndsTheStream) {
    const LocalCluster cluster(2);
    RunningTask second(cluster, 1);
    Insider insider(cluster, 1);
    LinkMessage hello = insider.hello();
    hello.mutable_hello()->set_cluster(std::string(64 << 20, 'x'));
    insider.say(hello);
    EXPECT_FALSE(insider.hear()) << "not even a refusal: nobody has read it";
    EXPECT_FALSE(second.isOver());
    RunningTask first(cluster, 0);
    EXPECT_EQ(first.result(), "2");
    EXPECT_EQ(second.result(), "2");
}

TEST(PeerLinks, HelloWithoutASegmentAndWithoutAReasonSharesNoMemory) {
    const LocalCluster cluster(2);
    RunningTask second(cluster, 1);
    Insider insider(cluster, 1);
    LinkMessage hello = insider.hello();
    hello.mutable_hello()->clear_no_segment();
    insider.say(hello);
    ASSERT_TRUE(insider.hear().value_or(LinkMessage()).has_hello());
    const LinkMessage answer = insider.hear().value_or(LinkMessage());
    EXPECT_FALSE(answer.shared_memory().usable());
    EXPECT_EQ(answer.shared_memory().reason(), "it offers none");
    insider.say(sharedMemory(true));
    second.stop();
    EXPECT_THAT(second.result(), HasSubstr("stopped while waiting for worker 0")) << "its data stream never comes";
}

// Sends a message of data over a connection; true: the task hangs up.
bool refusesData(const RawSocket& socket) {
    const std::array<std::uint64_t, 3> message{7, 8, 0};  // tag, length, bytes
    socket.send({reinterpret_cast<const char*>(message.data()), sizeof message});
    for (int i = 0; i < 1000; ++i) {  // HTTP/2 says something before it goes
        if (socket.isClosed()) return true;
    }
    return false;
}
bool refusesData(const LocalCluster& cluster, Purpose purpose, const Session& link) {
    return refusesData(provenSocket(cluster.ports[1].port(), cluster.secret.key, {purpose, 0, 1}, link).first);
}

TEST(PeerLinks, DataIsTakenFromTheLeftNeighbourAlone) {
    const LocalCluster cluster(2);
    RunningTask second(cluster, 1);
    EXPECT_TRUE(refusesData(cluster, Purpose::kLink, {})) << "proven for something else";
    EXPECT_ANY_THROW(refusesData(cluster, Purpose::kData, {})) << "before the pair has a Link";
    EXPECT_TRUE(refusesData(RawSocket(cluster.ports[1].port()))) << "without a proof";
    RunningTask first(cluster, 0);
    EXPECT_EQ(first.result(), "2");
    EXPECT_EQ(second.result(), "2");
}

TEST(PeerLinks, DataComesOverAConnectionThatWasProvenForIt) {
    const LocalCluster cluster(2);
    RunningTask second(cluster, 1);
    Insider insider(cluster, 1);
    insider.say(insider.hello());
    ASSERT_TRUE(insider.hear() && insider.hear()) << "hello and shared memory: the pair has a Link";
    EXPECT_TRUE(refusesData(cluster, Purpose::kLink, {}));
    EXPECT_ANY_THROW(refusesData(cluster, Purpose::kData, {})) << "bound to no Link";
    EXPECT_FALSE(second.isOver());
    second.stop();
    EXPECT_THAT(second.result(), HasSubstr("stopped while waiting for worker 0"));
}

// Its Link lives, so that nobody else would say it before the operation's deadline.
TEST(PeerLinks, ADataStreamThatEndsWhileItsTaskLivesIsNamed) {
    const LocalCluster cluster(2);
    ConnectOptions options = kQuick;
    options.lost_after = 180s;
    RunningTask second(cluster, 1, options);
    Insider insider(cluster, 1);
    std::promise<Connection> called;
    ConnectionGate gate(
        {.secret = cluster.secret, .address = targetOf(cluster.ports[0].port()), .tasks = {{"worker 0", ""}, {"worker 1", ""}}, .rank = 0},
        {.called = [&called](Connection&& connection) { called.set_value(std::move(connection)); }, .answered = [] {}});
    gate.setLink(1, insider.session());
    insider.say(insider.hello());
    ASSERT_TRUE(insider.hear() && insider.hear()) << "hello and shared memory: the pair has a Link";
    insider.say(sharedMemory(true));
    auto from_second = called.get_future();
    ASSERT_EQ(from_second.wait_for(180s), std::future_status::ready);
    const Connection kept = from_second.get();
    EXPECT_EQ(kept.proven.call, (Call{Purpose::kData, 1, 0}));
    {
        const RawSocket to_second =
            provenSocket(cluster.ports[1].port(), cluster.secret.key, {Purpose::kData, 0, 1}, insider.session()).first;
    }
    EXPECT_THAT(second.result(), HasSubstr("worker 0 at " + *cluster.spec.address({"worker", 0}) + " broke the data stream: it ended"));
}

TEST(PeerLinks, TasksWithDifferentSecretsTellEachOtherNothing) {
    const LocalCluster cluster(2);
    const LinkSecret other{agent::convert::makeSecret(), "another secret"};
    RunningTask second(cluster, 1);
    const std::string suffix = "; what answers at " + *cluster.spec.address({"worker", 1}) + " has not proven another secret";
    std::vector<std::string> waiting;
    std::string error;
    // How long it takes until both have heard each other depends on the machine.
    std::chrono::milliseconds start_timeout = 500ms;
    EXPECT_TRUE(holdsOnce([&] {
        start_timeout *= 3;
        ConnectCallbacks callbacks;
        waiting.clear();
        callbacks.on_waiting = [&](const std::string& line, const auto&) { waiting.push_back(line); };
        try {
            connectCollective(cluster.plan(0), cluster.config(0), TransportChoice::kAuto, other,
                              {.start_timeout = start_timeout, .waiting_report = 300ms}, callbacks);
        } catch (const Error& failure) {
            EXPECT_EQ(failure.code(), ErrorCode::kDeadlineExceeded);
            error = failure.what();
        }
        return error.find(suffix) != std::string::npos && testing::Matches(Contains(testing::EndsWith(suffix)))(waiting);
    })) << error;
    EXPECT_THAT(error, HasSubstr("gave up waiting for worker 1"));
    EXPECT_TRUE(tests::support::eventually(
        [&] { return testing::Matches(Contains(HasSubstr("not proven the secret of the test")))(second.log()); }));
    second.stop();
    EXPECT_THAT(second.result(), HasSubstr("stopped while waiting for worker 0"));
    EXPECT_THAT(second.log(), Each(Not(HasSubstr("cluster"))));
}

// A gRPC server of somebody else at worker 1's port, which refuses everybody.
TEST(PeerLinks, StrangerInATasksSeatIsWaitedOut) {
    class Refuser final : public Collective::Service {
        grpc::Status Link(grpc::ServerContext*, grpc::ServerReaderWriter<LinkMessage, LinkMessage>* stream) override {
            LinkMessage refusal;
            refusal.mutable_refusal()->set_reason("go away");
            stream->Write(refusal);
            return grpc::Status::OK;
        }
    } refuser;
    const LocalCluster cluster(2);
    std::unique_ptr<RunningTask> first;
    {
        grpc::ServerBuilder builder;
        builder.AddListeningPort("127.0.0.1:" + std::to_string(cluster.ports[1].port()), grpc::InsecureServerCredentials());
        builder.RegisterService(&refuser);
        const auto server = builder.BuildAndStart();
        ASSERT_NE(server, nullptr);
        first = std::make_unique<RunningTask>(cluster, 0,
                                              ConnectOptions{.start_timeout = 180s, .operation_deadline = 180s, .waiting_report = 100ms});
        const auto named = [&] {
            const auto lines = first->waiting();
            return std::any_of(lines.begin(), lines.end(),
                               [](const auto& line) { return line.find("has not proven") != std::string::npos; });
        };
        tests::support::eventually([&] { return named() || first->isOver(); });
        EXPECT_TRUE(named());
        EXPECT_FALSE(first->isOver());
        server->Shutdown(std::chrono::system_clock::now());
    }
    RunningTask second(cluster, 1);
    EXPECT_EQ(first->result(), "2");
    EXPECT_EQ(second.result(), "2");
}

}  // namespace

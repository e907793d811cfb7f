#include "agent/hosts/far_agent.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "agent/client/agent_channel.h"
#include "agent/hosts/open_way.h"
#include "agent/hosts/owned_folder.h"
#include "agent/hosts/ssh_errors.h"
#include "agent/local/address_file.h"
#include "engine/spec/error.h"

namespace agent::hosts {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using engine::Error;

namespace {

constexpr std::chrono::milliseconds kFarAgentSlice{100}, kLook{5};
constexpr std::chrono::seconds kPing{5};
constexpr const char* kSocket = "agent.sock";

convert::AgentAddress addressAt(const fs::path& socket, const convert::AgentAddress& there) {
    convert::AgentAddress address = there;
    address.address = "unix:" + socket.string();
    return address;
}

}  // namespace

struct FarAgent::Parts {
    Parts(const Host& to, const FarOptions& options, Clock::time_point until)
        : host(to),
          way(openWay(host, socket(), options, until)),
          channel(std::make_shared<client::AgentChannel>(addressAt(socket(), way->agent().address), [this] { return !way->lost(); })),
          client(client::makeAgentClient(channel)) {}

    fs::path socket() const { return folder.path() / kSocket; }
    void waitForAnswer(const FarOptions& options, Clock::time_point until) {
        std::string reason;
        for (;;) {
            std::error_code ignored;
            if (const std::optional<Error> ended = way->lost()) {
                throw Error(*ended);
            }
            if (fs::exists(socket(), ignored)) {
                try {
                    channel->ping(std::min<std::chrono::milliseconds>(kPing, std::max(kFarAgentSlice, leftUntil(until))));
                    return;
                } catch (const Error& error) {
                    reason = error.what();
                }
                if (const std::optional<Error> obstacle = way->obstacle()) {
                    throw Error(*obstacle);
                }
            }
            requireTime(host, options, until, reason.empty() ? "ssh to forward the agent's socket" : "an answer of the agent there");
            std::this_thread::sleep_for(kLook);
        }
    }

    const Host host;
    const OwnedFolder folder{"far-"};  // the socket's
    const std::unique_ptr<Way> way;
    const std::shared_ptr<client::AgentChannel> channel;
    const std::unique_ptr<client::AgentClient> client;
};

FarAgent::FarAgent(const Host& host, const FarOptions& options) {
    const Clock::time_point until = Clock::now() + options.deadline;
    parts_ = std::make_unique<Parts>(host, options, until);
    parts_->waitForAnswer(options, until);
}

FarAgent::~FarAgent() = default;

client::AgentClient& FarAgent::client() {
    return *parts_->client;
}

client::ClockOffset FarAgent::clockOffset(int rounds, std::chrono::milliseconds deadline) {
    try {
        return client::offsetOf(
            client::takeReadings(rounds, deadline, [this](std::chrono::milliseconds left) { return parts_->channel->ping(left); }));
    } catch (const Error& error) {
        throw Error(error.code(), nameOf(parts_->host) + ": " + error.what());
    }
}

const std::shared_ptr<client::AgentChannel>& FarAgent::channel() const {
    return parts_->channel;
}

const std::string& FarAgent::farAddress() const {
    return parts_->way->farAddress();
}

const std::string& FarAgent::ownAddress() const {
    return parts_->way->ownAddress();
}

std::optional<Error> FarAgent::lost() const {
    return parts_->way->lost();
}

}  // namespace agent::hosts

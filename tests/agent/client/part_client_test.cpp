#include "agent/client/part_client.h"

#include <fstream>

#include <gtest/gtest.h>

#include "agent/client/local_agent.h"
#include "agent/local/secret.h"
#include "engine/spec/error.h"
#include "tests/agent/server/agent_fixture.h"
#include "tests/agent/server/fake_agent.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace std::chrono_literals;
using engine::Error;
using engine::ErrorCode;
using tests::agent_server::FakeAgent;

// "ports held", or the refusal.
std::string held(const std::vector<int>& answer, int tasks, const std::vector<int>& asked = {}) {
    FakeAgent there;
    there.ports = answer;
    try {
        return std::to_string(there.parts().prepare("{}", tasks, "home", asked, 180s).ports.size()) + " ports held";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
        return error.what();
    }
}

TEST(PartClient, TakesAPortForEachTaskAndNothingElse) {
    EXPECT_EQ(held({40001, 40002}, 2), "2 ports held");
    EXPECT_EQ(held({40002, 40001}, 2, {40002, 40001}), "2 ports held");
    EXPECT_EQ(held({40001}, 2), "part: expected 2 ports that the agent there holds, got 40001");
    EXPECT_EQ(held({}, 1), "part: expected 1 ports that the agent there holds, got none");
    EXPECT_EQ(held({0, 70000}, 2), "part: expected 2 ports that the agent there holds, got 0, 70000");
    EXPECT_EQ(held({40001, 40003}, 2, {40001, 40002}), "part: expected 2 ports that the agent there holds, got 40001, 40003");
}

TEST(PartClient, SendsNothingFromOutsideOfAFile) {
    const tests::support::TempDir dir;
    const std::filesystem::path file = dir.path() / "samples";
    std::ofstream(file) << "four";
    FakeAgent there;
    agent::client::PartClient parts = there.parts();
    for (const std::int64_t offset : {-1, 5}) {
        try {
            parts.sendFile(
                {"samples", 4, std::string(64, '0')}, file, offset, [](std::int64_t) { return true; }, 180s);
            ADD_FAILURE() << "sent from " << offset;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
            EXPECT_EQ(error.what(), file.string() + ": expected the agent there to have 0 to 4 bytes of it, got " + std::to_string(offset));
        }
    }
}

class PartOfARunTest : public tests::agent_server::AgentTest {};

TEST_F(PartOfARunTest, IsStartedOnceThoughItsHomeAsksTwice) {
    start("0:train");
    agent::client::PartClient parts(agent::client::reachLocalAgent("/nonexistent/tandem-agent", 180s));
    const std::string project = engine::spec::toProjectJson(tests::agent_server::AgentWorld::project());
    const agent::client::HeldPart held = parts.prepare(project, 1, "home", {}, 180s);
    const std::vector<agent::client::PartTask> tasks{
        {{"worker", 0}, held.ports.at(0), {agent::convert::makeSecret(), {"authority", "certificate", "key"}}}};
    const engine::run::RunInfo run = parts.start(held.id, project, tasks, "", "", 180s);
    EXPECT_EQ(parts.start(held.id, project, tasks, "", "", 180s).id, run.id) << "the answer may have been lost";
    EXPECT_EQ(client_->listRuns(180s).size(), 1U);
    EXPECT_THROW(parts.start("another", project, tasks, "", "", 180s), Error);
    control(run.id, engine::spec::ControlVerb::kStopNow);
    EXPECT_EQ(waitForEnd(run.id).id, run.id);
}

}  // namespace

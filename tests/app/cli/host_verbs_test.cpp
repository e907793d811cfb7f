// The verb `host`, with a list of the test's and looks that are answered here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/verb.h"
#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace app::cli {
namespace {

using agent::hosts::Host;
using agent::hosts::HostReport;
using ::testing::HasSubstr;

class HostVerbsTest : public ::testing::Test {
protected:
    HostVerbsTest() { ::setenv("XDG_CONFIG_HOME", dir_.path().c_str(), 1); }

    // The exit code.
    int run(const std::string& line) {
        out_.str("");
        err_.str("");
        Context context{.out = out_,
                        .err = err_,
                        .interrupts = [this] { return interrupts_; },
                        .check_hosts =
                            [this](const auto& hosts) {
                                std::vector<HostReport> reports;
                                for (const Host& host : hosts) {
                                    ++looks_;
                                    reports.push_back(report(host));
                                }
                                return reports;
                            }};
        CLI::App app("test", "tandem-cli");
        addHost(app, context);
        try {
            app.parse(line);
        } catch (const engine::Error& error) {
            err_ << "error: " << error.what() << '\n';
            return kFailed;
        } catch (const CLI::ParseError&) {
            return kUsage;
        }
        return context.exit_code;
    }
    HostReport report(const Host& host) const {
        HostReport report{.host = host};
        if (host.name == broken_) {
            report.problem = engine::Error(engine::ErrorCode::kUnavailable, host.name + ": expected an ssh server that answers");
            return report;
        }
        report.info.agent_version = "0.1.0";
        report.info.host_name = "vm";
        report.info.cores = 16;
        report.info.memory_bytes = std::int64_t{64} << 30;
        report.info.memory_available_bytes = std::int64_t{60} << 30;
        report.info.disk_available_bytes = std::int64_t{100} << 30;
        report.info.gpus.gpus = {{.name = "NVIDIA H100"}, {.name = "NVIDIA H100"}};
        report.clock = {.offset = std::chrono::microseconds(-1250), .round_trip = std::chrono::microseconds(300)};
        return report;
    }

    tests::support::TempDir dir_;
    std::ostringstream out_, err_;
    std::string broken_;
    int interrupts_ = 0, looks_ = 0;
};

TEST_F(HostVerbsTest, AddsListsChecksAndRemoves) {
    EXPECT_EQ(run("host list"), kDone);
    EXPECT_THAT(out_.str(), HasSubstr("No host yet"));
    EXPECT_EQ(run("host add node1 --ssh ann@10.0.0.9:2222"), kDone) << err_.str();
    EXPECT_THAT(out_.str(), HasSubstr("Added node1 to " + (dir_.path() / "tandem" / "hosts.json").string()));
    EXPECT_EQ(run("host add node2 --folder /opt/tandem"), kDone) << err_.str();
    EXPECT_EQ(run("host list"), kDone);
    EXPECT_EQ(out_.str(), "node1  ann@10.0.0.9:2222  .local/share/tandem/bundle/current\nnode2  node2  /opt/tandem\n");
    EXPECT_EQ(run("host check node1"), kDone);
    EXPECT_EQ(
        out_.str(),
        "node1  ok     Tandem 0.1.0, 16 cores, memory 60.0 GB free of 64.0 GB, 2 x NVIDIA H100, disk 100.0 GB free, clock -1.25 ms\n");
    EXPECT_EQ(run("host remove node1"), kDone);
    EXPECT_EQ(run("host list"), kDone);
    EXPECT_EQ(out_.str(), "node2  node2  /opt/tandem\n");
}

TEST_F(HostVerbsTest, AddsNothingThatCannotBeUsedUnlessToldTo) {
    broken_ = "node1";
    EXPECT_EQ(run("host add node1"), kFailed);
    EXPECT_EQ(err_.str(), "error: node1: expected an ssh server that answers; it was not added (--no-check adds it all the same)\n");
    EXPECT_EQ(run("host list --json"), kDone);
    EXPECT_EQ(out_.str(), "");
    looks_ = 0;
    EXPECT_EQ(run("host add node1 --no-check"), kDone);
    EXPECT_EQ(looks_, 0);
    EXPECT_EQ(run("host add node1"), kFailed);
    EXPECT_THAT(err_.str(), HasSubstr("node1: expected a name that is not in the list yet"));
    EXPECT_EQ(looks_, 0) << "the list is asked first";
}

TEST_F(HostVerbsTest, EndsWithOneWhenOneOfThemCannotBeUsed) {
    run("host add node1 --no-check");
    run("host add node2 --no-check");
    broken_ = "node1";
    EXPECT_EQ(run("host check --json"), kFailed);
    std::istringstream lines(out_.str());
    std::string line;
    std::getline(lines, line);
    const auto first = nlohmann::json::parse(line);
    EXPECT_EQ(first["name"], "node1");
    EXPECT_EQ(first["ok"], false);
    EXPECT_EQ(first["problem"], "node1: expected an ssh server that answers");
    std::getline(lines, line);
    const auto second = nlohmann::json::parse(line);
    EXPECT_EQ(second["ok"], true);
    EXPECT_EQ(second["clock_offset_ms"], -1.25);
    EXPECT_EQ(second["round_trip_ms"], 0.3);
    EXPECT_EQ(second["cores"], 16);
    EXPECT_EQ(second["gpus"].size(), 2U);
    EXPECT_EQ(run("host check node2"), kDone);
}

TEST_F(HostVerbsTest, RefusesWhatIsNoNameAndWhatIsNotInTheList) {
    EXPECT_EQ(run("host add -- -oProxyCommand=id"), kUsage);
    EXPECT_EQ(run("host add localhost"), kUsage);
    EXPECT_EQ(run("host add node1 --ssh node1:http"), kUsage);
    EXPECT_EQ(err_.str(), "error: --ssh: expected [USER@]HOST[:PORT], got node1:http\n");
    EXPECT_EQ(run("host add node1 --ssh=-oProxyCommand=id"), kUsage);
    EXPECT_EQ(run("host check node9"), kFailed);
    EXPECT_THAT(err_.str(), HasSubstr("node9: expected a host of the list, which is empty; tandem-cli host add node9 adds it"));
    EXPECT_EQ(run("host remove node9"), kFailed);
    EXPECT_EQ(run("host"), kUsage);
    EXPECT_EQ(looks_, 0);
}

TEST_F(HostVerbsTest, EndsAsInterruptedAndAddsNothing) {
    interrupts_ = 1;
    EXPECT_EQ(run("host add node1"), kInterrupted);
    interrupts_ = 0;
    run("host list --json");
    EXPECT_EQ(out_.str(), "");
}

}  // namespace
}  // namespace app::cli

// The verb `host`, with a list of the test's and looks that are answered here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "app/cli/verb.h"
#include "engine/spec/error.h"
#include "tests/support/small_bundle.h"
#include "tests/support/temp_dir.h"

namespace app::cli {
namespace {

using agent::hosts::Bundle;
using agent::hosts::Host;
using agent::hosts::HostReport;
using agent::hosts::Installation;
using agent::hosts::Progress;
using ::testing::HasSubstr;

class HostVerbsTest : public ::testing::Test {
protected:
    HostVerbsTest() { ::setenv("XDG_CONFIG_HOME", dir_.path().c_str(), 1); }

    // The exit code.
    int run(const std::string& line) {
        out_.str("");
        err_.str("");
        Context context{
            .out = out_,
            .err = err_,
            .out_is_terminal = is_terminal_,
            .share_dir = dir_.path(),
            .interrupts = [this] { return interrupts_; },
            .check_hosts =
                [this](const auto& hosts) {
                    std::vector<HostReport> reports;
                    for (const Host& host : hosts) {
                        ++looks_;
                        reports.push_back(report(host));
                    }
                    return reports;
                },
            .install_on = [this](const Host& host, const Bundle& bundle, const auto& progress) { return install(host, bundle, progress); }};
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
        if (empty_.contains(host.name)) {
            report.problem = engine::Error(engine::ErrorCode::kNotFound, host.name + ": expected Tandem, found none");
            return report;
        }
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

    Installation install(const Host& host, const Bundle& bundle, const std::function<void(Progress)>& progress) {
        if (host.name == broken_) {
            throw engine::Error(engine::ErrorCode::kResourceExhausted, host.name + ": expected 1.0 MB of free disk, got 0.0 MB");
        }
        Installation installation{.program = "/home/ann/bin/tandem-agent", .version = bundle.version};
        installation.was_there = !empty_.contains(host.name) && old_.empty();
        installation.before = old_;
        for (const std::uint64_t sent : {0u, 1u << 20, 2u << 20}) {
            if (!installation.was_there) {
                progress({sent, 2u << 20});
            }
        }
        empty_.erase(host.name);
        return installation;
    }
    std::string writeBundle() const { return tests::support::writeBundle(dir_.path(), {.version = "0.1.0"}).string(); }

    tests::support::TempDir dir_;
    std::ostringstream out_, err_;
    std::string broken_, old_;
    std::set<std::string> empty_;  // hosts where no Tandem lies
    bool is_terminal_ = false;
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
    EXPECT_EQ(first["code"], "TDM-H002");
    std::getline(lines, line);
    const auto second = nlohmann::json::parse(line);
    EXPECT_EQ(second["ok"], true);
    EXPECT_EQ(second["clock_offset_ms"], -1.25);
    EXPECT_EQ(second["round_trip_ms"], 0.3);
    EXPECT_EQ(second["cores"], 16);
    EXPECT_EQ(second["gpus"].size(), 2U);
    EXPECT_EQ(run("host check node2"), kDone);
    EXPECT_EQ(run("host check node1"), kFailed);
    EXPECT_THAT(out_.str(), HasSubstr("error  node1: expected an ssh server that answers (TDM-H002)\n"));
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

TEST_F(HostVerbsTest, InstallsWhereNoTandemLies) {
    empty_ = {"node1", "node2", "node3"};
    EXPECT_EQ(run("host add node1 --bundle " + writeBundle()), kDone) << err_.str();
    EXPECT_THAT(out_.str(), HasSubstr("node1  Tandem 0.1.0 installed: /home/ann/bin/tandem-agent\nnode1  Tandem 0.1.0, 16 cores"));
    EXPECT_EQ(looks_, 2);
    std::filesystem::rename(writeBundle(), dir_.path() / "bundle.tar.gz");
    EXPECT_EQ(run("host add node2"), kDone) << "the one beside the programs: " << err_.str();
    EXPECT_EQ(run("host add node3 --no-install"), kFailed);
    EXPECT_EQ(err_.str(), "error: node3: expected Tandem, found none; it was not added (--no-check adds it all the same)\n");
    broken_ = "node3";
    EXPECT_EQ(run("host add node3"), kFailed);
    EXPECT_THAT(err_.str(), HasSubstr("error: node3: expected 1.0 MB of free disk"));
}

TEST_F(HostVerbsTest, SaysHowToMakeABundleWhereThereIsNone) {
    empty_ = {"node1"};
    EXPECT_EQ(run("host add node1"), kFailed);
    EXPECT_THAT(err_.str(),
                HasSubstr("bundle.tar.gz: expected an archive of Tandem for other computers, found none: in the source tree bash "
                          "installer/bundle.sh FILE.tar.gz makes one"));
    run("host add node1 --no-check");
    EXPECT_EQ(run("host update node1"), kFailed);
    EXPECT_THAT(err_.str(), HasSubstr("found none: in the source tree bash installer/bundle.sh"));
}

TEST_F(HostVerbsTest, UpdatesThoseThatAreNamedOrAll) {
    run("host add node1 --no-check");
    run("host add node2 --no-check");
    const std::string bundle = " --bundle " + writeBundle();
    EXPECT_EQ(run("host update node1" + bundle), kDone);
    EXPECT_EQ(out_.str(), "node1  Tandem 0.1.0 is there: /home/ann/bin/tandem-agent\n");
    old_ = "0.0.9";
    broken_ = "node1";
    EXPECT_EQ(run("host update --all" + bundle), kFailed);
    EXPECT_EQ(err_.str(), "error: node1: expected 1.0 MB of free disk, got 0.0 MB\n");
    EXPECT_EQ(out_.str(), "node2  Tandem 0.1.0 installed: /home/ann/bin/tandem-agent, in the place of 0.0.9\n") << "one hides no other";
    EXPECT_EQ(run("host update" + bundle), kUsage);
    EXPECT_EQ(run("host update node1 --all" + bundle), kUsage);
    EXPECT_EQ(run("host update node9" + bundle), kFailed);
}

TEST_F(HostVerbsTest, TellsHowFarItIs) {
    run("host add node1 --no-check");
    const std::string bundle = " --bundle " + writeBundle();
    old_ = "0.0.9";
    EXPECT_EQ(run("host update node1 --json" + bundle), kDone);
    std::vector<nlohmann::json> lines;
    std::istringstream text(out_.str());
    for (std::string line; std::getline(text, line);) {
        lines.push_back(nlohmann::json::parse(line));
    }
    ASSERT_EQ(lines.size(), 3U) << out_.str();
    EXPECT_EQ(lines[0], (nlohmann::json{{"name", "node1"}, {"sent_bytes", 1 << 20}, {"all_bytes", 2 << 20}}));
    EXPECT_EQ(lines[1]["sent_bytes"], 2 << 20);
    EXPECT_EQ(lines[2]["ok"], true);
    EXPECT_EQ(lines[2]["before"], "0.0.9");
    EXPECT_EQ(lines[2]["installed"], true);
    is_terminal_ = true;
    EXPECT_EQ(run("host update node1" + bundle), kDone);
    EXPECT_THAT(out_.str(), HasSubstr("\r\033[Knode1  sending Tandem: 2.0 of 2.0 MB, unpacking\r\033[Knode1  Tandem 0.1.0 installed"));
}

}  // namespace
}  // namespace app::cli

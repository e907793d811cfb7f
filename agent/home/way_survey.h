// Measures the ways between the computers of a cluster: each listens where its tasks will, and calls the others. First everybody calls all
// others at once, to see whether they are reached; then pairs are measured in rounds, so that no computer has two measurements at a time.
//
//   serve (every computer) ─▶ call all (every computer, at once) ─▶ rounds of pairs, one direction after the other ─▶ again what looks slow
//
// Both ends are workers that live as long as their question: when home is killed, their agents lose the connection and end them.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "agent/client/watch.h"
#include "engine/spec/events/engine_question.h"

namespace agent::home {

struct SurveyHost {
    std::string name;                          // as the ways are to name it
    std::vector<engine::spec::WayTask> tasks;  // that listen there
    // Asks the agent there, as AgentClient::ask: from several threads.
    std::function<engine::spec::EngineAnswer(const engine::spec::EngineQuestion&, const client::AskOptions&)> ask;
    std::string obstacle;  // why it can take no part; empty: it can
};

struct SurveyOptions {
    std::chrono::milliseconds listen_within{10'000};  // until a computer listens
    std::chrono::milliseconds call_within{15'000};    // of one question to call, its worker's start included
    std::chrono::milliseconds whole{45'000};          // nothing is begun after that
    std::function<bool()> is_cancelled{};             // from any thread
};

// Pairs of numbers below `count`, every one once, in rounds in which no number comes twice.
std::vector<std::vector<std::pair<std::size_t, std::size_t>>> pairRounds(std::size_t count);

// Measures every ordered pair of hosts and returns the ways, by the first and then by the second in the order of the hosts. Never throws: a
// way that could not be measured says why.
std::vector<engine::spec::HostWay> surveyWays(const std::vector<SurveyHost>& hosts, const SurveyOptions& options);

}  // namespace agent::home

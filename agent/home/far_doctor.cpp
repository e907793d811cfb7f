#include "agent/home/far_doctor.h"

#include <algorithm>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "agent/home/doctor_visit.h"
#include "agent/hosts/host_list.h"
#include "agent/server/process/port_reservation.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/error.h"

namespace agent::home {

namespace spec = engine::spec;

namespace {

constexpr std::chrono::seconds kReach{10}, kOwnAgentCall{3}, kOwnPortsFree{3};
constexpr std::chrono::milliseconds kOwnPortsLook{20};
constexpr std::size_t kAtOnce = 16;
constexpr std::size_t kMostSurveyed = 64;  // computers between which ways are measured

// The tasks that others call, where they listen. `reached`: the address that stands in for names.
std::vector<spec::WayTask> wayTasks(const server::FarQuestion& question, const std::vector<int>& ports, const std::string& reached) {
    std::vector<spec::WayTask> tasks;
    for (std::size_t i = 0; i < std::min(question.tasks.size(), ports.size()); ++i) {
        const server::FarTask& task = question.tasks[i];
        if (task.is_linked) {
            tasks.push_back({toString(task.task), spec::joinHostPort(task.address.empty() ? reached : task.address, ports[i])});
        }
    }
    return tasks;
}

bool hasLinkedTask(const server::FarQuestion& question) {
    return std::any_of(question.tasks.begin(), question.tasks.end(), [](const server::FarTask& task) { return task.is_linked; });
}

// One case.
class Round {
public:
    Round(const server::FarCase& asked, const FarDoctorOptions& options) : case_(asked), options_(options) {
        sight_.looks.resize(asked.questions.size());
        visits_.resize(asked.questions.size());
    }

    server::FarSight make() {
        lookAtAll();
        survey();
        return std::move(sight_);
    }

private:
    bool isCancelled() const { return case_.is_cancelled && case_.is_cancelled(); }

    void lookAtAll() {
        std::vector<hosts::Host> known;
        try {
            known = hosts::HostList().list();
        } catch (const engine::Error&) {  // a list that can't be read knows nobody; a launch says why
        }
        const std::size_t count = case_.questions.size();
        for (std::size_t first = 0; first < count && !isCancelled(); first += kAtOnce) {
            std::vector<std::future<void>> asked;
            for (std::size_t i = first; i < std::min(first + kAtOnce, count); ++i) {
                if (const hosts::Host* host = hosts::hostNamed(known, case_.questions[i].host); host != nullptr) {
                    asked.push_back(std::async(std::launch::async, [this, i, host] { lookAt(*host, i); }));
                }
            }
            for (std::future<void>& one : asked) {
                one.get();
            }
        }
    }

    void lookAt(const hosts::Host& host, std::size_t at) {
        server::FarLook& look = sight_.looks[at];
        look.is_known = true;
        try {
            visits_[at] = std::make_unique<DoctorVisit>(
                host,
                hosts::FarOptions{
                    .version = options_.version, .deadline = kReach, .ssh_agent = case_.ssh_agent, .is_cancelled = case_.is_cancelled});
            visits_[at]->look(case_.questions[at], case_.project_json, *options_.digests, look);
        } catch (const std::exception& error) {  // also of this computer: a folder or a thread that can't be made just now
            look.problem = error.what();
        }
    }

    // Returns why a computer takes no part in the measurement.
    std::string obstacleOf(std::size_t at) const {
        const server::FarLook& look = sight_.looks[at];
        return !look.is_known                              ? "it is not in the list of hosts"
               : !look.problem.empty()                     ? "it was not reached"
               : !look.refusal.empty()                     ? "it can't have its tasks"
               : visits_[at]->ports().empty()              ? "it did not answer in time"
               : visits_[at]->agent().farAddress().empty() ? "its sshd does not say by which address it was reached"
                                                           : "";
    }

    SurveyHost thisHost(const std::vector<int>& ports, const std::string& address, client::AgentClient* client) const {
        return {.name = case_.here.host,
                .tasks = wayTasks(case_.here, ports, address),
                .ask = [client](const spec::EngineQuestion& question,
                                const client::AskOptions& options) { return client->ask(question, options); },
                .obstacle = client == nullptr ? "its agent does not answer"
                            : address.empty() ? "nobody has said by which address it is reached"
                                              : ""};
    }

    void survey() {
        std::vector<SurveyHost> hosts;
        std::string address_here;
        for (const auto& visit : visits_) {
            address_here = address_here.empty() && visit ? visit->agent().ownAddress() : address_here;
        }
        std::unique_ptr<client::AgentClient> here;
        std::vector<server::PortReservation> held;
        std::vector<int> ports;
        if (hasLinkedTask(case_.here)) {
            try {
                here = options_.agent_here ? options_.agent_here(kOwnAgentCall) : client::connectLocalAgent("", kOwnAgentCall);
                for (const server::FarTask& task : case_.here.tasks) {
                    if (task.port == 0) {
                        held.push_back(server::PortReservation::anyPort());
                    }
                    ports.push_back(task.port > 0 ? task.port : held.back().port());
                }
            } catch (const engine::Error&) {
                here.reset();
            }
            hosts.push_back(thisHost(ports, address_here, here.get()));
        }
        for (std::size_t i = 0; i < visits_.size() && hosts.size() < kMostSurveyed; ++i) {
            if (!hasLinkedTask(case_.questions[i])) {
                continue;
            }
            SurveyHost& host =
                hosts.emplace_back(SurveyHost{.name = case_.questions[i].host, .tasks = {}, .ask = {}, .obstacle = obstacleOf(i)});
            if (host.obstacle.empty()) {
                DoctorVisit& visit = *visits_[i];
                host.tasks = wayTasks(case_.questions[i], visit.ports(), visit.agent().farAddress());
                host.ask = [&visit](const spec::EngineQuestion& question, const client::AskOptions& options) {
                    return visit.agent().client().ask(question, options);
                };
            }
        }
        const auto takes_part = [](const SurveyHost& host) { return host.obstacle.empty(); };
        if (std::count_if(hosts.begin(), hosts.end(), takes_part) < 2) {
            return;  // the rows of the hosts say why
        }
        SurveyOptions survey = options_.survey;
        survey.is_cancelled = [this] { return isCancelled(); };
        sight_.ways = surveyWays(hosts, survey);
        freePorts();
    }

    // Frees the ports, so that a run that is started at once finds them as it would have before.
    void freePorts() {
        std::vector<std::future<void>> freed;
        for (std::size_t i = 0; i < visits_.size(); ++i) {
            if (visits_[i]) {
                freed.push_back(std::async(std::launch::async, [this, i] { visits_[i]->freePorts(case_.questions[i]); }));
            }
        }
        const auto until = std::chrono::steady_clock::now() + kOwnPortsFree;
        for (const int port : sight_.ways.empty() ? std::vector<int>() : writtenPorts(case_.here)) {
            while (!isFree(port) && std::chrono::steady_clock::now() < until) {
                std::this_thread::sleep_for(kOwnPortsLook);
            }
        }
    }

    static bool isFree(int port) {
        try {
            server::PortReservation::thisPort(port);
            return true;
        } catch (const engine::Error&) {
            return false;
        }
    }

    const server::FarCase& case_;
    const FarDoctorOptions& options_;
    server::FarSight sight_;
    std::vector<std::unique_ptr<DoctorVisit>> visits_;  // of the questions; null: not reached
};

}  // namespace

server::FarDoctor doctorOverSsh(FarDoctorOptions options) {
    return [options = std::move(options)](const server::FarCase& asked) { return Round(asked, options).make(); };
}

}  // namespace agent::home

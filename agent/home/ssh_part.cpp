#include "agent/home/ssh_part.h"

#include <algorithm>
#include <future>
#include <map>
#include <optional>
#include <utility>

#include "agent/home/far_files.h"
#include "agent/home/part_run.h"
#include "agent/hosts/host_list.h"
#include "agent/server/host/host_probe.h"
#include "engine/spec/error.h"

namespace agent::home {

namespace spec = engine::spec;
using engine::Error;
using engine::ErrorCode;

namespace {

constexpr std::chrono::seconds kPrepareDeadline{20}, kDropDeadline{2};

class SshPart final : public server::FarPart {
public:
    // Reaches the host and holds its ports. Throws Error naming the host.
    SshPart(const hosts::Host& host, const server::PartRequest& request, const std::string& project_json, const std::string& ssh_agent,
            HomeOptions options)
        : options_(std::move(options)),
          link_(
              std::make_shared<HostLink>(host, hosts::FarOptions{.version = options_.version, .ssh_agent = ssh_agent, .is_cancelled = {}})),
          address_(link_->live()->agent().farAddress()),
          address_of_home_(link_->live()->agent().ownAddress()) {
        if (address_.empty() || address_of_home_.empty()) {
            throw Error(ErrorCode::kFailedPrecondition,
                        host.name + ": expected its sshd to say by which addresses it was reached (SSH_CONNECTION), it did not");
        }
        FilesThere there;
        try {
            there = files_->get(project_json, link_->live()->parts(), kPrepareDeadline);
            held_ = link_->live()->parts().prepare(projectThere(project_json, there), request.tasks, server::hostName(), request.ports,
                                                   kPrepareDeadline);
        } catch (const Error& error) {
            throw Error(error.code(), namedAsHere(host.name + ": " + error.what(), there));
        }
    }

    // Its tasks run there already.
    SshPart(const hosts::Host& host, std::vector<server::StandingPart> standing, const std::string& ssh_agent, HomeOptions options)
        : options_(std::move(options)),
          link_(std::make_shared<HostLink>(host, hosts::FarOptions{.version = options_.version, .ssh_agent = ssh_agent, .is_cancelled = {}},
                                           HostLink::Later::kYes)),
          standing_(std::move(standing)) {
        for (const server::StandingPart& part : standing_) {
            held_.ports.insert(held_.ports.end(), part.ports.begin(), part.ports.end());
        }
    }

    ~SshPart() override {
        const std::shared_ptr<HostLink::Live> live = runs_.empty() ? link_->live() : nullptr;
        if (!live) {
            return;
        }
        try {
            live->parts().drop(held_.id, kDropDeadline);
        } catch (const Error&) {  // it lets go by itself
        }
    }
    SshPart(const SshPart&) = delete;
    SshPart& operator=(const SshPart&) = delete;

    const std::string& host() const override { return link_->host().name; }
    const std::string& address() const override { return address_; }
    const std::vector<int>& ports() const override { return held_.ports; }
    const std::string& addressOfHome() const override { return address_of_home_; }
    void plan(server::PartPlan plan) override { plan_ = std::move(plan); }

    void goOnWith(server::PartChange change) override {
        ENGINE_CHECK(plan_.together && !change.kept.empty());
        std::vector<spec::TaskId> tasks;
        std::vector<int> ports;
        for (const auto& [before, now] : change.kept) {
            const auto at = std::find(plan_.tasks.begin(), plan_.tasks.end(), before) - plan_.tasks.begin();
            tasks.push_back(now);
            ports.push_back(held_.ports.at(static_cast<std::size_t>(at)));
        }
        if (auto run = runs_.extract(plan_.tasks.front())) {
            run.key() = tasks.front();
            runs_.insert(std::move(run));
        }
        plan_.tasks = std::move(tasks);
        plan_.project_json = std::move(change.project_json);
        plan_.chief = change.chief;
        held_.ports = std::move(ports);
        sends_backup_ = change.lacks_backup;
    }

    std::unique_ptr<server::Process> launch(const spec::TaskId& task) override {
        std::unique_ptr<PartRun>& run = runs_[plan_.together ? plan_.tasks.front() : task];
        if (!run || run->isLaunched()) {
            PartRunOptions options = optionsOf(plan_.together ? plan_.tasks : std::vector<spec::TaskId>{task});
            options.held = run ? "" : held_.id;
            const auto part = std::find_if(standing_.begin(), standing_.end(),
                                           [&](const server::StandingPart& one) { return !run && one.tasks == options.tasks; });
            if (part != standing_.end()) {
                options.standing = *part;
            }
            run = std::make_unique<PartRun>(link_, std::move(options), std::move(run));
            sends_backup_ = false;  // from then on the chief's own folder has it
        }
        return run->launch(task);
    }

private:
    PartRunOptions optionsOf(const std::vector<spec::TaskId>& tasks) const {
        PartRunOptions options;
        options.run_id = plan_.run_id;
        options.loads = plan_.loads;
        options.project_json = plan_.project_json;
        options.tasks = tasks;
        for (const spec::TaskId& task : tasks) {
            const auto at = std::find(plan_.tasks.begin(), plan_.tasks.end(), task) - plan_.tasks.begin();
            options.ports.push_back(held_.ports.at(static_cast<std::size_t>(at)));
            options.brings_home = options.brings_home || task == plan_.chief;
        }
        options.folder = plan_.folder;
        options.goes_on = plan_.goes_on;
        options.patience = plan_.patience;
        options.log = options_.log;
        options.is_ending = options_.is_ending;
        options.files = files_;
        options.sends_backup = sends_backup_ && options.brings_home;
        return options;
    }

    const HomeOptions options_;
    const std::shared_ptr<HostLink> link_;
    const std::shared_ptr<KnownFiles> files_ = std::make_shared<KnownFiles>(options_.digests);
    const std::string address_, address_of_home_;
    const std::vector<server::StandingPart> standing_;
    client::HeldPart held_;
    server::PartPlan plan_;
    bool sends_backup_ = false;
    std::map<spec::TaskId, std::unique_ptr<PartRun>> runs_;  // by the first of their tasks
};

}  // namespace

server::PartMaker partsOverSsh(HomeOptions options) {
    return [options = std::move(options)](const std::vector<server::PartRequest>& requests, const std::string& project_json,
                                          const std::string& ssh_agent) {
        const std::vector<hosts::Host> known = hosts::HostList().list();
        std::vector<hosts::Host> wanted;
        for (const server::PartRequest& request : requests) {
            const hosts::Host* host = hosts::hostNamed(known, request.host);
            if (host == nullptr) {
                hosts::throwUnknownHost(request.host, known);
            }
            if (std::any_of(wanted.begin(), wanted.end(), [&](const hosts::Host& one) { return one.name == host->name; })) {
                throw Error(ErrorCode::kInvalidArgument, "hosts: expected each computer under one name, got " + request.host + " and " +
                                                             host->name + " for the same one");
            }
            wanted.push_back(*host);
        }
        std::vector<std::future<std::shared_ptr<server::FarPart>>> reached;
        for (std::size_t i = 0; i < requests.size(); ++i) {
            reached.push_back(std::async(std::launch::async, [&, i]() -> std::shared_ptr<server::FarPart> {
                if (!requests[i].standing.empty()) {
                    return std::make_shared<SshPart>(wanted[i], requests[i].standing, ssh_agent, options);
                }
                return std::make_shared<SshPart>(wanted[i], requests[i], project_json, ssh_agent, options);
            }));
        }
        std::vector<std::shared_ptr<server::FarPart>> parts;
        std::optional<Error> failed;
        for (auto& one : reached) {
            try {
                parts.push_back(one.get());
            } catch (const Error& error) {
                failed = failed ? Error(failed->code(), std::string(failed->what()) + "\n" + error.what()) : error;
            }
        }
        if (failed) {
            throw Error(*failed);
        }
        return parts;
    };
}

}  // namespace agent::home

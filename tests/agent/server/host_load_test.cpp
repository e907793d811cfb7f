#include "agent/load/host_load_meter.h"

#include <atomic>
#include <condition_variable>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <mutex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "agent/server/host/host_sampler.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace agent::load;
using namespace agent::server;
using namespace std::chrono_literals;
using engine::spec::HostLoad;

constexpr std::chrono::seconds kDeadline{180};

// A /proc and /sys of files, and the meter's clock by hand.
class FakeKernel {
public:
    FakeKernel() {
        write("proc/net/dev", "");
        write("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 400 kB\n");
    }
    void write(const std::string& file, const std::string& text) const {
        const std::filesystem::path path = dir_.path() / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    // Of the first processor that this process may run on, so that it counts wherever the test runs.
    void cpu(int busy, int idle) const {
        std::string text;
        for (int i = 0; i < 1024; ++i)
            text += "cpu" + std::to_string(i) + " " + std::to_string(busy) + " 0 0 " + std::to_string(idle) + "\n";
        write("proc/stat", text);
    }
    void process(int pid, int ticks, int start = 5) const {
        write("proc/" + std::to_string(pid) + "/stat", std::to_string(pid) + " (worker) R 1 1 1 0 0 0 0 0 0 0 " + std::to_string(ticks) +
                                                           " 0 0 0 20 0 1 0 " + std::to_string(start) + " 1 100 0\n");
    }
    void end(int pid) const { std::filesystem::remove_all(dir_.path() / "proc" / std::to_string(pid)); }
    HostLoadMeter meter() const { return HostLoadMeter({dir_.path() / "proc", dir_.path() / "sys"}); }

private:
    tests::support::TempDir dir_;
};

const std::vector<LiveTask> kTasks{{"run", {"worker", 0}, 11}, {"run", {"worker", 1}, 12}};
const double kTicks = static_cast<double>(::sysconf(_SC_CLK_TCK));

TEST(HostLoadMeter, TellsWhatLiesBetweenTwoReadings) {
    const FakeKernel kernel;
    HostLoadMeter meter = kernel.meter();
    const auto start = std::chrono::steady_clock::now();
    kernel.cpu(1000, 1000);
    kernel.process(11, 400);
    EXPECT_EQ(meter.read(kTasks, start, 1), std::nullopt) << "nothing to compare with";
    kernel.cpu(1075, 1025);
    kernel.process(11, 400 + static_cast<int>(kTicks));
    const auto load = meter.read(kTasks, start + 2s, 7);
    ASSERT_TRUE(load);
    EXPECT_EQ(load->time_unix_ns, 7);
    EXPECT_DOUBLE_EQ(load->interval_s, 2);
    EXPECT_GT(load->cores, 0);
    EXPECT_DOUBLE_EQ(load->cpu_cores, 0.75 * load->cores);
    EXPECT_EQ(load->memory_used_bytes, 600 * 1024);
    EXPECT_EQ(load->memory_bytes, 1000 * 1024);
    ASSERT_EQ(load->tasks.size(), 1U) << "worker 1 is not there";
    EXPECT_EQ(load->tasks[0].task, (engine::spec::TaskId{"worker", 0}));
    EXPECT_EQ(load->tasks[0].pid, 11);
    EXPECT_DOUBLE_EQ(load->tasks[0].cpu_cores, 0.5);
    EXPECT_EQ(load->tasks[0].exchange, std::nullopt);
    EXPECT_EQ(load->tasks[0].resident_bytes, 100 * ::sysconf(_SC_PAGESIZE));
}

TEST(HostLoadMeter, PassesOnWhereATaskIsInItsExchange) {
    const FakeKernel kernel;
    HostLoadMeter meter = kernel.meter();
    const auto start = std::chrono::steady_clock::now();
    kernel.process(11, 1);
    const engine::spec::ExchangeState exchange{.sequence = 3, .awaited = {}, .step_wait_s = {}, .age_s = 0.5};
    const std::vector<LiveTask> tasks{{"run", {"worker", 0}, 11, exchange}};
    meter.read(tasks, start, 1);
    const auto load = meter.read(tasks, start + 1s, 2);
    ASSERT_EQ(load->tasks.size(), 1U);
    EXPECT_EQ(load->tasks[0].exchange, exchange);
}

TEST(HostLoadMeter, CountsAProcessThatIsNewFromItsStart) {
    const FakeKernel kernel;
    HostLoadMeter meter = kernel.meter();
    const auto start = std::chrono::steady_clock::now();
    kernel.process(11, 5000);
    meter.read(kTasks, start, 1);
    kernel.process(11, static_cast<int>(kTicks), 99);  // another process got the number
    const auto load = meter.read(kTasks, start + 1s, 2);
    ASSERT_EQ(load->tasks.size(), 1U);
    EXPECT_DOUBLE_EQ(load->tasks[0].cpu_cores, 1);
}

TEST(HostLoadMeter, SurvivesFilesThatAreNotThere) {
    HostLoadMeter meter({"/nonexistent/proc", "/nonexistent/sys"});
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(meter.read(kTasks, start, 1));
    const auto load = meter.read(kTasks, start + 1s, 2);
    ASSERT_TRUE(load);
    EXPECT_EQ(*load, (HostLoad{.time_unix_ns = 2, .interval_s = 1, .tasks = {}}));
}

TEST(HostLoadMeter, CountsCardsAloneWhereThereAreCards) {
    const FakeKernel kernel;
    const auto network = [&](int base) {
        const auto line = [&](const std::string& name, int factor) {
            const std::string bytes = std::to_string(base * factor);
            return name + ": " + bytes + " 0 0 0 0 0 0 0 " + bytes + " 0\n";
        };
        kernel.write("proc/net/dev", line("lo", 7) + line("eth0", 3) + line("docker0", 2) + (base > 0 ? line("wlan0", 100) : ""));
    };
    const auto start = std::chrono::steady_clock::now();
    for (const bool cards : {false, true}) {
        if (cards) kernel.write("sys/class/net/eth0/device/vendor", "0x8086");
        HostLoadMeter meter = kernel.meter();
        network(0);
        meter.read({}, start, 1);
        network(1000);
        const auto load = meter.read({}, start + 2s, 2);
        EXPECT_DOUBLE_EQ(load->loopback_bytes_per_s, 3500);
        EXPECT_DOUBLE_EQ(load->received_bytes_per_s, cards ? 1500 : 2500) << "wlan0 came up in between: its first count is no rate";
        EXPECT_DOUBLE_EQ(load->sent_bytes_per_s, cards ? 1500 : 2500);
        network(10);
        EXPECT_DOUBLE_EQ(meter.read({}, start + 3s, 3)->received_bytes_per_s, 0) << "a counter that fell began anew";
    }
}

TEST(HostLoadMeter, ReadsThisComputer) {
    HostLoadMeter meter;
    const std::vector<LiveTask> self{{"run", {"worker", 0}, ::getpid()}};
    const auto start = std::chrono::steady_clock::now();
    meter.read(self, start, 1);
    const std::clock_t until = std::clock() + CLOCKS_PER_SEC / 4;
    while (std::clock() < until) {
    }
    const auto now = std::chrono::steady_clock::now();
    const auto load = meter.read(self, now, 2);
    ASSERT_TRUE(load);
    ASSERT_EQ(load->tasks.size(), 1U);
    const double seconds = std::chrono::duration<double>(now - start).count();
    EXPECT_NEAR(load->tasks[0].cpu_cores * seconds, 0.25, 0.1) << "a quarter of a second of one processor";
    EXPECT_GT(load->tasks[0].resident_bytes, 1 << 20);
    EXPECT_GT(load->cpu_cores, 0);
    EXPECT_GT(load->memory_bytes, load->memory_used_bytes);
}

// What a subscription has handed out so far. A wake-up may come late, so what it touches outlives this.
class Heard {
public:
    explicit Heard(const std::shared_ptr<HostSampler>& sampler, std::int64_t after = 0) : state_(std::make_shared<State>()) {
        state_->subscription = sampler->subscribe(after, [state = state_] { take(*state); });
        take(*state_);
    }
    ~Heard() {
        const std::lock_guard lock(state_->mutex);
        state_->subscription.reset();
    }
    Heard(const Heard&) = delete;
    Heard& operator=(const Heard&) = delete;

    bool waitFor(std::size_t count) const {
        std::unique_lock lock(state_->mutex);
        return state_->changed.wait_for(lock, kDeadline, [&] { return state_->loads.size() >= count; });
    }
    bool waitForEnd() const {
        std::unique_lock lock(state_->mutex);
        return state_->changed.wait_for(lock, kDeadline, [&] { return state_->end; });
    }
    std::vector<HostSampler::Load> loads() const {
        const std::lock_guard lock(state_->mutex);
        return state_->loads;
    }

private:
    struct State {
        std::mutex mutex;
        std::condition_variable changed;
        std::vector<HostSampler::Load> loads;  // guarded by mutex, as all below
        bool end = false;
        std::unique_ptr<HostSampler::Subscription> subscription;
    };
    static void take(State& state) {
        const std::lock_guard lock(state.mutex);
        while (state.subscription) {
            const auto batch = state.subscription->next();
            state.loads.insert(state.loads.end(), batch.loads.begin(), batch.loads.end());
            state.end |= batch.end;
            state.changed.notify_all();
            if (batch.loads.empty()) return;
        }
    }
    const std::shared_ptr<State> state_;
};

// A sampler over a kernel of files, with a counter of how often it asked for the tasks.
struct World {
    FakeKernel kernel;
    std::atomic<bool> active = false;
    std::atomic<int> asked = 0;
    std::shared_ptr<HostSampler> sampler;

    void start(std::size_t kept = 600) {
        kernel.process(11, 1);
        sampler = HostSampler::start({.interval = 2ms, .first = 1ms, .kept = kept}, kernel.meter(),
                                     {.active = [this] { return active.load(); },
                                      .tasks =
                                          [this] {
                                              ++asked;
                                              return kTasks;
                                          }});
    }
    ~World() {
        if (sampler) sampler->stop();
    }
};

TEST(HostSampler, SamplesForWhoWatches) {
    World world;
    world.start();
    Heard heard(world.sampler);
    ASSERT_TRUE(heard.waitFor(3));
    const auto loads = heard.loads();
    for (std::size_t i = 1; i < loads.size(); ++i) EXPECT_GT(loads[i]->time_unix_ns, loads[i - 1]->time_unix_ns);
    EXPECT_EQ(loads.front()->tasks.size(), 1U);
}

TEST(HostSampler, SleepsWhileNobodyNeedsIt) {
    World world;
    world.start();
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(world.asked, 0) << "25 intervals, and not one reading";
    {
        Heard heard(world.sampler);
        ASSERT_TRUE(heard.waitFor(2));
    }
    // However late a reading that was in progress ends.
    bool sleeps = false;
    for (const auto begin = std::chrono::steady_clock::now(); !sleeps && std::chrono::steady_clock::now() - begin < kDeadline;) {
        const int before = world.asked;
        std::this_thread::sleep_for(50ms);
        sleeps = world.asked == before;
    }
    EXPECT_TRUE(sleeps);
}

TEST(HostSampler, KeepsWhatARunUsedForWhoComesLater) {
    World world;
    world.start();
    world.active = true;
    world.sampler->wake();
    const auto until = std::chrono::steady_clock::now() + kDeadline;
    while (world.asked < 20 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
    world.active = false;
    Heard first(world.sampler);
    EXPECT_GE(first.loads().size(), 10U) << "handed out at once";
    const std::int64_t middle = first.loads()[5]->time_unix_ns;
    Heard rest(world.sampler, middle);
    ASSERT_FALSE(rest.loads().empty());
    EXPECT_EQ(rest.loads().front(), first.loads()[6]) << "from where it was";
}

TEST(HostSampler, ThrowsTheOldestAway) {
    World world;
    world.start(4);
    const Heard heard(world.sampler);
    ASSERT_TRUE(heard.waitFor(10));
    const auto late = world.sampler->subscribe(0, [] {});
    EXPECT_EQ(late->next().loads.size(), 4U) << "of ten and more";
}

TEST(HostSampler, HandsOutWhatOtherComputersUse) {
    World world;
    world.start(4);
    const auto watch = world.sampler->subscribe(0, [] {});
    std::vector<engine::spec::HostLoad> far(6);
    for (std::size_t i = 0; i < far.size(); ++i) {
        far[i].host = i < 5 ? "node2" : "node3";
        far[i].time_unix_ns = static_cast<std::int64_t>(i);
    }
    world.sampler->add(far);
    std::vector<std::int64_t> times;
    bool has_node3 = false;
    for (const HostSampler::Load& load : watch->next().loads) {
        if (load->host == "node2") times.push_back(load->time_unix_ns);
        has_node3 = has_node3 || load->host == "node3";
    }
    EXPECT_THAT(times, testing::ElementsAre(1, 2, 3, 4)) << "each computer has its own room";
    EXPECT_TRUE(has_node3);
}

TEST(HostSampler, MeasuresTasksThatNobodyHereStartedAsLongAsTheyAreFollowed) {
    World world;
    world.kernel.process(12, 1);
    world.kernel.process(13, 1);
    world.start();
    engine::spec::ExchangeState exchange;
    exchange.age_s = 100;
    world.sampler->follow("followed", {{"followed", {"worker", 7}, 13, exchange}});
    const auto until = std::chrono::steady_clock::now() + kDeadline;
    while (world.asked < 5 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
    ASSERT_GE(world.asked, 5) << "nobody watches, and it measures all the same";
    const auto countOf = [](const HostSampler::Load& load) {
        return std::count_if(load->tasks.begin(), load->tasks.end(), [](const auto& task) { return task.run_id == "followed"; });
    };
    {
        const Heard heard(world.sampler);
        ASSERT_TRUE(heard.waitFor(1));
        const HostSampler::Load load = heard.loads().back();
        ASSERT_EQ(load->tasks.size(), 3U) << "beside its own";
        EXPECT_EQ(load->tasks[2].task, (engine::spec::TaskId{"worker", 7}));
        EXPECT_EQ(load->tasks[2].pid, 13);
        ASSERT_TRUE(load->tasks[2].exchange);
        EXPECT_GT(load->tasks[2].exchange->age_s, 100) << "it gets older until the next word";
    }
    world.sampler->follow("followed", {});
    const Heard after(world.sampler);
    const std::size_t before = after.loads().size();
    ASSERT_TRUE(after.waitFor(before + 3)) << "one reading may have been under way";
    EXPECT_EQ(countOf(after.loads().back()), 0);
}

TEST(HostSampler, EndsItsWatchesWhenItIsStopped) {
    World world;
    world.start();
    Heard heard(world.sampler);
    world.sampler->stop();
    EXPECT_TRUE(heard.waitForEnd());
    Heard late(world.sampler);
    EXPECT_TRUE(late.waitForEnd());
}

}  // namespace

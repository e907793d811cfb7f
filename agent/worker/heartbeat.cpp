#include "agent/worker/heartbeat.h"

#include <fstream>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

#include "engine/thread/mutex.h"

namespace agent::worker {
namespace {

double cpuSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

std::int64_t residentBytes() {
    std::int64_t total = 0;
    std::int64_t resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

HeartbeatThread::HeartbeatThread(TaskObserver& observer, AskLive live, std::chrono::milliseconds interval)
    : observer_(observer), live_(std::move(live)), interval_(interval), thread_([this](const std::stop_token& stop) { run(stop); }) {}

HeartbeatThread::~HeartbeatThread() {
    thread_.request_stop();
    thread_.join();
}

void HeartbeatThread::run(const std::stop_token& stop) {
    auto last = std::chrono::steady_clock::now();
    double last_cpu = cpuSeconds();
    while (!stop.stop_requested()) {
        {
            engine::MutexLock lock(mutex_);
            wake_.wait_for(lock, stop, interval_, [] { return false; });
        }
        if (stop.stop_requested()) {
            return;
        }
        const auto now = std::chrono::steady_clock::now();
        const double cpu = cpuSeconds();
        const std::chrono::duration<double> passed = now - last;
        observer_.reportAlive({observer_.step(), residentBytes(), (cpu - last_cpu) / passed.count()}, live_ ? live_() : LiveState());
        last = now;
        last_cpu = cpu;
    }
}

}  // namespace agent::worker

// What a program still does when a signal ends it.
#pragma once

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace app {

// The descriptor that the handler writes to; -1 while nobody listens. A handler reaches nothing but what is there for the whole program.
inline std::atomic<int> end_signal_pipe{-1};

// While it lives, SIGTERM, SIGINT and SIGHUP are answered by one last act, on a thread of its own, whatever the others wait for; then the
// signal ends the process as it would have. A signal that was ignored before stays so. One at a time in a program.
class EndSignals {
public:
    // `last_act` may be called at any time from now on. Where no pipe can be made, signals end the program without it.
    explicit EndSignals(std::function<void()> last_act) : last_act_(std::move(last_act)) {
        if (::pipe2(ends_.data(), O_CLOEXEC) != 0) return;
        end_signal_pipe = ends_[1];
        thread_ = std::thread([this] { wait(); });
        for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
            struct sigaction before {};
            if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
            struct sigaction action {};
            action.sa_handler = &onEndSignal;
            action.sa_flags = SA_RESTART;
            if (::sigaction(signal, &action, nullptr) == 0) answered_.push_back(signal);
        }
    }
    ~EndSignals() {
        if (!thread_.joinable()) return;
        for (const int signal : answered_) std::signal(signal, SIG_DFL);
        end_signal_pipe = -1;
        constexpr char kNoSignal = 0;
        while (::write(ends_[1], &kNoSignal, 1) < 0 && errno == EINTR) {
        }
        thread_.join();
        for (const int end : ends_) ::close(end);
    }
    EndSignals(const EndSignals&) = delete;
    EndSignals& operator=(const EndSignals&) = delete;

private:
    static void onEndSignal(int signal) {
        const int error = errno;
        const char number = static_cast<char>(signal);
        [[maybe_unused]] const ssize_t ignored = ::write(end_signal_pipe, &number, 1);
        errno = error;
    }
    void wait() {
        char number = 0;
        ssize_t got = 0;
        do {
            got = ::read(ends_[0], &number, 1);
        } while (got < 0 && errno == EINTR);
        if (got != 1 || number == 0) return;
        last_act_();
        std::signal(number, SIG_DFL);
        ::kill(::getpid(), number);
    }

    const std::function<void()> last_act_;
    std::array<int, 2> ends_{-1, -1};
    std::vector<int> answered_;
    std::thread thread_;
};

}  // namespace app

// Stands in for tandem-worker: takes its place in a run as FAKE_WORKER says ("0:train,1:crash"; a task that is not named trains), so that
// supervision is tested with real processes. Leaves its process id as OUT/pid-INDEX. Asked a question, it behaves as FAKE_WORKER says as a
// whole ("crash") and leaves its process id in the file that a prediction would be written to.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/proto/question.pb.h"
#include "agent/proto/task_event.pb.h"
#include "agent/wire/delimited.h"
#include "agent/wire/question_convert.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/events/engine_question.h"
#include "engine/spec/project/cluster_spec.h"

namespace {

using namespace engine::spec;
using namespace std::chrono_literals;
using agent::convert::DelimitedReader;
using agent::convert::DelimitedWriter;
using agent::convert::ReadResult;

constexpr int kAgentDescriptor = 3;

class Worker {
public:
    Worker(TaskId task, std::string out) : task_(std::move(task)), out_(std::move(out)) {}

    int run(const std::string& behaviour) {
        if (behaviour == "early") {
            return 0;
        }
        tell(StateChanged{TaskState::kConnecting, {}});
        if (behaviour == "crash") {
            std::abort();
        } else if (behaviour == "killed") {
            ::kill(::getpid(), SIGKILL);
        } else if (behaviour == "exit3") {
            for (int i = 1; i <= 60; ++i) {
                std::cerr << "line " << i << '\n';
            }
            return 3;
        } else if (behaviour == "fail") {
            tell(StateChanged{TaskState::kFailed, "sample 7: expected a label below 10, got 12"});
            return 1;
        } else if (behaviour == "lost-peer") {
            return awaitEnd(1);
        } else if (behaviour == "garbage") {
            const std::string bytes(64, '\xFF');
            static_cast<void>(!::write(kAgentDescriptor, bytes.data(), bytes.size()));
            return awaitEnd(0);
        } else if (behaviour == "flood") {
            for (int i = 0; i < 20000; ++i) {
                std::cout << "flood " << i << '\n';
            }
            std::cout.flush();
            return finish();
        } else if (behaviour == "burst") {
            for (int i = 0; i < 20000; ++i) {
                points();
                if (i % 100 == 0) {
                    tell(LogLine{LogLevel::kInfo, "burst " + std::to_string(i)});
                }
            }
            return finish();
        } else if (behaviour == "lingering") {
            finish();
            ::close(kAgentDescriptor);
            ::pause();
            return 1;
        } else if (behaviour == "family") {
            return leaveAChild();
        }
        return train(behaviour);
    }

private:
    void tell(EventBody body) {
        if (!writer_.write(agent::convert::toProto(TaskEvent{0, 0, task_, std::move(body)}), 10s)) {
            std::_Exit(0);  // the agent is gone
        }
    }

    void points() {
        StepPoints points;
        for (int i = 0; i < 10; ++i) {
            points.step.push_back(++step_);
            points.epoch.push_back(0);
            points.time_unix_ns.push_back(step_);
        }
        points.columns.push_back({"loss", std::vector<float>(10, 1.0F)});
        tell(points);
    }

    int finish() {
        tell(TaskFinished{{{"test_accuracy", 0.5}}, "checkpoints/ckpt_1", "feed"});
        tell(StateChanged{TaskState::kDone, {}});
        return 0;
    }

    // Waits for the end of the event stream or a signal, 60 s at most.
    static int awaitEnd(int exit_code) {
        pollfd entry{kAgentDescriptor, 0, 0};
        ::poll(&entry, 1, 60'000);
        return exit_code;
    }

    int leaveAChild() {
        const int pid = ::fork();
        if (pid == 0) {
            ::pause();
            std::_Exit(0);
        }
        std::ofstream(out_ + "/pid-child") << pid;
        return finish();
    }

    int train(const std::string& behaviour) {
        if (behaviour == "stubborn" || behaviour == "silent") {
            std::signal(SIGTERM, SIG_IGN);
        }
        tell(RunStarted{10, 1, 64, 1000, 4000, "fake", {}});
        tell(StateChanged{TaskState::kTraining, {}});
        if (behaviour == "silent") {
            for (;;) {
                ::pause();
            }
        }
        bool paused = false;
        for (int round = 0; behaviour != "finish" || round < 5; ++round) {
            tell(Heartbeat{step_, 1 << 20, 1.0});
            if (!paused) {
                points();
            }
            pollfd entry{kAgentDescriptor, POLLIN, 0};
            if (::poll(&entry, 1, 10) > 0) {
                do {
                    if (!obey(behaviour, paused)) {
                        return 0;
                    }
                } while (reader_.hasBuffered());
            }
        }
        return finish();
    }

    // False when it ended.
    bool obey(const std::string& behaviour, bool& paused) {
        agent::proto::TaskOrder order;
        if (reader_.read(order) != ReadResult::kMessage) {
            std::_Exit(0);
        }
        if (order.has_secret()) {
            return true;
        }
        const Control control = agent::convert::fromProto(order.control());
        switch (control.verb) {
            case ControlVerb::kPause:
            case ControlVerb::kResume:
                paused = control.verb == ControlVerb::kPause;
                tell(ControlApplied{paused ? "pause" : "resume", step_});
                tell(StateChanged{paused ? TaskState::kPaused : TaskState::kTraining, {}});
                return true;
            case ControlVerb::kStop:
            case ControlVerb::kStopNow:
                if (behaviour != "stubborn") {
                    tell(StateChanged{TaskState::kStopped, {}});
                    return false;
                }
                return true;
            case ControlVerb::kSetLearningRate:
                tell(ControlApplied{"learning_rate " + std::to_string(control.value), step_});
                return true;
            case ControlVerb::kStep:
                points();
                return true;
            case ControlVerb::kCheckpointNow:
                tell(CheckpointSaved{"checkpoints/ckpt_1", 0, step_, 10, 0.1, false});
                return true;
        }
        return true;
    }

    const TaskId task_;
    const std::string out_;
    std::int64_t step_ = 0;
    DelimitedWriter writer_{kAgentDescriptor};
    DelimitedReader reader_{kAgentDescriptor};
};

// The other thing that a worker does: it answers one question.
class Answerer {
public:
    int run(const std::string& behaviour) {
        agent::proto::Question question;
        if (behaviour == "early") {
            std::cerr << "warning: the paper is yellow\nerror: out of paper\n";
            return 3;
        }
        if (reader_.read(question) != ReadResult::kMessage) {
            return 4;
        }
        std::ofstream(question.predict().out() + ".new") << ::getpid();
        std::rename((question.predict().out() + ".new").c_str(), question.predict().out().c_str());
        if (behaviour == "refuse") {
            say(agent::convert::toProto(engine::Error(engine::ErrorCode::kNotFound, "ckpt_9: expected a checkpoint, found none")));
        } else if (behaviour == "crash") {
            piece(2);
            std::cerr << "error: out of ink\n";
            std::abort();
        } else if (behaviour == "half") {
            static_cast<void>(!::write(kAgentDescriptor, "\x7F", 1));
        } else if (behaviour == "half-killed") {
            static_cast<void>(!::write(kAgentDescriptor, "\x7F", 1));
            ::kill(::getpid(), SIGKILL);
        } else if (behaviour == "rubbish") {
            const std::string bytes(64, '\xFF');
            static_cast<void>(!::write(kAgentDescriptor, bytes.data(), bytes.size()));
            ::pause();
        } else if (behaviour == "empty") {
            say({});
        } else if (behaviour == "hang" || behaviour == "stubborn") {
            std::signal(SIGTERM, behaviour == "hang" ? SIG_DFL : SIG_IGN);
            say(agent::convert::noteToProto("hangs"));
            for (;;) {
                ::pause();
            }
        } else if (behaviour == "flood") {
            for (const std::string line(4000, 'x');;) {
                say(agent::convert::noteToProto(line));
            }
        } else if (behaviour == "hungry") {
            std::vector<char> much(std::size_t{256} << 20, 1);
            ::pause();
            return much.back();
        } else if (behaviour == "hopeful") {
            say(agent::convert::toProto(EngineProgress{EngineProgress::Stage::kRead, "mnist", 1, 2}));
        } else if (behaviour != "silent") {
            say(agent::convert::toProto(EngineProgress{EngineProgress::Stage::kFetch, "train.gz", 7, 9}));
            say(agent::convert::noteToProto(std::getenv("TANDEM_DATA_DIR") == nullptr ? "" : std::getenv("TANDEM_DATA_DIR")));
            piece(2);
            piece(10);
            std::cout << std::string(1 << 20, 'o') << std::flush;  // nobody wants it
        }
        return 0;
    }

private:
    void say(const agent::proto::Answer& message) {
        if (!writer_.write(message, 60s)) {
            std::_Exit(4);
        }
    }
    void piece(std::int64_t size) {
        agent::proto::Answer message;
        message.mutable_prediction()->add_shape(size);
        say(message);
    }

    DelimitedWriter writer_{kAgentDescriptor};
    DelimitedReader reader_{kAgentDescriptor};
};

std::string behaviourOf(int index) {
    const char* all = std::getenv("FAKE_WORKER");
    const std::string text = all == nullptr ? "" : all, key = std::to_string(index) + ":";
    const std::size_t at = text.find(key);
    return at == std::string::npos ? "train" : text.substr(at + key.size(), text.find(',', at) - at - key.size());
}

// As a gRPC server does it: SO_REUSEADDR, every address.
void listenOn(int port) {
    const int server = ::socket(AF_INET, SOCK_STREAM, 0);
    const int on = 1;
    ::setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    if (::bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || ::listen(server, 8) != 0) {
        throw std::runtime_error("port " + std::to_string(port) + " can't be listened on");
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments == std::vector<std::string>{"answer", "--agent-fd", "3"}) {
        return Answerer().run(std::getenv("FAKE_WORKER"));
    }
    if (arguments.size() != 5 || arguments[1] != "--out" || arguments[3] != "--agent-fd" || arguments[4] != "3") {
        std::cerr << "unexpected arguments\n";
        return 2;
    }
    TaskId task;
    if (const char* text = std::getenv("TF_CONFIG")) {
        const TfConfig config = checkTfConfig(text).config;
        task = config.task.value();
        listenOn(parseHostPort(config.cluster.address(task).value())->port);
    }
    std::ofstream(arguments[2] + "/pid-" + std::to_string(task.index)) << ::getpid();
    return Worker(task, arguments[2]).run(behaviourOf(task.index));
}

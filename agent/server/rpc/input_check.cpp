#include "agent/server/rpc/input_check.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include <poll.h>

#include "agent/local/run_folder.h"
#include "agent/proto/question.pb.h"
#include "agent/wire/delimited.h"
#include "agent/wire/question_convert.h"
#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/error.h"
#include "engine/spec/validate/sample_check.h"

namespace agent::server {

namespace spec = engine::spec;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds kPatience{1000};

bool readable(int descriptor, Clock::time_point until) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    pollfd entry{descriptor, POLLIN, 0};
    return ::poll(&entry, 1, static_cast<int>(std::max<std::int64_t>(0, left.count()))) > 0;
}

// Throws Error for everything but an answer in time.
spec::EngineAnswer answerOf(Process& process, const spec::EngineQuestion& question) {
    const Clock::time_point until = Clock::now() + kPatience;
    if (!convert::DelimitedWriter(process.eventDescriptor()).write(convert::toProto(question), kPatience)) {
        throw engine::Error(engine::ErrorCode::kInternal, "tandem-worker: it is gone");
    }
    convert::DelimitedReader reader(process.eventDescriptor());
    proto::Answer whole, piece;
    for (;;) {
        const convert::ReadResult result = reader.read(piece);
        if (result == convert::ReadResult::kEnd) {
            return convert::fromProto(whole, question);
        }
        if (result == convert::ReadResult::kMessage) {
            whole.MergeFrom(piece);
        } else if (!readable(process.eventDescriptor(), until)) {
            throw engine::Error(engine::ErrorCode::kDeadlineExceeded, "tandem-worker: expected an answer within a second, got none");
        }
    }
}

}  // namespace

std::string inputErrors(const spec::RunSpec& run, ProcessLauncher& launcher, ProcessSpec worker, const fs::path& run_dir) {
    spec::EngineQuestion question{.run = run, .base_dir = run_dir, .asked = {}};
    spec::InputsQuestion asked;
    if (fs::path(run.fit.save_weights).is_absolute()) {  // the user's word: in a project it would be a mistake
        asked.weights_file = std::exchange(question.run.fit.save_weights, {});
    }
    question.asked = asked;
    spec::Diagnostics errors = spec::checkSamples(question.run);
    const bool has_files = convert::hasBackup(run_dir, run) || !run.fit.initial_weights.empty() || !run.fit.save_weights.empty() ||
                           spec::findDatasetFormat(run.data.dataset) != nullptr;
    if (errors.empty() && has_files) {
        try {
            worker.arguments = {"answer", "--agent-fd", "3"};
            errors = std::get<spec::InputFindings>(answerOf(*launcher.launch(worker), question)).errors;
        } catch (const engine::Error&) {
            return {};  // the task will say it
        }
    }
    std::string lines;
    for (const spec::Diagnostic& one : errors) {
        lines += (lines.empty() ? "" : "\n") + one.path + ": " + one.message + (one.fix.empty() ? "" : " [" + one.fix + "]");
    }
    return lines;
}

}  // namespace agent::server

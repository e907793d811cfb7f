// A sweep's files: what a user asks for, and a sweep that was begun, which trains on to its end and is written and read again.
#include "engine/sweep/field_importance.h"
#include "engine/sweep/sweep_file.h"
#include "tests/fuzz/fuzz_input.h"

namespace sweep = engine::sweep;

namespace {

constexpr int kMostJobs = 200;

void trainOn(sweep::Sweep& one) {
    for (const sweep::Job& job : one.training()) one.told(job, job.epochs, 0.5);
    for (int told = 0; told < kMostJobs; ++told) {
        const auto job = one.next();
        if (!job) return;
        if (told % 7 == 3) {
            one.failed(*job, "made up");
        } else {
            one.told(*job, told % 5 == 4 ? job->epochs - 1 : job->epochs, 0.01 * job->trial);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    tests::fuzz::expectErrorAtMost([&] {
        const sweep::SweepRequest request = sweep::parseSweepRequest(text);
        if (sweep::parseSweepRequest(sweep::toJson(request)).settings != request.settings) {
            tests::fuzz::fail("what was asked for is written and read in different ways");
        }
    });
    tests::fuzz::expectErrorAtMost([&] {
        sweep::SweepFile file = sweep::parseSweepFile(text);
        const std::string written = sweep::toJson(file.project, file.sweep);
        if (sweep::toJson(file.project, sweep::parseSweepFile(written).sweep) != written) {
            tests::fuzz::fail("a sweep that was read is written twice in different ways");
        }
        trainOn(file.sweep);
        sweep::importanceOf(file.sweep);
        sweep::parseSweepFile(sweep::toJson(file.project, file.sweep));  // whatever it came to, it goes on another day
    });
    return 0;
}

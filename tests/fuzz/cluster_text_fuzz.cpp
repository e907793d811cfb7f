// TF_CONFIG in whatever wraps it, hostfiles, Slurm's variables; and the repairs of what is wrong with a TF_CONFIG.
#include "engine/spec/cluster/cluster_repair.h"
#include "engine/spec/cluster/cluster_text.h"
#include "tests/fuzz/fuzz_input.h"

namespace spec = engine::spec;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    using Kind = spec::ClusterTextKind;
    tests::fuzz::expectErrorAtMost([&] {
        for (const std::optional<Kind> kind : {std::optional<Kind>(), {Kind::kTfConfig}, {Kind::kHostfile}, {Kind::kSlurm}}) {
            const spec::ClusterText read = spec::readClusterText(text, {.kind = kind});
            for (const spec::TaskId& task : read.cluster.trainingTasks()) {
                read.cluster.isChief(task);
            }
        }
        for (const spec::TfConfigUse use : {spec::TfConfigUse::kAuto, spec::TfConfigUse::kMultiWorker, spec::TfConfigUse::kParameterServer,
                                            spec::TfConfigUse::kEstimator}) {
            const spec::TfConfigReport report = spec::checkTfConfig(text, use);
            for (std::size_t i = 0; i < std::min<std::size_t>(report.diagnostics.size(), 4); ++i) {
                spec::repairTfConfig(text, use, report.diagnostics[i], {.host_name = "here", .free_ports = {12345, 12346}});
            }
        }
    });
    return 0;
}

#include "engine/spec/cluster/kubernetes_task.h"

#include <charconv>
#include <string_view>

#include "engine/spec/error.h"

namespace engine::spec {
namespace {

constexpr int kUsualPodPort = 2222;
constexpr std::string_view kPlace = "{index}";

[[noreturn]] void refuseKubernetes(const std::string& message) {
    throw Error(ErrorCode::kInvalidArgument, message);
}

// A whole number within the bounds.
int numberWithin(const char* name, const std::string& text, int least, int most, const std::string& expectation) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
        refuseKubernetes(std::string(name) + ": expected " + expectation + ", got " + (text.empty() ? "none" : text));
    }
    return value;
}

}  // namespace

RankedTask kubernetesTask(const std::vector<std::string>& variables, int port) {
    const std::string index = variableOf(variables, "JOB_COMPLETION_INDEX");
    if (index.empty()) {
        refuseKubernetes(
            "JOB_COMPLETION_INDEX: expected what Kubernetes sets for the pods of a Job, got none; the Job needs completionMode: Indexed");
    }
    const int pods = numberWithin("TANDEM_PODS", variableOf(variables, "TANDEM_PODS"), 1, kMostPods,
                                  "how many pods the Job has, from 1 to " + std::to_string(kMostPods));
    const std::string host = variableOf(variables, "TANDEM_POD_HOST");
    const std::size_t place = host.find(kPlace);
    if (place == std::string::npos) {
        refuseKubernetes("TANDEM_POD_HOST: expected the name of a pod with {index} in it, such as mnist-{index}.mnist, got " +
                         (host.empty() ? "none" : host));
    }
    RankedTask ranked;
    ranked.rank = static_cast<std::size_t>(
        numberWithin("JOB_COMPLETION_INDEX", index, 0, pods - 1, "an index below TANDEM_PODS (" + std::to_string(pods) + ")"));
    for (int pod = 0; pod < pods; ++pod) {
        ranked.addresses.push_back(host.substr(0, place) + std::to_string(pod) + host.substr(place + kPlace.size()) + ":" +
                                   std::to_string(port == 0 ? kUsualPodPort : port));
    }
    return ranked;
}

}  // namespace engine::spec

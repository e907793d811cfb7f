#include "engine/launch/container_text.h"

#include "engine/spec/error.h"

namespace engine::launch {
namespace {

constexpr const char* kSecondsForNames = "600";  // that containers may take to start one after another
constexpr int kMostRuns = 1000;

}  // namespace

std::string imageOf(const LaunchJob& job) {
    if (!job.image.empty()) return job.image;
    return std::string(job.gpus_per_task > 0 ? kImageForGpus : kImage);
}

bool isImageMadeHere(const LaunchJob& job) {
    return job.image.empty();
}

bool needsSharedMemory(const LaunchJob& job) {
    return job.gpus_per_task > 1;
}

std::string startCommand() {
    return "install -m 600 " + std::string(kContainerKey) + " /tmp/cluster.key && exec tandem-worker \"$@\"";
}

std::vector<ContainerRun> containerRunsOf(const LaunchJob& job) {
    const std::string name = dnsName(job.name);
    if (job.seeds <= 1) return {{name}};
    if (job.seeds > kMostRuns) {
        throw Error(ErrorCode::kInvalidArgument,
                    "--seeds: expected at most " + std::to_string(kMostRuns) + " runs in one file, got " + std::to_string(job.seeds));
    }
    std::vector<ContainerRun> runs;
    runs.reserve(static_cast<std::size_t>(job.seeds));
    for (int seed = 0; seed < job.seeds; ++seed) runs.push_back({name + "-seed-" + std::to_string(seed), seed});
    return runs;
}

std::vector<std::string> workerArguments(const LaunchJob& job, const ContainerRun& run, const std::vector<std::string>& extra) {
    const std::string folder = std::string(kContainerRun) + (run.seed ? "/seed-" + std::to_string(*run.seed) : "");
    std::vector<std::string> words;
    words.push_back(job.project_text.empty() ? job.project : std::string(kContainerProjects) + "/" + dnsName(job.name) + ".tandem");
    words.insert(words.end(), extra.begin(), extra.end());
    for (const std::string_view word :
         {std::string_view("--cluster-key"), std::string_view("/tmp/cluster.key"), std::string_view("--out"), std::string_view(folder),
          std::string_view("--until-done"), std::string_view("--wait-for-hosts"), std::string_view(kSecondsForNames)}) {
        words.emplace_back(word);
    }
    // A container sees all cores of its host, whatever it may use of them.
    if (job.cpus_per_task > 0) words.insert(words.end(), {"--threads", std::to_string(job.cpus_per_task)});
    for (const std::string& setting : job.settings) words.insert(words.end(), {"--set", setting});
    if (run.seed) words.insert(words.end(), {"--set", "fit.seed=" + std::to_string(*run.seed)});
    return words;
}

std::string dnsName(const std::string& name) {
    constexpr std::size_t kLongest = 40;
    std::string plain;
    for (const char c : name) {
        const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        const bool is_letter = lower >= 'a' && lower <= 'z';
        const bool is_plain = is_letter || (lower >= '0' && lower <= '9');
        if (plain.empty() && !is_letter) continue;
        if (is_plain) plain += lower;
        if (!is_plain && plain.back() != '-') plain += '-';
        if (plain.size() == kLongest) break;
    }
    while (plain.ends_with('-')) plain.pop_back();
    return plain.empty() ? "tandem" : plain;
}

std::string kubernetesMemory(const std::string& memory) {
    const char unit = memory.back();
    return unit >= '0' && unit <= '9' ? memory + "Mi" : memory + "i";
}

std::string dockerMemory(const std::string& memory) {
    const std::string number = memory.substr(0, memory.find_first_of("KMGT"));
    switch (memory.back()) {
        case 'K':
            return number + "k";
        case 'G':
            return number + "g";
        case 'T':
            return std::to_string(std::stoll(number) * 1024) + "g";
        default:
            return number + "m";
    }
}

}  // namespace engine::launch

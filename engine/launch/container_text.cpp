#include "engine/launch/container_text.h"

namespace engine::launch {
namespace {

constexpr const char* kSecondsForNames = "600";  // that containers may take to start one after another

}  // namespace

std::string imageOf(const LaunchJob& job) {
    if (!job.image.empty()) return job.image;
    return std::string(job.gpus_per_task > 0 ? kImageForGpus : kImage);
}

std::string startCommand() {
    return "install -m 600 " + std::string(kContainerKey) + " /tmp/cluster.key && exec tandem-worker \"$@\"";
}

std::vector<std::string> workerArguments(const LaunchJob& job, const std::vector<std::string>& extra) {
    std::vector<std::string> words;
    words.push_back(job.project_text.empty() ? job.project : std::string(kContainerProjects) + "/" + dnsName(job.name) + ".tandem");
    words.insert(words.end(), extra.begin(), extra.end());
    for (const std::string_view word :
         {std::string_view("--cluster-key"), std::string_view("/tmp/cluster.key"), std::string_view("--out"), kContainerRun,
          std::string_view("--until-done"), std::string_view("--wait-for-hosts"), std::string_view(kSecondsForNames)}) {
        words.emplace_back(word);
    }
    // A container sees all cores of its host, whatever it may use of them.
    if (job.cpus_per_task > 0) words.insert(words.end(), {"--threads", std::to_string(job.cpus_per_task)});
    for (const std::string& setting : job.settings) words.insert(words.end(), {"--set", setting});
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

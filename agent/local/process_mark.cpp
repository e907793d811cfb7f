#include "agent/local/process_mark.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace agent::convert {
namespace {

// Field 22 of /proc/PID/stat: when the process began. The name in field 2 may hold anything, so fields count from its last ")".
std::string startTicks(const std::string& pid) {
    std::ifstream file("/proc/" + pid + "/stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::size_t end = text.rfind(')');
    if (end == std::string::npos) return {};
    std::istringstream fields(text.substr(end + 1));
    std::string state, field;
    fields >> state;
    for (int i = 4; i <= 22; ++i) fields >> field;
    return fields && state != "Z" && state != "X" ? field : std::string();  // a zombie does nothing any more
}

std::string bootAndNamespace() {
    std::string boot;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
    std::error_code failed;
    const std::filesystem::path numbers = std::filesystem::read_symlink("/proc/self/ns/pid", failed);
    return boot.empty() || failed ? std::string() : boot + " " + numbers.string();
}

}  // namespace

std::string ownProcessMark() {
    std::error_code failed;
    const std::string pid = std::filesystem::read_symlink("/proc/self", failed).string();
    const std::string where = bootAndNamespace(), ticks = failed ? std::string() : startTicks(pid);
    return where.empty() || ticks.empty() ? std::string() : where + " " + pid + " " + ticks;
}

ProcessLife lifeOf(std::string_view mark) {
    std::istringstream words{std::string(mark)};
    std::string boot, numbers, pid, ticks;
    words >> boot >> numbers >> pid >> ticks;
    if (!words || pid.find_first_not_of("0123456789") != std::string::npos || boot + " " + numbers != bootAndNamespace()) {
        return ProcessLife::kUnknown;
    }
    return startTicks(pid) == ticks ? ProcessLife::kAlive : ProcessLife::kGone;
}

int processOf(std::string_view mark) {
    std::istringstream words{std::string(mark)};
    std::string boot, numbers;
    int pid = 0;
    words >> boot >> numbers >> pid;
    return words && pid > 0 ? pid : 0;
}

}  // namespace agent::convert

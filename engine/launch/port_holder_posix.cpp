#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "engine/launch/port_holder.h"

namespace engine::launch {
namespace {

namespace fs = std::filesystem;

// Inodes of the sockets that listen on a port. A line of /proc/net/tcp: "sl local:PORT remote:PORT state tx:rx tr:tm retr uid timeout
// inode".
std::set<std::string> listeningInodes(int port) {
    std::set<std::string> inodes;
    for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        std::ifstream file(table);
        std::string line;
        std::getline(file, line);
        while (std::getline(file, line)) {
            std::istringstream fields(line);
            std::string slot, local, remote, state, queues, timer, retransmits, user, timeout, inode;
            fields >> slot >> local >> remote >> state >> queues >> timer >> retransmits >> user >> timeout >> inode;
            const std::size_t colon = local.rfind(':');
            if (state == "0A" && colon != std::string::npos && std::stoi(local.substr(colon + 1), nullptr, 16) == port) {
                inodes.insert("socket:[" + inode + "]");
            }
        }
    }
    return inodes;
}

bool holdsOneOf(const fs::path& process, const std::set<std::string>& sockets) {
    std::error_code error;
    for (fs::directory_iterator descriptor(process / "fd", error), end; !error && descriptor != end; descriptor.increment(error)) {
        std::error_code ignored;
        if (sockets.contains(fs::read_symlink(descriptor->path(), ignored).string())) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::optional<PortHolder> findPortHolder(int port) {
    const std::set<std::string> sockets = listeningInodes(port);
    if (sockets.empty()) {
        return std::nullopt;
    }
    std::error_code error;
    for (fs::directory_iterator process("/proc", error), end; !error && process != end; process.increment(error)) {
        const std::string pid = process->path().filename();
        if (pid.find_first_not_of("0123456789") == std::string::npos && holdsOneOf(process->path(), sockets)) {
            PortHolder holder{"", std::stoi(pid)};
            std::ifstream name(process->path() / "comm");
            std::getline(name, holder.program);
            return holder;
        }
    }
    return std::nullopt;
}

std::string toString(const PortHolder& holder) {
    return holder.program + " (pid " + std::to_string(holder.pid) + ")";
}

}  // namespace engine::launch

// A script on the PATH in the place of ssh. It runs the far command in the shell of this computer, with another home and other folders,
// and forwards a socket by a link to it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/temp_dir.h"

namespace tests {

class FakeSsh {
public:
    FakeSsh() : path_before_(std::getenv("PATH")) {
        std::filesystem::create_directories(bin());
        std::filesystem::create_directories(home());
        say(kRunHere);
        ::setenv("PATH", (bin().string() + ":" + path_before_).c_str(), 1);
    }
    ~FakeSsh() { ::setenv("PATH", path_before_.c_str(), 1); }
    FakeSsh(const FakeSsh&) = delete;
    FakeSsh& operator=(const FakeSsh&) = delete;

    std::filesystem::path path() const { return dir_.path(); }
    std::filesystem::path bin() const { return path() / "bin"; }
    std::filesystem::path home() const { return path() / "far"; }
    std::filesystem::path farRuns() const { return home() / "runs"; }

    // Sets what the fake ssh does, in the words of sh; $FAR is the home there, the script's arguments are ssh's.
    void say(const std::string& script) const {
        std::ofstream(bin() / "ssh") << "#!/bin/sh\nFAR=" << home().string() << "\n" << script << "\n";
        std::filesystem::permissions(bin() / "ssh", std::filesystem::perms::owner_all);
    }

    // Runs the command here, as ssh does it with a destination behind "--": -L is a forwarding, what follows the destination is a command.
    static constexpr const char* kRunHere = R"(
forward=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    case $1 in -L) forward=$2; shift ;; -o|-p|-l|-F) shift ;; esac
    shift
done
shift 2
if [ -n "$forward" ]; then
    echo $$ > "$FAR/forward.pid"
    ln -s "${forward#*:}" "${forward%%:*}"
    exec sleep 600
fi
exec env HOME="$FAR" XDG_RUNTIME_DIR="$FAR/run" TANDEM_RUNS_DIR="$FAR/runs" PATH=/usr/bin:/bin sh -c "$*")";

private:
    const std::string path_before_;
    tests::support::TempDir dir_;
};

}  // namespace tests

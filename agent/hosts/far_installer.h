// The part of an installation that the other computer does: a script for its sh, and what that prints.
//
// The script arrives on its own standard input, changes nothing until it is told to, and then obeys one line:
//   install   makes room, says from which byte on it lacks the archive, reads that from standard input, checks, unpacks and switches
//   agent     ends an agent of another version that has nothing to do
// It works in a folder aside, .incoming, which a lock guards and which is removed in the end. When the connection is cut, the part of the
// archive that came stays there for the next try. What it puts beside `current` is checked to the last byte before a rename gives it its
// name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/hosts/bundle.h"
#include "agent/hosts/host_list.h"

namespace agent::hosts {

// Returns the command for the shell of the user there; the script follows on standard input.
std::string installerCommand(const Host& host, const Bundle& bundle);
std::string_view installerScript();

// The kinds of what lies where the host's Tandem belongs.
enum class FarPlace {
    kLink,    // `current`: a link, or nothing yet
    kBundle,  // `current`: a bundle that somebody unpacked there
    kFolder,  // another name: an empty folder, or none
    kFilled,  // something else, which stays
};

// The facts that the script prints before it is told anything.
struct FarFacts {
    std::string arch;     // "x86_64"; empty: no shell that we know
    std::string glibc;    // "2.36"; empty: none
    std::string folder;   // the host's folder, absolute
    std::string program;  // the tandem-agent that a run would use; empty: none
    std::string version;  // that it says of itself
    FarPlace place = FarPlace::kFilled;
    bool is_writable = false;
    std::optional<std::uint64_t> free_bytes;
    std::vector<std::string> missing_tools;
    bool is_whole = false;  // that was all
    friend bool operator==(const FarFacts&, const FarFacts&) = default;
};

// The agent of another version that runs there.
struct FarOldAgent {
    std::string pid, version;
    std::string busy_with;  // the folder of a task of it; empty: it has nothing to do
    friend bool operator==(const FarOldAgent&, const FarOldAgent&) = default;
};

// The answers that the script has printed so far. Lines that are not its own, such as a greeting of the user's shell, are passed over.
struct FarAnswers {
    FarFacts facts;
    std::optional<FarOldAgent> old_agent;  // the last one that was told
    std::optional<std::uint64_t> offset;   // from which byte on the archive is wanted
    bool is_there = false;                 // nothing of it is wanted: it was unpacked before
    bool is_damaged = false;               // the archive arrived with other bytes, and is gone there
    std::string failed;                    // what could not be done; empty: nothing failed so far
    std::string installed;                 // the folder, at the end
};
FarAnswers farAnswersIn(std::string_view output);

}  // namespace agent::hosts

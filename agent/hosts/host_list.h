// The other computers that this user's runs may use, and how each is reached. Read this header of the folder first. The list is kept in
// $XDG_CONFIG_HOME/tandem/hosts.json, else ~/.config/tandem/hosts.json, of mode 0600:
//   {"version": 1,
//    "hosts": [{"name": "node1",
//               "ssh": {"host": "node1.lan", "user": "ann", "port": 2222},    user and port only where they were given
//               "folder": ".local/share/tandem/bundle/current"},              where Tandem lies there
//              {"name": "node2",
//               "direct": {"address": "node2.lan:7443", "fingerprint": "…"}}]}   without ssh: direct/pairing_line.h
// A project names hosts by `name` alone.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent/direct/pairing_line.h"
#include "engine/spec/diagnostic.h"

namespace agent::hosts {

// The place that ssh connects to. For an empty user and port 0 the user's own ssh configuration counts.
struct SshDestination {
    std::string host, user;
    int port = 0;
    friend bool operator==(const SshDestination&, const SshDestination&) = default;
};

// "[USER@]HOST[:PORT]", an IPv6 number in brackets where a port follows. nullopt for a port that is no number of 1 to 65535, and for
// brackets that do not match; findings() says whether the parts are names.
std::optional<SshDestination> parseSshDestination(const std::string& text);
// The text that parseSshDestination() reads.
std::string toString(const SshDestination& destination);

// The folder of Tandem on a host that names none, below the home folder of the user there.
inline constexpr const char* kDefaultFolder = ".local/share/tandem/bundle/current";

struct Host {
    std::string name;  // as clusters write it
    SshDestination ssh;
    std::string folder = kDefaultFolder;
    std::optional<direct::DirectPeer> direct{};  // the way there in the place of ssh, of which the other two are empty then
    friend bool operator==(const Host&, const Host&) = default;
};

// "ann@node1.lan:2222", or "node2.lan:7443" of one that is reached directly.
std::string destinationOf(const Host& host);
// The computer there, without a user or a port.
std::string hostNameOf(const Host& host);

// Returns what is wrong with a host, each finding with the field's path below `path`. A host without findings may be added.
engine::spec::Diagnostics findings(const Host& host, const std::string& path);

// The list's file. Throws Error(kFailedPrecondition) when no variable of the environment says where.
std::filesystem::path hostListFile();

// Reads the file anew with every call, so that what another program of the user adds is seen. Safe from any thread and process. Every call
// throws Error naming the file: kInvalidArgument with line or field for one that is no such list or is of a newer version,
// kPermissionDenied for one that somebody else may write, and what engine::files throws. The file stays as it was then.
class HostList {
public:
    explicit HostList(std::filesystem::path file = hostListFile()) : file_(std::move(file)) {}

    const std::filesystem::path& file() const { return file_; }
    // Returns the hosts in the order in which they were added; none without a file.
    std::vector<Host> list() const;
    std::optional<Host> find(const std::string& name) const;
    // `host` has no findings. Throws Error(kAlreadyExists) when there is one of the name.
    void add(const Host& host) const;
    // Throws Error(kNotFound), naming those that there are.
    void remove(const std::string& name) const;

private:
    // Writes the list as `edit` leaves it. No other program changes it meanwhile.
    void change(const std::function<void(std::vector<Host>&)>& edit) const;

    std::filesystem::path file_;
};

// The host that an address of a cluster means: the one of that name, else the one that is reached under it. Null without one.
const Host* hostNamed(const std::vector<Host>& hosts, const std::string& name);
// The error for a name that is not there, kNotFound: it says which there are, and how to add one.
[[noreturn]] void throwUnknownHost(const std::string& name, const std::vector<Host>& known);

}  // namespace agent::hosts

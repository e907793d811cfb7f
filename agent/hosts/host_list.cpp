#include "agent/hosts/host_list.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "agent/local/address_file.h"
#include "engine/files/output_file.h"
#include "engine/files/regular_file.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/error.h"

namespace agent::hosts {

namespace fs = std::filesystem;
namespace spec = engine::spec;
using engine::Error;
using engine::ErrorCode;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t kVersion = 1;
constexpr int kLargestPort = 65535;
constexpr std::uint64_t kMaxListBytes = 1u << 20;
constexpr std::size_t kLongestUser = 255, kLongestFolder = 1024;
constexpr std::chrono::seconds kLockDeadline{5};
constexpr std::chrono::milliseconds kLockRetry{10};

std::optional<int> portIn(std::string_view text) {
    int port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc() && end == text.data() + text.size() && port >= 1 && port <= kLargestPort ? std::optional(port)
                                                                                                         : std::nullopt;
}

// Control characters, and those by which a shell reads more than a name.
bool hasForbidden(std::string_view text, std::string_view forbidden) {
    return std::any_of(text.begin(), text.end(), [&](char c) {
        return static_cast<unsigned char>(c) < ' ' || c == '\x7f' || forbidden.find(c) != std::string_view::npos;
    });
}

[[noreturn]] void refuseList(const fs::path& file, const std::string& what) {
    throw Error(ErrorCode::kInvalidArgument, file.string() + ": " + what);
}

// One object of the file, whose fields are all asked for.
class Fields {
public:
    Fields(const fs::path& file, std::string path, const Json& value, const std::vector<std::string>& known)
        : file_(file), path_(std::move(path)), value_(value) {
        if (!value.is_object()) {
            refuseList(file, (path_.empty() ? "the list" : path_) + ": expected an object, got " + value.type_name());
        }
        for (const auto& [key, ignored] : value.items()) {
            if (std::find(known.begin(), known.end(), key) == known.end()) {
                std::string names;
                for (const std::string& name : known) {
                    names += (names.empty() ? "" : ", ") + name;
                }
                refuseList(file, at(key) + ": expected one of " + names + ", got another field");
            }
        }
    }

    std::string at(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }
    const Json& required(const char* key) const {
        if (!value_.contains(key)) {
            refuseList(file_, at(key) + ": expected a value, got none");
        }
        return value_[key];
    }
    std::string text(const char* key) const {
        const Json& found = required(key);
        if (!found.is_string()) {
            refuseList(file_, at(key) + ": expected a text, got " + found.type_name());
        }
        return found.get<std::string>();
    }
    std::int64_t number(const char* key) const {
        const Json& found = required(key);
        if (!found.is_number_integer()) {
            refuseList(file_, at(key) + ": expected a whole number, got " + found.type_name());
        }
        return found.get<std::int64_t>();
    }
    bool has(const char* key) const { return value_.contains(key); }

private:
    const fs::path& file_;
    const std::string path_;
    const Json& value_;
};

Json parsed(const fs::path& file, const std::string& text) {
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        const std::size_t at = std::min(text.size(), error.byte);
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        refuseList(file, "line " + std::to_string(line) + ": expected JSON, got text that is none");
    }
}

void requireSound(const fs::path& file, const Host& host, const std::string& path) {
    if (const spec::Diagnostics found = findings(host, path); !found.empty()) {
        refuseList(file, found.front().path + ": " + found.front().message);
    }
}

Host hostIn(const fs::path& file, const std::string& path, const Json& value) {
    const Fields fields(file, path, value, {"name", "ssh", "folder", "direct"});
    Host host{.name = fields.text("name")};
    if (fields.has("direct")) {
        const Fields direct(file, fields.at("direct"), fields.required("direct"), {"address", "fingerprint"});
        host.direct = {direct.text("address"), direct.text("fingerprint")};
        host.folder.clear();
        requireSound(file, host, path);
        return host;
    }
    const Fields ssh(file, fields.at("ssh"), fields.required("ssh"), {"host", "user", "port"});
    host.ssh.host = ssh.text("host");
    host.ssh.user = ssh.has("user") ? ssh.text("user") : "";
    if (ssh.has("port")) {
        const std::int64_t port = ssh.number("port");
        if (port < 1 || port > kLargestPort) {
            refuseList(file, ssh.at("port") + ": expected 1 to 65535, got " + std::to_string(port));
        }
        host.ssh.port = static_cast<int>(port);
    }
    host.folder = fields.has("folder") ? fields.text("folder") : kDefaultFolder;
    requireSound(file, host, path);
    return host;
}

std::vector<Host> hostsIn(const fs::path& file, const std::string& text) {
    const Json json = parsed(file, text);
    const Fields fields(file, "", json, {"version", "hosts"});
    if (const std::int64_t version = fields.number("version"); version != kVersion) {
        refuseList(file, "version: expected " + std::to_string(kVersion) + ", got " + std::to_string(version) +
                             (version > kVersion ? ": a newer Tandem wrote it" : ""));
    }
    const Json& list = fields.required("hosts");
    if (!list.is_array()) {
        refuseList(file, std::string("hosts: expected a list, got ") + list.type_name());
    }
    std::vector<Host> hosts;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string path = "hosts[" + std::to_string(i) + "]";
        Host host = hostIn(file, path, list[i]);
        if (std::any_of(hosts.begin(), hosts.end(), [&](const Host& other) { return other.name == host.name; })) {
            refuseList(file, path + ".name: expected each name once, got " + host.name + " a second time");
        }
        hosts.push_back(std::move(host));
    }
    return hosts;
}

std::string listText(const std::vector<Host>& hosts) {
    Json list = Json::array();
    for (const Host& host : hosts) {
        if (host.direct) {
            list.push_back(
                {{"name", host.name}, {"direct", {{"address", host.direct->address}, {"fingerprint", host.direct->fingerprint}}}});
            continue;
        }
        Json ssh{{"host", host.ssh.host}};
        if (!host.ssh.user.empty()) {
            ssh["user"] = host.ssh.user;
        }
        if (host.ssh.port != 0) {
            ssh["port"] = host.ssh.port;
        }
        list.push_back({{"name", host.name}, {"ssh", std::move(ssh)}, {"folder", host.folder}});
    }
    return Json{{"version", kVersion}, {"hosts", std::move(list)}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Whoever can write the list decides where this user's programs go.
void requireOwn(const fs::path& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) {
        return;  // reading it says why
    }
    if ((status.st_uid != ::geteuid() && status.st_uid != 0) || (status.st_mode & 0022) != 0) {
        throw Error(ErrorCode::kPermissionDenied,
                    file.string() + ": expected a file that this user alone may write, got one that others may");
    }
}

// Takes the lock that is held while the list is changed; none on a file system without such locks.
std::optional<convert::FileDescriptor> lockedFor(const fs::path& file) {
    const fs::path lock_file = file.string() + ".lock";
    const auto until = std::chrono::steady_clock::now() + kLockDeadline;
    while (std::chrono::steady_clock::now() < until) {
        try {
            if (auto lock = convert::takeLock(lock_file, convert::LockKind::kAlone)) {
                return lock;
            }
        } catch (const Error& error) {
            if (error.code() == ErrorCode::kUnimplemented) {
                return std::nullopt;
            }
            throw;
        }
        std::this_thread::sleep_for(kLockRetry);
    }
    throw Error(ErrorCode::kUnavailable, lock_file.string() + ": expected a lock within 5 s, another program holds it");
}

void writeList(const fs::path& file, const std::vector<Host>& hosts) {
    const auto folder = engine::files::SafeFolder::open(file.parent_path());
    const fs::path aside = file.filename().string() + ".new";
    engine::files::OutputFile out(folder.create(aside, engine::files::Access::kPrivate));
    out.write(listText(hosts));
    if (const int error = out.finish(); error != 0) {
        throw Error(engine::files::codeOfErrno(error), (file.parent_path() / aside).string() + ": expected to write it to its end, got: " +
                                                           std::generic_category().message(error));
    }
    out.close();
    folder.rename(aside, file.filename());
    folder.sync();
}

}  // namespace

std::optional<SshDestination> parseSshDestination(const std::string& text) {
    SshDestination destination;
    std::string_view rest = text;
    if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
        destination.user = rest.substr(0, at);
        rest.remove_prefix(at + 1);
        if (destination.user.empty()) {
            return std::nullopt;
        }
    }
    std::string_view port;
    if (rest.starts_with('[')) {
        const std::size_t end = rest.find(']');
        if (end == std::string_view::npos || (end + 1 < rest.size() && rest[end + 1] != ':')) {
            return std::nullopt;
        }
        port = rest.substr(end + 1);
        destination.host = rest.substr(1, end - 1);
    } else if (std::count(rest.begin(), rest.end(), ':') == 1) {
        port = rest.substr(rest.find(':'));
        destination.host = rest.substr(0, rest.find(':'));
    } else {
        destination.host = rest;  // a name, or an IPv6 number
    }
    if (!port.empty()) {
        const std::optional<int> number = portIn(port.substr(1));
        if (!number) {
            return std::nullopt;
        }
        destination.port = *number;
    }
    return destination;
}

std::string toString(const SshDestination& destination) {
    return (destination.user.empty() ? "" : destination.user + "@") +
           (destination.port == 0 ? destination.host : spec::joinHostPort(destination.host, destination.port));
}

std::string destinationOf(const Host& host) {
    return host.direct ? host.direct->address : toString(host.ssh);
}

std::string hostNameOf(const Host& host) {
    return host.direct ? direct::hostOfAddress(host.direct->address) : host.ssh.host;
}

spec::Diagnostics findings(const Host& host, const std::string& path) {
    spec::Diagnostics found;
    if (auto problem = spec::checkHostName(host.name, path + ".name")) {
        found.push_back(*problem);
    } else if (spec::isLoopbackName(host.name)) {
        found.push_back({spec::Severity::kError, path + ".name", "expected the name of another computer, got \"" + host.name + "\"",
                         "Tasks of this computer need no entry."});
    }
    if (host.direct) {
        if (!direct::isDirectAddress(host.direct->address)) {
            found.push_back({spec::Severity::kError, path + ".direct.address",
                             "expected HOST:PORT with a port from 1 to 65535, got \"" + host.direct->address + "\"", ""});
        }
        if (!direct::isFingerprint(host.direct->fingerprint)) {
            found.push_back({spec::Severity::kError, path + ".direct.fingerprint",
                             "expected 64 hexadecimal digits, got \"" + host.direct->fingerprint + "\"", ""});
        }
        return found;
    }
    if (auto problem = spec::checkHostName(host.ssh.host, path + ".ssh.host")) {
        found.push_back(*problem);
    }
    if (host.ssh.user.starts_with('-') || host.ssh.user.size() > kLongestUser || hasForbidden(host.ssh.user, " '`\"$;&<>|(){}")) {
        found.push_back({spec::Severity::kError, path + ".ssh.user", "expected the name of a user, got \"" + host.ssh.user + "\"", ""});
    }
    if (host.folder.empty() || host.folder.size() > kLongestFolder || hasForbidden(host.folder, "")) {
        found.push_back({spec::Severity::kError, path + ".folder",
                         "expected the path of a folder on one line of at most 1024 bytes, got " +
                             (host.folder.empty() ? std::string("none") : std::to_string(host.folder.size()) + " bytes"),
                         ""});
    }
    return found;
}

fs::path hostListFile() {
    const char* config = std::getenv("XDG_CONFIG_HOME");
    const char* home = std::getenv("HOME");
    const auto isAbsolute = [](const char* text) { return text != nullptr && text[0] == '/'; };
    if (!isAbsolute(config) && !isAbsolute(home)) {
        throw Error(ErrorCode::kFailedPrecondition, "environment: expected HOME or XDG_CONFIG_HOME to name a folder, got neither");
    }
    return (isAbsolute(config) ? fs::path(config) : fs::path(home) / ".config") / "tandem" / "hosts.json";
}

std::vector<Host> HostList::list() const {
    std::error_code error;
    if (!fs::exists(file_, error) && !error) {
        return {};
    }
    requireOwn(file_);
    return hostsIn(file_, engine::files::readWhole(file_, kMaxListBytes));
}

std::optional<Host> HostList::find(const std::string& name) const {
    std::vector<Host> hosts = list();
    const auto found = std::find_if(hosts.begin(), hosts.end(), [&](const Host& host) { return host.name == name; });
    return found == hosts.end() ? std::nullopt : std::optional(std::move(*found));
}

void HostList::change(const std::function<void(std::vector<Host>&)>& edit) const {
    engine::files::SafeFolder::make(file_.parent_path());
    std::error_code error;
    const fs::path target = fs::exists(file_, error) ? fs::canonical(file_) : file_;  // a link of the user's stays one
    const auto lock = lockedFor(target);
    std::vector<Host> hosts = list();
    edit(hosts);
    writeList(target, hosts);
}

void HostList::add(const Host& host) const {
    change([&](std::vector<Host>& hosts) {
        if (std::any_of(hosts.begin(), hosts.end(), [&](const Host& other) { return other.name == host.name; })) {
            throw Error(ErrorCode::kAlreadyExists, host.name + ": expected a name that is not in the list yet, " + file_.string() +
                                                       " has it: remove it first, or choose another");
        }
        hosts.push_back(host);
    });
}

void HostList::remove(const std::string& name) const {
    change([&](std::vector<Host>& hosts) {
        if (std::erase_if(hosts, [&](const Host& host) { return host.name == name; }) == 0) {
            throwUnknownHost(name, hosts);
        }
    });
}

const Host* hostNamed(const std::vector<Host>& hosts, const std::string& name) {
    auto found = std::find_if(hosts.begin(), hosts.end(), [&](const Host& one) { return one.name == name; });
    if (found == hosts.end()) {
        found = std::find_if(hosts.begin(), hosts.end(), [&](const Host& one) { return hostNameOf(one) == name; });
    }
    return found == hosts.end() ? nullptr : &*found;
}

void throwUnknownHost(const std::string& name, const std::vector<Host>& known) {
    std::string names;
    for (const Host& host : known) {
        names += (names.empty() ? "" : ", ") + host.name;
    }
    throw Error(ErrorCode::kNotFound,
                name + ": expected " + (names.empty() ? "a host of the list, which is empty" : "one of the list of hosts (" + names + ")") +
                    "; tandem-cli host add " + name + " adds it");
}

}  // namespace agent::hosts

#include "agent/hosts/ssh_askpass.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/hosts/owned_folder.h"
#include "agent/local/address_file.h"
#include "agent/local/secret.h"
#include "engine/spec/error.h"

namespace agent::hosts {

namespace fs = std::filesystem;
using convert::FileDescriptor;
using engine::Error;
using engine::ErrorCode;

namespace {

constexpr const char* kAskSocket = "ask";
constexpr const char* kFolderVariable = "TANDEM_ASKPASS_FOLDER";
constexpr const char* kTokenVariable = "TANDEM_ASKPASS_TOKEN";
constexpr std::size_t kMostBytes = 16u << 10;
constexpr int kForRequestMs = 5000, kNoRoomMs = 50;
constexpr char kAnswered = '+', kRefused = '-';
constexpr std::string_view kWhose = "authenticity of host '", kAsksForTrust = "continue connecting", kFingerprint = " key fingerprint is ";

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

std::string printable(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\n' || (static_cast<unsigned char>(c) >= ' ' && c != '\x7f')) {
            out += c;
        }
    }
    const std::size_t end = out.find_last_not_of(" \n");
    return end == std::string::npos ? std::string() : out.substr(0, end + 1);
}

void wipe(std::string& secret) {
    ::explicit_bzero(secret.data(), secret.size());
}

// The address of a socket in a folder that is this user's alone.
sockaddr_un addressIn(const FileDescriptor& folder) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = convert::shortPath(folder, kAskSocket).string();
    std::memcpy(address.sun_path, path.c_str(), std::min(path.size() + 1, sizeof address.sun_path - 1));
    return address;
}

FileDescriptor listenIn(const fs::path& path) {
    const FileDescriptor folder = convert::openPrivateFolder(path);
    FileDescriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const sockaddr_un address = addressIn(folder);
    if (!socket || ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(socket.get(), SOMAXCONN) != 0) {
        throw Error(ErrorCode::kUnavailable, path.string() + ": expected to make a socket there, got: " + std::strerror(errno));
    }
    return socket;
}

// True when the other end can't read an answer any more.
bool isGone(const FileDescriptor& connection) {
    pollfd entry{connection.get(), POLLIN, 0};
    return ::poll(&entry, 1, 0) != 0;  // it has said all: what comes now is its end
}

}  // namespace

SshQuestion sshQuestionIn(std::string_view text, std::string_view kind) {
    using Kind = SshQuestion::Kind;
    SshQuestion question{.kind = kind == "confirm" ? Kind::kConfirm
                                 : kind == "none"  ? Kind::kNotice
                                                   : Kind::kSecret,
                         .text = printable(text),
                         .key_type = {}};
    const std::size_t at = question.text.find(kFingerprint);
    if (question.kind != Kind::kSecret || at == std::string::npos || question.text.find(kAsksForTrust, at) == std::string::npos) {
        return question;
    }
    question.kind = Kind::kHostKey;
    const std::size_t before = question.text.find_last_of(" \n", at - 1), begin = at + kFingerprint.size();
    question.key_type =
        question.text.substr(before == std::string::npos ? 0 : before + 1, at - (before == std::string::npos ? 0 : before + 1));
    question.fingerprint = question.text.substr(begin, question.text.find_first_of(" \n", begin) - begin);
    if (const std::size_t whose = question.text.find(kWhose); whose < at) {
        const std::size_t from = whose + kWhose.size();
        question.host = question.text.substr(from, question.text.find_first_of("'\n", from) - from);
    }
    if (question.fingerprint.ends_with('.')) {
        question.fingerprint.pop_back();
    }
    return question;
}

SecretOf secretOf(const SshQuestion& question) {
    const std::string& text = question.text;
    if (text.starts_with("Enter passphrase for") || text.starts_with("Enter PIN for")) {
        return SecretOf::kKey;
    }
    return text.find("assword") != std::string::npos ? SecretOf::kAccount : SecretOf::kOther;
}

struct SshAskpass::Parts {
    Parts(fs::path askpass, Ask asked) : program(std::move(askpass)), ask(std::move(asked)) {
        thread = std::jthread([this](const std::stop_token& stop) { serve(stop); });
    }
    ~Parts() {
        thread.request_stop();
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t ignored = ::write(wake.get(), &one, sizeof one);
    }
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    void serve(const std::stop_token& stop) {
        bool has_room = true;  // false: there is no descriptor for who asks, and may be one a little later
        while (!stop.stop_requested()) {
            std::array<pollfd, 2> entries{{{has_room ? socket.get() : -1, POLLIN, 0}, {wake.get(), POLLIN, 0}}};
            ::poll(entries.data(), entries.size(), has_room ? -1 : kNoRoomMs);
            const FileDescriptor connection(::accept4(socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
            has_room = connection || errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
            if (connection && !stop.stop_requested()) {
                answer(connection, stop);
            }
        }
    }
    // Closes without a word where the token is another one.
    void answer(const FileDescriptor& connection, const std::stop_token& stop) {
        std::array<pollfd, 2> entries{{{connection.get(), POLLIN, 0}, {wake.get(), POLLIN, 0}}};
        std::string request(kMostBytes, '\0');
        ::poll(entries.data(), entries.size(), kForRequestMs);
        const ssize_t got = ::recv(connection.get(), request.data(), request.size(), MSG_DONTWAIT);
        request.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        const std::size_t first = request.find('\n');
        const std::size_t second = first == std::string::npos ? first : request.find('\n', first + 1);
        if (second == std::string::npos || !convert::sameSecret(token, std::string_view(request).substr(0, first))) {
            return;
        }
        const SshQuestion question =
            sshQuestionIn(std::string_view(request).substr(second + 1), std::string_view(request).substr(first + 1, second - first - 1));
        std::optional<std::string> said = ask(question, [&] { return stop.stop_requested() || isGone(connection); });
        std::string packet = said ? kAnswered + *said : std::string(1, kRefused);
        ::send(connection.get(), packet.data(), packet.size(), MSG_NOSIGNAL);
        wipe(packet);
        if (said) {
            wipe(*said);
        }
    }

    const fs::path program;
    const Ask ask;
    const std::string token = convert::toHex(convert::makeSecret());
    const OwnedFolder folder{"ask-"};
    const FileDescriptor socket = listenIn(folder.path());
    const FileDescriptor wake{::eventfd(0, EFD_CLOEXEC)};
    std::jthread thread;  // last: joined before anything that it uses goes
};

SshAskpass::SshAskpass(fs::path program, Ask ask) : parts_(std::make_unique<Parts>(std::move(program), std::move(ask))) {}

SshAskpass::~SshAskpass() = default;

std::vector<std::string> SshAskpass::environment() const {
    return {"SSH_ASKPASS=" + parts_->program.string(), "SSH_ASKPASS_REQUIRE=force",
            std::string(kFolderVariable) + "=" + parts_->folder.path().string(), std::string(kTokenVariable) + "=" + parts_->token};
}

bool isAskpassCall() {
    return !variable(kFolderVariable).empty() && !variable(kTokenVariable).empty();
}

int answerSsh(std::string_view text) {
    constexpr int kNoAnswer = 1;
    try {
        const FileDescriptor folder = convert::openPrivateFolder(variable(kFolderVariable));
        const FileDescriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
        const sockaddr_un address = addressIn(folder);
        if (!socket || ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
            return kNoAnswer;
        }
        std::string request = variable(kTokenVariable) + "\n" + variable("SSH_ASKPASS_PROMPT") + "\n" + std::string(text);
        request.resize(std::min(request.size(), kMostBytes));
        if (::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0) {
            return kNoAnswer;
        }
        std::string answer(kMostBytes, '\0');
        const ssize_t got = ::recv(socket.get(), answer.data(), answer.size(), 0);
        if (got < 1 || answer[0] != kAnswered) {
            return kNoAnswer;
        }
        answer.resize(static_cast<std::size_t>(got));
        answer += '\n';
        const bool is_said = std::fwrite(answer.data() + 1, 1, answer.size() - 1, stdout) == answer.size() - 1 && std::fflush(stdout) == 0;
        wipe(answer);
        return is_said ? 0 : kNoAnswer;
    } catch (const Error&) {
        return kNoAnswer;
    }
}

}  // namespace agent::hosts

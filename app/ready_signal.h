// Tells whoever started a program that goes on in the background that it is ready.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "agent/local/file_descriptor.h"

namespace app {

// It tells on a descriptor on which its starter waits, and on the socket of NOTIFY_SOCKET, where systemd waits for "READY=1". Told once;
// the processes that this one starts know of neither.
class ReadySignal {
public:
    // `descriptor`: below 0 for none. Takes NOTIFY_SOCKET out of the environment, so it is made before the first thread.
    explicit ReadySignal(int descriptor) : descriptor_(descriptor) {
        if (const char* socket = std::getenv("NOTIFY_SOCKET")) {
            socket_ = socket;
            ::unsetenv("NOTIFY_SOCKET");
        }
    }

    void ready() {
        tell("ready\n");
        notify("READY=1");
    }
    void failed(const std::string& why) { tell(why); }

private:
    void tell(const std::string& text) {
        if (descriptor_) {
            [[maybe_unused]] const ssize_t ignored = ::write(descriptor_.get(), text.data(), text.size());
            descriptor_.reset();
        }
    }
    // Sends one datagram to a path or, behind an "@", to an abstract name.
    void notify(const std::string& text) {
        const std::string path = std::exchange(socket_, {});
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        if (path.size() < 2 || path.size() >= sizeof address.sun_path) {
            return;
        }
        std::memcpy(address.sun_path, path.data(), path.size());
        if (path.front() == '@') {
            address.sun_path[0] = '\0';
        }
        const agent::convert::FileDescriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
        const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
        [[maybe_unused]] const ssize_t ignored =
            ::sendto(socket.get(), text.data(), text.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), size);
    }

    agent::convert::FileDescriptor descriptor_;
    std::string socket_;
};

}  // namespace app

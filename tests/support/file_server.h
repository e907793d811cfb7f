// An HTTP server on loopback that hands out texts by path, as a mirror of data sets does.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tests::support {

// The faults of a server, by path.
struct FileServerFaults {
    std::map<std::string, std::size_t> breaks_off_after;  // closes the connection after so many bytes of the body
    std::map<std::string, std::size_t> stalls_after;      // sends nothing more after so many, and keeps the connection
    std::set<std::string> ignores_ranges;                 // always sends the whole file
};

class FileServer {
public:
    explicit FileServer(std::map<std::string, std::string> files, FileServerFaults faults = {})
        : files_(std::move(files)), faults_(std::move(faults)) {
        listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof(address));
        listen(listener_, 16);
        socklen_t size = sizeof(address);
        getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
        port_ = ntohs(address.sin_port);
        thread_ = std::jthread([this] { serve(); });
    }
    ~FileServer() {
        shutdown(listener_, SHUT_RDWR);
        thread_.join();
        close(listener_);
        for (const int client : stalled_) {
            close(client);
        }
    }
    FileServer(const FileServer&) = delete;
    FileServer& operator=(const FileServer&) = delete;

    std::string address() const { return "http://127.0.0.1:" + std::to_string(port_) + "/"; }
    // First lines of all requests with the byte they asked to begin at: "GET /a from 0".
    std::vector<std::string> requests() const {
        const std::lock_guard lock(mutex_);
        return requests_;
    }

private:
    void serve() {
        for (int client = 0; (client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
            std::string request;
            std::array<char, 4096> buffer;
            while (request.find("\r\n\r\n") == std::string::npos) {
                const ssize_t got = read(client, buffer.data(), buffer.size());
                if (got <= 0) {
                    break;
                }
                request.append(buffer.data(), static_cast<std::size_t>(got));
            }
            bool stalls = false;
            const std::string answer = answerTo(request, stalls);
            for (std::size_t sent = 0; sent < answer.size();) {
                const ssize_t some = send(client, answer.data() + sent, answer.size() - sent, MSG_NOSIGNAL);
                if (some <= 0) {
                    break;
                }
                sent += static_cast<std::size_t>(some);
            }
            if (stalls) {
                stalled_.push_back(client);
            } else {
                close(client);
            }
        }
    }
    std::string answerTo(const std::string& request, bool& stalls) {
        const std::string path = request.substr(0, request.find(' ', 4)).erase(0, 4);
        std::size_t from = 0;
        if (const std::size_t range = request.find("Range: bytes="); range != std::string::npos) {
            std::from_chars(request.data() + range + 13, request.data() + request.size(), from);
        }
        {
            const std::lock_guard lock(mutex_);
            requests_.push_back("GET " + path + " from " + std::to_string(from));
        }
        const auto found = files_.find(path);
        if (found == files_.end() || from > found->second.size()) {
            return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        }
        if (faults_.ignores_ranges.contains(path)) {
            from = 0;
        }
        std::string body = found->second.substr(from);
        const std::string length = std::to_string(body.size());
        for (const auto* cuts : {&faults_.breaks_off_after, &faults_.stalls_after}) {
            if (const auto cut = cuts->find(path); cut != cuts->end()) {
                body.resize(std::min(body.size(), cut->second));
                stalls = cuts == &faults_.stalls_after;
            }
        }
        return std::string(from > 0 ? "HTTP/1.1 206 Partial Content\r\n" : "HTTP/1.1 200 OK\r\n") + "Content-Length: " + length +
               "\r\nConnection: close\r\n\r\n" + body;
    }

    const std::map<std::string, std::string> files_;
    const FileServerFaults faults_;
    std::vector<int> stalled_;  // connections, of the thread until it is joined
    int listener_ = -1;
    int port_ = 0;
    mutable std::mutex mutex_;
    std::vector<std::string> requests_;  // guarded by mutex_
    std::jthread thread_;
};

}  // namespace tests::support

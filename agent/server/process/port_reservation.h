// TCP ports of tasks, held from the moment they are promised in a TF_CONFIG until the task itself listens.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agent/local/file_descriptor.h"

namespace agent::server {

// Bound to every address with SO_REUSEADDR and not listening: nobody else is given the port, while the task, which sets the same option
// (gRPC servers do), may bind it and listen. Freed by the destructor. Movable, not copyable.
class PortReservation {
public:
    PortReservation() = default;  // none
    // Known after a release and after the reservation was moved away, too; 0 for none.
    int port() const { return port_; }
    void release() { socket_.reset(); }
    // Takes the same port again; nothing for none and while it is held. Throws as thisPort(); then it is not held.
    void holdAgain();

    // A port that the system picks. Throws Error(kResourceExhausted) when there is none.
    static PortReservation anyPort();
    // Throws Error(kAlreadyExists) naming the port and, where /proc tells, the process that holds it; kPermissionDenied below 1024.
    static PortReservation thisPort(int port);

private:
    PortReservation(convert::FileDescriptor socket, int port) : socket_(std::move(socket)), port_(port) {}
    convert::FileDescriptor socket_;
    int port_ = 0;
};

}  // namespace agent::server

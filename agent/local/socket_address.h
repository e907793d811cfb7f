// Sockets of the network by the addresses that people and gRPC write: who listens where, and who is at the other end. Pure functions over
// the system's calls, safe from any thread.
#pragma once

#include <optional>
#include <string>

#include <netinet/in.h>
#include <sys/socket.h>

#include "agent/local/file_descriptor.h"

namespace agent::convert {

// IPv4 or IPv6, with its port.
struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t length = 0;

    const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
    bool isIpv4() const { return storage.ss_family == AF_INET; }
    const sockaddr_in& v4() const { return reinterpret_cast<const sockaddr_in&>(storage); }
    const sockaddr_in6& v6() const { return reinterpret_cast<const sockaddr_in6&>(storage); }
};

bool isLoopback(const SocketAddress& address);
// "0.0.0.0" and "[::]": every address of this computer.
bool isAny(const SocketAddress& address);
bool sameHost(const SocketAddress& a, const SocketAddress& b);
int portOf(const SocketAddress& address);
void setPort(SocketAddress& address, int port);
// "10.77.0.3", "fd77::3"
std::string hostTextOf(const SocketAddress& address);
// "10.77.0.3:41231", "[fd77::3]:41231"
std::string textOf(const SocketAddress& address);
// "ipv4:10.77.0.2:2222" or "ipv6:[fd77::2]:2222", as gRPC writes it.
std::string targetOf(const SocketAddress& address);
// Reads a text of targetOf(); nullopt for any other.
std::optional<SocketAddress> parseTarget(const std::string& target);
// True when a socket of this computer can be bound to the address.
bool isOwnAddress(SocketAddress address);
// The address of a name or a number, brackets allowed, IPv4 where there is one, so that all who ask choose the same. Takes as long as the
// system's resolver does. Throws Error(kNotFound), of which the message is the resolver's reason alone.
SocketAddress resolveHost(const std::string& host, int port);

// A socket that listens there, non-blocking. A port that is only kept bound by this user, as the agent does for its workers, is free.
// Throws Error(kAlreadyExists), of which the message is the reason alone ("is in use by another program").
FileDescriptor listenAt(const std::string& target);

// Makes the system refuse all callers from now on, those too who wait. Nobody else gets the port while the socket is open.
void stopListening(int socket);

// Begins to connect and returns a non-blocking socket, writable once it is connected. Empty, with errno, when the connection can't begin.
FileDescriptor connectTo(const std::string& target);

// True for a connection whose two ends are the same port: a call from the very port that is called meets itself where nobody listens.
bool isConnectedToItself(int socket);

// True when both ends of the connection are this computer's.
bool isFromHere(int socket);

// Return the two ends of a connection; nullopt when it is gone.
std::optional<SocketAddress> ownEnd(int socket);
std::optional<SocketAddress> farEnd(int socket);
// "10.77.0.3:41231": the other end, for messages; "an unknown address" when it is gone.
std::string otherEnd(int socket);

// Makes the system give the connection up after 15 s without a sign of the other computer, as ssh does here.
void keepAlive(int socket);

// Makes the socket send small messages without waiting for more.
void sendAtOnce(int socket);

}  // namespace agent::convert

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <map>
#include <span>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/direct/direct_door.h"
#include "agent/direct/direct_wire.h"
#include "agent/local/address_file.h"
#include "agent/local/socket_address.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/error.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::direct {

using convert::FileDescriptor;
using convert::SocketAddress;
using engine::Error;
using engine::ErrorCode;
using trust::TlsSession;
using Result = TlsSession::Result;

namespace {

constexpr int kAcceptsAtOnce = 64;
constexpr std::chrono::milliseconds kNoRoomPause{50}, kLongestSleep{1000};  // the last one between two looks at who is paired, too
constexpr std::size_t kLoggedDigits = 16;                                   // of a fingerprint

// Returns the address to listen at, for a text of the user's.
SocketAddress placeOf(const std::string& listen) {
    if (!isDirectAddress(listen)) {
        throw Error(ErrorCode::kInvalidArgument,
                    listen + ": expected HOST:PORT to listen at, with a port from 1 to 65535, got another text");
    }
    SocketAddress address;
    try {
        address = convert::resolveHost(hostOfAddress(listen), engine::spec::parseHostPort(listen)->port);
    } catch (const Error& error) {
        throw Error(error.code(), listen + ": expected a name that is known here, no computer goes by it (" + error.what() + ")");
    }
    if (!convert::isOwnAddress(address)) {
        throw Error(ErrorCode::kFailedPrecondition, listen + ": expected an address of this computer to listen at, got " +
                                                        convert::hostTextOf(address) + ", which is another's");
    }
    const std::string host = hostOfAddress(listen), place = convert::hostTextOf(address);
    if (convert::isLoopback(address) && host != place) {
        throw Error(ErrorCode::kFailedPrecondition,
                    listen + ": expected an address to listen at that other computers reach, got a name that means " + place +
                        " on this computer: write one of its addresses in the network, or " +
                        engine::spec::joinHostPort("0.0.0.0", convert::portOf(address)) + " for all of them");
    }
    return address;
}

FileDescriptor listenerAt(const std::string& listen) {
    try {
        return convert::listenAt(convert::targetOf(placeOf(listen)));
    } catch (const Error& error) {
        if (error.code() != ErrorCode::kAlreadyExists) {
            throw;
        }
        throw Error(error.code(), listen + ": expected a free port to listen at, it " + error.what());
    }
}

// Returns the address at which others find this computer: its name takes the place of "every address".
std::string invitedTo(const std::string& listen) {
    const SocketAddress place = placeOf(listen);
    char name[256] = "";
    if (!convert::isAny(place) || ::gethostname(name, sizeof name - 1) != 0) {
        return listen;
    }
    return engine::spec::joinHostPort(name, convert::portOf(place));
}

// The agent's own socket, by way of its folder: its path may have any length.
FileDescriptor connectToAgent(const convert::AgentAddress& agent) {
    const auto path = convert::socketOf(agent);
    if (!path) {
        return {};
    }
    const FileDescriptor folder = convert::openPrivateFolder(path->parent_path());
    const std::string shorter = convert::shortPath(folder, path->filename()).string();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (shorter.size() >= sizeof address.sun_path) {
        return {};
    }
    shorter.copy(address.sun_path, sizeof address.sun_path - 1);
    FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket || ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        return {};
    }
    return socket;
}

}  // namespace

struct DirectDoor::Guest {
    FileDescriptor socket;
    std::unique_ptr<TlsSession> session;
    std::string host, where;  // "10.77.0.3", "10.77.0.3:41231"
    Clock::time_point until{};
    State state = State::kShakes;
    Then then = Then::kClose;
    std::string received{}, waiting{};  // of the request; of the answer
    short waits_for = POLLIN;

    // It is paired, and not the relay's yet.
    bool isPaired() const { return !isUnproven() && then != Then::kClose; }
    bool isUnproven() const { return state == State::kShakes || state == State::kSpeaks; }
    // Notes what poll() has to wait for before the same is tried again; false: the connection is over.
    bool waitsFor(Result result) {
        waits_for = result == Result::kWantsWrite ? POLLOUT : POLLIN;
        return result == Result::kWantsRead || result == Result::kWantsWrite;
    }
};

DirectDoor::DirectDoor(DirectDoorOptions options)
    : options_(std::move(options)),
      address_(invitedTo(options_.listen)),
      listener_(listenerAt(options_.listen)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      relay_(trust::TlsContext(options_.identity)),
      refusals_(options_.log),
      thread_([this](const std::stop_token& stop) { loop(stop); }) {}

DirectDoor::~DirectDoor() {
    thread_.request_stop();
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(wake_.get(), &one, sizeof one);
    thread_.join();
}

PairingLine DirectDoor::invite() {
    return {.peer = {address_, options_.identity.fingerprint}, .secret = invitations_.invite(Clock::now())};
}

DirectDoor::Standing DirectDoor::refuse(const Guest& guest, const std::string& why, Clock::time_point now) {
    refusals_.refused(guest.where, why, now);
    return Standing::kOver;
}

void DirectDoor::accept(Clock::time_point now) {
    for (int i = 0; i < kAcceptsAtOnce; ++i) {
        FileDescriptor socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!socket && (errno == EINTR || errno == ECONNABORTED)) {
            continue;
        }
        if (!socket) {
            if (errno != EAGAIN) {  // no descriptor is left: those who wait go first
                accept_again_ = now + kNoRoomPause;
                makeRoom(now);
            }
            return;
        }
        const auto end = convert::farEnd(socket.get());
        if (!end) {
            continue;
        }
        convert::sendAtOnce(socket.get());
        convert::keepAlive(socket.get());
        if (unproven_ >= options_.most_unproven) {
            makeRoom(now);
        }
        auto guest = std::make_unique<Guest>();
        guest->session = std::make_unique<TlsSession>(relay_.context(), TlsSession::Side::kCalled, socket.get());
        guest->socket = std::move(socket);
        guest->host = convert::hostTextOf(*end);
        guest->where = convert::textOf(*end);
        guest->until = now + options_.unproven_for;
        guests_.push_back(std::move(guest));
        ++unproven_;
    }
}

// The one that waits longest goes, of the address that has most.
void DirectDoor::makeRoom(Clock::time_point now) {
    std::map<std::string, int> callers;
    for (const auto& guest : guests_) {
        callers[guest->host] += guest->isUnproven() ? 1 : 0;
    }
    const auto most = std::max_element(callers.begin(), callers.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto leaving =
        std::find_if(guests_.begin(), guests_.end(), [&](const auto& guest) { return guest->isUnproven() && guest->host == most->first; });
    if (leaving != guests_.end()) {
        refuse(**leaving, "too many called at once", now);
        guests_.erase(leaving);
        --unproven_;
    }
}

DirectDoor::Standing DirectDoor::shake(Guest& guest, Clock::time_point now) {
    const Result result = guest.session->handshake();
    if (result != Result::kDone) {
        return guest.waitsFor(result) ? Standing::kWaits : refuse(guest, guest.session->failure(), now);
    }
    guest.state = State::kSpeaks;
    return Standing::kMoves;
}

DirectDoor::Standing DirectDoor::hear(Guest& guest, Clock::time_point now) {
    std::array<char, kRequestBytes> bytes{};
    const TlsSession::Moved moved = guest.session->read(std::span(bytes).first(kRequestBytes - guest.received.size()));
    if (moved.bytes == 0) {
        return guest.waitsFor(moved.result) ? Standing::kWaits : refuse(guest, "it asked for nothing", now);
    }
    guest.received.append(bytes.data(), moved.bytes);
    return guest.received.size() < kRequestBytes ? Standing::kMoves : decide(guest, now);
}

std::string DirectDoor::locatedText(const Guest& guest) const {
    const auto own = convert::ownEnd(guest.socket.get());
    return convert::toLine(options_.agent) + "\n" + (own ? convert::hostTextOf(*own) : "") + "\n" + guest.host;
}

DirectDoor::Standing DirectDoor::say(Guest& guest, std::string answer, Then then) {
    guest.waiting = std::move(answer);
    guest.then = then;
    guest.state = State::kAnswers;
    return Standing::kMoves;
}

DirectDoor::Standing DirectDoor::decide(Guest& guest, Clock::time_point now) {
    const auto request = requestIn(guest.received);
    if (!request) {
        return refuse(guest, "it does not speak as Tandem does", now);
    }
    if (request->verb == Verb::kJoin) {
        return join(guest, *request, now);
    }
    if (request->verb == Verb::kInvite && guest.session->peer() == options_.identity.fingerprint) {
        return say(guest, answerBytes(Outcome::kDone, toString(invite())), Then::kClose);
    }
    if (request->verb == Verb::kInvite || !isPaired(guest.session->peer())) {
        return refuse(guest, "its certificate " + guest.session->peer().substr(0, kLoggedDigits) + " is not paired", now);
    }
    if (connectionsOf(guest.session->peer()) >= options_.most_of_peer) {
        const std::string most = std::to_string(options_.most_of_peer);
        refuse(guest, "it has " + most + " connections already, as many as a paired computer may have", now);
        return say(guest, answerBytes(Outcome::kTooMany, most), Then::kClose);
    }
    const bool enters = request->verb == Verb::kEnter;
    return say(guest, answerBytes(Outcome::kDone, enters ? "" : locatedText(guest)), enters ? Then::kEnter : Then::kWatch);
}

bool DirectDoor::isPaired(const std::string& peer) {
    try {
        const bool is_paired = options_.peers.has(peer);
        noteObstacle("");
        return is_paired;
    } catch (const Error& error) {
        noteObstacle(error.what());
        throw;
    }
}

// The agent's user hears of it once, and once when it is over: nobody else could tell why computers that are paired stay out.
void DirectDoor::noteObstacle(const std::string& text) {
    if (text == obstacle_) {
        return;
    }
    obstacle_ = text;
    options_.log(text.empty() ? "who is paired can be read again"
                              : "who is paired can't be read, no computer is let in until it can: " + text);
    if (options_.obstacle) {
        options_.obstacle(text);
    }
}

std::size_t DirectDoor::connectionsOf(const std::string& peer) const {
    const auto carried = relay_.peers();
    const auto at = carried.find(peer);
    const auto own = std::count_if(guests_.begin(), guests_.end(),
                                   [&](const auto& guest) { return guest->isPaired() && guest->session->peer() == peer; });
    return (at == carried.end() ? 0 : at->second) + static_cast<std::size_t>(own);
}

void DirectDoor::endUnpaired() {
    std::set<std::string> connected, unpaired;
    for (const auto& [peer, count] : relay_.peers()) {
        connected.insert(peer);
    }
    for (const auto& guest : guests_) {
        if (guest->isPaired()) {
            connected.insert(guest->session->peer());
        }
    }
    connected.insert(options_.identity.fingerprint);  // asked for with or without connections, to learn whether anybody can be looked for
    try {
        std::copy_if(connected.begin(), connected.end(), std::inserter(unpaired, unpaired.end()),
                     [&](const std::string& peer) { return !isPaired(peer) && peer != options_.identity.fingerprint; });
    } catch (const Error&) {
        return;  // noteObstacle() has told; the next look may know
    }
    for (const std::string& peer : unpaired) {
        relay_.end(peer);
        std::erase_if(guests_, [&](const auto& guest) { return guest->isPaired() && guest->session->peer() == peer; });
        options_.log("ended the connections of certificate " + peer.substr(0, kLoggedDigits) + ", which is not paired any more");
    }
}

DirectDoor::Standing DirectDoor::join(Guest& guest, const Request& request, Clock::time_point now) {
    const JoinClaim claim{guest.session->exported(kJoinExporter), guest.session->peer(), options_.identity.fingerprint};
    const std::string& version = options_.agent.address.version;
    Outcome outcome = Outcome::kDone;
    switch (invitations_.judge(claim, request.proof, now, [&] {
        if (request.version != version) {
            return false;
        }
        options_.peers.add({guest.session->peer(), request.name});
        return true;
    })) {
        case Invitations::Verdict::kPaired:
            options_.log("paired with " + request.name + " at " + guest.where + ", certificate " +
                         guest.session->peer().substr(0, kLoggedDigits));
            break;
        case Invitations::Verdict::kUsed:
            outcome = Outcome::kUsed;
            break;
        case Invitations::Verdict::kExpired:
            outcome = Outcome::kExpired;
            break;
        case Invitations::Verdict::kTried:
            outcome = Outcome::kTried;
            break;
        case Invitations::Verdict::kNotYet:
            outcome = Outcome::kOtherVersion;
            break;
        case Invitations::Verdict::kStranger:
            return refuse(guest, "it has not proven the secret of an invitation", now);
    }
    if (outcome != Outcome::kDone) {
        refuse(guest, outcome == Outcome::kOtherVersion ? "it joins with version " + request.version : "its pairing line is over", now);
    }
    return say(guest, answerBytes(outcome, version), Then::kClose);
}

DirectDoor::Standing DirectDoor::answer(Guest& guest, Clock::time_point now) {
    if (!guest.waiting.empty()) {
        const TlsSession::Moved moved = guest.session->write(guest.waiting);
        guest.waiting.erase(0, moved.bytes);
        if (moved.bytes == 0) {
            return guest.waitsFor(moved.result) ? Standing::kWaits : Standing::kOver;
        }
        return Standing::kMoves;
    }
    if (guest.then == Then::kEnter) {
        return enter(guest, now);
    }
    if (guest.then == Then::kClose) {
        guest.session->close();
        return Standing::kOver;
    }
    guest.state = State::kWatches;
    return Standing::kMoves;
}

// Waits for the end of the guest; a guest that says anything has ended, too.
DirectDoor::Standing DirectDoor::watch(Guest& guest) {
    char byte = 0;
    const TlsSession::Moved moved = guest.session->read({&byte, 1});
    return moved.bytes == 0 && guest.waitsFor(moved.result) ? Standing::kWaits : Standing::kOver;
}

DirectDoor::Standing DirectDoor::enter(Guest& guest, Clock::time_point now) {
    FileDescriptor agent = connectToAgent(options_.agent.address);
    if (!agent) {
        return refuse(guest, std::string("the agent's own socket takes nobody: ") + std::strerror(errno), now);
    }
    relay_.join(std::move(guest.socket), std::move(guest.session), std::move(agent));
    return Standing::kOver;
}

DirectDoor::Standing DirectDoor::step(Guest& guest, Clock::time_point now) {
    switch (guest.state) {
        case State::kShakes:
            return shake(guest, now);
        case State::kSpeaks:
            return hear(guest, now);
        case State::kAnswers:
            return answer(guest, now);
        case State::kWatches:
            return watch(guest);
    }
    return Standing::kOver;
}

// `entries` are those of the guests that waited when it was polled, in their order, behind the two of the door itself.
void DirectDoor::serve(const std::vector<pollfd>& entries, Clock::time_point now) {
    std::size_t entry = 2;
    for (auto at = guests_.begin(); at != guests_.end(); ++entry) {
        Guest& guest = **at;
        const bool was_unproven = guest.isUnproven();
        Standing standing = Standing::kWaits;
        if (entry < entries.size() && entries[entry].revents != 0) {
            standing = Standing::kMoves;
        } else if (guest.state != State::kWatches && now >= guest.until) {
            standing = refuse(guest, "it did not prove in time what it is", now);
        }
        try {
            while (standing == Standing::kMoves) {
                standing = step(guest, now);
            }
        } catch (const Error& error) {
            standing = refuse(guest, error.what(), now);
        }
        const bool is_over = standing == Standing::kOver;
        if (was_unproven && (is_over || !guest.isUnproven())) {
            --unproven_;
        }
        at = is_over ? guests_.erase(at) : std::next(at);
    }
}

void DirectDoor::loop(const std::stop_token& stop) {
    std::vector<pollfd> entries;
    while (!stop.stop_requested()) {
        auto now = Clock::now();
        entries.assign({{wake_.get(), POLLIN, 0}, {now < accept_again_ ? -1 : listener_.get(), POLLIN, 0}});
        auto next = now + kLongestSleep;
        if (accept_again_ > now) {
            next = std::min(next, accept_again_);
        }
        for (const auto& guest : guests_) {
            entries.push_back({guest->socket.get(), guest->waits_for, 0});
            if (guest->state != State::kWatches) {
                next = std::min(next, guest->until);
            }
        }
        const auto sleep = std::max(std::chrono::milliseconds(0), std::chrono::ceil<std::chrono::milliseconds>(next - now));
        ::poll(entries.data(), entries.size(), static_cast<int>(sleep.count()));
        now = Clock::now();
        serve(entries, now);
        if (now >= look_again_) {
            look_again_ = now + kLongestSleep;
            endUnpaired();
        }
        if (entries[1].revents != 0) {
            accept(now);
        }
    }
    guests_.clear();
}

}  // namespace agent::direct

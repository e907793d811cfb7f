#include "agent/transport/peer_links.h"

#include <grpcpp/impl/codegen/proto_utils.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "agent/transport/grpc_channel.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"

namespace agent::worker {
namespace {

using engine::Error;
using engine::ErrorCode;
using engine::distribute::SharedSegment;
using namespace std::chrono_literals;

constexpr std::uint32_t kPeerLinksProtocol = 3;
constexpr auto kDialPause = 200ms;
// How often the background thread looks when it cannot simply sleep in the queue, because it also moves the data streams.
constexpr auto kDataTick = 10ms;
constexpr auto kSleep = 20ms;  // also how long leaving may have to wait for that thread
// A turn that comes this late means that this very process was stopped or the machine slept: then silence says nothing about the peers.
constexpr auto kOwnStop = 2000ms;
constexpr auto kGoodbye = 2000ms;
constexpr auto kTellSilence = 4000ms;  // that a peer gives no sign of life, before it counts as lost
// The most bytes of a text that is sent or believed: why a task failed, refuses or shares no memory.
constexpr std::size_t kTextBytes = 4096;

std::string bounded(const std::string& text) {
    return text.size() <= kTextBytes ? text : convert::validUtf8(text.substr(0, kTextBytes)) + " ...";
}

std::string firstDifference(const std::string& theirs, const std::string& ours) {
    const auto line = [](const std::string& text, std::size_t at) {
        const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
        return begin >= text.size() ? std::string("nothing") : "\"" + text.substr(begin, text.find('\n', begin) - begin) + "\"";
    };
    const auto [a, b] = std::mismatch(theirs.begin(), theirs.end(), ours.begin(), ours.end());
    const auto at = static_cast<std::size_t>(a - theirs.begin());
    return "it has " + line(theirs, at) + " where this one has " + line(ours, at);
}

std::string seconds(std::chrono::steady_clock::duration time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count());
}

std::string timeText(std::chrono::milliseconds time) {
    std::string text = std::to_string(time.count() / 1000);
    if (time.count() % 1000 != 0) text += "." + std::to_string(time.count() % 1000 / 100);
    return text + " s";
}

}  // namespace

PeerLinks::PeerLinks(LinkOptions options, engine::distribute::PeerHealth& health)
    : options_(std::move(options)),
      health_(health),
      mesh_(names(), options_.edges),
      data_(static_cast<int>(options_.tasks.size()),
            [this](int peer, const std::string& why) {
                // While the way is cut on purpose nothing of it is noticed; its Link ends, too, and that is seen afterwards.
                if (!cutSince(peer)) health_.markLost(peer, "broke the data stream: " + why);
            }),
      peers_(options_.tasks.size()) {
    places_ = resolveTasks(names(), static_cast<std::size_t>(options_.rank), options_.secret.reach());
    if (!options_.offer_shared_memory) {
        no_segment_ = "transport is set to grpc";
        return;
    }
    try {
        own_segment_ = SharedSegment::create(options_.segment_bytes[static_cast<std::size_t>(options_.rank)]);
    } catch (const Error& error) {
        no_segment_ = error.what();
    }
}

std::vector<TaskName> PeerLinks::names() const {
    std::vector<TaskName> names;
    for (int rank = 0; rank < size(); ++rank) names.push_back(health_.name(rank));
    return names;
}

PeerLinks::~PeerLinks() {
    shutDown();
}

bool PeerLinks::dataOverGrpc(int peer) const {
    const Peer& other = peers_[static_cast<std::size_t>(peer)];
    return other.agreed && !other.shares_memory;
}

bool PeerLinks::movesData() const {
    const auto over_grpc = [this](int peer) { return dataOverGrpc(peer); };
    const std::vector<int>&to = options_.edges.from(options_.rank), &from = options_.edges.to(options_.rank);
    return std::any_of(to.begin(), to.end(), over_grpc) || std::any_of(from.begin(), from.end(), over_grpc);
}

bool PeerLinks::awaitsDataFrom(int peer) const {
    return options_.edges.has(peer, options_.rank) && dataOverGrpc(peer) && !data_.hears(peer);
}

std::vector<int> PeerLinks::awaitedData() const {
    std::vector<int> peers;
    for (int peer = 0; peer < size(); ++peer) {
        const bool awaits_answer = options_.edges.has(options_.rank, peer) && dataOverGrpc(peer) && !data_.sendsTo(peer);
        if (awaits_answer || awaitsDataFrom(peer)) peers.push_back(peer);
    }
    return peers;
}

void PeerLinks::listen() {
    const std::string& target = places_[static_cast<std::size_t>(options_.rank)].target;
    grpc::ServerBuilder builder;
    applyServerArguments(builder);
    acceptor_ = builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, grpc::InsecureServerCredentials());
    builder.RegisterService(&service_);
    queue_ = builder.AddCompletionQueue();
    server_ = builder.BuildAndStart();
    if (!server_) throw Error(ErrorCode::kInternal, health_.name(options_.rank).task + ": gRPC does not start");
    waker_.start(*queue_, [this] {
        if (shut_down_) return;
        takeAnswered();
        acceptData();
    });
    expectLink();
    const auto called = [this](Connection&& connection) {
        if (connection.proven.call.purpose == Purpose::kData) {
            const engine::MutexLock lock(called_mutex_);
            called_for_data_.push_back(std::move(connection));
            return waker_.wake();
        }
        grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters parameters;
        parameters.fd = connection.socket.release();
        acceptor_->HandleNewConnection(&parameters);
    };
    const auto answered = [this] { waker_.wake(); };
    gate_ = openGate({.secret = options_.secret, .address = target, .tasks = names(), .rank = options_.rank},
                     {.called = called, .answered = answered});
    if (options_.on_listening) options_.on_listening();
}

LinkStream::Events PeerLinks::events() {
    return {.message = [this](LinkStream& stream, const proto::LinkMessage& message) { onMessage(stream, message); },
            .ended = [this](LinkStream& stream, const std::string& why) { onEnded(stream, why); }};
}

void PeerLinks::expectLink() {
    streams_.push_back(std::make_unique<ServedStream>(events(), service_, queue_.get(), [this](bool ok) {
        if (ok && !shut_down_) expectLink();
    }));
}

// The streams of the tasks that send to us, each once; whoever else calls is hung up on.
void PeerLinks::acceptData() {
    std::vector<Connection> called;
    {
        const engine::MutexLock lock(called_mutex_);
        called.swap(called_for_data_);
    }
    for (Connection& connection : called) {
        const Call& call = connection.proven.call;
        const int caller = call.called == options_.rank && !connected_ ? call.caller : -1;
        const bool has_link = caller >= 0 && caller < size() && peers_[static_cast<std::size_t>(caller)].stream != nullptr;
        if (has_link && options_.edges.has(caller, options_.rank) && !data_.hears(caller)) {
            data_.attachIncoming(caller, std::move(connection.socket));
        }
    }
}

void PeerLinks::dial(int rank) {
    peers_[static_cast<std::size_t>(rank)].dialling = true;
    gate_->dial({Purpose::kLink, options_.rank, rank}, places_[static_cast<std::size_t>(rank)]);
}

void PeerLinks::takeAnswered() {
    for (Connection& connection : gate_->takeAnswered()) {
        const int rank = connection.proven.call.called;
        if (connection.proven.call.purpose == Purpose::kData) {
            data_.openOutgoing(rank, std::move(connection.socket));
            continue;
        }
        streams_.push_back(std::make_unique<CallerStream>(events(), std::move(connection), queue_.get()));
        streams_.back()->peer = rank;
        streams_.back()->write(ownHello());
    }
}

void PeerLinks::dialMissing() {
    const auto now = Clock::now();
    for (int rank = options_.rank + 1; rank < size(); ++rank) {
        const Peer& peer = peers_[static_cast<std::size_t>(rank)];
        if (isLinked(rank) && !peer.dialling && peer.stream == nullptr && !peer.gone && now >= peer.dial_at) dial(rank);
    }
}

proto::LinkMessage PeerLinks::ownHello() const {
    const engine::spec::TaskId& task = options_.tasks[static_cast<std::size_t>(options_.rank)];
    proto::LinkMessage message;
    proto::LinkHello& hello = *message.mutable_hello();
    hello.set_protocol(kPeerLinksProtocol);
    hello.set_cluster(options_.cluster);
    hello.mutable_task()->set_type(task.type);
    hello.mutable_task()->set_index(task.index);
    hello.set_boot_id(engine::distribute::machineBootId());
    if (no_segment_.empty()) {
        const std::vector<std::byte> address = encode(own_segment_.address());
        hello.set_segment(address.data(), address.size());
    } else {
        hello.set_no_segment(no_segment_);
    }
    return message;
}

void PeerLinks::onMessage(LinkStream& stream, const proto::LinkMessage& message) {
    Peer* const peer = stream.peer < 0 ? nullptr : &peers_[static_cast<std::size_t>(stream.peer)];
    if (peer == nullptr || peer->stream != &stream) {  // not agreed: there are two things to say
        if (message.has_hello()) return onHello(stream, message.hello());
        if (message.has_refusal() && stream.weCalled()) return onRefusal(stream, message.refusal().reason());
        return stream.cancel();
    }
    if (connected_ && cutSince(stream.peer)) {
        peer->held.push_back(message);
        return;
    }
    switch (message.body_case()) {
        case proto::LinkMessage::kSharedMemory:
            return onSharedMemory(stream, message.shared_memory());
        case proto::LinkMessage::kGoodbye:
            return onGoodbye(stream, message.goodbye());
        case proto::LinkMessage::kGoodbyeSeen:
            peer->goodbye_seen = true;
            return;
        case proto::LinkMessage::kReady:
            peer->is_ready = true;
            return;
        case proto::LinkMessage::kAllHere:
        case proto::LinkMessage::kAwaited:
        case proto::LinkMessage::kLost:
            if (stream.peer == LinkMesh::kHub) onHubsWord(message);
            return;
        case proto::LinkMessage::kHello:
        case proto::LinkMessage::kRefusal:
        case proto::LinkMessage::kHeartbeat:
        case proto::LinkMessage::BODY_NOT_SET:
            return;  // the stream noted the time
    }
}

void PeerLinks::onHubsWord(const proto::LinkMessage& message) {
    if (message.has_all_here()) {
        hub_.all_here = true;
    } else if (message.has_awaited()) {
        hub_.awaited.clear();
        for (const int rank : message.awaited().ranks()) {
            if (rank >= 0 && rank < size() && rank != options_.rank) hub_.awaited.push_back(rank);
        }
    } else if (const int rank = message.lost().rank(); rank >= 0 && rank < size() && rank != options_.rank) {
        if (!peers_[static_cast<std::size_t>(rank)].gone) lose(rank, bounded(message.lost().reason()));
    }
}

void PeerLinks::tellAll(const proto::LinkMessage& message) {
    for (const Peer& peer : peers_) {
        if (peer.stream != nullptr && peer.stream->open() && !peer.gone) peer.stream->write(message);
    }
}

// Coordinates the start where not every pair has a Link: the hub gathers who is ready, and says when all are.
void PeerLinks::tellHub() {
    if (mesh_.isWhole() || hub_.all_here) return;
    proto::LinkMessage message;
    if (!isHub()) {
        if (!ownAreHere() || std::exchange(hub_.told_ready, true)) return;
        message.mutable_ready();
        peers_[LinkMesh::kHub].stream->write(std::move(message));
        return;
    }
    const std::vector<int> awaited = awaitedByHub();
    if (awaited.empty() && ownAreHere()) {
        hub_.all_here = true;
        message.mutable_all_here();
    } else if (const auto now = Clock::now(); now >= hub_.tell_at) {
        hub_.tell_at = now + options_.waiting_report / 2;
        message.mutable_awaited()->mutable_ranks()->Add(awaited.begin(), awaited.end());
    } else {
        return;
    }
    tellAll(message);
}

// Returns who has not come; when all have, who still waits for others.
std::vector<int> PeerLinks::awaitedByHub() const {
    std::vector<int> absent, not_ready;
    for (int rank = 0; rank < size(); ++rank) {
        const Peer& peer = peers_[static_cast<std::size_t>(rank)];
        if (rank == options_.rank || peer.is_ready) continue;
        (peer.agreed ? not_ready : absent).push_back(rank);
    }
    return absent.empty() ? not_ready : absent;
}

void PeerLinks::onRefusal(LinkStream& stream, const std::string& reason) {
    fatal_ = toString(health_.name(options_.rank)) + ": refused by " + toString(health_.name(stream.peer)) + ": " + bounded(reason);
}

// Returns why the caller is refused; empty: it is welcome.
std::string PeerLinks::whyRefused(const LinkStream& stream, const proto::LinkHello& hello, int rank, const Call& proven) const {
    if (hello.protocol() != kPeerLinksProtocol) {
        return "it speaks protocol " + std::to_string(hello.protocol()) + ", expected " + std::to_string(kPeerLinksProtocol);
    }
    if (hello.cluster() != options_.cluster) {
        return bounded("it belongs to another cluster: " + firstDifference(hello.cluster(), options_.cluster));
    }
    if (rank < 0) return "it is no training task of this cluster";
    if (stream.peer >= 0 && rank != stream.peer) return "expected " + health_.name(stream.peer).task + " at this address";
    if (stream.peer < 0 && rank >= options_.rank) {
        return rank == options_.rank ? "the task runs twice" : "expected to be called by tasks of a lower rank only";
    }
    if (proven.purpose != Purpose::kLink || rank != (stream.peer < 0 ? proven.caller : proven.called)) {
        return "it has proven to be another task";
    }
    if (!isLinked(rank)) return "expected to be called by the tasks that it is linked with only";
    if (peers_[static_cast<std::size_t>(rank)].stream != nullptr || peers_[static_cast<std::size_t>(rank)].gone)
        return "the task is already here";
    return {};
}

void PeerLinks::onHello(LinkStream& stream, const proto::LinkHello& hello) {
    const engine::spec::TaskId task{hello.task().type(), hello.task().index()};
    const auto found = std::find(options_.tasks.begin(), options_.tasks.end(), task);
    const int rank = found == options_.tasks.end() ? -1 : static_cast<int>(found - options_.tasks.begin());
    const bool called_us = !stream.weCalled();
    const std::optional<ProvenCall> proven = stream.proven(*gate_);
    if (!proven) return stream.cancel();
    if (const std::string why = whyRefused(stream, hello, rank, proven->call); !why.empty()) {
        const std::string text = bounded(toString(task)) + ": " + why;
        if (options_.on_log) options_.on_log("refused " + text);
        if (!called_us) {
            fatal_ = toString(health_.name(options_.rank)) + ": " + health_.name(stream.peer).address + " answers as " + text;
            return;
        }
        proto::LinkMessage refusal;
        refusal.mutable_refusal()->set_reason(text);
        stream.write(std::move(refusal));
        stream.finishAfterWrites();
        return;
    }
    Peer& peer = peers_[static_cast<std::size_t>(rank)];
    stream.peer = rank;
    peer.stream = &stream;
    gate_->setLink(rank, proven->session);
    if (called_us) stream.write(ownHello());
    proto::LinkMessage answer;
    const std::string why_not = tryMemory(rank, hello);
    peer.memory_usable = why_not.empty();
    answer.mutable_shared_memory()->set_usable(peer.memory_usable);
    answer.mutable_shared_memory()->set_reason(why_not);
    stream.write(std::move(answer));
}

// Opens the peer's segment. Returns why that is not possible, empty when it is.
std::string PeerLinks::tryMemory(int rank, const proto::LinkHello& hello) {
    if (!no_segment_.empty()) return no_segment_;
    if (hello.segment().empty()) return hello.no_segment().empty() ? "it offers none" : bounded(hello.no_segment());
    if (hello.boot_id().empty() || hello.boot_id() != engine::distribute::machineBootId()) return "the tasks are on different machines";
    const auto address = engine::distribute::decodeSegmentAddress(std::as_bytes(std::span(hello.segment())));
    if (!address || address->bytes != options_.segment_bytes[static_cast<std::size_t>(rank)]) return "unknown kind of segment";
    try {
        peers_[static_cast<std::size_t>(rank)].segment = SharedSegment::open(*address);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

void PeerLinks::onSharedMemory(LinkStream& stream, const proto::LinkSharedMemory& answer) {
    Peer& peer = peers_[static_cast<std::size_t>(stream.peer)];
    if (peer.agreed) return;
    peer.shares_memory = peer.memory_usable && answer.usable();
    peer.agreed = true;
    if (!peer.shares_memory && options_.offer_shared_memory && options_.on_log) {
        options_.on_log("no shared memory with " + toString(health_.name(stream.peer)) + ": " +
                        (answer.usable() ? "its memory cannot be opened here" : bounded(answer.reason())));
    }
    if (!peer.data_dialled && options_.edges.has(options_.rank, stream.peer) && dataOverGrpc(stream.peer)) {
        peer.data_dialled = true;
        gate_->dial({Purpose::kData, options_.rank, stream.peer}, places_[static_cast<std::size_t>(stream.peer)]);
    }
}

void PeerLinks::onGoodbye(LinkStream& stream, const proto::LinkGoodbye& goodbye) {
    Peer& peer = peers_[static_cast<std::size_t>(stream.peer)];
    if (peer.said_goodbye) return;
    peer.said_goodbye = true;
    proto::LinkMessage seen;
    seen.mutable_goodbye_seen();
    stream.write(std::move(seen));
    if (goodbye.failure().empty()) {
        peer.gone = true;
        health_.markLeft(stream.peer);
    } else {
        lose(stream.peer, "gave up: " + bounded(goodbye.failure()));
    }
}

void PeerLinks::onEnded(LinkStream& stream, const std::string& why) {
    if (stream.peer < 0) return;
    Peer& peer = peers_[static_cast<std::size_t>(stream.peer)];
    if (peer.stream == &stream) {
        // While the way to the peer is cut on purpose, its end is not noticed either.
        if (!peer.gone && !(connected_ && cutSince(stream.peer))) lose(stream.peer, "closed its connection");
    } else if (peer.stream == nullptr) {  // not yet agreed: somebody else's port, or a task that just went away
        peer.dialling = false;
        peer.dial_at = Clock::now() + kDialPause;
        if (options_.on_log && !why.empty() && why != peer.dial_failure) {
            options_.on_log("dialling " + toString(health_.name(stream.peer)) + ": " + bounded(why));
        }
        peer.dial_failure = why;
    }
}

void PeerLinks::lose(int rank, const std::string& why) {
    peers_[static_cast<std::size_t>(rank)].gone = true;
    health_.markLost(rank, why);
    if (mesh_.isWhole() || !isHub() || leaving_) return;
    proto::LinkMessage message;
    message.mutable_lost()->set_rank(rank);
    message.mutable_lost()->set_reason(why);
    tellAll(message);
}

// True when all tasks that this one is linked with are here.
bool PeerLinks::ownAreHere() const {
    for (int rank = 0; rank < size(); ++rank) {
        if (isLinked(rank) && !peers_[static_cast<std::size_t>(rank)].agreed) return false;
    }
    return awaitedData().empty();
}

bool PeerLinks::allHere() const {
    return ownAreHere() && (mesh_.isWhole() || hub_.all_here);
}

// Returns ranks, at least one. When everyone has said hello, a peer whose stream is awaited itself still waits for somebody.
std::vector<int> PeerLinks::missing() const {
    std::vector<int> ranks;
    for (int rank = 0; rank < size(); ++rank) {
        if (isLinked(rank) && !peers_[static_cast<std::size_t>(rank)].agreed) ranks.push_back(rank);
    }
    if (ranks.empty()) ranks = awaitedData();
    if (ranks.empty() && !mesh_.isWhole()) ranks = isHub() ? awaitedByHub() : hub_.awaited;
    if (ranks.empty()) ranks.push_back(options_.rank == 0 ? 1 : 0);  // the last word came this very moment
    return ranks;
}

std::string PeerLinks::missingNames() const {
    std::string names;
    for (const int rank : missing()) names += (names.empty() ? "" : ", ") + toString(health_.name(rank));
    return names;
}

void PeerLinks::connect() {
    listen();
    const auto start = Clock::now();
    auto report_at = start + options_.waiting_report;
    last_turn_ = last_beat_ = start;
    while (!allHere()) {
        const auto now = Clock::now();  // before the look: what came while this thread got no processor is seen before the time is up
        dialMissing();
        turn(20ms);
        tellHub();
        if (!fatal_.empty()) throw Error(ErrorCode::kFailedPrecondition, fatal_);
        health_.check(-1);
        if (allHere()) break;
        if (options_.cancelled && options_.cancelled()) throw Error(ErrorCode::kCancelled, "stopped while waiting for " + missingNames());
        if (now - start >= options_.start_timeout) {
            throw Error(ErrorCode::kDeadlineExceeded, toString(health_.name(options_.rank)) + ": gave up waiting for " + missingNames() +
                                                          " after " + timeText(options_.start_timeout) + gate_->obstaclesTo(missing()));
        }
        if (now >= report_at) {
            report_at += options_.waiting_report;
            if (options_.on_waiting) {
                std::vector<engine::spec::TaskId> awaited;
                for (const int rank : missing()) awaited.push_back(options_.tasks[static_cast<std::size_t>(rank)]);
                options_.on_waiting("waiting for " + missingNames() + " (" + seconds(now - start) + " s of " +
                                        timeText(options_.start_timeout) + ")" + gate_->obstaclesTo(missing()),
                                    awaited);
            }
        }
    }
    connected_ = true;
    gate_->close();  // everybody is here
    thread_ = std::jthread([this](std::stop_token stop) { run(stop); });
}

void PeerLinks::run(std::stop_token stop) {
    const bool moves_data = movesData();
    while (!stop.stop_requested()) turn(moves_data ? kDataTick : kSleep);
}

// One round of whoever is in charge: what has come, then what is due.
void PeerLinks::turn(std::chrono::milliseconds may_block) {
    if (connected_ && may_block == kDataTick) {
        // Sleeping inside gRPC would make this thread the one that reads the sockets, and the thread that waits for the data would need to
        // be woken.
        std::this_thread::sleep_for(may_block);
        may_block = 0ms;
    }
    handleMany(*queue_, may_block);
    data_.tick();
    const auto now = Clock::now();
    std::erase_if(streams_, [&](const auto& stream) {
        return stream->spent() && (stream->peer < 0 || peers_[static_cast<std::size_t>(stream->peer)].stream != stream.get());
    });
    if (const auto news = gate_->newsOfStrangers(); news && options_.on_log) options_.on_log(*news);
    if (now - last_turn_ > kOwnStop) {
        for (const Peer& peer : peers_) {
            if (peer.stream != nullptr) peer.stream->forgiveSilence();
        }
    }
    last_turn_ = now;
    beat(now);
}

std::optional<PeerLinks::Clock::time_point> PeerLinks::cutSince(int rank) const {
    return options_.faults != nullptr && options_.faults->any() ? options_.faults->cutSince(rank) : std::nullopt;
}

// Takes what the peer said while the way to it was cut, as from a network that has it again.
void PeerLinks::takeHeld(Peer& peer) {
    peer.stream->forgiveSilence();
    for (const proto::LinkMessage& message : std::exchange(peer.held, {})) onMessage(*peer.stream, message);
}

void PeerLinks::beat(Clock::time_point now) {
    const bool due = now - last_beat_ >= options_.heartbeat;
    if (due) last_beat_ = now;
    for (int rank = 0; rank < size(); ++rank) {
        Peer& peer = peers_[static_cast<std::size_t>(rank)];
        if (peer.stream == nullptr || peer.gone) continue;
        const auto cut_since = connected_ ? cutSince(rank) : std::nullopt;
        if (!cut_since && !peer.held.empty()) takeHeld(peer);
        if (!cut_since && connected_ && !peer.gone && !peer.stream->open()) lose(rank, "closed its connection");
        if (peer.gone) continue;
        if (due && !cut_since && peer.stream->idle()) {
            proto::LinkMessage message;
            message.mutable_heartbeat();
            peer.stream->write(std::move(message));
        }
        const auto silent = now - (cut_since ? std::min(*cut_since, peer.stream->lastHeard()) : peer.stream->lastHeard());
        const bool is_silent = silent > kTellSilence;
        if (is_silent && !peer.silence_told && silent <= options_.lost_after && options_.on_log) {
            options_.on_log(toString(health_.name(rank)) + " has given no sign of life for " + timeText(kTellSilence));
        }
        peer.silence_told = is_silent;
        if (silent > options_.lost_after) lose(rank, "sent no heartbeat for " + timeText(options_.lost_after));
    }
}

void PeerLinks::leave(const std::string& failure) {
    thread_ = {};  // stops and joins it: from here this thread is in charge
    if (shut_down_ || leaving_ || !gate_) return;
    leaving_ = true;
    for (const Peer& peer : peers_) {
        if (peer.stream == nullptr || peer.gone) continue;
        proto::LinkMessage goodbye;
        goodbye.mutable_goodbye()->set_failure(bounded(failure));
        peer.stream->write(std::move(goodbye));
    }
    if (failure.empty()) data_.finishWriting();
    const auto told = [&] {
        return std::all_of(peers_.begin(), peers_.end(), [](const Peer& peer) {
            return peer.stream == nullptr || !peer.stream->open() || peer.goodbye_seen || (peer.gone && peer.stream->idle());
        });
    };
    const auto give_up = Clock::now() + kGoodbye;
    while (Clock::now() < give_up && !(told() && (!failure.empty() || data_.finished()))) turn(2ms);
    shutDown();
}

void PeerLinks::shutDown() {
    thread_ = {};
    if (shut_down_) return;
    shut_down_ = true;
    if (gate_) gate_->close();
    for (const auto& stream : streams_) {
        stream->stop();
        stream->cancel();
    }
    if (server_) server_->Shutdown(std::chrono::system_clock::now());
    if (queue_) {
        queue_->Shutdown();
        void* tag = nullptr;
        bool ok = false;
        while (queue_->Next(&tag, &ok)) complete(tag, ok);
    }
    data_.shutDown();
}

}  // namespace agent::worker

#include "agent/wire/way_convert.h"

#include <cmath>
#include <string>
#include <type_traits>

#include "agent/local/secret.h"
#include "agent/proto/agent.pb.h"
#include "agent/proto/question.pb.h"
#include "agent/wire/answer_convert.h"
#include "agent/wire/answer_pieces.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"

namespace agent::convert {

namespace spec = engine::spec;

namespace {

[[noreturn]] void refuse(const std::string& message) {
    throw engine::Error(engine::ErrorCode::kInvalidArgument, "ways: " + message);
}

void putGroup(const spec::WayGroup& group, proto::WayGroup& message) {
    message.set_secret(group.secret);
    message.set_authority_pem(group.authority_pem);
    for (const spec::WayTask& task : group.tasks) {
        proto::WayTask& out = *message.add_tasks();
        out.set_task(task.task);
        out.set_address(task.address);
    }
}

void putIdentity(const spec::WayIdentity& identity, proto::WayIdentity& message) {
    message.set_rank(identity.rank);
    message.set_certificate_pem(identity.certificate_pem);
    message.set_key_pem(identity.key_pem);
}

spec::WayGroup groupIn(const proto::WayGroup& message) {
    if (!secretFromBytes(message.secret())) {
        refuse("expected a secret of 32 bytes, got " + std::to_string(message.secret().size()) + " bytes");
    }
    if (message.tasks_size() < 1 || message.tasks_size() > kMostWayTasks) {
        refuse("expected 1 to " + std::to_string(kMostWayTasks) + " tasks, got " + std::to_string(message.tasks_size()));
    }
    spec::WayGroup group{.secret = message.secret(), .authority_pem = message.authority_pem(), .tasks = {}};
    for (const proto::WayTask& task : message.tasks()) {
        group.tasks.push_back({task.task(), task.address()});
    }
    return group;
}

int rankIn(const spec::WayGroup& group, int rank) {
    if (rank < 0 || rank >= static_cast<int>(group.tasks.size())) {
        refuse("expected the rank of one of " + std::to_string(group.tasks.size()) + " tasks, got " + std::to_string(rank));
    }
    return rank;
}

spec::WayIdentity identityIn(const proto::WayIdentity& message, const spec::WayGroup& group) {
    return {rankIn(group, message.rank()), message.certificate_pem(), message.key_pem()};
}

bool isMeasure(double value) {
    return std::isfinite(value) && value >= 0;
}

}  // namespace

proto::WayOutcome toProto(spec::WayOutcome outcome) {
    return static_cast<proto::WayOutcome>(static_cast<int>(outcome) + proto::WAY_OUTCOME_REACHED);
}

spec::WayOutcome fromProto(proto::WayOutcome outcome) {
    return outcome >= proto::WAY_OUTCOME_REACHED && outcome <= proto::WAY_OUTCOME_NOT_TRIED
               ? static_cast<spec::WayOutcome>(outcome - proto::WAY_OUTCOME_REACHED)
               : spec::WayOutcome::kNotTried;
}

void toProto(const spec::HostWay& way, proto::DoctorWay& message) {
    message.set_from(validUtf8(way.from));
    message.set_to(validUtf8(way.to));
    message.set_port(way.port);
    message.set_outcome(toProto(way.outcome));
    message.set_round_trip_us(way.round_trip_us);
    message.set_bytes_per_s(way.bytes_per_s);
    message.set_detail(validUtf8(way.detail));
    message.set_is_slow(way.is_slow);
}

spec::HostWay fromProto(const proto::DoctorWay& message) {
    return {.from = message.from(),
            .to = message.to(),
            .port = message.port(),
            .outcome = fromProto(message.outcome()),
            .round_trip_us = message.round_trip_us(),
            .bytes_per_s = message.bytes_per_s(),
            .detail = message.detail(),
            .is_slow = message.is_slow()};
}

void toProto(const spec::ServeWaysQuestion& asked, proto::ServeWaysQuestion& message) {
    putGroup(asked.group, *message.mutable_group());
    for (const spec::WayIdentity& identity : asked.own) {
        putIdentity(identity, *message.add_own());
    }
    message.set_within_s(asked.within_s);
}

void toProto(const spec::CallWaysQuestion& asked, proto::CallWaysQuestion& message) {
    putGroup(asked.group, *message.mutable_group());
    putIdentity(asked.own, *message.mutable_own());
    message.mutable_called()->Add(asked.called.begin(), asked.called.end());
    message.set_measures(asked.measures);
}

spec::ServeWaysQuestion fromProto(const proto::ServeWaysQuestion& message) {
    spec::ServeWaysQuestion asked{.group = groupIn(message.group()), .own = {}, .within_s = message.within_s()};
    if (asked.within_s < 1 || asked.within_s > kMostWaySeconds) {
        refuse("expected 1 to " + std::to_string(kMostWaySeconds) + " s, got " + std::to_string(asked.within_s));
    }
    for (const proto::WayIdentity& identity : message.own()) {
        asked.own.push_back(identityIn(identity, asked.group));
    }
    if (asked.own.empty()) {
        refuse("expected a task that listens, got none");
    }
    return asked;
}

spec::CallWaysQuestion fromProto(const proto::CallWaysQuestion& message) {
    spec::CallWaysQuestion asked{.group = groupIn(message.group()), .own = {}, .called = {}, .measures = message.measures()};
    asked.own = identityIn(message.own(), asked.group);
    for (const int rank : message.called()) {
        asked.called.push_back(rankIn(asked.group, rank));
    }
    if (asked.called.size() > asked.group.tasks.size()) {
        refuse("expected each task to be called once, got " + std::to_string(asked.called.size()) + " calls to " +
               std::to_string(asked.group.tasks.size()) + " tasks");
    }
    return asked;
}

void append(const spec::ServedWays& answer, std::vector<proto::Answer>& pieces) {
    pieces.emplace_back().mutable_served_ways()->set_calls(answer.calls);
}

spec::ServedWays read(const proto::Answer& whole, std::type_identity<spec::ServedWays>) {
    require(whole.has_served_ways() && whole.served_ways().calls() >= 0);
    return {whole.served_ways().calls()};
}

void append(const spec::CalledWays& answer, std::vector<proto::Answer>& pieces) {
    PieceWriter writer(pieces, [](proto::Answer& piece) { piece.mutable_called_ways(); });
    for (const spec::CalledWay& way : answer.ways) {
        proto::CalledWay message;
        message.set_rank(way.rank);
        message.set_outcome(toProto(way.outcome));
        message.set_detail(shortened(validUtf8(way.detail)));
        message.set_round_trip_us(way.round_trip_us);
        message.set_bytes_per_s(way.bytes_per_s);
        *writer.pieceFor(message.ByteSizeLong()).mutable_called_ways()->add_ways() = std::move(message);
    }
}

spec::CalledWays read(const proto::Answer& whole, std::type_identity<spec::CalledWays>) {
    require(whole.has_called_ways());
    spec::CalledWays answer;
    for (const proto::CalledWay& way : whole.called_ways().ways()) {
        require(isMeasure(way.round_trip_us()) && isMeasure(way.bytes_per_s()));
        answer.ways.push_back({way.rank(), fromProto(way.outcome()), way.detail(), way.round_trip_us(), way.bytes_per_s()});
    }
    return answer;
}

}  // namespace agent::convert

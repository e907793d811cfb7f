#include "agent/wire/task_event_convert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "agent/proto/task_event.pb.h"
#include "engine/spec/error.h"
#include "engine/spec/events/control_rate.h"

namespace agent::convert {

namespace spec = engine::spec;

namespace {

template <typename Spec, typename Proto>
using EnumTable = std::span<const std::pair<Spec, Proto>>;

constexpr std::array kTaskStates{
    std::pair{spec::TaskState::kNotStarted, proto::TASK_STATE_NOT_STARTED},
    std::pair{spec::TaskState::kConnecting, proto::TASK_STATE_CONNECTING},
    std::pair{spec::TaskState::kReady, proto::TASK_STATE_READY},
    std::pair{spec::TaskState::kTraining, proto::TASK_STATE_TRAINING},
    std::pair{spec::TaskState::kWaiting, proto::TASK_STATE_WAITING},
    std::pair{spec::TaskState::kPaused, proto::TASK_STATE_PAUSED},
    std::pair{spec::TaskState::kDone, proto::TASK_STATE_DONE},
    std::pair{spec::TaskState::kStopped, proto::TASK_STATE_STOPPED},
    std::pair{spec::TaskState::kFailed, proto::TASK_STATE_FAILED},
};

constexpr std::array kWaitCauses{
    std::pair{spec::WaitCause::kNone, proto::WAIT_CAUSE_NONE},
    std::pair{spec::WaitCause::kPeers, proto::WAIT_CAUSE_PEERS},
    std::pair{spec::WaitCause::kSilence, proto::WAIT_CAUSE_SILENCE},
};

constexpr std::array kLogLevels{
    std::pair{spec::LogLevel::kDebug, proto::LOG_LEVEL_DEBUG},
    std::pair{spec::LogLevel::kInfo, proto::LOG_LEVEL_INFO},
    std::pair{spec::LogLevel::kWarning, proto::LOG_LEVEL_WARNING},
    std::pair{spec::LogLevel::kError, proto::LOG_LEVEL_ERROR},
};

constexpr std::array kControlVerbs{
    std::pair{spec::ControlVerb::kPause, proto::CONTROL_VERB_PAUSE},
    std::pair{spec::ControlVerb::kResume, proto::CONTROL_VERB_RESUME},
    std::pair{spec::ControlVerb::kStep, proto::CONTROL_VERB_STEP},
    std::pair{spec::ControlVerb::kStop, proto::CONTROL_VERB_STOP},
    std::pair{spec::ControlVerb::kStopNow, proto::CONTROL_VERB_STOP_NOW},
    std::pair{spec::ControlVerb::kCheckpointNow, proto::CONTROL_VERB_CHECKPOINT_NOW},
    std::pair{spec::ControlVerb::kSetLearningRate, proto::CONTROL_VERB_SET_LEARNING_RATE},
};

template <typename Spec, typename Proto>
Proto enumToProto(EnumTable<Spec, Proto> table, Spec value) {
    for (const auto& [ours, theirs] : table) {
        if (ours == value) {
            return theirs;
        }
    }
    ENGINE_CHECK(!"an enumerator without a row in its table");
    return {};
}

template <typename Spec, typename Proto>
Spec enumFromProto(EnumTable<Spec, Proto> table, Proto value, const char* what) {
    for (const auto& [ours, theirs] : table) {
        if (theirs == value) {
            return ours;
        }
    }
    throw engine::Error(engine::ErrorCode::kInvalidArgument,
                        std::string(what) + ": expected one of the known values, got " + std::to_string(static_cast<int>(value)));
}

using NamedValues = std::vector<std::pair<std::string, double>>;

void putValues(const NamedValues& values, google::protobuf::RepeatedPtrField<proto::NamedValue>& out) {
    for (const auto& [name, value] : values) {
        proto::NamedValue& entry = *out.Add();
        entry.set_name(validUtf8(name));
        entry.set_value(value);
    }
}

NamedValues valuesIn(const google::protobuf::RepeatedPtrField<proto::NamedValue>& values) {
    NamedValues out;
    out.reserve(static_cast<std::size_t>(values.size()));
    for (const proto::NamedValue& entry : values) {
        out.emplace_back(entry.name(), entry.value());
    }
    return out;
}

void putDistribution(const spec::Distribution& distribution, proto::Distribution& out) {
    out.set_name(validUtf8(distribution.name));
    out.set_minimum(distribution.minimum);
    out.set_maximum(distribution.maximum);
    out.set_mean(distribution.mean);
    out.set_deviation(distribution.deviation);
    out.set_norm(distribution.norm);
    out.set_not_finite(distribution.not_finite);
    out.mutable_counts()->Add(distribution.counts.begin(), distribution.counts.end());
}

spec::Distribution distributionIn(const proto::Distribution& message) {
    return {.name = message.name(),
            .minimum = message.minimum(),
            .maximum = message.maximum(),
            .mean = message.mean(),
            .deviation = message.deviation(),
            .norm = message.norm(),
            .not_finite = message.not_finite(),
            .counts = {message.counts().begin(), message.counts().end()}};
}

struct BodyToProto {
    proto::TaskEvent& out;

    void operator()(const spec::StateChanged& body) const {
        proto::StateChanged& message = *out.mutable_state_changed();
        message.set_state(enumToProto<spec::TaskState, proto::TaskState>(kTaskStates, body.state));
        message.set_detail(validUtf8(body.detail));
        message.set_cause(enumToProto<spec::WaitCause, proto::WaitCause>(kWaitCauses, body.cause));
        for (const spec::TaskId& task : body.awaited) {
            *message.add_awaited() = convert::toProto(task);
        }
    }
    void operator()(const spec::StepPoints& body) const {
        proto::StepPoints& message = *out.mutable_step_points();
        message.mutable_step()->Add(body.step.begin(), body.step.end());
        message.mutable_epoch()->Add(body.epoch.begin(), body.epoch.end());
        message.mutable_time_unix_ns()->Add(body.time_unix_ns.begin(), body.time_unix_ns.end());
        message.set_examples_per_step(body.examples_per_step);
        message.set_aggregated(body.aggregated);
        for (const spec::Column& column : body.columns) {
            proto::Column& entry = *message.add_columns();
            entry.set_name(validUtf8(column.name));
            entry.mutable_values()->Add(column.values.begin(), column.values.end());
        }
        message.set_input_us(body.input_us);
        message.set_compute_us(body.compute_us);
        message.set_wait_us(body.wait_us);
        message.set_reduce_us(body.reduce_us);
        message.set_apply_us(body.apply_us);
    }
    void operator()(const spec::EpochEnd& body) const {
        proto::EpochEnd& message = *out.mutable_epoch_end();
        message.set_epoch(body.epoch);
        message.set_step(body.step);
        message.set_seconds(body.seconds);
        putValues(body.logs, *message.mutable_logs());
    }
    void operator()(const spec::CheckpointSaved& body) const {
        proto::CheckpointSaved& message = *out.mutable_checkpoint_saved();
        message.set_prefix(validUtf8(body.prefix));
        message.set_epoch(body.epoch);
        message.set_step(body.step);
        message.set_bytes(body.bytes);
        message.set_seconds(body.seconds);
        message.set_best(body.best);
        for (const std::string& removed : body.removed) {
            message.add_removed(validUtf8(removed));
        }
    }
    void operator()(const spec::LogLine& body) const {
        proto::LogLine& message = *out.mutable_log_line();
        message.set_level(enumToProto<spec::LogLevel, proto::LogLevel>(kLogLevels, body.level));
        message.set_text(validUtf8(body.text));
    }
    void operator()(const spec::RunStarted& body) const {
        proto::RunStarted& message = *out.mutable_run_started();
        message.set_steps_per_epoch(body.steps_per_epoch);
        message.set_epochs(body.epochs);
        message.set_global_batch_size(body.global_batch_size);
        message.set_parameters(body.parameters);
        message.set_gradient_bytes(body.gradient_bytes);
        message.set_executor(validUtf8(body.executor));
        message.set_transport(validUtf8(body.transport));
        message.set_resumed_step(body.resumed_step);
    }
    void operator()(const spec::ControlApplied& body) const {
        proto::ControlApplied& message = *out.mutable_control_applied();
        message.set_what(validUtf8(body.what));
        message.set_step(body.step);
    }
    void operator()(const spec::TaskFinished& body) const {
        proto::TaskFinished& message = *out.mutable_task_finished();
        putValues(body.results, *message.mutable_results());
        message.set_checkpoint(validUtf8(body.checkpoint));
        message.set_weights_sha256(validUtf8(body.weights_sha256));
    }
    void operator()(const spec::TaskFailed& body) const {
        proto::TaskFailed& message = *out.mutable_task_failed();
        message.set_reason(validUtf8(body.reason));
        message.set_exit_code(body.exit_code);
        message.set_signal(body.signal);
        for (const std::string& line : body.last_lines) {
            message.add_last_lines(validUtf8(line));
        }
    }
    void operator()(const spec::AttemptStarted& body) const {
        proto::AttemptStarted& message = *out.mutable_attempt_started();
        message.set_attempt(body.attempt);
        message.set_attempts(body.attempts);
        message.set_from_backup(body.from_backup);
        message.set_reason(validUtf8(body.reason));
        message.set_by_hand(body.by_hand);
        for (const spec::TaskId& task : body.left_out) {
            *message.add_left_out() = convert::toProto(task);
        }
        for (const spec::TaskHost& one : body.hosts) {
            proto::TaskHost& host = *message.add_hosts();
            *host.mutable_task() = convert::toProto(one.task);
            host.set_host(validUtf8(one.host));
        }
    }
    void operator()(const spec::Heartbeat& body) const {
        proto::Heartbeat& message = *out.mutable_heartbeat();
        message.set_step(body.step);
        message.set_resident_bytes(body.resident_bytes);
        message.set_cpu_cores(body.cpu_cores);
    }
    void operator()(const spec::ServerLoad& body) const {
        proto::ServerLoad& message = *out.mutable_server_load();
        message.set_seconds(body.seconds);
        message.set_updates(body.updates);
        message.set_steps(body.steps);
        message.set_pulled_bytes(body.pulled_bytes);
        message.set_pushed_bytes(body.pushed_bytes);
        message.mutable_staleness()->Add(body.staleness.begin(), body.staleness.end());
    }
    void operator()(const spec::LayerReport& body) const {
        proto::LayerReport& message = *out.mutable_layer_report();
        message.set_epoch(body.epoch);
        message.set_step(body.step);
        message.set_samples(body.samples);
        for (const spec::LayerMeasure& layer : body.layers) {
            proto::LayerMeasure& entry = *message.add_layers();
            entry.set_layer(validUtf8(layer.layer));
            entry.set_gradient_norm(layer.gradient_norm);
            entry.set_weights_norm(layer.weights_norm);
            entry.set_update_norm(layer.update_norm);
            entry.set_gradient_not_finite(layer.gradient_not_finite);
            entry.set_weights_not_finite(layer.weights_not_finite);
            entry.set_units(layer.units);
            entry.set_dead_units(layer.dead_units);
        }
    }
    void operator()(const spec::WeightReport& body) const {
        proto::WeightReport& message = *out.mutable_weight_report();
        message.set_epoch(body.epoch);
        message.set_step(body.step);
        for (const spec::Distribution& distribution : body.weights) {
            putDistribution(distribution, *message.add_weights());
        }
        for (const spec::Distribution& distribution : body.gradients) {
            putDistribution(distribution, *message.add_gradients());
        }
        message.set_weights_norm(body.weights_norm);
        message.set_gradients_norm(body.gradients_norm);
        if (!body.filters.name.empty()) {
            proto::FilterPictures& filters = *message.mutable_filters();
            filters.set_name(validUtf8(body.filters.name));
            filters.set_height(body.filters.height);
            filters.set_width(body.filters.width);
            filters.set_channels(body.filters.channels);
            filters.set_count(body.filters.count);
            filters.mutable_values()->Add(body.filters.values.begin(), body.filters.values.end());
        }
    }
};

void requireLength(std::string_view what, int actual, int steps) {
    if (actual != steps) {
        throw engine::Error(engine::ErrorCode::kInvalidArgument, "step points: expected one entry of " + std::string(what) +
                                                                     " for each of " + std::to_string(steps) + " steps, got " +
                                                                     std::to_string(actual));
    }
}

spec::StepPoints stepPointsFromProto(const proto::StepPoints& message) {
    convert::checkPoints(message);
    spec::StepPoints body;
    body.step.assign(message.step().begin(), message.step().end());
    body.epoch.assign(message.epoch().begin(), message.epoch().end());
    body.time_unix_ns.assign(message.time_unix_ns().begin(), message.time_unix_ns().end());
    body.examples_per_step = message.examples_per_step();
    body.aggregated = message.aggregated();
    body.columns.reserve(static_cast<std::size_t>(message.columns_size()));
    for (const proto::Column& column : message.columns()) {
        body.columns.push_back({column.name(), {column.values().begin(), column.values().end()}});
    }
    body.input_us = message.input_us();
    body.compute_us = message.compute_us();
    body.wait_us = message.wait_us();
    body.reduce_us = message.reduce_us();
    body.apply_us = message.apply_us();
    return body;
}

spec::StateChanged stateChangedFromProto(const proto::StateChanged& message) {
    spec::StateChanged body;
    body.state = enumFromProto<spec::TaskState, proto::TaskState>(kTaskStates, message.state(), "task state");
    body.detail = message.detail();
    body.cause = enumFromProto<spec::WaitCause, proto::WaitCause>(kWaitCauses, message.cause(), "wait cause");
    for (const proto::TaskId& task : message.awaited()) {
        body.awaited.push_back(convert::fromProto(task));
    }
    return body;
}

spec::TaskFailed taskFailedFromProto(const proto::TaskFailed& message) {
    return {.reason = message.reason(),
            .exit_code = message.exit_code(),
            .signal = message.signal(),
            .last_lines = {message.last_lines().begin(), message.last_lines().end()}};
}

spec::RunStarted runStartedFromProto(const proto::RunStarted& message) {
    return {.steps_per_epoch = message.steps_per_epoch(),
            .epochs = message.epochs(),
            .global_batch_size = message.global_batch_size(),
            .parameters = message.parameters(),
            .gradient_bytes = message.gradient_bytes(),
            .executor = message.executor(),
            .transport = message.transport(),
            .resumed_step = message.resumed_step()};
}

spec::FilterPictures filtersFromProto(const proto::FilterPictures& message) {
    const std::array sides{message.count(), message.height(), message.width(), message.channels()};
    double values = 1;  // of sizes that may be anything: no overflow
    for (const std::int32_t side : sides) {
        values *= side;
    }
    const bool negative = std::any_of(sides.begin(), sides.end(), [](std::int32_t side) { return side < 0; });
    if (negative || values != static_cast<double>(message.values_size())) {
        throw engine::Error(engine::ErrorCode::kInvalidArgument,
                            "weight report: expected " + std::to_string(message.count()) + " filters of " +
                                std::to_string(message.height()) + " x " + std::to_string(message.width()) + " x " +
                                std::to_string(message.channels()) + " values, got " + std::to_string(message.values_size()) + " values");
    }
    return {.name = message.name(),
            .height = message.height(),
            .width = message.width(),
            .channels = message.channels(),
            .count = message.count(),
            .values = {message.values().begin(), message.values().end()}};
}

spec::WeightReport weightReportFromProto(const proto::WeightReport& message) {
    spec::WeightReport body;
    body.epoch = message.epoch();
    body.step = message.step();
    for (const proto::Distribution& distribution : message.weights()) {
        body.weights.push_back(distributionIn(distribution));
    }
    for (const proto::Distribution& distribution : message.gradients()) {
        body.gradients.push_back(distributionIn(distribution));
    }
    body.weights_norm = message.weights_norm();
    body.gradients_norm = message.gradients_norm();
    if (message.has_filters()) {
        body.filters = filtersFromProto(message.filters());
    }
    return body;
}

spec::CheckpointSaved checkpointSavedFromProto(const proto::CheckpointSaved& message) {
    return {.prefix = message.prefix(),
            .epoch = message.epoch(),
            .step = message.step(),
            .bytes = message.bytes(),
            .seconds = message.seconds(),
            .best = message.best(),
            .removed = {message.removed().begin(), message.removed().end()}};
}

spec::AttemptStarted attemptStartedFromProto(const proto::AttemptStarted& message) {
    spec::AttemptStarted body{message.attempt(), message.attempts(), message.from_backup(), message.reason(), message.by_hand()};
    for (const proto::TaskId& task : message.left_out()) {
        body.left_out.push_back(convert::fromProto(task));
    }
    for (const proto::TaskHost& one : message.hosts()) {
        body.hosts.push_back({convert::fromProto(one.task()), one.host()});
    }
    return body;
}

spec::ServerLoad serverLoadFromProto(const proto::ServerLoad& message) {
    if (message.staleness_size() > static_cast<int>(spec::kStalenessPlaces)) {
        throw engine::Error(engine::ErrorCode::kInvalidArgument, "server load: expected at most " + std::to_string(spec::kStalenessPlaces) +
                                                                     " counts of staleness, got " +
                                                                     std::to_string(message.staleness_size()));
    }
    return {.seconds = message.seconds(),
            .updates = message.updates(),
            .steps = message.steps(),
            .pulled_bytes = message.pulled_bytes(),
            .pushed_bytes = message.pushed_bytes(),
            .staleness = {message.staleness().begin(), message.staleness().end()}};
}

spec::LayerReport layerReportFromProto(const proto::LayerReport& message) {
    spec::LayerReport body{.epoch = message.epoch(), .step = message.step(), .samples = message.samples(), .layers = {}};
    for (const proto::LayerMeasure& layer : message.layers()) {
        if (layer.dead_units() < 0 || layer.dead_units() > layer.units()) {
            throw engine::Error(engine::ErrorCode::kInvalidArgument, "layer report: expected from 0 to " + std::to_string(layer.units()) +
                                                                         " dead units of " + layer.layer() + ", got " +
                                                                         std::to_string(layer.dead_units()));
        }
        body.layers.push_back({.layer = layer.layer(),
                               .gradient_norm = layer.gradient_norm(),
                               .weights_norm = layer.weights_norm(),
                               .update_norm = layer.update_norm(),
                               .gradient_not_finite = layer.gradient_not_finite(),
                               .weights_not_finite = layer.weights_not_finite(),
                               .units = layer.units(),
                               .dead_units = layer.dead_units()});
    }
    return body;
}

spec::EventBody bodyFromProto(const proto::TaskEvent& message) {
    switch (message.body_case()) {
        case proto::TaskEvent::kStateChanged:
            return stateChangedFromProto(message.state_changed());
        case proto::TaskEvent::kStepPoints:
            return stepPointsFromProto(message.step_points());
        case proto::TaskEvent::kEpochEnd:
            return spec::EpochEnd{message.epoch_end().epoch(), message.epoch_end().step(), message.epoch_end().seconds(),
                                  valuesIn(message.epoch_end().logs())};
        case proto::TaskEvent::kCheckpointSaved:
            return checkpointSavedFromProto(message.checkpoint_saved());
        case proto::TaskEvent::kLogLine:
            return spec::LogLine{enumFromProto<spec::LogLevel, proto::LogLevel>(kLogLevels, message.log_line().level(), "log level"),
                                 message.log_line().text()};
        case proto::TaskEvent::kRunStarted:
            return runStartedFromProto(message.run_started());
        case proto::TaskEvent::kControlApplied:
            return spec::ControlApplied{message.control_applied().what(), message.control_applied().step()};
        case proto::TaskEvent::kTaskFinished:
            return spec::TaskFinished{valuesIn(message.task_finished().results()), message.task_finished().checkpoint(),
                                      message.task_finished().weights_sha256()};
        case proto::TaskEvent::kTaskFailed:
            return taskFailedFromProto(message.task_failed());
        case proto::TaskEvent::kHeartbeat:
            return spec::Heartbeat{message.heartbeat().step(), message.heartbeat().resident_bytes(), message.heartbeat().cpu_cores()};
        case proto::TaskEvent::kWeightReport:
            return weightReportFromProto(message.weight_report());
        case proto::TaskEvent::kAttemptStarted:
            return attemptStartedFromProto(message.attempt_started());
        case proto::TaskEvent::kServerLoad:
            return serverLoadFromProto(message.server_load());
        case proto::TaskEvent::kLayerReport:
            return layerReportFromProto(message.layer_report());
        case proto::TaskEvent::BODY_NOT_SET:
            break;
    }
    throw engine::Error(engine::ErrorCode::kInvalidArgument, "task event: expected a body of a known kind, got none");
}

}  // namespace

proto::TaskEvent toProto(const spec::TaskEvent& event) {
    proto::TaskEvent message;
    message.set_sequence(event.sequence);
    message.set_time_unix_ns(event.time_unix_ns);
    *message.mutable_task() = toProto(event.task);
    std::visit(BodyToProto{message}, event.body);
    return message;
}

void checkPoints(const proto::StepPoints& points) {
    const int steps = points.step_size();
    requireLength("epoch", points.epoch_size(), steps);
    requireLength("time_unix_ns", points.time_unix_ns_size(), steps);
    for (const proto::Column& column : points.columns()) {
        requireLength(column.name(), column.values_size(), steps);
    }
}

spec::TaskEvent fromProto(const proto::TaskEvent& message) {
    return {.sequence = message.sequence(),
            .time_unix_ns = message.time_unix_ns(),
            .task = fromProto(message.task()),
            .body = bodyFromProto(message)};
}

proto::TaskControl toProto(const spec::Control& control) {
    proto::TaskControl message;
    message.set_verb(enumToProto<spec::ControlVerb, proto::ControlVerb>(kControlVerbs, control.verb));
    message.set_value(control.value);
    return message;
}

spec::Control fromProto(const proto::TaskControl& message) {
    const spec::Control control{enumFromProto<spec::ControlVerb, proto::ControlVerb>(kControlVerbs, message.verb(), "control"),
                                message.value()};
    if (control.verb == spec::ControlVerb::kSetLearningRate && !spec::isSettableRate(control.value)) {
        throw engine::Error(engine::ErrorCode::kInvalidArgument,
                            "learning rate: expected a positive number, got " + std::to_string(control.value));
    }
    return control;
}

proto::ExchangeState toProto(const spec::ExchangeState& state) {
    proto::ExchangeState message;
    message.set_sequence(state.sequence);
    message.set_bucket(state.bucket);
    message.set_buckets(state.buckets);
    message.set_bytes(state.bytes);
    message.set_wait_s(state.wait_s);
    if (state.awaited) *message.mutable_awaited() = toProto(*state.awaited);
    if (state.step_wait_s) message.set_step_wait_s(*state.step_wait_s);
    message.set_age_s(state.age_s);
    return message;
}

spec::ExchangeState fromProto(const proto::ExchangeState& message) {
    const auto seconds = [](double value) { return std::isfinite(value) ? std::max(0.0, value) : 0.0; };
    spec::ExchangeState state{.sequence = message.sequence(),
                              .bucket = std::max(0, message.bucket()),
                              .buckets = std::max(0, message.buckets()),
                              .bytes = std::max<std::int64_t>(0, message.bytes()),
                              .wait_s = seconds(message.wait_s()),
                              .awaited = {},
                              .step_wait_s = {},
                              .age_s = seconds(message.age_s())};
    constexpr std::size_t kLongestType = 64;
    if (message.has_awaited() && message.awaited().type().size() <= kLongestType) state.awaited = fromProto(message.awaited());
    if (message.has_step_wait_s()) state.step_wait_s = seconds(message.step_wait_s());
    return state;
}

proto::TaskId toProto(const spec::TaskId& task) {
    proto::TaskId message;
    message.set_type(validUtf8(task.type));
    message.set_index(task.index);
    return message;
}

spec::TaskId fromProto(const proto::TaskId& message) {
    return {message.type(), message.index()};
}

std::string encodeEvent(const spec::TaskEvent& event) {
    return toProto(event).SerializeAsString();
}

spec::TaskEvent decodeEvent(std::string_view bytes) {
    proto::TaskEvent message;
    if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
        throw engine::Error(engine::ErrorCode::kDataLoss,
                            "task event: " + std::to_string(bytes.size()) + " bytes that are no encoded event");
    }
    return fromProto(message);
}

}  // namespace agent::convert

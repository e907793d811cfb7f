#include "engine/sweep/sweep_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "engine/spec/error.h"
#include "engine/sweep/setting_value.h"

namespace engine::sweep {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kVersion = 1;

[[noreturn]] void refuseFile(const std::string& place, const std::string& expected, const std::string& found) {
    throw Error(ErrorCode::kInvalidArgument, (place.empty() ? "sweep" : place) + ": expected " + expected + ", got " + found);
}

std::string shown(const Json& value) {
    constexpr std::size_t kMost = 60;
    std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    return text.size() > kMost ? text.substr(0, kMost) + "…" : text;
}

// Deeper values would exhaust the stack of whoever writes them.
constexpr int kDeepestFile = 200;

Json parsed(std::string_view text) {
    const auto requireShallow = [](int depth, Json::parse_event_t /*event*/, const Json& /*value*/) {
        if (depth > kDeepestFile) refuseFile("sweep", "at most " + std::to_string(kDeepestFile) + " levels of JSON", "more");
        return true;
    };
    try {
        return Json::parse(text, requireShallow);
    } catch (const Json::exception& error) {  // a number that is too large is no parse_error
        const std::string what = error.what();
        const std::size_t at = what.find("at line");
        throw Error(ErrorCode::kInvalidArgument,
                    "sweep: expected JSON, got a mistake " + (at == std::string::npos ? what : what.substr(at)));
    }
}

// An object whose entries are taken one by one; those that nobody asked for are mistakes.
class Reader {
public:
    Reader(const Json& object, std::string place) : object_(object), place_(std::move(place)) {
        if (!object.is_object()) refuseFile(place_, "an object", shown(object));
    }
    const Json* find(const char* name) {
        known_.emplace_back(name);
        const auto at = object_.find(name);
        return at == object_.end() ? nullptr : &*at;
    }
    std::string text(const char* name, const std::string& fallback) {
        const Json* value = find(name);
        if (value == nullptr) return fallback;
        if (!value->is_string()) refuseFile(placeOf(name), "a text", shown(*value));
        return value->get<std::string>();
    }
    bool flag(const char* name, bool fallback) {
        const Json* value = find(name);
        if (value == nullptr) return fallback;
        if (!value->is_boolean()) refuseFile(placeOf(name), "true or false", shown(*value));
        return value->get<bool>();
    }
    std::int64_t integer(const char* name, std::int64_t fallback, std::int64_t least = 0,
                         std::int64_t most = std::numeric_limits<int>::max()) {
        const Json* value = find(name);
        if (value == nullptr) return fallback;
        const bool fits = value->is_number_integer() &&
                          (!value->is_number_unsigned() || value->get<std::uint64_t>() <= std::uint64_t(INT64_MAX)) &&
                          value->get<std::int64_t>() >= least && value->get<std::int64_t>() <= most;
        if (!fits) refuseFile(placeOf(name), "an integer of " + std::to_string(least) + " to " + std::to_string(most), shown(*value));
        return value->get<std::int64_t>();
    }
    template <class Value, std::size_t count>
    Value oneOf(const char* name, const std::array<Value, count>& values, Value fallback) {
        const Json* value = find(name);
        if (value == nullptr) return fallback;
        std::string names;
        for (const Value one : values) {
            if (value->is_string() && value->get<std::string>() == toString(one)) return one;
            names += (names.empty() ? "" : ", ") + std::string(toString(one));
        }
        refuseFile(placeOf(name), "one of " + names, shown(*value));
    }
    std::string placeOf(const std::string& name) const { return place_.empty() ? name : place_ + "." + name; }
    void end() const {
        for (const auto& [name, value] : object_.items()) {
            if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
            std::string names;
            for (const std::string& known : known_) names += (names.empty() ? "" : ", ") + known;
            refuseFile(placeOf(name), "one of " + names, name);
        }
    }

private:
    const Json& object_;
    std::string place_;
    std::vector<std::string> known_;
};

SweepField fieldOf(const std::string& path, const Json& values) {
    if (values.is_string()) return parseField(path + "=" + values.get<std::string>());
    SweepField field{.path = path};
    if (!values.is_array()) refuseFile("fields." + path, "a list of values, or a text such as \"log:1e-4..1e-1\"", shown(values));
    for (const Json& value : values) field.choices.push_back(textOf(value));
    if (const std::string problem = fieldProblem(field); !problem.empty()) throw Error(ErrorCode::kInvalidArgument, problem);
    return field;
}

SweepSettings settingsOf(Reader& reader) {
    SweepSettings settings;
    settings.method = reader.oneOf("method", std::array{Method::kGrid, Method::kRandom, Method::kAsha}, settings.method);
    settings.objective = objectiveOf(reader.text("objective", settings.objective.log));
    const std::string direction = reader.text("direction", settings.objective.rises ? "max" : "min");
    if (direction != "max" && direction != "min") refuseFile(reader.placeOf("direction"), "max or min", direction);
    settings.objective.rises = direction == "max";
    if (const Json* fields = reader.find("fields")) {
        if (!fields->is_object()) refuseFile(reader.placeOf("fields"), "an object of paths and their values", shown(*fields));
        for (const auto& [path, values] : fields->items()) settings.fields.push_back(fieldOf(path, values));
    }
    settings.trials = static_cast<int>(reader.integer("trials", settings.trials, 0, kMostTrials));
    settings.seed = static_cast<std::uint64_t>(reader.integer("seed", 0, 0, INT64_MAX));
    settings.seeds = static_cast<int>(reader.integer("seeds", settings.seeds, 1, kMostSeeds));
    settings.at_once = static_cast<int>(reader.integer("at_once", settings.at_once, 1, kMostAtOnce));
    settings.reduction = static_cast<int>(reader.integer("reduction", settings.reduction, 2, kMostReduction));
    settings.min_epochs = reader.integer("min_epochs", settings.min_epochs, 1);
    settings.max_epochs = reader.integer("max_epochs", settings.max_epochs, 0);
    settings.place.workers = static_cast<int>(reader.integer("workers", 0, 0, kMostAtOnce));
    settings.place.servers = static_cast<int>(reader.integer("servers", 0, 0, kMostAtOnce));
    settings.place.hosts = reader.text("hosts", "");
    settings.place.spread = reader.flag("spread", false);
    if (const Json* slurm = reader.find("slurm"); slurm != nullptr && !slurm->is_null()) {
        Reader job(*slurm, reader.placeOf("slurm"));
        SlurmJob asked;
        asked.nodes = static_cast<int>(job.integer("nodes", asked.nodes, 1));
        asked.tasks_per_node = static_cast<int>(job.integer("tasks_per_node", asked.tasks_per_node, 1));
        asked.cpus_per_task = static_cast<int>(job.integer("cpus_per_task", 0));
        asked.gpus_per_task = static_cast<int>(job.integer("gpus_per_task", 0));
        asked.memory = job.text("memory", "");
        asked.time = job.text("time", "");
        asked.partition = job.text("partition", "");
        job.end();
        settings.place.slurm = asked;
    }
    return settings;
}

Json jsonOf(const SweepSettings& settings) {
    Json fields = Json::object();
    for (const SweepField& field : settings.fields) {
        if (field.kind != SweepField::Kind::kChoice) {
            fields[field.path] = valuesText(field);
            continue;
        }
        Json values = Json::array();
        for (const std::string& choice : field.choices) values.push_back(valueOf(choice));
        fields[field.path] = std::move(values);
    }
    Json json{{"method", toString(settings.method)},
              {"objective", settings.objective.log},
              {"direction", settings.objective.rises ? "max" : "min"},
              {"fields", std::move(fields)},
              {"trials", settings.trials},
              {"seed", settings.seed},
              {"seeds", settings.seeds},
              {"at_once", settings.at_once},
              {"reduction", settings.reduction},
              {"min_epochs", settings.min_epochs},
              {"max_epochs", settings.max_epochs},
              {"workers", settings.place.workers},
              {"servers", settings.place.servers},
              {"hosts", settings.place.hosts},
              {"spread", settings.place.spread}};
    if (const std::optional<SlurmJob>& slurm = settings.place.slurm) {
        json["slurm"] = {{"nodes", slurm->nodes},
                         {"tasks_per_node", slurm->tasks_per_node},
                         {"cpus_per_task", slurm->cpus_per_task},
                         {"gpus_per_task", slurm->gpus_per_task},
                         {"memory", slurm->memory},
                         {"time", slurm->time},
                         {"partition", slurm->partition}};
    }
    return json;
}

Json numberOrNull(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}
double numberOf(const Json& value, const std::string& place) {
    if (value.is_null()) return kNoValue;
    if (!value.is_number()) refuseFile(place, "a number or null", shown(value));
    return value.get<double>();
}
Json numbers(const std::vector<double>& values) {
    Json list = Json::array();
    for (const double value : values) list.push_back(numberOrNull(value));
    return list;
}
std::vector<double> numbersOf(Reader& reader, const char* name) {
    std::vector<double> values;
    const Json* list = reader.find(name);
    if (list == nullptr || !list->is_array())
        refuseFile(reader.placeOf(name), "a list of numbers", list == nullptr ? "none" : shown(*list));
    for (const Json& value : *list) values.push_back(numberOf(value, reader.placeOf(name)));
    return values;
}

TrialRun runOf(const Json& object, const std::string& place) {
    Reader reader(object, place);
    TrialRun run;
    run.state = reader.oneOf("state", std::array{TrialRun::State::kWaiting, TrialRun::State::kTraining, TrialRun::State::kTold}, run.state);
    run.run_id = reader.text("run", "");
    run.host = reader.text("host", "");
    run.values = numbersOf(reader, "values");
    run.epochs = reader.integer("epochs", 0);
    if (const Json* latest = reader.find("latest")) run.latest = numberOf(*latest, reader.placeOf("latest"));
    run.has_ended = reader.flag("ended", false);
    reader.end();
    return run;
}

Trial trialOf(const Json& object, const std::string& place, const SweepSettings& settings, int rungs) {
    Reader reader(object, place);
    Trial trial;
    trial.state = reader.oneOf(
        "state", std::array{TrialState::kWaiting, TrialState::kTraining, TrialState::kPaused, TrialState::kDone, TrialState::kFailed},
        trial.state);
    trial.rung = static_cast<int>(reader.integer("rung", -1, -1, rungs - 1));
    trial.values = numbersOf(reader, "means");
    trial.error = reader.text("error", "");
    const Json* values = reader.find("values");
    if (values == nullptr || !values->is_array() || values->size() != settings.fields.size()) {
        refuseFile(reader.placeOf("values"), "a value for each of the " + std::to_string(settings.fields.size()) + " fields",
                   values == nullptr ? "none" : shown(*values));
    }
    for (const Json& value : *values) {
        if (!value.is_string()) refuseFile(reader.placeOf("values"), "texts", shown(value));
        const bool is_choice = settings.fields[trial.configuration.size()].kind == SweepField::Kind::kChoice;
        trial.configuration.push_back(is_choice ? plainValue(value.get<std::string>()) : value.get<std::string>());
    }
    const Json* runs = reader.find("runs");
    if (runs == nullptr || !runs->is_array() || runs->size() != static_cast<std::size_t>(settings.seeds)) {
        refuseFile(reader.placeOf("runs"), "a run for each of " + std::to_string(settings.seeds) + " seeds",
                   runs == nullptr ? "none" : shown(*runs));
    }
    for (std::size_t i = 0; i < runs->size(); ++i)
        trial.runs.push_back(runOf((*runs)[i], reader.placeOf("runs[" + std::to_string(i) + "]")));
    reader.end();
    // A trial's numbers fit each other, whatever the file says.
    const std::size_t ended = trial.state == TrialState::kPaused || trial.state == TrialState::kDone ? 1 : 0;
    const std::size_t means = static_cast<std::size_t>(std::max(trial.rung, 0)) + ended;
    const std::size_t most = static_cast<std::size_t>(std::max(trial.rung, -1) + std::ptrdiff_t{1});  // means of one that failed
    const bool fits = trial.state == TrialState::kFailed
                          ? trial.values.size() <= most
                          : trial.values.size() == means && (trial.rung < 0) == (trial.state == TrialState::kWaiting);
    if (!fits || (trial.state == TrialState::kDone && trial.rung + 1 != rungs) ||
        (trial.state == TrialState::kPaused && trial.rung + 1 >= rungs)) {
        refuseFile(place, "a trial whose state, rung and means fit each other",
                   std::string(toString(trial.state)) + ", rung " + std::to_string(trial.rung) + " and " +
                       std::to_string(trial.values.size()) + " means");
    }
    const bool failed = trial.state == TrialState::kFailed;
    bool all_told = true;
    for (const TrialRun& run : trial.runs) {
        const bool is_told = run.state == TrialRun::State::kTold;
        const std::size_t ended_rungs = static_cast<std::size_t>(std::max(trial.rung, 0)) + (is_told ? 1 : 0);
        const bool has_values = failed ? run.values.size() <= most : run.values.size() == ended_rungs;
        const bool is_early = trial.rung < 0 && run.state != TrialRun::State::kWaiting;
        if (!has_values || is_early || (ended != 0 && !is_told) || (run.has_ended && run.values.empty())) {
            refuseFile(place, "runs that fit the trial's state, with a value for each rung that they have ended",
                       std::string(toString(run.state)) + " with " + std::to_string(run.values.size()) + " values");
        }
        all_told = all_told && is_told;
    }
    if (trial.state == TrialState::kTraining && all_told) refuseFile(place, "a run that is not over in a trial that trains", "none");
    return trial;
}

SweepFile fileOf(std::string_view text) {
    const Json json = parsed(text);
    Reader reader(json, "");
    if (const std::int64_t version = reader.integer("version", 0); version != kVersion) {
        refuseFile("version", std::to_string(kVersion), std::to_string(version));
    }
    const Json* settings_json = reader.find("settings");
    const Json* project_json = reader.find("project");
    const Json* trials_json = reader.find("trials");
    if (settings_json == nullptr || project_json == nullptr || trials_json == nullptr || !trials_json->is_array()) {
        refuseFile("sweep", "settings, project and a list of trials", "less");
    }
    reader.end();
    Reader settings_reader(*settings_json, "settings");
    SweepSettings settings = settingsOf(settings_reader);
    settings_reader.end();
    spec::ProjectReport report = spec::parseProject(project_json->dump());
    for (const spec::Diagnostic& one : report.diagnostics) {
        if (one.severity == spec::Severity::kError) throw Error(ErrorCode::kInvalidArgument, "project." + one.path + ": " + one.message);
    }
    const std::int64_t longest = longestOf(settings, report.run);
    const auto rungs = static_cast<int>(rungsOf(settings, longest).size());
    std::vector<Trial> trials;
    for (std::size_t i = 0; i < trials_json->size(); ++i) {
        trials.push_back(trialOf((*trials_json)[i], "trials[" + std::to_string(i) + "]", settings, rungs));
    }
    return {std::move(report.run), Sweep(std::move(settings), longest, std::move(trials))};
}

}  // namespace

SweepRequest parseSweepRequest(std::string_view json) {
    const Json object = parsed(json);
    Reader reader(object, "");
    SweepRequest request;
    request.project = reader.text("project", "");
    request.settings = settingsOf(reader);
    reader.end();
    return request;
}

std::string toJson(const SweepRequest& request) {
    Json object = Json::object();
    if (!request.project.empty()) object["project"] = request.project;
    object.update(jsonOf(request.settings));
    return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

SweepFile parseSweepFile(std::string_view json) {
    try {
        return fileOf(json);
    } catch (const Error& error) {
        throw Error(ErrorCode::kDataLoss, error.what());
    }
}

std::string toJson(const spec::RunSpec& project, const Sweep& sweep) {
    Json trials = Json::array();
    for (const Trial& trial : sweep.trials()) {
        Json runs = Json::array();
        for (const TrialRun& run : trial.runs) {
            runs.push_back({{"state", toString(run.state)},
                            {"run", run.run_id},
                            {"host", run.host},
                            {"values", numbers(run.values)},
                            {"epochs", run.epochs},
                            {"latest", numberOrNull(run.latest)},
                            {"ended", run.has_ended}});
        }
        trials.push_back({{"values", trial.configuration},
                          {"state", toString(trial.state)},
                          {"rung", trial.rung},
                          {"means", numbers(trial.values)},
                          {"error", trial.error},
                          {"runs", std::move(runs)}});
    }
    const Json file{{"version", kVersion},
                    {"settings", jsonOf(sweep.settings())},
                    {"project", Json::parse(spec::toProjectJson(project))},
                    {"trials", std::move(trials)}};
    return file.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace engine::sweep

#include "engine/sweep/sweep_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/model_builder.h"

namespace engine::sweep {
namespace {

using testing::HasSubstr;

constexpr const char* kRequest = R"({"project": "mnist_mlp", "method": "asha", "objective": "val_loss",
  "fields": {"compile.optimizer.learning_rate": "log:1e-4..1e-1:3", "model.layers[1].units": [64, 128],
             "model.layers[1].activation": ["relu", "tanh"], "name": ["2024"]},
  "at_once": 2, "max_epochs": 9, "hosts": "node1,node2", "spread": true})";

TEST(SweepFile, IsReadAsAUserWritesIt) {
    const SweepRequest request = parseSweepRequest(kRequest);
    EXPECT_EQ(request.project, "mnist_mlp");
    const SweepSettings& settings = request.settings;
    EXPECT_EQ(settings.method, Method::kAsha);
    EXPECT_EQ(settings.objective, (Objective{"val_loss", false})) << "a loss falls";
    ASSERT_EQ(settings.fields.size(), 4U);
    EXPECT_EQ(settings.fields[0], parseField("compile.optimizer.learning_rate=log:1e-4..1e-1:3"));
    EXPECT_EQ(settings.fields[1], parseField("model.layers[1].units=64,128"));
    EXPECT_EQ(settings.fields[2], parseField("model.layers[1].activation=relu,tanh"));
    EXPECT_EQ(settings.fields[3].choices.front(), "\"2024\"") << "a text, not the number";
    EXPECT_EQ(settings.at_once, 2);
    EXPECT_EQ(settings.seeds, 1);
    EXPECT_TRUE(settings.place.spread);
    EXPECT_EQ(parseSweepRequest(toJson(request)).settings, settings);
    const SweepSettings by_slurm = parseSweepRequest(R"({"slurm": {"cpus_per_task": 4, "time": "30"}})").settings;
    EXPECT_EQ(by_slurm.place.slurm, (SlurmJob{.cpus_per_task = 4, .time = "30"}));
    EXPECT_EQ(parseSweepRequest(toJson(SweepRequest{"", by_slurm})).settings, by_slurm);
}

struct Refused {
    const char *json, *message;
};

TEST(SweepFile, SaysWhatIsWrongWithIt) {
    for (const Refused& row : {
             Refused{"[]", "sweep: expected an object, got []"},
             Refused{"{", "sweep: expected JSON, got a mistake at line 1"},
             Refused{R"({"trials": 1e999})", "sweep: expected JSON, got a mistake "},
             Refused{R"({"method": "bayes"})", "method: expected one of grid, random, asha, got \"bayes\""},
             Refused{R"({"metod": "grid"})", "metod: expected one of project, method, objective, "},
             Refused{R"({"direction": "up"})", "direction: expected max or min, got up"},
             Refused{R"({"trials": 1.5})", "trials: expected an integer of 0 to 10000, got 1.5"},
             Refused{R"({"trials": 18446744073709551615})", "trials: expected an integer of 0 to 10000, got 18446744073709551615"},
             Refused{R"({"fields": []})", "fields: expected an object of paths and their values, got []"},
             Refused{R"({"fields": {"a": 1}})", "fields.a: expected a list of values, or a text such as \"log:1e-4..1e-1\", got 1"},
             Refused{R"({"fields": {"a": [1, 1]}})", "a: expected each value once, got 1 twice"},
             Refused{R"({"slurm": {"node": 1}})", "slurm.node: expected one of nodes, tasks_per_node, "},
             Refused{R"({"spread": 1})", "spread: expected true or false, got 1"},
         }) {
        try {
            parseSweepRequest(row.json);
            ADD_FAILURE() << row.json;
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr(row.message));
        }
    }
}

TEST(SweepFile, RefusesWhatIsNestedTooDeeply) {
    const std::string deep = "{\"fields\": {\"a\": [" + std::string(100'000, '[') + std::string(100'000, ']') + "]}}";
    EXPECT_THROW(parseSweepRequest(deep), Error);
    SweepRequest request;
    request.settings.fields = {parseField("a=" + std::string(100'000, '[') + std::string(100'000, ']'))};
    EXPECT_EQ(parseSweepRequest(toJson(request)).settings, request.settings);
}

spec::RunSpec project() {
    spec::RunSpec run;
    run.name = "digits";
    run.model = tests::support::tutorialModel();
    run.compile = tests::support::compileWith({"Adam", {}});
    return run;
}

Sweep begunSweep() {
    SweepSettings settings{.method = Method::kAsha, .fields = {parseField("a=1,2,3"), parseField("b=x,y")}, .objective = {}, .trials = 0};
    settings.seeds = 2;
    settings.max_epochs = 3;
    settings.at_once = 3;
    Sweep sweep(settings, 3);
    for (int i = 0; i < 8; ++i) {
        const Job job = *sweep.next();
        sweep.begun(job, "run-" + std::to_string(i));
        if (i == 1) {
            sweep.failed(job, "no number");
        } else {
            sweep.told(job, 1, i == 3 ? kNoValue : 0.1 * i);
        }
    }
    const Job job = *sweep.next();
    sweep.progressed(job, 2, 0.25);
    return sweep;
}

TEST(SweepFile, ASweepGoesOnWhereItWas) {
    Sweep sweep = begunSweep();
    SweepFile read = parseSweepFile(toJson(project(), sweep));
    EXPECT_EQ(read.project, project());
    EXPECT_EQ(toJson(project(), read.sweep), toJson(project(), sweep));
    EXPECT_EQ(read.sweep.training(), sweep.training());
    const auto finish = [](Sweep& one) {
        std::vector<Job> jobs;
        for (Job job : one.training()) one.told(job, job.epochs, 0.3);
        while (const auto job = one.next()) {
            jobs.push_back(*job);
            one.told(*job, job->epochs, 0.01 * job->trial);
        }
        return jobs;
    };
    EXPECT_EQ(finish(read.sweep), finish(sweep));
    EXPECT_EQ(read.sweep.best(), sweep.best());
}

// A value has a place on its axis, however it was written.
TEST(SweepFile, AValueIsTheSameInTheFile) {
    Sweep sweep({.method = Method::kGrid, .fields = {parseField("a=1e-2,0.10,[3, 3],\"relu\",true")}, .objective = {}, .trials = 0}, 3);
    const SweepFile read = parseSweepFile(toJson(project(), sweep));
    EXPECT_EQ(read.sweep.settings().fields, sweep.settings().fields);
    for (const Trial& trial : read.sweep.trials()) {
        EXPECT_TRUE(placeOf(read.sweep.settings().fields[0], trial.configuration[0])) << trial.configuration[0];
    }
}

TEST(SweepFile, AValueThatAnEarlierVersionWroteIsFoundAmongTheChoices) {
    Sweep sweep({.method = Method::kGrid, .fields = {parseField("a=0.01,0.1")}, .objective = {}, .trials = 0}, 3);
    std::string text = toJson(project(), sweep);
    const std::size_t at = text.find("\"0.01\"");
    ASSERT_NE(at, std::string::npos);
    text.replace(at, 6, "\"1e-2\"");
    EXPECT_EQ(parseSweepFile(text).sweep.trials()[0].configuration, Configuration{"0.01"});
}

TEST(SweepFile, RefusesAStateThatNoSweepHas) {
    const std::string good = toJson(project(), begunSweep());
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    };
    for (const std::string& text :
         {std::string("{}"), std::string("nothing"), good.substr(0, good.size() / 2), changed("\"version\": 1", "\"version\": 2"),
          changed("\"rung\": 0", "\"rung\": 7"), changed("\"state\": \"failed\"", "\"state\": \"done\""),
          changed("\"waiting\"", "\"paused\""), changed("\"epochs\": 2", "\"epochs\": -1"), changed("\"seeds\": 2", "\"seeds\": 3"),
          changed("\"run-0\"", "7"), changed("\"version\": 1", "\"version\": 1, \"more\": 0"),
          changed("\"state\": \"training\",\n     \"run\"", "\"state\": \"told\",\n     \"run\""),
          changed("\"reduction\": 3", "\"reduction\": 0")}) {
        try {
            parseSweepFile(text);
            ADD_FAILURE() << text.substr(0, 300);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::kDataLoss) << error.what();
        }
    }
}

}  // namespace
}  // namespace engine::sweep

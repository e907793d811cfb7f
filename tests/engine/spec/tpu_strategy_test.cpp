// A TPU is trained on by a script: the resolver that finds it, in projects, forms, checks and code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "code/keras_code_reading.h"
#include "engine/spec/cluster/cluster_edit.h"
#include "engine/spec/cluster/strategy_support.h"
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/spec/validate/validate.h"

namespace engine::spec {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

RunSpec tpuProject() {
    RunSpec run = starter("mnist_mirrored");
    chooseStrategy(run, "TPUStrategy", {});
    run.strategy.cluster_resolver = {"TPUClusterResolver", {{"tpu", std::string("my-tpu")}, {"zone", std::string("us-central1-b")}}};
    return run;
}

// What the checks say of the strategy.
std::string verdict(const RunSpec& run) {
    std::string text;
    for (const Diagnostic& found : validate(run)) {
        if (found.path.starts_with("strategy.") && found.path != "strategy.name") text += toString(found) + "\n";
    }
    return text;
}

std::string withResolver(const std::string& config) {
    RunSpec run = tpuProject();
    std::string refused;
    for (const Diagnostic& found : applySetting(run, "strategy.cluster_resolver=" + config)) refused += toString(found) + "\n";
    return refused + verdict(run);
}

CodeReading readOver(const std::string& text) {
    return readKerasCode(text, starter("mnist_mlp"));
}

TEST(TpuStrategy, TheResolverIsPartOfAProject) {
    RunSpec run = tpuProject();
    const ProjectReport again = parseProject(toProjectJson(run));
    EXPECT_EQ(again.diagnostics, Diagnostics());
    EXPECT_EQ(again.run, run);
    EXPECT_THAT(toProjectJson(run), HasSubstr("cluster_resolver"));
    run.strategy.cluster_resolver = {};
    EXPECT_THAT(toProjectJson(run), Not(HasSubstr("cluster_resolver"))) << "as with no arguments";
    EXPECT_EQ(parseProject(toProjectJson(run)).run, run);
}

TEST(TpuStrategy, SettingsOfACommandLineReachTheResolver) {
    RunSpec run = starter("mnist_mirrored");
    for (const char* setting : {"strategy.name=TPUStrategy", "strategy.cluster_resolver=tpu_cluster_resolver",
                                "strategy.cluster_resolver.tpu=grpc://10.240.1.2:8470", "strategy.cluster_resolver.job_name=tpu_worker"}) {
        EXPECT_EQ(applySetting(run, setting), Diagnostics()) << setting;
    }
    EXPECT_EQ(
        run.strategy.cluster_resolver,
        (ObjectSpec{"TPUClusterResolver", {{"tpu", std::string("grpc://10.240.1.2:8470")}, {"job_name", std::string("tpu_worker")}}}));
    EXPECT_EQ(applySetting(run, "strategy.cluster_resolver=null"), Diagnostics());
    EXPECT_EQ(run.strategy.cluster_resolver, ObjectSpec{});
}

TEST(TpuStrategy, EachMistakeOfTheResolverIsOneSentence) {
    const std::string path = "error: strategy.cluster_resolver";
    EXPECT_EQ(withResolver(R"({"class_name":"TPUClusterResolver","config":{"tpu":"local"}})"), "");
    EXPECT_EQ(withResolver(R"({"class_name":"TPUClusterResolver","config":{"tpu":"","zone":null}})"), "") << "as the environment says";
    EXPECT_EQ(withResolver("SlurmClusterResolver"), path + ": expected TPUClusterResolver, got SlurmClusterResolver\n");
    EXPECT_EQ(withResolver("7"), path + ": expected an object with class_name and config, got 7\n");
    EXPECT_THAT(withResolver(R"({"class_name":"TPUClusterResolver","config":{"tpu":8}})"), HasSubstr(path + ".tpu: expected "));
    EXPECT_THAT(withResolver(R"({"class_name":"TPUClusterResolver","config":{"zones":"here"}})"), HasSubstr(path + ".zones: "));
    for (const char* tpu : {"grpc://10.240.1.2", "grpc://:8470", "http://10.240.1.2:8470", "my tpu"}) {
        EXPECT_EQ(withResolver(std::string(R"({"class_name":"TPUClusterResolver","config":{"tpu":")") + tpu + "\"}}"),
                  path + ".tpu: expected the name of a TPU, local, or an address such as grpc://10.240.1.2:8470, got \"" + tpu + "\"\n");
    }
    EXPECT_THAT(withResolver(R"({"class_name":"TPUClusterResolver","config":{"coordinator_address":"10.0.0.1:2222"}})"),
                HasSubstr(path + ".coordinator_address: expected a coordinator_name beside the address of the coordinator, got none"));
    EXPECT_THAT(withResolver(R"({"class_name":"TPUClusterResolver","config":{"tpu":"local","zone":"us-central1-b"}})"),
                HasSubstr("warning: strategy.cluster_resolver.zone: expected none with the TPU local, which is looked up nowhere, got "
                          "us-central1-b"));
    RunSpec mirrored = tpuProject();
    mirrored.strategy.name = "MirroredStrategy";
    EXPECT_EQ(verdict(mirrored), "") << "the settings of another strategy wait, as a partitioner does";
}

TEST(TpuStrategy, IsChosenAndExportedAndTrainsElsewhere) {
    RunSpec run = starter("mnist_multi_worker");
    const auto option = [&run] {
        for (const StrategyOption& one : strategyOptions(run)) {
            if (one.name == "TPUStrategy") return one;
        }
        return StrategyOption{};
    };
    EXPECT_EQ(option().obstacle, "");
    EXPECT_EQ(option().sentence, "One process; removes the 2 tasks");
    const std::string sentence = "PU is trained on by the exported script, since no PJRT plug-in runs a project in this version";
    EXPECT_EQ(option().limit, "A T" + sentence + ".");
    chooseStrategy(run, "TPUStrategy", {});
    EXPECT_TRUE(run.cluster.spec.empty()) << "the TPU's hosts are the resolver's to find";
    run.data.drop_remainder = true;
    ASSERT_EQ(validate(run).size(), 1U);
    EXPECT_EQ(validate(run)[0].message, "expected a strategy that trains here, got TPUStrategy: a T" + sentence);
    for (const StrategyRow& row : strategyTable()) EXPECT_EQ(row.runs, row.limit.empty()) << row.name;
    run.estimator = EstimatorSpec{};
    EXPECT_EQ(validate(run)[0].path, "strategy.name");
    EXPECT_EQ(validate(run)[0].message,
              "expected a strategy that trains here, got TPUStrategy: an estimator asked for a TPU, which no PJRT plug-in runs in this "
              "version, and whose script needs a TensorFlow that has tf.estimator");
}

TEST(TpuStrategy, ItsFormIsTheResolvers) {
    RunSpec run;
    run.strategy.name = "TPUStrategy";
    std::string paths;
    for (const StrategyField& field : strategyFields(run)) paths += field.path.substr(sizeof("strategy.cluster_resolver") - 1) + " ";
    EXPECT_EQ(paths, ".tpu .zone .project .job_name .coordinator_name .coordinator_address ");
    EXPECT_EQ(strategyField(run, "strategy.cluster_resolver.job_name"), FieldValue(std::string("worker")));
    setStrategyField(run, "strategy.cluster_resolver.tpu", std::string("my-tpu"));
    EXPECT_EQ(run.strategy.cluster_resolver, (ObjectSpec{"TPUClusterResolver", {{"tpu", std::string("my-tpu")}}}));
    setStrategyField(run, "strategy.cluster_resolver.tpu", std::string());
    EXPECT_EQ(run.strategy.cluster_resolver, ObjectSpec{}) << "as with no arguments";
}

TEST(TpuStrategy, TheScriptFindsConnectsAndInitializesTheTpuFirst) {
    const std::string code = writeKerasCode(tpuProject());
    EXPECT_THAT(code, HasSubstr("from keras import layers\n\n"
                                "resolver = tf.distribute.cluster_resolver.TPUClusterResolver(\n"
                                "    tpu='my-tpu',\n"
                                "    zone='us-central1-b')\n"
                                "tf.config.experimental_connect_to_cluster(resolver)\n"
                                "tf.tpu.experimental.initialize_tpu_system(resolver)\n"
                                "strategy = tf.distribute.TPUStrategy(resolver)\n\n"));
    EXPECT_THAT(code, HasSubstr("with strategy.scope():\n    model = "));
    EXPECT_THAT(code, HasSubstr(" * strategy.num_replicas_in_sync\n"));
    EXPECT_THAT(code, HasSubstr(".batch(batch, drop_remainder=True)"));
    EXPECT_THAT(code, Not(HasSubstr(".batch(batch)"))) << "every batch is of one shape, those of the validation too";
    EXPECT_THAT(code, Not(HasSubstr("logical_device"))) << "the processor has no part in it";
    RunSpec plain = tpuProject();
    plain.strategy.cluster_resolver = {};
    EXPECT_THAT(writeKerasCode(plain), HasSubstr("\nresolver = tf.distribute.cluster_resolver.TPUClusterResolver()\n"));
}

TEST(TpuStrategy, TheScriptComesBackAsTheProject) {
    for (const ObjectSpec& resolver : {ObjectSpec{}, ObjectSpec{"TPUClusterResolver", {{"tpu", std::string()}}},
                                       ObjectSpec{"TPUClusterResolver",
                                                  {{"tpu", std::string("it's")},
                                                   {"project", std::string("p")},
                                                   {"job_name", std::string("tpu_worker")},
                                                   {"coordinator_name", std::string("coordinator")},
                                                   {"coordinator_address", std::string("10.0.0.1:2222")}}}}) {
        RunSpec run = tpuProject();
        run.strategy.cluster_resolver = resolver;
        const RunSpec read = roundTrip(run);
        EXPECT_EQ(read.strategy.name, "TPUStrategy");
        EXPECT_EQ(read.strategy.cluster_resolver, resolver) << writeKerasCode(run);
        EXPECT_TRUE(read.data.drop_remainder);
        expectSameModel(read, run);
    }
}

// The guide's own lines, in which nothing says what tpu_address is.
TEST(TpuStrategy, ReadsTheGuidesBlock) {
    const std::string text =
        "cluster_resolver = tf.distribute.cluster_resolver.TPUClusterResolver(\n    tpu=tpu_address)\n"
        "tf.config.experimental_connect_to_host(cluster_resolver.master())\n"
        "tf.tpu.experimental.initialize_tpu_system(cluster_resolver)\n"
        "tpu_strategy = tf.distribute.experimental.TPUStrategy(cluster_resolver)\n";
    const CodeReading reading = readOver(text);
    EXPECT_EQ(notesOf(reading, Severity::kInfo),
              "line 2, column 9: kept as text: TPUClusterResolver: tpu: expected a text, got tpu_address\n");
    EXPECT_EQ(reading.run.strategy.name, "TPUStrategy");
    EXPECT_EQ(reading.run.strategy.cluster_resolver, ObjectSpec{});
    EXPECT_EQ(reading.strategy, (std::vector<CodeLines>{{5, 5}, {1, 2}, {3, 3}, {4, 4}}));
    EXPECT_EQ(reading.strategy_used_as, "tpu_strategy");
    EXPECT_THAT(updateKerasCode(text, reading, reading.run), HasSubstr(text));
    const CodeReading known = readOver("tpu_address = 'grpc://10.240.1.2:8470'\n" + text);
    EXPECT_EQ(notesOf(known, Severity::kInfo), "");
    EXPECT_EQ(known.run.strategy.cluster_resolver.config.getString("tpu", ""), "grpc://10.240.1.2:8470");
}

TEST(TpuStrategy, ReadsEveryWayToNameItsResolver) {
    const std::string import = "from tensorflow.distribute.cluster_resolver import TPUClusterResolver\n";
    for (const char* text :
         {"r = tf.distribute.cluster_resolver.TPUClusterResolver('a', 'b', 'c')\ns = tf.distribute.TPUStrategy(r)\n",
          "r = TPUClusterResolver(project='c', zone='b', tpu='a', job_name='worker', credentials='default')\n"
          "topology = tf.tpu.experimental.initialize_tpu_system(r)\ns = tf.distribute.TPUStrategy(tpu_cluster_resolver=r)\n",
          "s = tf.distribute.experimental.TPUStrategy(TPUClusterResolver(tpu='a', zone='b', project='c'))\n",
          "r = TPUClusterResolver.connect('a', zone='b', project='c')\nwith tf.distribute.TPUStrategy(r).scope():\n    pass\n",
          "NAME = 'a'\nr = TPUClusterResolver(NAME, 'b', project='c', coordinator_name=None)\n"
          "tf.config.experimental_connect_to_cluster(r)\ns = tf.distribute.TPUStrategy(r)\n"}) {
        const CodeReading reading = readOver(import + text);
        EXPECT_EQ(notesOf(reading, Severity::kInfo), "") << text;
        EXPECT_EQ(reading.run.strategy.name, "TPUStrategy") << text;
        EXPECT_EQ(
            reading.run.strategy.cluster_resolver,
            (ObjectSpec{"TPUClusterResolver", {{"tpu", std::string("a")}, {"zone", std::string("b")}, {"project", std::string("c")}}}))
            << text;
    }
    const CodeReading none = readOver("s = tf.distribute.TPUStrategy()\n");
    EXPECT_EQ(notesOf(none, Severity::kInfo), "");
    EXPECT_EQ(none.run.strategy.cluster_resolver, ObjectSpec{});
}

TEST(TpuStrategy, TellsWhatItLeavesInTheText) {
    EXPECT_THAT(notesOf(readOver("s = tf.distribute.TPUStrategy(self.resolver)\n")),
                HasSubstr("TPUStrategy: tpu_cluster_resolver: expected TPUClusterResolver(…), got self.resolver"));
    EXPECT_THAT(notesOf(readOver("s = tf.distribute.TPUStrategy(TPUClusterResolver('a', service=mine))\n")),
                HasSubstr("TPUClusterResolver: expected an argument that is known here, got service"));
    EXPECT_THAT(notesOf(readOver("s = tf.distribute.TPUStrategy(TPUClusterResolver(**options))\n")),
                HasSubstr("TPUClusterResolver: expected arguments one by one, got **options"));
    const CodeReading alone = readOver("r = tf.distribute.cluster_resolver.TPUClusterResolver()\n");
    EXPECT_EQ(notesOf(alone, Severity::kInfo), "line 1, column 1: kept as text: no part of the model\n") << "no strategy takes it";
    EXPECT_EQ(alone.run.strategy, starter("mnist_mlp").strategy);
}

const std::string kProgram =
    "import tensorflow as tf\nfrom tensorflow import keras\n\n# the pod of the lab\nTPU = 'pod-1'\n"
    "pod = tf.distribute.cluster_resolver.TPUClusterResolver(TPU, zone='us-central1-b')  # ours\n"
    "tf.config.experimental_connect_to_cluster(pod)\ntf.tpu.experimental.initialize_tpu_system(pod)\n"
    "on_tpu = tf.distribute.experimental.TPUStrategy(pod)\n\nwith on_tpu.scope():\n"
    "    model = keras.Sequential([keras.layers.Flatten(input_shape=(28, 28, 1)), keras.layers.Dense(10)])\n"
    "    model.compile('sgd', 'mse', steps_per_execution=50)\nmodel.fit(data, epochs=2)\n";

RunSpec keptProgram() {
    RunSpec run = readKerasCode(kProgram, starter("mnist_mlp"), AbsentArguments::kDefault).run;
    keepCode(run, kProgram);
    return run;
}

TEST(TpuStrategy, AProgramOfOnesOwnComesBackUnchanged) {
    RunSpec run = keptProgram();
    EXPECT_EQ(run.strategy.cluster_resolver.config.getString("tpu", ""), "pod-1");
    EXPECT_EQ(projectCode(parseProject(toProjectJson(run)).run), kProgram);
    EXPECT_EQ(partsThatDiffer(kProgram, run), std::vector<std::string>());
    run.fit.epochs = 5;
    std::string changed = kProgram;
    changed.replace(changed.find("epochs=2"), 8, "epochs=5");
    EXPECT_EQ(projectCode(run), changed) << "steps_per_execution is the text's own";
}

TEST(TpuStrategy, SettingsOfTheResolverAreChangedWhereTheyStand) {
    RunSpec run = keptProgram();
    setStrategyField(run, "strategy.cluster_resolver.tpu", std::string("pod-2"));
    setStrategyField(run, "strategy.cluster_resolver.zone", {});
    setStrategyField(run, "strategy.cluster_resolver.project", std::string("lab"));
    const std::string changed = projectCode(run);
    EXPECT_THAT(changed, HasSubstr("pod = tf.distribute.cluster_resolver.TPUClusterResolver(tpu='pod-2', project='lab')  # ours\n"));
    EXPECT_THAT(changed, HasSubstr("on_tpu = tf.distribute.experimental.TPUStrategy(pod)\n"));
    EXPECT_EQ(readKerasCode(changed, run, AbsentArguments::kDefault).run.strategy, run.strategy);
    EXPECT_EQ(partsThatDiffer(changed, run), std::vector<std::string>());
}

TEST(TpuStrategy, AnotherStrategyGoesIntoTheText) {
    RunSpec run = keptProgram();
    run.strategy.name = "MirroredStrategy";
    const std::string here = projectCode(run);
    EXPECT_THAT(here, HasSubstr("TPU = 'pod-1'\non_tpu = tf.distribute.MirroredStrategy()\n\nwith on_tpu.scope():\n"));
    EXPECT_THAT(here, Not(HasSubstr("pod)")));
    run.code = here;
    run.strategy.name = "TPUStrategy";
    const std::string back = projectCode(run);
    EXPECT_THAT(back, HasSubstr("tf.tpu.experimental.initialize_tpu_system(resolver)\non_tpu = tf.distribute.TPUStrategy(resolver)\n"));
    EXPECT_EQ(readKerasCode(back, run, AbsentArguments::kDefault).run.strategy, run.strategy);
    // A text without a strategy can't be given one: that is told.
    run.code = "model = keras.Sequential([keras.layers.Dense(10, input_shape=(4,))])\nmodel.compile('sgd', 'mse')\n";
    EXPECT_THAT(partsThatDiffer(projectCode(run), run), ::testing::Contains("strategy"));
}

}  // namespace
}  // namespace engine::spec

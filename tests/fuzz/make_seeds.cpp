// Writes a few small valid inputs of each format below a folder, one sub-folder a target: what fuzzing begins with. Targets whose formats
// are text begin with the tests' own files, see CMakeLists.txt. Usage: fuzz_seeds FOLDER
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <zlib.h>

#include "agent/direct/direct_wire.h"
#include "agent/history/run_store.h"
#include "agent/proto/agent.pb.h"
#include "agent/proto/collective.pb.h"
#include "agent/proto/functions.pb.h"
#include "agent/proto/question.pb.h"
#include "agent/proto/task_event.pb.h"
#include "agent/transport/connection_proof.h"
#include "agent/wire/credentials_convert.h"
#include "agent/wire/delimited.h"
#include "agent/wire/question_convert.h"
#include "agent/wire/task_event_convert.h"
#include "engine/distribute/shared_segment.h"
#include "engine/export/backup_file.h"
#include "engine/export/hdf5_tree.h"
#include "engine/export/keras_file.h"
#include "engine/export/numpy/npy_file.h"
#include "engine/export/onnx/onnx_file.h"
#include "engine/export/record_framing.h"
#include "engine/export/zip_archive.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/keras/keras_config.h"
#include "engine/spec/project/run_spec.h"
#include "tests/engine/event_files/event_bytes.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/archive_rig.h"
#include "tests/support/pictures.h"
#include "tests/support/tar_archive.h"
#include "tests/support/temp_dir.h"

namespace {

namespace fs = std::filesystem;
namespace exporter = engine::exporter;
namespace convert = agent::convert;
namespace proto = agent::proto;
namespace spec = engine::spec;
using namespace std::string_literals;

class Seeds {
public:
    explicit Seeds(fs::path folder) : folder_(std::move(folder)) {}
    void add(const std::string& target, const std::string& name, std::string_view bytes) const {
        fs::create_directories(folder_ / target);
        tests::fuzz::writeFile(folder_ / target / name, bytes);
    }

private:
    const fs::path folder_;
};

std::string number(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) {
        text.push_back(static_cast<char>(value >> (8 * i) & 255));
    }
    return text;
}

std::string piece(std::string_view bytes) {
    return number(bytes.size(), 2).append(bytes);
}

std::string fileBytes(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// A field of a Protobuf message that holds bytes or another message; lengths below 128.
std::string field(int id, std::string_view bytes) {
    return std::string{static_cast<char>(id << 3 | 2), static_cast<char>(bytes.size())}.append(bytes);
}

std::string gzipped(std::string_view bytes) {
    const tests::support::TempDir folder;
    const fs::path file = folder.path() / "packed";
    gzFile packed = gzopen(file.c_str(), "wb");
    gzwrite(packed, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(packed);
    return fileBytes(file);
}

void addData(const Seeds& seeds) {
    const std::string idx = "\0\0\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x02"s + "01234567";
    seeds.add("idx", "images", idx);
    seeds.add("idx", "labels.gz", gzipped("\0\0\x08\x01\0\0\0\x03"s + "\1\2\3"));
    seeds.add("idx", "floats", "\0\0\x0D\x01\0\0\0\x01\x3F\x80\0\0"s);
    const std::vector<float> values{1, 2, 3, 4, 5, 6};
    const std::string npy = exporter::npyBytes({3, 2}, values);
    seeds.add("npy", "floats", npy);
    std::string order = npy;
    order.replace(order.find("False"), 5, "True ");
    order.replace(order.find("<f4"), 3, ">i4");
    seeds.add("npy", "big_endian", order);
    seeds.add("npz", "two", exporter::writeZip({{"x.npy", npy}, {"y.npy", npy}}));
    seeds.add("zip", "two", exporter::writeZip({{"config.json", "{}"}, {"folder/data", "data"}}));
    seeds.add("csv", "header", "\x03sepal,petal,class\n5.1,1.4,setosa\n4.9,,\"virgi\"\"nica\"\n"s);
    seeds.add("csv", "plain", "\xE4x;1\r\ny;2\r\nNA;3"s);
    seeds.add("text", "moods", "\x08\x05good\ta fine day\nbad\tit's r\xC3\xA4iny\n1\t\n"s);
    seeds.add("cifar", "one", std::string(3073, '\7'));
    seeds.add("cifar", "fine", std::string(3074, '\7'));
    const std::string png = tests::support::pngBytes(3, 4, 3, std::vector<unsigned char>(36, 90));
    const std::string jpeg = tests::support::jpegBytes(8, 8, 40), inks = tests::support::jpegOf(8, 8, {255, 128, 0, 9});
    seeds.add("image", "png", "\4" + png);
    seeds.add("image", "gray_png", "\7" + tests::support::pngBytes(2, 2, 1, std::vector<unsigned char>(4, 90)));
    seeds.add("image", "jpeg", "\0"s + jpeg);
    seeds.add("image", "inks", "\1" + inks);
    const auto example = [](const std::string& image) {
        const std::string label = field(1, field(1, "label") + field(2, field(3, "\x0A\x01\x07")));
        return field(1, field(1, field(1, "image") + field(2, image)) + label);
    };
    seeds.add("tfrecord", "raw", "\0"s + example(field(1, field(1, "1234"))));
    seeds.add("tfrecord", "list", "\2" + example(field(2, "\x0A\x10"s + std::string(16, '?'))));
    std::string records;
    exporter::appendRecord(records, example(field(1, field(1, "1234"))));
    exporter::appendRecord(records, example(field(1, field(1, "5678"))));
    seeds.add("tfrecord", "file", "\x40" + records);
    const tests::support::TempDir folder;
    tests::support::writeTarGz(folder.path() / "tar", {{"set/a.bin", "first", ""}, {"set/link", "", "a.bin"}, {"b.bin", "second", ""}});
    seeds.add("archive", "tar", fileBytes(folder.path() / "tar"));
}

// One of each kind that TensorFlow and PyTorch write, twice, with a restart in between.
void addEventFiles(const Seeds& seeds) {
    using namespace tests::event_files;
    const std::string start = part(3, part(1, part(1, "lr") + part(2, fixed(2, 0.5))));
    const std::vector<std::string> events{version(),
                                          simple("loss", 1, 0.5F),
                                          scalar("epoch_loss", 1, 0.5F),
                                          scalar("batch_loss", 1, 0.5F),
                                          text("notes", 0, "first\nsecond"),
                                          histogram("kernel/histogram", 1, {{-1, 0, 2}, {0, 1, 3}}),
                                          oldHistogram("kernel/grad", 1, -1, 3, 6, 20, {-1, 0, 3}, {0, 1, 3}),
                                          event(0, 1, summary(part(1, "_hparams_/session_start_info") + metadata("hparams", start))),
                                          sessionStart(1, 1001),
                                          simple("loss", 1, 0.25F),
                                          simple("test", 0, 0.25F)};
    std::string pieces = "\0"s, file = "\1";
    for (const std::string& one : events) {
        pieces += static_cast<char>(one.size() & 255);
        pieces += static_cast<char>(one.size() >> 8);
        pieces += one;
        file += record(one);
    }
    seeds.add("event_files", "events", pieces);
    seeds.add("event_files", "file", file);
}

// A dense layer, and a model of each kind of operator that becomes a layer.
void addOnnx(const Seeds& seeds, const spec::ModelSpec& dense, std::span<const exporter::VariableView> weights) {
    seeds.add("onnx", "dense", exporter::onnxBytes(dense, weights, std::nullopt));
    const auto write = [&](const char* name, spec::Shape input, std::vector<spec::LayerSpec> layers) {
        spec::ModelSpec model;
        model.input_shape = std::move(input);
        model.layers = std::move(layers);
        std::vector<std::vector<float>> values;
        std::vector<exporter::VariableView> views;
        for (const spec::LayerInfo& info : spec::inferShapes(model)) {
            for (const spec::VariableInfo& variable : info.variables) {
                std::size_t count = 1;
                for (std::int64_t size : variable.shape) count *= static_cast<std::size_t>(size);
                values.emplace_back(count, 0.5F);
                views.push_back({variable.name, variable.shape, values.back()});
            }
        }
        for (std::size_t i = 0; i < views.size(); ++i) views[i].values = values[i];
        seeds.add("onnx", name, exporter::onnxBytes(model, views, 2));
    };
    const std::int64_t two = 2;
    write("image", {6, 5, 2},
          {{"ZeroPadding2D", "pad", {}},
           {"Conv2D", "conv", {{"filters", two}, {"kernel_size", two}, {"activation", std::string("silu")}}},
           {"BatchNormalization", "norm", {}},
           {"MaxPooling2D", "pool", {}},
           {"UpSampling2D", "up", {}},
           {"Cropping2D", "crop", {}},
           {"PReLU", "prelu", {}},
           {"Conv2DTranspose", "turned", {{"filters", two}, {"kernel_size", two}}},
           {"Permute", "permute", {{"dims", std::vector<std::int64_t>{3, 1, 2}}}},
           {"Flatten", "flatten", {}},
           {"LayerNormalization", "layer", {}},
           {"Softmax", "softmax", {}}});
    write("sequence", {5},
          {{"Embedding", "words", {{"input_dim", two}, {"output_dim", two}}},
           {"LSTM", "lstm", {{"units", two}, {"return_sequences", true}}},
           {"GRU", "gru", {{"units", two}, {"return_sequences", true}, {"go_backwards", true}}},
           {"SimpleRNN", "rnn", {{"units", two}}},
           {"RepeatVector", "repeat", {{"n", two}}},
           {"Reshape", "reshape", {{"target_shape", std::vector<std::int64_t>{4, 1}}}},
           {"Rescaling", "scale", {{"scale", 0.5}, {"offset", 1.0}}},
           {"GlobalAveragePooling1D", "mean", {}}});
}

void addModels(const Seeds& seeds) {
    spec::ModelSpec model;
    model.input_shape = {3};
    model.layers = {{"Dense", "dense", {{"units", std::int64_t{2}}}}};
    const std::vector<float> values{1, 2, 3, 4, 5, 6};
    const exporter::CheckpointContents contents{.model = &model,
                                                .optimizer = {"SGD", {{"momentum", 0.9}}},
                                                .variables = {{"dense/kernel", {3, 2}, values},
                                                              {"dense/bias", {2}, std::span(values).first(2)},
                                                              {"dense/kernel:momentum", {3, 2}, values},
                                                              {"dense/bias:momentum", {2}, std::span(values).first(2)}},
                                                .iterations = 3,
                                                .learning_rate = 0.1F};
    const tests::support::TempDir folder;
    for (const char* name : {"a.keras", "a.weights.h5", "a.h5"}) {
        exporter::writeKerasFile(folder.path() / name, contents, {});
        const std::string bytes = fileBytes(folder.path() / name);
        seeds.add("keras_file", name, bytes);
        seeds.add(std::string_view(name).ends_with(".h5") ? "hdf5" : "zip", name, bytes);
    }
    seeds.add("keras_file", "json", spec::toKerasConfig(model, nullptr));
    addOnnx(seeds, model, std::span(contents.variables).first(2));
    exporter::Hdf5Node tree;
    tree.attributes["layer_names"] = {"a", "b"};
    tree.group("g").children["n"] = {.kind = exporter::Hdf5Node::Kind::kIntegers, .shape = {2}, .integers = {1, 2}};
    seeds.add("hdf5", "small", exporter::writeHdf5(tree));
    exporter::writeTfCheckpoint(folder.path() / "ckpt", contents);
    const std::string index = fileBytes(folder.path() / "ckpt.index"), data = fileBytes(folder.path() / "ckpt.data-00000-of-00001");
    seeds.add("tf_checkpoint", "files", "\0"s + piece(index) + data);
    // BundleHeader {num_shards 1}, BundleEntryProto {dtype 1, shape {dim {size 2}}, size 8, a checksum}.
    const std::string header = "\x08\x01"s, entry = "\x08\x01"s + field(2, field(2, "\x08\x02")) + "\x28\x08\x35" + number(0x1234, 4);
    seeds.add("tf_checkpoint", "entries", "\1" + piece("12345678") + piece("") + piece(header) + piece("dense/kernel") + piece(entry));
    const std::size_t graph = data.find("\x0A");
    seeds.add("tf_checkpoint", "graph", "\2" + data.substr(graph == std::string::npos ? 0 : graph));
    // ObjectGraph {nodes {children {node_id 1, local_name "model"}}, nodes {attributes {checkpoint_key "k"}}}.
    const std::string nodes = field(1, field(1, "\x08\x01"s + field(2, "model"))) + field(1, field(2, field(3, "k")));
    seeds.add("tf_checkpoint", "small_graph", "\2" + nodes);
    seeds.add("checkpoint_state", "times",
              "model_checkpoint_path: \"c\"\nall_model_checkpoint_paths: \"c\"\nall_model_checkpoint_timestamps: 1717524460.4379776\n"
              "last_preserved_timestamp: 1717524223.0\n");
    seeds.add("checkpoint_state", "two", "model_checkpoint_path: \"ckpt-2\"\nall_model_checkpoint_paths: \"ckpt\\0611\"\n");
    exporter::SavedObject object{"trainer", {}};
    object.set("epoch", std::int64_t{3});
    object.set("best", 0.5);
    object.set("name", std::string("text"));
    object.set("values", values);
    exporter::writeBackup(folder.path() / "backup", {object}, std::vector<exporter::VariableView>{{"w", {2}, std::span(values).first(2)}});
    seeds.add("backup", "file", "\0"s + fileBytes(folder.path() / "backup"));
    seeds.add("backup", "pieces", "\1" + piece(exporter::encodeObjects({object})) + piece("12345678"));
}

std::vector<spec::TaskEvent> someEvents() {
    std::vector<spec::TaskEvent> events;
    const auto add = [&events](spec::EventBody body) { events.push_back({.sequence = events.size() + 1, .body = std::move(body)}); };
    add(spec::StateChanged{.state = spec::TaskState::kWaiting, .detail = "waits", .cause = spec::WaitCause::kPeers, .awaited = {{}}});
    add(spec::StepPoints{.step = {1, 2}, .epoch = {0, 0}, .time_unix_ns = {5, 6}, .columns = {{"loss", {1, 2}}}});
    add(spec::EpochEnd{.epoch = 1, .logs = {{"loss", 0.5}}});
    add(spec::CheckpointSaved{.prefix = "checkpoints/ckpt_1"});
    add(spec::LogLine{.text = "a line"});
    add(spec::RunStarted{});
    add(spec::TaskFinished{.results = {{"loss", 0.5}}});
    add(spec::TaskFailed{.reason = "killed", .last_lines = {"a", "b"}});
    add(spec::Heartbeat{});
    add(spec::WeightReport{.weights = {{.name = "dense/kernel", .counts = {1, 2}}}});
    add(spec::LayerReport{
        .epoch = 0, .step = 5, .samples = 64, .layers = {{.layer = "dense", .gradient_norm = 0.5, .units = 8, .dead_units = 3}}});
    return events;
}

void addMessages(const Seeds& seeds) {
    const tests::fuzz::MemoryFile all("");
    convert::DelimitedWriter to_all(all.descriptor());
    for (const spec::TaskEvent& event : someEvents()) {
        const proto::TaskEvent message = convert::toProto(event);
        const std::string name = std::to_string(event.sequence);
        const tests::fuzz::MemoryFile one("");
        if (!to_all.write(message, std::chrono::seconds(5)) ||
            !convert::DelimitedWriter(one.descriptor()).write(message, std::chrono::seconds(5))) {
            tests::fuzz::fail("a message could not be written");
        }
        seeds.add("task_events", name, fileBytes(one.path()));
    }
    seeds.add("task_events", "all", fileBytes(all.path()));
    proto::TaskEvent start;
    start.set_time_unix_ns(1);
    start.mutable_start()->set_version(1);
    start.mutable_start()->set_run_name("run");
    start.mutable_start()->add_tasks()->set_type("worker");
    std::string first;
    convert::appendDelimited(first, start);
    seeds.add("run_folder", "events", "\1" + first + fileBytes(all.path()));
    seeds.add("run_folder", "control",
              "\0"s + R"({"controls": [{"number": 1, "verb": "learning_rate", "value": 0.5}, {"number": 2, "verb": "stop"}]})");
    const tests::ArchiveRig rig;
    rig.write();
    seeds.add("run_archive", "file", "\0"s + fileBytes(rig.file()));
    const auto piece = [](const std::string& bytes) {
        return std::string{static_cast<char>(bytes.size() % 256), static_cast<char>(bytes.size() / 256)} + bytes;
    };
    engine::run::RunInfo record = rig.run;
    record.run_dir.clear();
    std::string told;
    for (const std::string& event : tests::lines(1, 3)) agent::convert::appendDelimited(told, std::string_view(event));
    seeds.add("run_archive", "members",
              "\1"s + piece(agent::history::toJson(record)) + piece(told) + "\3\3" + piece("logs/a") + piece("text"));
    proto::SubmitRequest submit;
    submit.set_project_json("{\"version\": 1}");
    submit.mutable_only_task()->set_type("worker");
    submit.add_hosts()->set_host("node2");
    submit.mutable_hosts(0)->set_workers(2);
    seeds.add("agent_messages", "submit", "\0"s + submit.SerializeAsString());
    proto::ControlRequest control;
    control.set_run_id("r");
    *control.mutable_control() = convert::toProto(spec::Control{.verb = spec::ControlVerb::kSetLearningRate, .value = 0.1});
    seeds.add("agent_messages", "control", "\1" + control.SerializeAsString());
    proto::HostInfo host;
    host.mutable_gpus()->add_gpus()->set_name("GPU");
    seeds.add("agent_messages", "host", "\2" + host.SerializeAsString());
    const std::vector<std::byte> address = engine::distribute::encode({.pid = 1, .fd = 5, .bytes = 4096});
    const std::string segment(reinterpret_cast<const char*>(address.data()), address.size());
    proto::LinkMessage hello;
    hello.mutable_hello()->set_protocol(1);
    hello.mutable_hello()->set_segment(segment);
    seeds.add("agent_messages", "hello", "\3" + hello.SerializeAsString());
    seeds.add("agent_messages", "segment", "\5" + segment);
    const auto key = agent::trust::ClusterKey::make();
    proto::StartPartRequest part;
    part.set_part_id("p");
    part.add_tasks()->mutable_task()->set_type("worker");
    part.mutable_tasks(0)->set_port(7001);
    convert::toProto(agent::trust::RunCredentials{key.secret(), key.issue("worker 0")}, *part.mutable_tasks(0)->mutable_credentials());
    seeds.add("agent_messages", "part", "\4" + part.SerializeAsString());
    spec::RunSpec run;
    run.model.input_shape = {28, 28, 1};
    run.model.layers = {{"Flatten", "flatten", {}}, {"Dense", "dense", {{"units", std::int64_t{10}}}}};
    const spec::EngineQuestion placement{.run = run, .base_dir = "/home/me", .asked = spec::PlacementQuestion{}};
    const spec::EngineQuestion prediction{
        .run = run, .base_dir = "/home/me", .asked = spec::PredictQuestion{.checkpoint = "/run/ckpt_1", .out = "/out.npy"}};
    for (const spec::EngineQuestion& question : {placement, prediction}) {
        const std::string name = std::to_string(question.asked.index());
        seeds.add("question", "asked_" + name, "\0"s + convert::toProto(question).SerializeAsString());
    }
    const spec::Placement placed{.ops = {{"dense/MatMul", "MatMul", "/device:CPU:0", "worker 0", 0}}};
    seeds.add("question", "answer",
              "\1"s + piece(convert::toProto(placement).SerializeAsString()) +
                  convert::toProto(spec::EngineAnswer(placed)).front().SerializeAsString());
    seeds.add("question", "progress", "\2" + proto::Progress().SerializeAsString());
    proto::FunctionValues values;
    values.add_numbers(0.5);
    values.set_data("bytes");
    seeds.add("question", "values", "\3" + values.SerializeAsString());
    const agent::worker::CallerProof caller(convert::makeSecret(), {agent::worker::Purpose::kLink, 0, 1}, "ipv4:127.0.0.1:2222", {});
    seeds.add("connection", "opening", "\0"s + caller.opening() + std::string(agent::worker::kAnswerBytes, 'x'));
    using namespace agent::direct;
    seeds.add("direct", "join", "\0"s + toBytes({.verb = Verb::kJoin, .version = "0.1.0", .name = "node1", .proof = {1}}));
    seeds.add("direct", "locate", "\0"s + toBytes({.verb = Verb::kLocate, .version = "0.1.0", .name = "node1"}));
    seeds.add("direct", "answer", "\1"s + answerBytes(Outcome::kOtherVersion, "0.2.0").substr(0, kAnswerHeaderBytes));
    seeds.add("direct", "line", "\2"s + toString({.peer = {"node2.lan:7443", std::string(64, 'b')}, .secret = {1}}));
    seeds.add("connection", "challenge", "\1\1\0\1"s + std::string(agent::worker::kChallengeBytes, 'x'));
    const std::string digest(64, 'a');
    seeds.add("file_list", "folder",
              R"({"folder": "/data", "leaf": "cats", "files": [["cats/1.png", 3, ")" + digest + R"("], ["cats/2.png", 0, ")" + digest +
                  R"("]], "folders": ["cats", "cats/none"]})");
    seeds.add("file_list", "outside", R"({"folder": "/data", "leaf": "..", "files": [["../x", -1, "00"]], "folders": [".."]})");
    seeds.add("ssh", "survey",
              "\0"s +
                  "tandem-host x86_64\ntandem-connection 192.0.2.1 5000 192.0.2.7 22\ntandem-glibc glibc 2.36\ntandem-cores 8\nMemTotal: "
                  "16384 kB\n"
                  "tandem-free-kb 900000\nGPU 0: NVIDIA H200 (UUID: GPU-5)\ntandem-program /opt/tandem-agent\ntandem-version "
                  "0.1.0\ntandem-end\n");
    seeds.add("ssh", "refused", "\1"s + "ssh: connect to host node1 port 22: Connection refused\r\n");
    seeds.add("ssh", "question",
              "\2"s + piece("") +
                  "The authenticity of host 'node1 (192.0.2.7)' can't be established.\nED25519 key fingerprint is "
                  "SHA256:abc.\nAre you sure you want to continue connecting (yes/no/[fingerprint])? ");
    seeds.add("ssh", "config", "\3"s + "Host node1 \"node 2\" *.lan !x\n  HostName=192.0.2.7\nInclude conf.d/*\nMatch all\n");
    seeds.add("ssh", "destination", "\4"s + "me@[::1]:2222");
    seeds.add("address_file", "whole", R"({"address": "127.0.0.1:41231", "token": "00ff", "pid": 123, "version": "0.1.0"})");
}

void addTexts(const Seeds& seeds) {
    seeds.add("setting", "some", "fit.epochs=3\nmodel.layers[0].units=5\ncompile.optimizer.config.learning_rate=0.1\nname=a b\ndata=null");
    seeds.add(
        "cluster_text", "tf_config",
        R"({"cluster": {"chief": ["a:1"], "worker": ["localhost:12345", "[::1]:2"], "ps": {"1": "b:3"}}, "task": {"type": "worker", "index": 0}})");
    seeds.add("cluster_text", "shell", R"(export TF_CONFIG='{"cluster": {"worker": ["a:1"]}, "task": {"type": "worker", "index": 0}}')");
    seeds.add("cluster_text", "python", "os.environ[\"TF_CONFIG\"] = json.dumps({'cluster': {'worker': [\"a:1\", 'b:2']}})");
    seeds.add("cluster_text", "hostfile", "node1 slots=2 # two\nnode2:3\n\nnode1\n10.0.0.1 max_slots=4\n");
    seeds.add("cluster_text", "slurm", "SLURM_JOB_NODELIST=node[01-04,7],login2\nSLURM_TASKS_PER_NODE=2(x3),1\nSLURM_PROCID=3\n");
    spec::RunSpec run;
    run.model.input_shape = {4};
    run.model.layers = {{"Dense", "dense", {{"units", std::int64_t{2}}}}};
    seeds.add("project", "small", spec::toProjectJson(run));
    seeds.add("keras_config", "both", spec::toKerasModelConfig(run.model) + '\0' + spec::toKerasTrainingConfig(run.compile));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: fuzz_seeds FOLDER\n");
        return 2;
    }
    try {
        const Seeds seeds(argv[1]);
        addData(seeds);
        addEventFiles(seeds);
        addModels(seeds);
        addMessages(seeds);
        addTexts(seeds);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "fuzz_seeds: %s\n", error.what());
        return 1;
    }
    return 0;
}

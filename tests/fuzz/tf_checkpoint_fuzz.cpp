// TensorFlow checkpoints. The first byte chooses what the rest is: the index file and the data file as they are; entries of an index (key,
// value, key, value, ..., data), which is then built with right checksums; or the object graph of a checkpoint that is whole but for it.
#include <array>
#include <map>
#include <vector>

#include "engine/export/leveldb_table.h"
#include "engine/export/tensor_bundle.h"
#include "engine/export/tf_checkpoint.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/temp_dir.h"

namespace exporter = engine::exporter;

namespace {

constexpr int kMostEntries = 64;

struct Model {
    Model() {
        spec.input_shape = {3};
        spec.layers = {{"Dense", "dense", {{"units", std::int64_t{2}}}}};
        for (const char* name : {"dense/kernel", "dense/kernel:m", "dense/kernel:momentum"}) {
            views.push_back({name, {3, 2}, values});
        }
        for (const char* name : {"dense/bias", "dense/bias:m", "dense/bias:momentum"}) {
            views.push_back({name, {2}, std::span(values).first(2)});
        }
    }
    engine::spec::ModelSpec spec;
    std::array<float, 6> values{};
    std::vector<exporter::MutableVariableView> views;
};

void writeGraph(const std::filesystem::path& prefix, std::string_view graph) {
    exporter::BundleWriter bundle;
    const std::string zeros(24, '\0');
    for (const char* name : {"k", "k/m", "model/layer_with_weights-0/kernel/.ATTRIBUTES/VARIABLE_VALUE"}) {
        bundle.add(name, exporter::BundleType::kFloat, {3, 2}, zeros);
    }
    for (const char* name : {"b", "model/layer_with_weights-0/bias/.ATTRIBUTES/VARIABLE_VALUE"}) {
        bundle.add(name, exporter::BundleType::kFloat, {2}, std::string_view(zeros).substr(0, 8));
    }
    bundle.addScalar("i", std::int64_t{7});
    bundle.addScalar("r", 0.5F);
    bundle.addString("s", "text");
    bundle.addString("_CHECKPOINTABLE_OBJECT_GRAPH", graph);
    bundle.write(prefix);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const tests::support::TempDir folder;
    static Model model;
    const std::filesystem::path prefix = folder.path() / "ckpt";
    tests::fuzz::Input input(data, size);
    switch (input.byte() % 3) {
        case 0: {
            tests::fuzz::writeFile(prefix.string() + ".index", input.piece());
            tests::fuzz::writeFile(prefix.string() + ".data-00000-of-00001", input.rest());
            break;
        }
        case 1: {
            std::map<std::string, std::string> entries;
            const std::string_view values = input.piece();
            for (int i = 0; i < kMostEntries && !input.atEnd(); ++i) {
                const std::string_view key = input.piece();
                entries.emplace(key, input.piece());
            }
            tests::fuzz::writeFile(prefix.string() + ".index", exporter::buildTable(entries));
            tests::fuzz::writeFile(prefix.string() + ".data-00000-of-00001", values);
            break;
        }
        default:
            writeGraph(prefix, input.rest());
    }
    tests::fuzz::expectErrorAtMost([&] { exporter::listTfCheckpoint(prefix); });
    tests::fuzz::expectErrorAtMost([&] { exporter::readTfCheckpoint(prefix, model.spec, model.views); });
    tests::fuzz::expectErrorAtMost([&] {
        const exporter::BundleReader bundle(prefix);
        for (const exporter::BundleReader::Entry& entry : bundle.entries()) {
            tests::fuzz::expectErrorAtMost([&] { bundle.readFloats(entry.name); });
            tests::fuzz::expectErrorAtMost([&] { bundle.readInt(entry.name); });
            tests::fuzz::expectErrorAtMost([&] { bundle.readString(entry.name); });
        }
    });
    return 0;
}

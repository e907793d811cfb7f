#include "engine/export/event_file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "engine/export/record_framing.h"
#include "engine/spec/error.h"
#include "event.pb.h"

namespace engine::exporter {
namespace {

namespace formats = tandem::formats;

constexpr int kFloat = 1;  // TensorFlow's DataType
constexpr int kDouble = 2;
constexpr int kString = 7;
constexpr int kScalarClass = 1;
constexpr int kTensorClass = 2;
constexpr int kBlobClass = 3;
constexpr int kSessionStart = 1;
static_assert(std::endian::native == std::endian::little, "tensor_content is written as it lies in memory");

double nowSeconds() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string newName() {
    static std::atomic<int> files{0};
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0) {
        std::strcpy(host.data(), "localhost");
    }
    std::array<char, 32> seconds{};
    std::snprintf(seconds.data(), seconds.size(), "%010lld", static_cast<long long>(nowSeconds()));
    return std::string("events.out.tfevents.") + seconds.data() + "." + host.data() + "." + std::to_string(::getpid()) + "." +
           std::to_string(files++) + ".v2";
}

bool holdsEvents(const files::SafeFolder& folder) {
    const auto entries = folder.list();
    return std::any_of(entries.begin(), entries.end(), [](const auto& entry) { return entry.name.find("tfevents") != std::string::npos; });
}

formats::Summary_Value valueOf(std::string_view tag, const char* plugin, int data_class, int dtype) {
    formats::Summary_Value value;
    value.set_tag(std::string(tag));
    value.mutable_metadata()->mutable_plugin_data()->set_plugin_name(plugin);
    value.mutable_metadata()->set_data_class(data_class);
    value.mutable_tensor()->set_dtype(dtype);
    value.mutable_tensor()->mutable_tensor_shape();
    return value;
}

void addDimension(formats::Summary_Value& value, std::int64_t size) {
    value.mutable_tensor()->mutable_tensor_shape()->add_dim()->set_size(size);
}

}  // namespace

EventFile::EventFile(const files::Place& folder, std::int64_t first_step) {
    const std::string name = newName();
    path_ = folder.path() / name;
    folder.makeFolder();
    const files::Place::Holder at = (folder / name).holder();
    const bool follows_others = holdsEvents(at.folder);
    file_ = files::OutputFile(at.folder.create(name, at.access));
    formats::Event version;
    version.set_file_version("brain.Event:2");
    write(version);
    if (follows_others) {
        formats::Event start;
        start.set_step(first_step);
        start.mutable_session_log()->set_status(kSessionStart);
        write(start);
    }
    flush();
}

EventFile::EventFile(const files::Place& file, std::uintmax_t bytes) : path_(file.path()), bytes_(bytes) {
    files::FileDescriptor opened = file.openToAppend();
    struct stat found {};
    if (::fstat(opened.get(), &found) == 0 && static_cast<std::uintmax_t>(found.st_size) < bytes) {
        throw Error(ErrorCode::kDataLoss,
                    path_.string() + ": expected at least " + std::to_string(bytes) + " bytes, got " + std::to_string(found.st_size));
    }
    if (::ftruncate(opened.get(), static_cast<off_t>(bytes)) != 0) {
        throw Error(files::codeOfErrno(errno), path_.string() + ": could not be cut: " + std::strerror(errno));
    }
    file_ = files::OutputFile(std::move(opened));
}

EventFile::~EventFile() = default;

void EventFile::flush() {
    if (const int error = file_.flush(); error != 0) {
        throw Error(files::codeOfErrno(error), path_.string() + ": could not be written: " + std::strerror(error));
    }
}

void EventFile::write(formats::Event& event) {
    event.set_wall_time(wall_time_ > 0 ? wall_time_ : nowSeconds());
    std::string record;
    appendRecord(record, event.SerializeAsString());
    file_.write(record);
    bytes_ += record.size();
}

void EventFile::add(std::int64_t step, const formats::Summary_Value& value) {
    formats::Event event;
    event.set_step(step);
    *event.mutable_summary()->add_value() = value;
    write(event);
}

void EventFile::addScalar(std::string_view tag, std::int64_t step, float value) {
    formats::Summary_Value entry = valueOf(tag, "scalars", kScalarClass, kFloat);
    entry.mutable_tensor()->set_tensor_content(&value, sizeof value);
    add(step, entry);
}

void EventFile::addHistogram(std::string_view tag, std::int64_t step, const Histogram& histogram) {
    const std::size_t buckets = histogram.counts.size();
    std::vector<double> rows;  // (buckets, 3): left edge, right edge, count
    const double width = (histogram.maximum - histogram.minimum) / static_cast<double>(buckets);
    for (std::size_t i = 0; i < buckets; ++i) {
        const double right = i + 1 == buckets ? histogram.maximum : histogram.minimum + width * static_cast<double>(i + 1);
        rows.insert(rows.end(), {histogram.minimum + width * static_cast<double>(i), right, static_cast<double>(histogram.counts[i])});
    }
    formats::Summary_Value entry = valueOf(tag, "histograms", kTensorClass, kDouble);
    addDimension(entry, static_cast<std::int64_t>(buckets));
    addDimension(entry, 3);
    entry.mutable_tensor()->set_tensor_content(rows.data(), rows.size() * sizeof(double));
    add(step, entry);
}

void EventFile::addImages(std::string_view tag, std::int64_t step, std::span<const Picture> pictures) {
    ENGINE_CHECK(!pictures.empty());
    formats::Summary_Value entry = valueOf(tag, "images", kBlobClass, kString);
    addDimension(entry, static_cast<std::int64_t>(pictures.size()) + 2);
    entry.mutable_tensor()->add_string_val(std::to_string(pictures[0].width));
    entry.mutable_tensor()->add_string_val(std::to_string(pictures[0].height));
    for (const Picture& picture : pictures) {
        entry.mutable_tensor()->add_string_val(encodePng(picture));
    }
    add(step, entry);
}

void EventFile::addKerasModel(std::string_view tag, std::string_view json) {
    formats::Summary_Value entry = valueOf(tag, "graph_keras_model", kBlobClass, kString);
    entry.mutable_metadata()->mutable_plugin_data()->set_content("1");
    addDimension(entry, 1);  // of a blob sequence TensorBoard takes the first element, as it makes one of Keras' own
    entry.mutable_tensor()->add_string_val(std::string(json));
    add(0, entry);
}

void EventFile::addGraph(std::span<const GraphNode> nodes) {
    constexpr int kProducer = 22;  // of a GraphDef that every TensorBoard reads
    formats::Graph graph;
    graph.mutable_versions()->set_producer(kProducer);
    for (const GraphNode& node : nodes) {
        formats::GraphNode& entry = *graph.add_node();
        entry.set_name(node.name);
        entry.set_op(node.op);
        for (const std::string& input : node.inputs) {
            entry.add_input(input);
        }
        auto& shape = *(*entry.mutable_attr())["_output_shapes"].mutable_list()->add_shape();
        for (const std::int64_t size : node.shape) {
            shape.add_dim()->set_size(size);
        }
    }
    formats::Event event;
    event.set_graph_def(graph.SerializeAsString());
    write(event);
}

void EventFile::addText(std::string_view tag, std::int64_t step, std::string_view markdown) {
    formats::Summary_Value entry = valueOf(tag, "text", kTensorClass, kString);
    entry.mutable_tensor()->add_string_val(std::string(markdown));
    add(step, entry);
}

void EventFile::addPrCurve(std::string_view tag, std::int64_t step, const PrCurve& curve) {
    const std::size_t thresholds = curve.recall.size();
    std::vector<float> rows;  // (6, thresholds)
    for (const auto* row :
         {&curve.true_positives, &curve.false_positives, &curve.true_negatives, &curve.false_negatives, &curve.precision, &curve.recall}) {
        ENGINE_CHECK(row->size() == thresholds);
        rows.insert(rows.end(), row->begin(), row->end());
    }
    formats::PrCurveData data;
    data.set_num_thresholds(static_cast<std::uint32_t>(thresholds));
    formats::Summary_Value entry = valueOf(tag, "pr_curves", kTensorClass, kFloat);
    entry.mutable_metadata()->mutable_plugin_data()->set_content(data.SerializeAsString());
    addDimension(entry, 6);
    addDimension(entry, static_cast<std::int64_t>(thresholds));
    entry.mutable_tensor()->set_tensor_content(rows.data(), rows.size() * sizeof(float));
    add(step, entry);
}

// The plugin reads what stands in the metadata; the tensor is of no account.
void EventFile::addHparams(std::string_view tag, std::string content) {
    const float nothing = 0;
    formats::Summary_Value entry = valueOf(tag, "hparams", kTensorClass, kFloat);
    entry.mutable_metadata()->mutable_plugin_data()->set_content(std::move(content));
    addDimension(entry, 1);
    entry.mutable_tensor()->set_tensor_content(&nothing, sizeof nothing);
    add(0, entry);
}

void EventFile::addSessionStart(std::span<const std::pair<std::string, std::variant<double, bool, std::string>>> hparams) {
    formats::HparamsData data;
    formats::SessionStart& start = *data.mutable_session_start_info();
    start.set_start_time_secs(wall_time_ > 0 ? wall_time_ : nowSeconds());
    for (const auto& [name, value] : hparams) {
        formats::HparamValue& entry = (*start.mutable_hparams())[name];
        if (const auto* number = std::get_if<double>(&value)) {
            entry.set_number_value(*number);
        } else if (const auto* flag = std::get_if<bool>(&value)) {
            entry.set_bool_value(*flag);
        } else {
            entry.set_string_value(std::get<std::string>(value));
        }
    }
    addHparams("_hparams_/session_start_info", data.SerializeAsString());
}

void EventFile::addSessionEnd(bool is_done) {
    formats::HparamsData data;
    data.mutable_session_end_info()->set_status(is_done ? 1 : 2);
    data.mutable_session_end_info()->set_end_time_secs(wall_time_ > 0 ? wall_time_ : nowSeconds());
    addHparams("_hparams_/session_end_info", data.SerializeAsString());
}

}  // namespace engine::exporter

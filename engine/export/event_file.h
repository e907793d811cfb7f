// A TensorBoard event file: FOLDER/events.out.tfevents.SECONDS.HOST.PID.N.v2, Events (formats/event.proto) in TFRecord framing, the first
// one with file_version "brain.Event:2". Values are written as TensorFlow 2's tf.summary does: tensors with the plugin's name beside them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/export/histogram.h"
#include "engine/export/png_writer.h"
#include "engine/export/tensor_board/pr_curve.h"
#include "engine/files/output_file.h"
#include "engine/files/place.h"

namespace tandem::formats {
class Event;
class Summary_Value;
}  // namespace tandem::formats

namespace engine::exporter {

// A node of a model's graph.
struct GraphNode {
    std::string name;  // "sequential/conv2d/Conv2D": what has slashes before it lies inside of that
    std::string op;
    std::vector<std::string> inputs;  // names of nodes
    std::vector<std::int64_t> shape;  // of its output; -1: any size
};

// One thread. Every call throws Error naming the file when it cannot be written (kResourceExhausted: disk full; kPermissionDenied;
// kNotFound).
class EventFile {
public:
    // A new file; the folder is made. What files of the same run that are there already hold from `first_step` on no longer counts: the new
    // one says so.
    explicit EventFile(const files::Place& folder, std::int64_t first_step = 0);
    // Goes on in `file` after its first `bytes`; what follows there is dropped.
    EventFile(const files::Place& file, std::uintmax_t bytes);
    ~EventFile();
    EventFile(const EventFile&) = delete;
    EventFile& operator=(const EventFile&) = delete;

    void addScalar(std::string_view tag, std::int64_t step, float value);
    void addHistogram(std::string_view tag, std::int64_t step, const Histogram& histogram);
    void addImages(std::string_view tag, std::int64_t step, std::span<const Picture> pictures);  // at least one, all of one size
    // A model for the Graphs page: Keras' model.to_json().
    void addKerasModel(std::string_view tag, std::string_view json);

    // The model for the same page, layer by layer: edges have the shapes of what flows along them.
    void addGraph(std::span<const GraphNode> nodes);
    // Writes Markdown for the page Text.
    void addText(std::string_view tag, std::int64_t step, std::string_view markdown);
    // Writes a curve for the page PR Curves.
    void addPrCurve(std::string_view tag, std::int64_t step, const PrCurve& curve);
    // Both are for the page HParams: what the run was started with, and how it ended.
    void addSessionStart(std::span<const std::pair<std::string, std::variant<double, bool, std::string>>> hparams);
    void addSessionEnd(bool is_done);

    // The time of the events from here on, in seconds since 1970; 0: that of the moment when one is added.
    void setWallTime(double seconds) { wall_time_ = seconds; }

    void flush();
    const std::filesystem::path& path() const { return path_; }
    std::uintmax_t bytes() const { return bytes_; }

private:
    void add(std::int64_t step, const tandem::formats::Summary_Value& value);
    void addHparams(std::string_view tag, std::string content);
    void write(tandem::formats::Event& event);

    std::filesystem::path path_;
    files::OutputFile file_;
    std::uintmax_t bytes_ = 0;
    double wall_time_ = 0;
};

}  // namespace engine::exporter

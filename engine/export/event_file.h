// A TensorBoard event file: FOLDER/events.out.tfevents.SECONDS.HOST.PID.N.v2, Events (formats/event.proto) in TFRecord framing, the first
// one with file_version "brain.Event:2". Values are written as TensorFlow 2's tf.summary does: tensors with the plugin's name beside them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/export/histogram.h"
#include "engine/export/png_writer.h"
#include "engine/files/output_file.h"
#include "engine/files/place.h"

namespace tandem::formats {
class Event;
class Summary_Value;
}  // namespace tandem::formats

namespace engine::exporter {

// One thread. Every call throws Error naming the file when it cannot be written (kResourceExhausted: disk full; kPermissionDenied;
// kNotFound).
class EventFile {
public:
    // A new file; the folder is made. Files of the same run that are there already no longer count: the new one says so.
    explicit EventFile(const files::Place& folder);
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

    void flush();
    const std::filesystem::path& path() const { return path_; }
    std::uintmax_t bytes() const { return bytes_; }

private:
    void add(std::int64_t step, const tandem::formats::Summary_Value& value);
    void write(tandem::formats::Event& event);

    std::filesystem::path path_;
    files::OutputFile file_;
    std::uintmax_t bytes_ = 0;
};

}  // namespace engine::exporter

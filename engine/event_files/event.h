// What one record of an event file says: TensorFlow's Event message, with the values of its summary read as TensorBoard's plugins read
// them. The files may be those of TensorFlow 1 and 2, Keras, PyTorch, tensorboardX and Tandem itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace engine::event_files {

// How many values fall into which bucket. TensorFlow 1 and PyTorch write sums, TensorFlow 2 does not.
struct EventHistogram {
    std::vector<double> limits;  // of the buckets, rising: one more than counts
    std::vector<double> counts;
    double minimum = 0, maximum = 0;
    std::optional<double> sum, sum_of_squares;
};

struct EventImages {
    std::int64_t width = 0, height = 0, count = 0;
};

// A value that is no number: at most one of these is set, none for what no view here has a place for.
struct EventValue {
    std::string_view tag;
    std::optional<EventHistogram> histogram;
    std::optional<EventImages> images;
    std::optional<std::string> text;
    std::vector<std::pair<std::string, std::string>> hparams;  // of a session's start: names with values as text
    bool ends_session = false;                                 // hparams: the session is over
    bool has_failed = false;                                   // and has failed
};

// Who hears what an event says, in its order. Views live until the call is over; `wall_time`: seconds since 1970.
class EventSink {
public:
    virtual ~EventSink() = default;
    virtual void takeScalar(std::string_view tag, std::int64_t step, double wall_time, double value) = 0;
    virtual void takeOther(std::int64_t step, double wall_time, const EventValue& value) = 0;
    // The writer began again: what earlier events say of this step and later ones no longer counts.
    virtual void takeRestart(std::int64_t step, double wall_time) = 0;
};

// Reads events of one file or of several: what a tag is, its first value may say for all later ones. One thread. Numbers that come in the
// order of the time before, as most do, are found by comparing bytes: that is several times as fast as reading them field by field.
class EventReader {
public:
    // False for bytes that are no event; what was told by then stays told.
    bool read(std::string_view record, EventSink& sink);

private:
    bool readSummary(std::string_view summary, std::int64_t step, double wall_time, EventSink& sink);
    bool readValue(std::string_view message, std::int64_t step, double wall_time, EventSink& sink);
    std::string_view pluginOf(std::string_view tag, std::string_view named);

    // A summary of one number, which comes again and again with other numbers: its bytes before and behind the four of the number.
    struct Pattern {
        std::string head, tail, tag;
        std::size_t next = 0;  // the one that came behind it last time
    };
    bool readByPattern(std::string_view summary, std::int64_t step, double wall_time, EventSink& sink);
    void learn(std::string_view summary, std::string_view tag, const char* value);

    std::vector<std::pair<std::string, std::string>> plugins_;  // of tags whose values are no numbers
    std::vector<Pattern> patterns_;
    std::unordered_map<std::string, std::size_t> pattern_of_;  // by tag
    std::size_t last_pattern_ = 0;
    const char* number_at_ = nullptr;  // of the value that was read last; null: it is no float of its own four bytes
    std::string_view number_tag_;
};

}  // namespace engine::event_files

// Numbers of several tags that are written at the same steps, as rows: what a chart's table takes. Only the newest rows are held here,
// however long a run is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/spec/events/task_event.h"

namespace engine::event_files {

// Rows in order of step, each with a value or NaN a column. A row that is set or put between others after it was told is told again, with
// all rows behind it: a table takes these in place of what it has from that step on. One thread.
class StepRows {
public:
    static constexpr std::size_t kWindow = 4096;  // rows that are held at the least, and twice as many at the most
    using Teller = std::function<void(spec::StepPoints)>;

    // `tell` hears of rows that leave the window, in set().
    explicit StepRows(Teller tell) : tell_(std::move(tell)) {}

    std::size_t addColumn(const std::string& name);
    // No value of it any more, in the rows that are held.
    void clearColumn(std::size_t column);
    // No value of it any more from this step on, and rows at the end that are left without any value go. Requires takes(step), and that
    // set() of this step comes next: rows that were told before go with it.
    void clearColumnFrom(std::size_t column, std::int64_t step);
    std::size_t columns() const { return names_.size(); }

    // True when rows of that step and of later ones, `rows` of them (kWindow + 1 at the most), can still be put in their places.
    bool takes(std::int64_t step, std::size_t rows = 1) const {
        return step > floor_ && (steps_.size() + rows <= 2 * kWindow || step > steps_[kWindow - 1]);
    }
    // Requires takes(step). The time is that of the row's first value.
    void set(std::int64_t step, std::int64_t time_unix_ns, std::size_t column, float value);
    // What was set for this step and later ones no longer counts; rows of later steps that were told before go with the next row.
    void cutFrom(std::int64_t step);

    bool empty() const { return steps_.empty(); }
    std::int64_t lastStep() const { return steps_.empty() ? floor_ : steps_.back(); }
    // Tells every row that was not told as it is now; `but_last`: the last row is left, since values of its step may be on their way.
    void tellAll(bool but_last);

private:
    std::size_t rowOf(std::int64_t step, std::int64_t time_unix_ns);
    void clear(std::size_t column, std::size_t first_row);
    void resize(std::size_t rows);
    void tell(std::size_t end);
    void forget(std::size_t rows);

    const Teller tell_;
    std::vector<std::string> names_;
    std::vector<std::int64_t> steps_, times_;
    std::vector<std::uint32_t> filled_;                              // [row]: how many values it has
    std::vector<std::vector<float>> values_;                         // [column][row]
    std::size_t dirty_ = 0;                                          // the first row that was not told as it is now
    std::int64_t floor_ = std::numeric_limits<std::int64_t>::min();  // the last step that is no longer held
};

}  // namespace engine::event_files

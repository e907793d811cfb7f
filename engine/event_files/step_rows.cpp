#include "engine/event_files/step_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace engine::event_files {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t kPackValues = 24u << 10, kMostPackRows = 1024;

template <typename T>
void eraseFront(std::vector<T>& values, std::size_t count) {
    values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
}

}  // namespace

std::size_t StepRows::addColumn(const std::string& name) {
    names_.push_back(name);
    values_.emplace_back(steps_.size(), kNan);
    return names_.size() - 1;
}

void StepRows::clear(std::size_t column, std::size_t first_row) {
    std::vector<float>& values = values_[column];
    for (std::size_t row = first_row; row < values.size(); ++row) {
        if (std::isnan(values[row])) continue;
        values[row] = kNan;
        --filled_[row];
        dirty_ = std::min(dirty_, row);
    }
}

void StepRows::clearColumn(std::size_t column) {
    clear(column, 0);
}

void StepRows::clearColumnFrom(std::size_t column, std::int64_t step) {
    const auto first = static_cast<std::size_t>(std::lower_bound(steps_.begin(), steps_.end(), step) - steps_.begin());
    clear(column, first);
    std::size_t kept = steps_.size();
    while (kept > first && filled_[kept - 1] == 0) --kept;
    if (kept < steps_.size()) resize(kept);
}

void StepRows::resize(std::size_t rows) {
    steps_.resize(rows);
    times_.resize(rows);
    filled_.resize(rows);
    for (std::vector<float>& values : values_) values.resize(rows);
    dirty_ = std::min(dirty_, rows);
}

std::size_t StepRows::rowOf(std::int64_t step, std::int64_t time_unix_ns) {
    if (!steps_.empty() && steps_.back() == step) return steps_.size() - 1;
    if (steps_.size() >= 2 * kWindow) {
        tell(std::max(dirty_, kWindow));
        forget(kWindow);
    }
    if (steps_.empty() || steps_.back() < step) {
        steps_.push_back(step);
        times_.push_back(time_unix_ns);
        filled_.push_back(0);
        for (std::vector<float>& values : values_) values.push_back(kNan);
        return steps_.size() - 1;
    }
    const auto at = std::lower_bound(steps_.begin(), steps_.end(), step);
    const auto row = at - steps_.begin();
    if (*at != step) {
        steps_.insert(at, step);
        times_.insert(times_.begin() + row, time_unix_ns);
        filled_.insert(filled_.begin() + row, 0);
        for (std::vector<float>& values : values_) values.insert(values.begin() + row, kNan);
    }
    return static_cast<std::size_t>(row);
}

void StepRows::set(std::int64_t step, std::int64_t time_unix_ns, std::size_t column, float value) {
    const std::size_t row = rowOf(step, time_unix_ns);
    float& held = values_[column][row];
    if (filled_[row] == 0) times_[row] = time_unix_ns;
    if (!std::isnan(held)) --filled_[row];
    if (!std::isnan(value)) ++filled_[row];
    held = value;
    dirty_ = std::min(dirty_, row);
}

void StepRows::cutFrom(std::int64_t step) {
    const auto kept = static_cast<std::size_t>(std::lower_bound(steps_.begin(), steps_.end(), step) - steps_.begin());
    resize(kept);
    floor_ = std::min(floor_, step > std::numeric_limits<std::int64_t>::min() ? step - 1 : step);
}

void StepRows::forget(std::size_t rows) {
    floor_ = std::max(floor_, steps_[rows - 1]);
    eraseFront(steps_, rows);
    eraseFront(times_, rows);
    eraseFront(filled_, rows);
    for (std::vector<float>& values : values_) eraseFront(values, rows);
    dirty_ -= rows;
}

void StepRows::tell(std::size_t end) {
    const std::size_t most = std::clamp<std::size_t>(kPackValues / std::max<std::size_t>(1, names_.size()), 16, kMostPackRows);
    while (dirty_ < end) {
        const std::size_t first = dirty_, last = std::min(end, first + most);
        const auto from = static_cast<std::ptrdiff_t>(first), to = static_cast<std::ptrdiff_t>(last);
        spec::StepPoints pack;
        pack.step.assign(steps_.begin() + from, steps_.begin() + to);
        pack.epoch.assign(last - first, 0);
        pack.time_unix_ns.assign(times_.begin() + from, times_.begin() + to);
        for (std::size_t column = 0; column < names_.size(); ++column) {
            const auto begin = values_[column].begin() + from, past = values_[column].begin() + to;
            if (std::all_of(begin, past, [](float value) { return std::isnan(value); })) continue;
            pack.columns.push_back({names_[column], {begin, past}});
        }
        dirty_ = last;
        tell_(std::move(pack));
    }
}

void StepRows::tellAll(bool but_last) {
    tell(steps_.size() - (but_last && !steps_.empty() ? 1 : 0));
}

}  // namespace engine::event_files

// A list that goes on from another one and shares what that one has: chains of layers, where each variable is the end of one. Only files of
// engine/spec/keras/code and below include it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace engine::spec::code {

// Copies cost the same however long the list is, and so does an entry at the end of one.
template <typename T>
class SharedList {
public:
    SharedList() = default;
    SharedList(const SharedList&) = default;
    SharedList(SharedList&&) noexcept = default;
    SharedList& operator=(SharedList other) noexcept {
        std::swap(last_, other.last_);
        return *this;
    }
    // Entry by entry: the first would be destroyed within all the others.
    ~SharedList() {
        while (last_ != nullptr && last_.use_count() == 1) {
            std::shared_ptr<Entry> before = std::move(last_->before);
            last_ = std::move(before);
        }
    }

    bool empty() const { return last_ == nullptr; }
    const T& back() const { return last_->value; }
    void push_back(T value) { last_ = std::make_shared<Entry>(Entry{std::move(value), std::move(last_)}); }
    void pop_back() { last_ = last_->before; }
    // All of them, the first one first.
    std::vector<T> entries() const {
        std::vector<T> all;
        for (const Entry* entry = last_.get(); entry != nullptr; entry = entry->before.get()) all.push_back(entry->value);
        std::reverse(all.begin(), all.end());
        return all;
    }

private:
    struct Entry {
        T value;
        std::shared_ptr<Entry> before;
    };
    std::shared_ptr<Entry> last_;
};

}  // namespace engine::spec::code

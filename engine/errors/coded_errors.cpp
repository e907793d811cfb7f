#include "engine/errors/coded_errors.h"

#include <algorithm>
#include <string_view>

#include "engine/errors/error_catalog.h"

namespace engine::errors {
namespace {

constexpr std::string_view kWords[] = {"error: ", "warning: ", "info: "};

// True when a line that begins so may still turn out to be a finding.
bool mayBeFinding(std::string_view begin) {
    return std::ranges::any_of(kWords, [&](std::string_view word) { return begin.starts_with(word) || word.starts_with(begin); });
}

bool isFinding(std::string_view begin) {
    return std::ranges::any_of(kWords, [&](std::string_view word) { return begin.starts_with(word); });
}

}  // namespace

CodedErrors::CodedErrors(std::ostream& stream) : stream_(stream), out_(stream.rdbuf()) {
    stream_.rdbuf(this);
}

CodedErrors::~CodedErrors() {
    {
        const MutexLock lock(mutex_);
        releaseHeld();
        write();
    }
    out_->pubsync();
    stream_.rdbuf(out_);
}

void CodedErrors::releaseHeld() {
    ready_ += held_;
    held_.clear();
}

void CodedErrors::write() {
    out_->sputn(ready_.data(), static_cast<std::streamsize>(ready_.size()));
    ready_.clear();
}

void CodedErrors::take(char c) {
    if (passes_) {
        ready_ += c;
        passes_ = c != '\n';
        return;
    }
    if (c == '\n') {
        held_ = withCode(held_) + '\n';
        releaseHeld();
        return;
    }
    held_ += c;
    if (!mayBeFinding(held_)) {
        releaseHeld();
        passes_ = true;
    }
}

CodedErrors::int_type CodedErrors::overflow(int_type character) {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
    const MutexLock lock(mutex_);
    take(traits_type::to_char_type(character));
    write();
    return character;
}

std::streamsize CodedErrors::xsputn(const char* text, std::streamsize count) {
    const MutexLock lock(mutex_);
    for (std::streamsize i = 0; i < count; ++i) take(text[i]);
    write();
    return count;
}

// The stream asks for this behind each insertion: a finding goes on being held, its first letters would not be worth it.
int CodedErrors::sync() {
    const MutexLock lock(mutex_);
    if (!held_.empty() && !isFinding(held_)) {
        releaseHeld();
        write();
        passes_ = true;
    }
    return out_->pubsync();
}

}  // namespace engine::errors

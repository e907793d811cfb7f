// Standard error with the code of each error behind its line: "error: cluster.worker[1]: … (TDM-C001)".
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

#include "engine/thread/mutex.h"

namespace engine::errors {

// What is written to a stream goes through this while it lives. A line that begins with "error: ", "warning: " or "info: " is held until
// its newline; everything else passes at once. Any thread may write. What is inserted in one piece leaves in one piece, so that a whole
// line stays one among those that others write to the same place.
class CodedErrors : public std::streambuf {
public:
    // `stream` must outlive this.
    explicit CodedErrors(std::ostream& stream);
    ~CodedErrors() override;  // writes what is held, and gives the stream its buffer back
    CodedErrors(const CodedErrors&) = delete;
    CodedErrors& operator=(const CodedErrors&) = delete;

protected:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;
    int sync() override;

private:
    void take(char c) TANDEM_REQUIRES(mutex_);
    void releaseHeld() TANDEM_REQUIRES(mutex_);
    void write() TANDEM_REQUIRES(mutex_);

    std::ostream& stream_;
    std::streambuf* const out_;
    Mutex mutex_;
    std::string held_ TANDEM_GUARDED_BY(mutex_);     // of a line that may be an error
    std::string ready_ TANDEM_GUARDED_BY(mutex_);    // to be written before the call ends
    bool passes_ TANDEM_GUARDED_BY(mutex_) = false;  // the line was seen to be something else
};

}  // namespace engine::errors

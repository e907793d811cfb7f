// The mark by which other processes know a process when they read it in a file: the same process number may be another process, another
// computer or another container.
#pragma once

#include <string>
#include <string_view>

namespace agent::convert {

// Returns the mark of the calling process: "BOOT NAMESPACE PID TICKS", the kernel's boot, the namespace of its process numbers, its number
// and when it began, in clock ticks since that boot. Empty where /proc can't be read.
std::string ownProcessMark();

enum class ProcessLife {
    kAlive,
    kGone,
    kUnknown,  // it is (or was) on another computer or in another container, or the mark says nothing
};
// A computer that was started anew counts as another one.
ProcessLife lifeOf(std::string_view mark);

// Returns the number that the process had on its own computer; 0 for a mark that says nothing.
int processOf(std::string_view mark);

}  // namespace agent::convert

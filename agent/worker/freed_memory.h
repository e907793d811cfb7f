// What becomes of memory that the transport's messages lay in.
#pragma once

namespace agent::worker {

// gRPC takes and gives back megabytes for every message: they stay with malloc, in place of being mapped and cleared each time. Of the
// whole process, for its life; called once, first thing in a main that uses connectCollective.
void keepFreedMemory();

}  // namespace agent::worker

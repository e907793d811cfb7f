// Decides what becomes of memory that the transport's messages lay in.
#pragma once

namespace agent::worker {

// Makes malloc keep the megabytes that gRPC takes and gives back for every message, in place of mapping and clearing them each time. It
// holds for the whole process and its life; called once, first thing in a main that uses connectCollective.
void keepFreedMemory();

}  // namespace agent::worker

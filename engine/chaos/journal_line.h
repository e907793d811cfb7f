// The lines that an agent writes into the journal of a run, of the fault's task: "chaos: stop worker:0 for 5s" when it was done, and
// "chaos: over: stop worker:0 for 5s" when its time was over.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/chaos/fault.h"

namespace engine::chaos {

struct FaultLine {
    Fault fault;
    bool is_over = false;
};
std::string journalLine(const FaultLine& line);
// nullopt for any other text.
std::optional<FaultLine> parseJournalLine(std::string_view text);

// What toText() made; nullopt for anything else.
std::optional<Fault> parseFault(std::string_view text);

}  // namespace engine::chaos

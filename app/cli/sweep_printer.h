// What a sweep looks like on the command line: a table that is drawn anew on a terminal, a line for each thing that happens elsewhere, or
// JSON for scripts.
//
// --json: {"event":"sweep","folder","method","objective","direction","rungs":[1,3,9],"trials":27}; for each trial that changed
// {"event":"trial","trial":1,"values":{"PATH":"VALUE"},"state":"training","rung":1,"epochs":1,"value":null,"latest":null,"runs":["ID"],
// "error":null}; last {"event":"finished","state":"over" or "stopped","best":TRIAL or
// null,"epochs","seconds","importance":{"trials","fields":
// {"PATH":0.8},"together":0.1} or null}. Trials and rungs count from 1.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <memory>

#include "app/cli/sweep_command.h"
#include "engine/sweep/sweep.h"

namespace app::cli {

// Fed from one thread.
class SweepPrinter {
public:
    virtual ~SweepPrinter() = default;
    virtual void begin(const engine::sweep::Sweep& sweep, const std::filesystem::path& folder) = 0;
    virtual void changed(const engine::sweep::Sweep& sweep) = 0;
    // `seconds`: since begin().
    virtual void finish(const engine::sweep::Sweep& sweep, double seconds) = 0;
};

enum class SweepStyle { kTable, kLines, kJson };
// `out` outlives it. `origin` is for the last words, which say how the best trial is trained again.
std::unique_ptr<SweepPrinter> makeSweepPrinter(std::ostream& out, SweepStyle style, const SweepOrigin& origin);

}  // namespace app::cli

// SPDX-License-Identifier: GPL-3.0-or-later
// What a text of code changes of a project, and a project of the text: values alone, so that it may be found out on any thread. `stop`
// ends each of these soon; what it then returns says nothing.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/spec/keras/keras_code.h"
#include "engine/spec/project/run_spec.h"

namespace ui::views {

// How the panel writes code.
inline constexpr engine::spec::CodeLayout kPanelLayout{.width = 48, .indent = 2, .imports = false};

// A text that somebody wrote, taken into a project. All or nothing: text with a line that can't be read is kept with the project, and
// counts when it can be.
struct TakenText {
    engine::spec::CodeReading reading;
    bool counts = false;             // every line could be read
    engine::spec::RunSpec said;      // what the text says by itself; where it doesn't count, what was said before
    engine::spec::RunSpec before;    // the project that it was taken into
    engine::spec::RunSpec project;   // with the text
    std::vector<std::string> parts;  // of which the text says something else than `project` (partsThatDiffer)
};
// `reading`: of the text. `said_before`: what the text before it said by itself; data, cluster and strategy, which other pages change too,
// count where they are new in the text.
TakenText takenText(const engine::spec::CodeText& text, engine::spec::CodeReading reading, engine::spec::RunSpec project,
                    const engine::spec::RunSpec& said_before, const std::stop_token& stop = {});

// Text that was typed and is not in the project yet.
struct TypedText {
    std::string text;
    engine::spec::RunSpec agreed;  // what text and project said alike before
};

// The text of a project, brought up to date with it.
struct BroughtText {
    engine::spec::CodeText text;
    engine::spec::CodeReading reading;          // over the project
    engine::spec::RunSpec agreed;               // what text and project say alike
    std::optional<engine::spec::RunSpec> said;  // what the text says by itself, where that was asked for
    std::vector<std::string> parts;             // of which the text says something else
};
enum class Said { kKept, kRead };
// `typed`: it stays, and the rest of the text is brought up to date.
BroughtText broughtText(const engine::spec::RunSpec& project, std::optional<TypedText> typed, Said said, const std::stop_token& stop = {});
// The text of no project.
BroughtText textOfNone();

// A text that is pasted beside the editor.
struct PastedText {
    engine::spec::CodeDocument document;
    engine::spec::CodeReading reading;                           // over the project
    std::optional<TakenText> taken;                              // it is code
    std::optional<BroughtText> brought;                          // and so stands in the editor
    engine::spec::RunSpec before, project;                       // without and with it
    std::optional<std::vector<engine::spec::LayerSpec>> layers;  // it says nothing of a project, or nothing that can be read, but has these
    bool isRefused() const { return reading.hasErrors() || reading.saysNothing(); }
};
PastedText pastedText(const std::string& whole, engine::spec::RunSpec project, const std::stop_token& stop = {});

}  // namespace ui::views

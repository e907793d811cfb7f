// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/code_changes.h"

#include <QString>
#include <utility>

namespace ui::views {

using namespace engine::spec;

namespace {

// Takes the parts of a project that code is about.
void takeModel(const CodeReading& reading, RunSpec& run) {
    run.model = reading.run.model;
    run.compile = reading.run.compile;
    run.fit = reading.run.fit;
    run.callbacks = reading.run.callbacks;
}

// Other pages change these too: what stands in the text counts when it is new there.
void takeRest(const CodeReading& reading, RunSpec& run) {
    run.data = reading.run.data;
    run.cluster = reading.run.cluster;
    run.strategy = reading.run.strategy;
}

// Returns the project with what was typed and is not in it yet. A part that was not touched is the project's, and agreed upon from now on.
RunSpec withTyped(const RunSpec& project, const RunSpec& typed, RunSpec& agreed) {
    RunSpec both = project;
    const auto merge = [&](auto part) {
        if (typed.*part == agreed.*part)
            agreed.*part = project.*part;
        else
            both.*part = typed.*part;
    };
    merge(&RunSpec::model);
    merge(&RunSpec::compile);
    merge(&RunSpec::fit);
    merge(&RunSpec::callbacks);
    merge(&RunSpec::data);
    merge(&RunSpec::cluster);
    merge(&RunSpec::strategy);
    return both;
}

bool sameRest(const RunSpec& a, const RunSpec& b) {
    return a.data == b.data && a.cluster == b.cluster && a.strategy == b.strategy;
}

// As a field of text gives it back.
std::string asTyped(const std::string& code) {
    QString text = QString::fromStdString(code);
    text.replace(QChar(QChar::Nbsp), QLatin1Char(' ')).replace(QChar(QChar::LineSeparator), QLatin1Char('\n'));
    return text.toStdString();
}

bool isCode(const CodeReading& reading) {
    return !reading.model.empty() || !reading.compile.empty() || !reading.schedule.empty() || !reading.fit.empty() || !reading.data.empty();
}

}  // namespace

TakenText takenText(const CodeText& text, CodeReading reading, RunSpec project, const RunSpec& said_before, const std::stop_token& stop) {
    TakenText taken;
    taken.counts = !reading.hasErrors();
    taken.said = taken.counts ? text.read({}, AbsentArguments::kStay, stop).run : said_before;
    taken.before = project;
    if (taken.counts) takeModel(reading, project);
    if (taken.counts && !sameRest(taken.said, said_before)) takeRest(reading, project);
    keepCode(project, text.text(), kPanelLayout);
    taken.reading = std::move(reading);
    taken.project = std::move(project);
    return taken;
}

BroughtText broughtText(const RunSpec& project, std::optional<TypedText> typed, Said said, const std::stop_token& stop) {
    BroughtText brought;
    if (typed) {
        brought.text = CodeText(std::move(typed->text));
        const CodeReading reading = brought.text.read(typed->agreed, AbsentArguments::kDefault, stop);
        if (!reading.hasErrors() && !stop.stop_requested()) {
            const RunSpec both = withTyped(project, reading.run, typed->agreed);
            std::string updated = updateKerasCode(brought.text.text(), reading, both, kPanelLayout);
            if (updated != brought.text.text()) brought.text = CodeText(std::move(updated));
        }
        brought.agreed = std::move(typed->agreed);
        brought.reading = brought.text.read(project, AbsentArguments::kDefault, stop);
    } else {
        ProjectCode code = readProjectCode(project, kPanelLayout, stop);
        brought.text = std::move(code.text);
        brought.reading = std::move(code.reading);
        brought.agreed = brought.reading.run;
        if (!project.code.empty() && !brought.reading.hasErrors()) brought.parts = partsThatDiffer(brought.reading, project);
    }
    if (said == Said::kRead) brought.said = brought.text.read({}, AbsentArguments::kStay, stop).run;
    return brought;
}

BroughtText textOfNone() {
    BroughtText none;
    none.reading = none.text.read({}, AbsentArguments::kDefault);
    none.agreed = none.reading.run;
    none.said = none.text.read({}).run;
    return none;
}

PastedText pastedText(const std::string& whole, RunSpec project, const std::stop_token& stop) {
    PastedText pasted;
    // Only the code of a document is taken; what a shell is told of TF_CONFIG stands beside it.
    pasted.document = readDocument(whole);
    const bool notebook = !pasted.document.places.empty() && pasted.document.places.front().cell > 0;
    CodeText read(notebook ? pasted.document.code : whole);
    pasted.reading = read.read(project, AbsentArguments::kStay, stop);
    pasted.before = project;
    if (stop.stop_requested()) return pasted;
    if (pasted.isRefused()) {
        pasted.layers = readLayersCode(whole);
    } else if (isCode(pasted.reading)) {
        std::string shown = asTyped(pasted.document.code);
        const CodeText text = shown == read.text() ? std::move(read) : CodeText(std::move(shown));
        pasted.taken = takenText(text, pasted.reading, std::move(project), {}, stop);
        pasted.project = pasted.taken->project;
        if (!stop.stop_requested()) pasted.brought = broughtText(pasted.project, std::nullopt, Said::kKept, stop);
    } else {
        takeRest(pasted.reading, project);
        pasted.project = std::move(project);
    }
    return pasted;
}

}  // namespace ui::views

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "app/cli/engine_call.h"
#include "app/cli/text_file.h"
#include "app/cli/verb.h"
#include "app/cli/verbs/archive.h"
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/names.h"
#include "engine/spec/validate/fitting_compile.h"
#include "engine/spec/validate/validate.h"

namespace app::cli {
namespace {

using engine::spec::Severity;

bool isCode(const std::string& file) {
    const std::string extension = std::filesystem::path(file).extension().string();
    return extension == ".py" || extension == ".txt" || extension == ".sh" || extension == ".md" || extension == ".ipynb";
}

void fail(Context& context, const std::string& message, ExitCode code = kFailed) {
    context.err << "error: " << message << '\n';
    context.exit_code = code;
}

// "9 blocks of code, lines 16 to 25, …; the 85 other lines are left".
void sayTaken(Context& context, const std::string& path, const engine::spec::CodeDocument& document, bool notebook) {
    if (!document.is_document) return;
    context.err << "note: " << path << ": " << document.blocks.size()
                << (document.blocks.size() == 1 ? " block of code" : " blocks of code");
    if (!notebook) {
        const char* between = ": lines ";
        for (const engine::spec::CodeLines& block : document.blocks) {
            context.err << between << block.first;
            if (block.last > block.first) context.err << '-' << block.last;
            between = ", ";
        }
        context.err << "; the " << document.lines_left << " other lines are left";
    }
    context.err << '\n';
}

// The parts of a project that the text says nothing about: the project's own stand there.
void sayAbsent(Context& context, const std::string& path, const engine::spec::CodeReading& reading) {
    const engine::spec::RunSpec& run = reading.run;
    const auto say = [&](const std::string& expected, const std::string& taken) {
        context.err << "warning: " << path << ": expected " << expected << ", got none: the project has " << taken << '\n';
    };
    if (reading.data.empty()) {
        say("a data set that is known here", run.data.dataset + ", shuffle " + std::to_string(run.data.shuffle) + ", batches of " +
                                                 std::to_string(run.data.batch_size_per_replica) + " per replica");
    }
    if (reading.compile.empty()) say("compile()", engine::spec::compileText(run.compile));
    if (reading.fit.empty() && !run.estimator && run.fit == engine::spec::FitSpec())
        say("fit()", std::to_string(run.fit.epochs) + " epoch");
}

// Every finding on a line, then the project's own, then the file.
void importCode(Context& context, const std::string& path, const std::string& out) {
    if (std::filesystem::exists(out)) {
        return fail(context, out + ": expected no such file, there is one");
    }
    engine::spec::RunSpec base;
    base.name = std::filesystem::path(path).stem().string();
    const auto code = readTextFile(path, context.err);
    if (!code) {
        context.exit_code = kUsage;
        return;
    }
    // A document is read where it lies, so that notes name its lines; of a notebook they name cells. The project keeps its code alone.
    const engine::spec::CodeDocument document = engine::spec::readDocument(*code);
    const bool notebook = !document.places.empty() && document.places.front().cell > 0;
    engine::spec::CodeReading reading = engine::spec::readKerasCode(notebook ? document.code : *code, base);
    sayTaken(context, path, document, notebook);
    bool failed = false;
    const auto isText = [](const engine::spec::CodeNote& note) {
        return note.severity == Severity::kInfo && note.message == "no part of the model";
    };
    std::string text;  // lines of statements that say nothing about a project
    for (const engine::spec::CodeNote& note : reading.notes) {
        if (isText(note) && !notebook) text += (text.empty() ? "" : ", ") + std::to_string(note.lines.first);
    }
    if (!text.empty()) context.err << "note: " << path << ": kept as text, no part of the model: lines " << text << '\n';
    for (engine::spec::CodeNote note : reading.notes) {
        if (isText(note) && !notebook) continue;
        const char* word = note.severity == Severity::kError ? "error: " : note.severity == Severity::kWarning ? "warning: " : "note: ";
        context.err << word << path << ": ";
        if (const auto line = static_cast<std::size_t>(note.lines.first) - 1; notebook && line < document.places.size()) {
            context.err << "cell " << document.places[line].cell << ", ";
            note.lines.first = document.places[line].line;
        }
        context.err << toString(note) << '\n';
        failed = failed || note.severity == Severity::kError;
    }
    if (failed) {
        context.exit_code = kFailed;
        return;
    }
    if (reading.run.model.layers.empty()) {
        return fail(context, path + ": expected a model such as keras.Sequential([...]), got none");
    }
    if (reading.compile.empty()) reading.run.compile = engine::spec::fittingCompile(reading.run.model);
    sayAbsent(context, path, reading);
    const engine::spec::Diagnostics findings = validate(reading.run);
    for (const engine::spec::Diagnostic& diagnostic : findings) {
        context.err << toString(diagnostic) << '\n';
    }
    keepCode(reading.run, document.code);
    if (!writeWholeText(out, toProjectJson(reading.run), context.err)) {
        context.exit_code = kFailed;
        return;
    }
    context.out << out << '\n';
    // A cluster's addresses are in no code: whoever launches the project gives them.
    const bool has_errors = std::any_of(findings.begin(), findings.end(), [](const engine::spec::Diagnostic& finding) {
        return finding.severity == Severity::kError && !finding.path.starts_with("cluster");
    });
    if (has_errors) {
        context.err << out << ": is written, and does not train before its errors are mended\n";
        context.exit_code = kFailed;
    }
}

// The file's model as a project of its own.
void importModel(Context& context, const std::string& path, const std::string& out) {
    if (std::filesystem::exists(out)) {
        return fail(context, out + ": expected the name of a new file, got one that exists");
    }
    const auto model = askEngine(context, {}, engine::spec::ImportQuestion{.file = std::filesystem::absolute(path)});
    if (!model) {
        return;
    }
    for (const engine::spec::Diagnostic& one : model->findings) {
        context.err << path << ": " << toString(one) << '\n';
    }
    if (hasErrors(model->findings) || !writeWholeText(out, toProjectJson(model->run), context.err)) {
        context.exit_code = kFailed;
        return;
    }
    context.out << out << ": " << engine::spec::counted(model->run.model.layers.size(), "layer") << ", "
                << (model->is_compiled ? "compiled" : "not compiled") << '\n';
}

}  // namespace

void addImport(CLI::App& app, Context& context) {
    struct Options {
        std::string file;
        std::string out;
    };
    CLI::App* verb = app.add_subcommand(
        "import", "A project from Keras code, or from a model file of Keras or ONNX with its weights; or a run from its archive");
    auto options = std::make_shared<Options>();
    verb->add_option("FILE", options->file,
                     "code (.py, .txt, .sh) or a document with code (.md, .ipynb, .txt), which is read and never run; .keras, .h5 (a whole "
                     "model), the JSON of model.to_json(), or .onnx (a chain of nodes); the archive of a run (.tandem-run)")
        ->required();
    verb->add_option("--out", options->out,
                     "the project file to write, which must not exist; not for a run, which joins those of this computer");
    verb->footer(
        "Exit codes: 0 written or imported, 1 the file can't be read, is damaged or has a layer that can't be represented, or the project "
        "of "
        "the code has errors, 2 no such file or no --out, 3 the agent, which lets a model file or an archive be read, can't be reached, "
        "130 "
        "interrupted.");
    verb->callback([&context, options] {
        if (options->file.ends_with(engine::run::kArchiveEnding)) {
            if (!options->out.empty()) {
                return fail(context,
                            "--out: expected none for the archive of a run, which joins the runs of this computer, got " + options->out,
                            kUsage);
            }
            importRun(context, options->file);
        } else if (options->out.empty()) {
            fail(context, "--out: expected the project file to write, got none", kUsage);
        } else if (isCode(options->file)) {
            importCode(context, options->file, options->out);
        } else if (std::error_code ignored;
                   !std::filesystem::exists(options->file, ignored) || std::filesystem::is_directory(options->file, ignored)) {
            fail(context, options->file + ": expected a model file of Keras or ONNX, found none", kUsage);
        } else {
            importModel(context, options->file, options->out);
        }
    });
}

}  // namespace app::cli

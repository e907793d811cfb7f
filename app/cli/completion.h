// What a shell completes after `tandem-cli`, as a script in its language. It is read from the verbs and options themselves.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace app::cli {

struct Context;

struct CompletionOption {
    std::vector<std::string> names;  // with their dashes
    bool takes_value = false;
    std::vector<std::string> values;  // that it may have; empty: anything
    std::string description;
};

// A verb below the root, or the root itself.
struct CompletionVerb {
    std::string path;  // "export tf-config"; empty for the root
    std::string description;
    std::vector<std::string> verbs;  // below it, by their last word
    std::vector<CompletionOption> options;
    std::string positional;  // its first one: PROJECT, RUN, FILE ...; empty: none
};

// Each verb after the one that it belongs to.
std::vector<CompletionVerb> completionVerbs(const CLI::App& root);

std::string bashCompletion(const std::vector<CompletionVerb>& verbs);
std::string zshCompletion(const std::vector<CompletionVerb>& verbs);
std::string fishCompletion(const std::vector<CompletionVerb>& verbs);

// The verb that prints them.
void addCompletion(CLI::App& app, Context& context);

}  // namespace app::cli

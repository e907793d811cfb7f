#include "app/cli/completion.h"

#include <algorithm>
#include <string_view>

namespace app::cli {
namespace {

// The names of starter projects and of runs, by the shells' common means. Runs are folders: no agent is started by a press of the Tab key.
constexpr std::string_view kProjectNames = "tandem-cli templates 2>/dev/null | sed 's/ .*//'";
constexpr std::string_view kRunNames =
    R"(ls "${TANDEM_RUNS_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/tandem/runs}" 2>/dev/null | grep "^[0-9]*-[0-9]*-")";

std::string joined(const std::vector<std::string>& words, std::string_view between = " ") {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : std::string(between)) + word;
    }
    return text;
}

// Puts a text in single quotes, for bash and zsh, where `escape` is '\'' and for fish, where it is \'.
std::string inQuotes(std::string_view text, std::string_view escape = R"('\'')") {
    std::string result = "'";
    for (const char letter : text) {
        if (letter == '\'') {
            result += escape;
        } else {
            result += letter;
        }
    }
    return result + "'";
}

// A menu has a line for each: what comes after a bracket or a semicolon is for --help.
std::string brief(std::string text) {
    for (const std::string_view end : {" (", "; ", "\n"}) {
        text.resize(std::min(text.find(end), text.size()));
    }
    return text;
}

// The words of {auto,grpc,shm} in what CLI11 says of an option's type.
std::vector<std::string> valuesOf(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const std::size_t begin = type.find('{');
    const std::size_t end = type.find('}', begin);
    std::vector<std::string> values;
    if (begin != std::string::npos && end != std::string::npos) {
        values = CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
    }
    return values;
}

void collect(const CLI::App& app, const std::string& path, std::vector<CompletionVerb>& all) {
    CompletionVerb verb{.path = path, .description = app.get_description()};
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) {
            continue;  // hidden
        }
        if (!option->nonpositional()) {
            if (verb.positional.empty()) {
                verb.positional = option->get_name(true);
            }
            continue;
        }
        CompletionOption one{.takes_value = option->get_items_expected_max() > 0,
                             .values = valuesOf(*option),
                             .description = brief(option->get_description())};
        for (const std::string& name : option->get_snames()) {
            one.names.push_back("-" + name);
        }
        for (const std::string& name : option->get_lnames()) {
            one.names.push_back("--" + name);
        }
        verb.options.push_back(std::move(one));
    }
    const std::vector<const CLI::App*> below = app.get_subcommands([](const CLI::App*) { return true; });
    for (const CLI::App* one : below) {
        verb.verbs.push_back(one->get_name());
    }
    all.push_back(std::move(verb));
    for (const CLI::App* one : below) {
        collect(*one, path + (path.empty() ? "" : " ") + one->get_name(), all);
    }
}

// A shell's function leaves in `verb` which of our verbs the words before the cursor name, for bash and zsh.
std::string findVerb(const std::vector<CompletionVerb>& verbs, std::string_view words_before) {
    std::vector<std::string> paths;
    for (const CompletionVerb& verb : verbs) {
        if (!verb.path.empty()) {
            paths.push_back(inQuotes(verb.path));
        }
    }
    std::string text = "    local verb='' word\n";
    text += "    for word in " + std::string(words_before) + "; do\n";
    text += "        case \"${verb:+$verb }$word\" in\n";
    text += "            " + joined(paths, "|") + ")\n                verb=\"${verb:+$verb }$word\" ;;\n";
    text += "        esac\n    done\n";
    return text;
}

const CompletionVerb* verbAt(const std::vector<CompletionVerb>& verbs, const std::string& path) {
    const auto found = std::find_if(verbs.begin(), verbs.end(), [&](const CompletionVerb& one) { return one.path == path; });
    return found == verbs.end() ? nullptr : &*found;
}

std::string below(const CompletionVerb& verb, const std::string& name) {
    return verb.path.empty() ? name : verb.path + " " + name;
}

}  // namespace

std::vector<CompletionVerb> completionVerbs(const CLI::App& root) {
    std::vector<CompletionVerb> all;
    collect(root, "", all);
    return all;
}

std::string bashCompletion(const std::vector<CompletionVerb>& verbs) {
    std::string text = "# bash completion of tandem-cli; `tandem-cli completion bash` writes it.\n_tandem_cli() {\n";
    text += "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words='' options='' kind=''\n";
    text += findVerb(verbs, "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\"");
    text += "    case \"$verb $previous\" in\n";
    for (const CompletionVerb& verb : verbs) {
        std::vector<std::string> free;
        for (const CompletionOption& option : verb.options) {
            std::vector<std::string> patterns;
            for (const std::string& name : option.names) {
                patterns.push_back(inQuotes(verb.path + " " + name));
            }
            if (!option.values.empty()) {
                text += "        " + joined(patterns, "|") + ")\n            mapfile -t COMPREPLY < <(compgen -W " +
                        inQuotes(joined(option.values)) + " -- \"$current\")\n            return ;;\n";
            } else if (option.takes_value) {
                free.insert(free.end(), patterns.begin(), patterns.end());
            }
        }
        if (!free.empty()) {
            text += "        " + joined(free, "|") + ") return ;;\n";
        }
    }
    text += "    esac\n    case \"$verb\" in\n";
    for (const CompletionVerb& verb : verbs) {
        std::vector<std::string> names;
        for (const CompletionOption& option : verb.options) {
            names.insert(names.end(), option.names.begin(), option.names.end());
        }
        text += "        " + inQuotes(verb.path) + ")\n            words=" + inQuotes(joined(verb.verbs)) +
                "\n            options=" + inQuotes(joined(names)) + "\n            kind=" + inQuotes(verb.positional) + " ;;\n";
    }
    text += "    esac\n";
    text += "    if [[ $current == -* ]]; then\n        words=$options\n";
    text += "    elif [[ $kind == PROJECT ]]; then\n        compopt -o filenames\n";
    text += "        words=\"$(" + std::string(kProjectNames) +
            ") $(compgen -d -- \"$current\") $(compgen -f -X '!*.tandem' -- \"$current\")\"\n";
    text += "    elif [[ $kind == RUN ]]; then\n        words=$(" + std::string(kRunNames) + ")\n    fi\n";
    text += "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n}\n";
    text += "complete -o default -F _tandem_cli tandem-cli\n";
    return text;
}

std::string zshCompletion(const std::vector<CompletionVerb>& verbs) {
    const auto described = [](const std::string& name, const std::string& description) {
        return "            " + inQuotes(name + ":" + description) + "\n";
    };
    std::string text = "#compdef tandem-cli\n# zsh completion of tandem-cli; `tandem-cli completion zsh` writes it.\n_tandem_cli() {\n";
    text += "    local kind=''\n    local -a below options names\n";
    text += findVerb(verbs, "${words[2,CURRENT-1]}");
    text += "    case \"$verb ${words[CURRENT-1]}\" in\n";
    for (const CompletionVerb& verb : verbs) {
        for (const CompletionOption& option : verb.options) {
            if (!option.takes_value) {
                continue;
            }
            std::vector<std::string> patterns;
            for (const std::string& name : option.names) {
                patterns.push_back(inQuotes(verb.path + " " + name));
            }
            text += "        " + joined(patterns, "|") + ") " + (option.values.empty() ? "_files" : "compadd -- " + joined(option.values)) +
                    "; return ;;\n";
        }
    }
    text += "    esac\n    case \"$verb\" in\n";
    for (const CompletionVerb& verb : verbs) {
        text += "        " + inQuotes(verb.path) + ")\n            kind=" + inQuotes(verb.positional) + "\n            below=(\n";
        for (const std::string& name : verb.verbs) {
            text += described(name, brief(verbAt(verbs, below(verb, name))->description));
        }
        text += "            )\n            options=(\n";
        for (const CompletionOption& option : verb.options) {
            for (const std::string& name : option.names) {
                text += described(name, option.description);
            }
        }
        text += "            ) ;;\n";
    }
    text += "    esac\n    if [[ ${words[CURRENT]} == -* ]]; then\n        _describe -o option options\n        return\n    fi\n";
    text += "    case \"$kind\" in\n        PROJECT)\n            names=(${(f)\"$(" + std::string(kProjectNames) + ")\"})\n";
    text += "            compadd -- $names\n            _files -g '*.tandem' ;;\n";
    text += "        RUN)\n            names=(${(f)\"$(" + std::string(kRunNames) + ")\"})\n            compadd -- $names ;;\n";
    text += "        '') (( $#below )) && _describe verb below ;;\n        *) _files ;;\n    esac\n}\n_tandem_cli \"$@\"\n";
    return text;
}

std::string fishCompletion(const std::vector<CompletionVerb>& verbs) {
    const auto fish = [](std::string_view text) { return inQuotes(text, "\\'"); };
    std::vector<std::string> paths;
    for (const CompletionVerb& verb : verbs) {
        if (!verb.path.empty()) {
            paths.push_back(fish(verb.path));
        }
    }
    std::string text =
        "# fish completion of tandem-cli; `tandem-cli completion fish` writes it.\nfunction __tandem_cli_at\n    set -l verb ''\n";
    text +=
        "    for word in (commandline -opc)[2..-1]\n        set -l longer (string trim -- \"$verb $word\")\n        if contains -- "
        "\"$longer\" " +
        joined(paths) + "\n            set verb $longer\n        end\n    end\n    test \"$verb\" = \"$argv[1]\"\nend\n";
    text += "complete -c tandem-cli -f\n";
    for (const CompletionVerb& verb : verbs) {
        const std::string line = "complete -c tandem-cli -n " + fish("__tandem_cli_at \"" + verb.path + "\"");
        for (const std::string& name : verb.verbs) {
            text += line;
            text += " -a " + name;
            text += " -d " + fish(brief(verbAt(verbs, below(verb, name))->description)) + "\n";
        }
        for (const CompletionOption& option : verb.options) {
            text += line;
            for (const std::string& name : option.names) {
                text += name.starts_with("--") ? " -l " : " -s ";
                text += name.substr(name.starts_with("--") ? 2 : 1);
            }
            if (!option.values.empty()) {
                text += " -x -a " + fish(joined(option.values));
            } else if (option.takes_value) {
                text += " -r -F";
            }
            text += " -d " + fish(option.description) + "\n";
        }
        if (verb.positional == "PROJECT") {
            text += line + " -F -a " + fish("(" + std::string("tandem-cli templates 2>/dev/null | string replace -r \" .*\" \"\"") + ")") +
                    "\n";
        } else if (verb.positional == "RUN") {
            text += line + " -a " + fish("(sh -c " + inQuotes(kRunNames) + ")") + "\n";
        } else if (!verb.positional.empty()) {
            text += line + " -F\n";
        }
    }
    return text;
}

}  // namespace app::cli

// `explain`: what an error means, why it happens and what mends it.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/verb.h"
#include "engine/errors/error_catalog.h"

namespace app::cli {
namespace {

namespace errors = engine::errors;
using errors::ErrorKind;
using errors::Language;

struct ExplainOptions {
    std::optional<std::string> what;  // a code, or what a program said; nullopt: all codes
    std::string language;             // empty: that of the terminal
    bool json = false;
    bool markdown = false;
};

constexpr std::string_view kFolders[] = {"en", "ko", "zh_CN"};

std::string_view folderOf(Language language) {
    return kFolders[static_cast<std::size_t>(language)];
}

// Returns the language as shells find it: the first of these variables that is set.
std::string terminalLanguage() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        if (const char* value = std::getenv(name); value != nullptr && *value != 0) return value;
    }
    return "en";
}

// The headings of a chapter, its title first; empty where the manual is not installed.
std::vector<std::string> headingsOf(const Context& context, Language language, std::string_view chapter) {
    std::ifstream file(context.share_dir / "manual" / folderOf(language) / (std::string(chapter) + ".md"));
    std::vector<std::string> headings;
    bool is_code = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("```")) is_code = !is_code;
        const std::size_t level = line.find_first_not_of('#');
        if (!is_code && level > 0 && level != std::string::npos && line[level] == ' ') headings.push_back(line.substr(level + 1));
    }
    return headings;
}

struct Place {
    std::string chapter, heading;  // as the manual has them in the language
};

// A heading's text in another language stands at the same place among the headings.
Place placeOf(const Context& context, Language language, const errors::Section& section) {
    const std::vector<std::string> english = headingsOf(context, Language::kEnglish, section.chapter);
    const std::vector<std::string> own = headingsOf(context, language, section.chapter);
    for (std::size_t i = 0; i < english.size() && i < own.size(); ++i) {
        if (english[i] == section.heading) return {own.front(), own[i]};
    }
    return {std::string(section.chapter), std::string(section.heading)};
}

// Returns what a link to a heading has behind its #, as the manual's reader makes it: lower case, a hyphen for a blank, no punctuation.
std::string anchorOf(std::string heading) {
    for (const std::string_view mark : {"、", "，", "。", "：", "；", "（", "）", "“", "”", "·", "…", "—"}) {
        for (std::size_t at = heading.find(mark); at != std::string::npos; at = heading.find(mark, at)) heading.erase(at, mark.size());
    }
    std::string anchor;
    for (const char c : heading) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80 || std::isalnum(byte) != 0 || c == '_' || c == '-') {
            anchor += byte < 0x80 ? static_cast<char>(std::tolower(byte)) : c;
        } else if (c == ' ') {
            anchor += '-';
        }
    }
    return anchor;
}

struct Words {
    std::string_view manual, tutorial;
};

constexpr Words kWords[] = {{"Manual", "Tutorial"}, {"설명서", "튜토리얼"}, {"手册", "教程"}};

void printKind(Context& context, const ErrorKind& kind, Language language) {
    const Words& words = kWords[static_cast<std::size_t>(language)];
    context.out << kind.code << "  " << textOf(kind.title, language) << "\n\n"
                << textOf(kind.cause, language) << '\n'
                << textOf(kind.fix, language) << "\n\n";
    const auto print = [&](std::string_view word, const errors::Section& section) {
        if (section.chapter.empty()) return;
        const Place place = placeOf(context, language, section);
        context.out << word << ": " << place.chapter << ", " << place.heading << '\n';
    };
    print(words.manual, kind.manual);
    print(words.tutorial, kind.tutorial);
}

nlohmann::ordered_json kindJson(const ErrorKind& kind, Language language) {
    const auto section = [](const errors::Section& one) {
        return one.chapter.empty() ? std::string() : std::string(one.chapter) + ".md, " + std::string(one.heading);
    };
    return {{"code", kind.code},
            {"title", textOf(kind.title, language)},
            {"cause", textOf(kind.cause, language)},
            {"fix", textOf(kind.fix, language)},
            {"manual", section(kind.manual)},
            {"tutorial", section(kind.tutorial)}};
}

struct Part {
    char letter;
    errors::Texts title;
};

constexpr Part kParts[] = {
    {'P', {"Projects", "프로젝트", "项目"}},
    {'M', {"Models", "모델", "模型"}},
    {'D', {"Data", "데이터", "数据"}},
    {'T', {"Training", "훈련", "训练"}},
    {'S', {"Strategies and devices", "전략과 장치", "策略与设备"}},
    {'C', {"Clusters", "클러스터", "集群"}},
    {'W', {"Checkpoints and files of models", "체크포인트와 모델 파일", "检查点与模型文件"}},
    {'R', {"Runs and the agent", "실행과 에이전트", "运行与代理"}},
    {'H', {"Other computers", "다른 컴퓨터", "其他计算机"}},
    {'E', {"Slurm, Kubernetes, MPI", "Slurm, Kubernetes, MPI", "Slurm、Kubernetes、MPI"}},
    {'U', {"The command line", "명령줄", "命令行"}},
};

constexpr errors::Texts kChapter{"Errors by their codes", "코드로 보는 오류", "按代码查错误"};
constexpr errors::Texts kAbout{
    "Each error and each finding has a code, which the window and the command line show behind it; `tandem-cli explain TDM-C001` prints "
    "the "
    "same. This chapter is made from the table that both use. The sentences in front of a code name the object, what was expected and what "
    "was found; here stands what they have in common.",
    "오류와 진단에는 코드가 있으며, 창과 명령줄이 그 뒤에 보여 줍니다. `tandem-cli explain TDM-C001`도 같은 것을 출력합니다. 이 장은 둘이 "
    "함께 쓰는 표에서 만들어집니다. 코드 앞의 문장은 대상, 기대한 것, 찾은 것을 말하고, 여기에는 공통된 내용이 있습니다.",
    "每个错误和诊断都有代码，窗口和命令行会显示在其后；`tandem-cli explain TDM-C001` 打印同样的内容。本章由两者共用的表生成。代码前的句子"
    "说明对象、期望与实际；这里写的是它们的共同之处。"};

// The chapter of the manual, whole.
void printChapter(Context& context, Language language) {
    context.out << "# " << textOf(kChapter, language) << "\n\n" << textOf(kAbout, language) << '\n';
    for (const Part& part : kParts) {
        context.out << "\n## " << textOf(part.title, language) << '\n';
        for (const ErrorKind* kind : errors::errorKinds()) {
            if (kind->code[4] != part.letter) continue;
            context.out << "\n### " << kind->code << "\n\n"
                        << textOf(kind->title, language) << (language == Language::kChinese ? "。" : ".") << "\\\n"
                        << textOf(kind->cause, language) << "\\\n"
                        << textOf(kind->fix, language);
            const char* before = "\\\n→ ";
            for (const errors::Section* section : {&kind->manual, &kind->tutorial}) {
                if (section->chapter.empty()) continue;
                const Place place = placeOf(context, language, *section);
                context.out << before << '[' << place.chapter << ": " << place.heading << "](" << section->chapter << ".md#"
                            << anchorOf(place.heading) << ')';
                before = ", ";
            }
            context.out << '\n';
        }
    }
}

// The lines of a text that say anything, without the blanks around them.
std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first != std::string::npos) lines.push_back(line.substr(first, line.find_last_not_of(" \t\r") + 1 - first));
    }
    return lines;
}

// Returns what stands in front of the first blank or mark: of "(TDM-W003)" and "TDM-W003: …" the code.
std::string_view firstWord(std::string_view line) {
    const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-'; };
    const auto begin = std::find_if(line.begin(), line.end(), isPart);
    return {begin, std::find_if_not(begin, line.end(), isPart)};
}

// Of several lines, such as a whole output, the first that tells a kind.
const ErrorKind* kindSaid(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
        const ErrorKind* kind = errors::findKind(firstWord(line));
        if (kind == nullptr) kind = errors::kindOf(line);
        if (kind != nullptr) return kind;
    }
    return nullptr;
}

void explain(Context& context, const ExplainOptions& options) {
    const Language language = errors::languageOf(options.language.empty() ? terminalLanguage() : options.language);
    if (options.markdown) {
        printChapter(context, language);
        return;
    }
    if (!options.what) {
        for (const ErrorKind* kind : errors::errorKinds()) {
            if (options.json) {
                context.out << kindJson(*kind, language).dump() << '\n';
            } else {
                context.out << kind->code << "  " << textOf(kind->title, language) << '\n';
            }
        }
        return;
    }
    const std::vector<std::string> said = linesOf(*options.what);
    const ErrorKind* kind = kindSaid(said);
    if (kind == nullptr) {
        context.err << "error: " << (said.empty() ? "CODE" : said.front())
                    << ": expected a code such as TDM-C001, or an error as it was printed (tandem-cli explain lists the codes)"
                    << (said.empty() ? ", got an empty text\n" : "\n");
        context.exit_code = kUsage;
        return;
    }
    if (options.json) {
        context.out << kindJson(*kind, language).dump() << '\n';
    } else {
        printKind(context, *kind, language);
    }
}

}  // namespace

void addExplain(CLI::App& app, Context& context) {
    CLI::App* verb = app.add_subcommand("explain", "What an error means: why it happens, what mends it, where to read on");
    auto options = std::make_shared<ExplainOptions>();
    verb->add_option("CODE", options->what, "a code such as TDM-C001, or an error as it was printed, in quotes; without it all codes");
    verb->add_option("--language", options->language, "en, ko or zh_CN (that of LANG)")->check(CLI::IsMember({"en", "ko", "zh_CN"}));
    verb->add_flag("--json", options->json, "for scripts, one object a line");
    verb->add_flag("--markdown", options->markdown, "all of them, as the manual's chapter");
    verb->footer("Exit codes: 0 printed, 2 no such code.");
    verb->callback([&context, options] { explain(context, *options); });
}

}  // namespace app::cli

// Every sentence that a rule says of a project is known to the window, in each of its languages.
#include "ui/models/finding_text.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <QTranslator>
#include <QXmlStreamReader>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agent/hosts/ssh_errors.h"
#include "agent/server/doctor/way_findings.h"
#include "bad_projects.h"
#include "engine/errors/error_catalog.h"

namespace ui::models {
namespace {

namespace fs = std::filesystem;
using engine::spec::Diagnostic;
using engine::spec::Diagnostics;
using Texts = std::map<QString, QString>;  // by their English ones

constexpr const char* kFindings = "FindingTexts";
constexpr const char* kFiles = "FileTexts";
constexpr const char* kCode = "CodeTexts";
constexpr const char* kHosts = "HostTexts";

bool isOfFindings(const char* context) {
    const QLatin1String name(context);
    return name == QLatin1String(kFindings) || name == QLatin1String(kFiles) || name == QLatin1String(kCode) ||
           name == QLatin1String("DoctorTexts") || name == QLatin1String(kHosts) || name == QLatin1String("EngineTexts");
}

Texts textsOf(const QString& language, const char* context) {
    QFile file(QStringLiteral(TANDEM_RESOURCES "/translations/tandem_%1.ts").arg(language));
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    Texts texts;
    QString name, source;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        if (xml.name() == u"name") name = xml.readElementText();
        if (xml.name() == u"source") source = xml.readElementText();
        if (xml.name() == u"translation" && name == QLatin1String(context)) texts[source] = xml.readElementText();
    }
    return texts;
}

class Installed : public QTranslator {
public:
    Installed() { QCoreApplication::installTranslator(this); }
    ~Installed() override { QCoreApplication::removeTranslator(this); }
    bool isEmpty() const override { return false; }
};

// Leaves of each sentence what stands in its places, every one between marks: what is left over was not recognised.
class PlacesTranslator : public Installed {
public:
    QString translate(const char* context, const char* source, const char*, int) const override {
        if (!isOfFindings(context)) return {};
        const QString text = QString::fromUtf8(source);
        met_.insert(text);
        static const QRegularExpression place(QStringLiteral("%\\d"));
        QString places = QStringLiteral("\u2039");
        for (auto match = place.globalMatch(text); match.hasNext();) places += match.next().captured() + QStringLiteral("\u203a");
        return places;
    }
    const std::set<QString>& met() const { return met_; }

private:
    mutable std::set<QString> met_;
};

class LanguageTranslator : public Installed {
public:
    explicit LanguageTranslator(const QString& language) {
        for (const char* context : {kFindings, kFiles, kCode, kHosts, "DoctorTexts", "EngineTexts"})
            texts_[context] = textsOf(language, context);
    }
    QString translate(const char* context, const char* source, const char*, int) const override {
        const auto texts = texts_.find(context);
        if (texts == texts_.end()) return {};
        const auto text = texts->second.find(QString::fromUtf8(source));
        return text == texts->second.end() ? QString() : text->second;
    }

private:
    std::map<std::string, Texts> texts_;
};

// Words that are neither in quotes nor in brackets, and have no rule behind them: a value has one at most ("a/bias (3,)").
QStringList wordsOf(QString value) {
    static const QRegularExpression enclosed(QStringLiteral("\"[^\"]*\"?|\\([^)]*\\)|\\[[^\\]]*\\]|^[^\\s:]+: "));
    static const QRegularExpression between(QStringLiteral("[\\s,]+"));
    QStringList words;
    for (const QString& word : value.remove(enclosed).split(between, Qt::SkipEmptyParts)) {
        if (word.contains(QRegularExpression(QStringLiteral("[a-zA-Z]")))) words << word;
    }
    return words;
}

// What the translator of places leaves of a sentence; empty where all are values.
QString englishLeft(const QString& text) {
    static const QStringList facts{"nothing", "none", "another", "both", "neither", "one"};
    for (const QString& part : text.split(QRegularExpression(QStringLiteral("[\u2039\u203a]")), Qt::SkipEmptyParts)) {
        const QStringList words = wordsOf(part);
        if (words.size() > 1 || (words.size() == 1 && facts.contains(words.front()))) return part;
    }
    return {};
}

std::set<std::string> sentencesOf(const Diagnostics& findings) {
    std::set<std::string> sentences;
    for (const Diagnostic& one : findings) {
        sentences.insert(one.message);
        if (!one.fix.empty()) sentences.insert(one.fix);
    }
    return sentences;
}

class FindingTextTest : public testing::Test {
protected:
    const Diagnostics& findings() const {
        static const Diagnostics all = findingsOfBadProjects();
        return all;
    }

private:
    int argc_ = 1;
    char name_[8] = "ui_test";
    char* argv_[2] = {name_, nullptr};
    const QCoreApplication application_{argc_, argv_};
};

// The JSON parser's own words.
bool isOfTheParser(const std::string& sentence) {
    return sentence.find("a mistake at line") != std::string::npos && sentence.find("within each other") == std::string::npos;
}

TEST_F(FindingTextTest, RecognisesEverySentenceToItsLastWord) {
    const PlacesTranslator places;
    for (const std::string& sentence : sentencesOf(findings())) {
        const QString text = findingText(sentence);
        EXPECT_TRUE(text.startsWith(QChar(0x2039))) << "not of the lists: " << sentence;
        const std::string left = isOfTheParser(sentence) ? "" : englishLeft(text).toStdString();
        EXPECT_EQ(left, "") << "in: " << sentence;
    }
    static const QRegularExpression shown_in_two(QStringLiteral("^(model|compile|fit|callbacks)\\b"));
    for (const Diagnostic& one : findings()) {
        if (!QString::fromStdString(one.path).contains(shown_in_two)) continue;
        const FindingParts parts = findingParts(one.message);
        EXPECT_EQ(englishLeft(parts.expected).toStdString(), "") << "expected, in: " << one.message;
        EXPECT_EQ(englishLeft(parts.got).toStdString(), "") << "there, in: " << one.message;
    }
}

// What the doctor says of the ways between three computers and four, whatever is wrong with them.
std::set<std::string> sentencesOfWays() {
    using engine::spec::HostWay;
    using engine::spec::WayOutcome;
    std::vector<std::vector<HostWay>> clusters;
    const auto alike = [](int count) {
        std::vector<HostWay> ways;
        for (int from = 0; from < count; ++from) {
            for (int to = 0; to < count; ++to) {
                if (from != to)
                    ways.push_back(
                        {std::string(1, char('a' + from)), std::string(1, char('a' + to)), 12345, WayOutcome::kReached, 200, 9e8, ""});
            }
        }
        return ways;
    };
    for (const WayOutcome outcome :
         {WayOutcome::kRefused, WayOutcome::kNoRoute, WayOutcome::kTimedOut, WayOutcome::kNotProven, WayOutcome::kNotTried}) {
        clusters.push_back(alike(3));
        clusters.back()[0].outcome = outcome;
        clusters.back()[0].detail = outcome == WayOutcome::kNotTried ? "b: it was not reached" : "";
    }
    clusters.push_back(alike(3));
    for (HostWay& way : clusters.back()) way.outcome = way.to == "b" ? WayOutcome::kTimedOut : WayOutcome::kReached;
    for (const int count : {3, 4}) {  // all ways of one, and those of one pair
        clusters.push_back(alike(count));
        for (HostWay& way : clusters.back()) {
            if ((way.from == "b" || way.to == "b") && (count == 3 || way.from == "a" || way.to == "a"))
                way.bytes_per_s = 1e6, way.round_trip_us = 9e4;
        }
    }
    clusters.push_back(alike(3));
    clusters.back()[0].bytes_per_s = 1e6;
    std::set<std::string> sentences;
    for (const std::vector<HostWay>& ways : clusters) {
        for (const agent::server::WayFinding& finding : agent::server::wayFindings(ways)) {
            sentences.insert({finding.row.title, finding.row.detail, finding.row.fix});
        }
    }
    sentences.erase("");
    return sentences;
}

TEST_F(FindingTextTest, RecognisesWhatTheDoctorSaysOfWays) {
    const PlacesTranslator places;
    EXPECT_GE(sentencesOfWays().size(), 16U);
    for (const std::string& sentence : sentencesOfWays()) {
        const QString text = findingText(sentence);
        EXPECT_TRUE(text.startsWith(QChar(0x2039))) << "not of the lists: " << sentence;
        EXPECT_EQ(englishLeft(text).toStdString(), "") << "in: " << sentence;
    }
}

TEST_F(FindingTextTest, HasNoShapeThatNoFindingMeets) {
    const std::set<QString> unmet{// Ports are held or free while the window runs.
                                  "%1: expected a free port, another program holds %2",
                                  "%1: expected a free port, a task that still runs, %2, holds %3", "%1: expected a free port, %2 holds %3",
                                  "Choose a free port.",
                                  // A model file has or lacks them; no check of a project says so.
                                  "expected compile settings in the file, got none: %1 go with the model's output",
                                  // No chain of layers has such a mask yet.
                                  "a mask with a value for each time", "one for each sample"};
    const PlacesTranslator places;
    for (const std::string& sentence : sentencesOf(findings())) findingText(sentence);
    for (const Diagnostic& one : findings()) findingParts(one.message);
    for (const auto& [source, translation] : textsOf("ko", kFindings)) {
        EXPECT_NE(places.met().contains(source), unmet.contains(source)) << source.toStdString();
    }
}

TEST_F(FindingTextTest, KeepsTheWordsInEnglish) {
    for (const std::string& sentence : sentencesOf(findings())) {
        const bool is_empty = sentence.ends_with("got ");  // then it is shown by quotes
        EXPECT_EQ(findingText(sentence).toStdString(), is_empty ? sentence + "\"\"" : sentence);
    }
    const FindingParts parts = findingParts("conv2d: expected input rank 4 (batch, rows, columns and channels), got (None, 5408)");
    EXPECT_EQ(parts.expected, "input rank 4 (batch, rows, columns and channels)");
    EXPECT_EQ(parts.got, "(None, 5408)");
    EXPECT_EQ(findingText(std::string("conv1: something new")), "conv1: something new");
}

TEST_F(FindingTextTest, LeavesWhatAUserWrote) {
    const LanguageTranslator korean("ko");
    for (const char* value : {"a text or none", "no plan", "a list, nothing"}) {
        const std::string name = std::string("\"") + value + '"';
        EXPECT_TRUE(findingText("expected one character, got " + name).contains(QString::fromStdString(name))) << value;
    }
    EXPECT_TRUE(findingText(std::string("expected one character, got \"\n\n\"")).contains(QLatin1String("\"\n\n\""))) << "lines";
}

class FindingLanguages : public FindingTextTest, public testing::WithParamInterface<std::pair<std::string, const char*>> {};

TEST_P(FindingLanguages, SayEverySentence) {
    const LanguageTranslator language(QString::fromStdString(GetParam().first));
    const QRegularExpression letters(QString::fromUtf8(GetParam().second));
    static const QRegularExpression english(QStringLiteral("\\b(expected|got|of at least|which|beside|with the)\\b"));
    for (const std::string& sentence : sentencesOf(findings())) {
        const QString text = findingText(sentence);
        EXPECT_TRUE(text.contains(letters)) << sentence;
        EXPECT_TRUE(isOfTheParser(sentence) || !text.contains(english)) << text.toStdString();
    }
}

INSTANTIATE_TEST_SUITE_P(Both, FindingLanguages,
                         testing::Values(std::pair{std::string("ko"), "[\uAC00-\uD7A3]"},
                                         std::pair{std::string("zh_CN"), "[\u4E00-\u9FFF]"}),
                         [](const auto& test) { return test.param.first; });

// Texts in double quotes, those that follow each other as one, without what stands in comments.
std::vector<std::string> literalsOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string code{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::string> literals;
    bool goes_on = false;  // nothing but blanks since the last one
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code.compare(i, 2, "//") == 0) {
            i = std::min(code.find('\n', i), code.size());
        } else if (code[i] == '\'' && std::isalnum(static_cast<unsigned char>(code[i - 1])) == 0) {
            i = code.find('\'', i + (code[i + 1] == '\\' ? 3 : 2));
            goes_on = false;
        } else if (code[i] == '"') {
            std::string text;
            for (++i; code[i] != '"'; ++i) text += code[i] == '\\' ? code[++i] : code[i];
            if (goes_on) text.insert(0, std::exchange(literals.back(), {}));
            literals.push_back(std::move(text));
            goes_on = true;
        } else if (code[i] != ' ' && code[i] != '\n') {
            goes_on = false;
        }
    }
    return literals;
}

// Literals of a folder's sources, a folder within it included.
std::vector<std::pair<fs::path, std::string>> literalsBelow(const fs::path& folder, const std::set<std::string>& without = {}) {
    std::vector<std::pair<fs::path, std::string>> all;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if ((entry.path().extension() != ".cpp" && entry.path().extension() != ".h") || without.contains(entry.path().filename())) continue;
        for (std::string& literal : literalsOf(entry.path())) all.emplace_back(entry.path(), std::move(literal));
    }
    return all;
}

// Without what belongs to the values around.
QString trimmed(QString text) {
    static const QRegularExpression edges(QStringLiteral("\\A[\\s\"():;]+|[\\s\"():;\\[]+\\z"));
    return text.remove(edges);
}

// Whether a text of a source is a sentence of the lists as far as it goes: with values for what follows it, or as a part of one. `known`
// are their English texts. Asks the translator of places.
bool isKnown(const std::string& literal, const QStringList& known) {
    static const QRegularExpression names(QStringLiteral("\\A.*: (?=expected )|\\A: "));  // of fields and files
    const QString rule = QString::fromStdString(literal);
    const QString nameless = QString(rule).remove(names);
    for (const char* rest : {"", "1", "1, got 1"}) {
        const QString text = findingText(nameless + QLatin1String(rest));
        if (text.startsWith(QChar(0x2039)) && englishLeft(text).isEmpty()) return true;
    }
    const auto isPart = [&](const QString& text) {
        const QStringList halves = trimmed(text).split(QStringLiteral(", got "));
        return std::all_of(halves.begin(), halves.end(), [&](const QString& half) {
            return std::any_of(known.begin(), known.end(), [&](const QString& source) { return source.contains(half); });
        });
    };
    return isPart(rule) || isPart(nameless);
}

// The rules' own sources, so that a rule that is new is not forgotten here.
TEST_F(FindingTextTest, KnowsTheTextsOfTheRulesSources) {
    const std::set<std::string> not_for_the_window{
        "task_flags.cpp",  "slurm_task.cpp",      "host_share.cpp",  // of command lines
        "ranked_task.cpp", "kubernetes_task.cpp", "mpi_task.cpp",    // the same
        "schedule.cpp",    "communication.cpp",   "task_plan.cpp",   // of a run: the rules have said so before
    };
    QStringList known;
    for (const auto& [source, translation] : textsOf("ko", kFindings)) known << source << QStringLiteral("expected ") + source;
    const PlacesTranslator places;
    int read = 0;
    for (const char* folder : {"validate", "catalog", "project", "cluster"}) {
        for (const auto& [path, literal] : literalsBelow(fs::path(TANDEM_SOURCES) / "engine/spec" / folder, not_for_the_window)) {
            const std::size_t begin = literal.find("expected ");
            if (begin != 0 && (begin == std::string::npos || literal.compare(begin - 2, 2, ": ") != 0)) continue;
            ++read;
            EXPECT_TRUE(isKnown(literal.substr(begin), known)) << path.filename() << ": " << literal;
        }
    }
    EXPECT_GT(read, 200) << "the sources were not found";
    EXPECT_FALSE(isKnown("expected a rule that is new for ", known));
}

// A list that no table of findings stands for: its sentences and the sources that say them, compared in both directions.
struct SaidBy {
    const char* context;
    std::vector<const char*> folders;
    std::set<std::string> other_sources;  // of these folders
    std::set<std::string> other_texts;    // of the rest
    std::set<QString> of_pieces;          // sentences that the sources put together of shorter texts
};
void PrintTo(const SaidBy& list, std::ostream* out) {
    *out << list.context;
}

class SentencesOfSources : public FindingTextTest, public testing::WithParamInterface<SaidBy> {};

TEST_P(SentencesOfSources, AreTheirTexts) {
    QStringList known;
    for (const auto& [source, translation] : textsOf("ko", GetParam().context)) known << source;
    const PlacesTranslator places;
    std::string all;
    int read = 0;
    for (const char* folder : GetParam().folders) {
        for (const auto& [path, literal] : literalsBelow(fs::path(TANDEM_SOURCES) / folder, GetParam().other_sources)) {
            all += literal + '\n';
            if (literal.find("expected ") == std::string::npos || GetParam().other_texts.contains(literal)) continue;
            ++read;
            EXPECT_TRUE(isKnown(literal, known)) << path.filename() << ": " << literal;
        }
    }
    EXPECT_GT(read, 60) << "the sources were not found";
    EXPECT_FALSE(isKnown("truncated: expected a reader that is new, got ", known));
    static const QRegularExpression joint(QStringLiteral("%\\d|, got |; | \\("));
    constexpr qsizetype kTellingLength = 7;
    constexpr QLatin1String kExpected("expected ");
    for (const QString& source : known) {
        const QStringList parts = source.split(joint);
        const auto isThere = [&](const QString& text) { return all.find(text.toStdString()) != std::string::npos; };
        const bool is_said = std::any_of(parts.begin(), parts.end(), [&](const QString& part) {
            const QString text = trimmed(part);
            const bool is_expected = text.startsWith(kExpected) && isThere(text.mid(kExpected.size()));
            return (text.size() >= kTellingLength || part == source) && text != trimmed(kExpected) && (isThere(text) || is_expected);
        });
        EXPECT_NE(is_said, GetParam().of_pieces.contains(source)) << source.toStdString();
        // Its own sentence is not taken for another one.
        QString sentence = source;
        for (int i = 1; i <= 5; ++i) sentence.replace(QStringLiteral("%%1").arg(i), QStringLiteral("x%1").arg(i));
        EXPECT_EQ(englishLeft(findingText(sentence)).toStdString(), "") << sentence.toStdString();
        EXPECT_TRUE(places.met().contains(source)) << sentence.toStdString();
    }
}

INSTANTIATE_TEST_SUITE_P(Lists, SentencesOfSources,
                         testing::Values(SaidBy{kFiles,
                                                {"engine/data", "engine/files", "ui/session/data"},
                                                {"safe_folder.cpp"},
                                                {": expected test files beside "},  // of a log
                                                {"expected 1 number in %1, got %2", "expected 1 number in %1, got texts",
                                                 "expected %1 cells, got %2", "%1: record %2", "fetch it with --fetch"}},
                                         SaidBy{kCode,
                                                {"engine/spec/keras", "engine/script"},
                                                {"data_reader.cpp"},  // holds Python
                                                {},
                                                {"expected none, which a program of numpy reads, got %1",
                                                 "expected a set or a format that numpy reads (all but tfrecord), got %1",
                                                 "expected a file that the program reads (%1), got %2: it begins with random values; "
                                                 "tandem-cli export keras --out FILE.npz writes one for its --weights"}}),
                         [](const auto& list) { return std::string(list.param.context); });

// What ssh says when it can't connect, as OpenSSH 9 words it.
constexpr const char* kSshErrors[] = {
    "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\nOffending ECDSA key in /home/ann/.ssh/known_hosts:7",
    "ssh: Could not resolve hostname node2: Name or service not known",
    "ssh: connect to host node2 port 22: No route to host",
    "ssh: connect to host node2 port 22: Network is unreachable",
    "ssh: connect to host node2 port 22: Connection refused",
    "ssh: connect to host node2 port 22: Connection timed out",
    "Timeout, server node2 not responding.",
    "No ED25519 host key is known for node2 and you have requested strict checking.",
    "Host key verification failed.",
    "ann@node2: Permission denied (publickey,password).",
    "Received disconnect from 10.0.0.2 port 22:2: Too many authentication failures",
    "Unable to negotiate with 10.0.0.2 port 22: no matching host key type found. Their offer: ssh-rsa",
    "/home/ann/.ssh/config: line 3: Bad configuration option: hostnam",
    "Bad owner or permissions on /home/ann/.ssh/config",
    "channel 0: open failed: administratively prohibited: open failed",
    "Connection closed by 10.0.0.2 port 22",
    "client_loop: send disconnect: Broken pipe",
    "something that no list has",
    "",
};

// Sentences of agents that refuse a launch or can't install.
constexpr const char* kRefusals[] = {
    "node2 (ann@10.0.0.2): expected Tandem 0.2.0 as on this computer, got an agent that runs there of version 0.1.0, which is older: "
    "tandem-cli host update node2 installs this one",
    "node2: expected a processor of the kind x86_64 as on this computer, got aarch64",
    "node2: expected Tandem in the folder .local/share/tandem/bundle/current or on the PATH, found none (sh: 1: tandem: not found)",
    "node2: expected an answer over ssh within 20 s, got none",
    "node2: expected glibc 2.36 or a newer one, got 2.31",
    "node2: expected 120 MB of free disk for /home/ann/.local/share/tandem/bundle, got 3 MB",
    "node2: expected 812 MB free on its disk for the run's files, got 100 MB",
    "worker 1: expected an address of this computer (laptop), got \"10.0.0.9:2222\"",
    "port 12345: expected a free one, got one that another process uses",
    "port 12345: expected a free one, got one that python3 (process 4711) uses",
    "strategy.devices: expected 2 GPUs for each task, this computer has 1 for 2 tasks",
    "/runs/mine: run 20261121-143205-7f3a is using this folder",
    "/runs/mine: expected a new folder or that of an unfinished run, got one with a finished run (3 checkpoints), which would be "
    "overwritten; give another folder with --out, or --overwrite to begin anew there",
    "run 20261121-143205-7f3a: is over",
    "run 20261121-143205-7f3a: its event files are only read",
    "run 20261121-143205-7f3a: waits for job 12",
    "run 20261121-143205-7f3a: is ending",
    "run 20261121-143205-7f3a: is not running",
    "run 20261121-143205-7f3a: has no task worker:9",
    "run 20261121-143205-7f3a: expected a run whose tasks this agent started, got one that it only follows",
    "run 20261121-143205-7f3a: slow: expected workers that sum with each other, evaluator 0 does not",
    "run 20261121-143205-7f3a: has lost a task; it ends, or is about to start again",
    "run 20261121-143205-7f3a: node2, where worker 1 runs, is out of reach",
    "run 20261121-143205-7f3a: the supervisor did not answer in time",
    "worker 1: expected a process that runs, it has ended",
    "worker 1: \"stop worker:1 for 5s\" is not over yet",
    "worker 1: does not take orders",
    "--time: expected minutes, hours:minutes:seconds or days-hours, such as 02:00:00, got soon",
    "--memory: expected a number with K, M, G or T, such as 4G, got 4 gigabytes",
    "--image: expected the name of an image, such as registry.example/tandem:latest, got ../mine",
    "--hosts: expected the name of a computer, such as node1, got -x",
    "--hosts: expected the computers on which the tasks are to run, such as node1,node2:2, since the project's cluster has "
    "localhost:12345, got none",
    "--hosts: expected the computers on which the tasks are to run, such as node1,node2:2, got none",
    "hosts: expected names such as node1,node2:2, got an empty one",
    "hosts: expected each host once, got node1 twice; \"node1:2\" gives it two workers",
    "hosts: node1: expected a number of workers, 0 to 256, got \"many\"",
    "cluster: expected as many tasks as the file has (3), so that each has its job, got chief (1), worker (1)",
    "--nodes, --tasks-per-node: expected as many tasks in all as the project's cluster has (4), so that each has its job, got 2",
    "--nodes: expected at most 4096 pods, got 9000",
    "--nodes: expected at most 256 containers on one computer, got 300",
    "--seeds: expected at most 4096 containers in one file, got 20000",
    "--gpus-per-task: expected at most 128 GPUs, got 129",
    "--hosts: expected one task or more, got none",
    "--seeds: expected at most 1000 runs in one file, got 2000",
    "--seeds: expected no setting of fit.seed beside it, which gives each run a seed of its own, got fit.seed=7",
    "--set: expected a setting PATH=VALUE, got epochs",
    "fit..epochs: expected a path such as fit.epochs or model.layers[2].units, got fit..epochs",
    "version: expected a value of the project, got the version of its format",
    "model.layers[9].units: expected an index below 4, got model.layers[9].units",
    "fit[0]: expected a list before [0], got fit[0]",
    "fit.epochs.more: expected an object before .more, got fit.epochs.more",
    "PROJECT: expected at most 1000000 bytes, as a ConfigMap holds, got 1000001",
    "cluster: expected the jobs chief, worker, ps and evaluator, as a TFJob has them, got trainer",
    "--kind: expected mpirun for a project whose strategy.communication is MPI, got one that starts the tasks without it",
    "Slurm took no job: invalid partition specified: nosuch",
    "Slurm does not answer: sbatch took too long, and no job of it is in the queue",
    "Slurm does not answer, so nobody knows whether it took the job; squeue --me will say",
    "Slurm did not cancel job 12: Job/step already completing or completed",
    "job 12 is gone from Slurm, so nothing is left to cancel",
    "sbatch: expected Slurm's program on the PATH that this computer's agent was started with, found none",
    "/runs/mine: expected an empty folder, or that of an earlier job, got one with other files",
    "/runs/mine: expected a folder whose run may go on, got run 20261121-143205-7f3a of job 12, which is done",
    "/runs/mine: expected the folder of a run, got none: No such file or directory",
    "/runs/mine: expected the folder of a run that tells its events there (events/worker-0.events), or one with TensorBoard's event files, "
    "got one without them; a task tells them when tandem-worker trains without an agent",
    "/runs/mine/events: expected a file that begins with the start of its task, got none; its first line may be on its way",
    "/runs/mine: expected events of version 1, got version 2, of a newer Tandem",
    "/runs/mine: expected a run without an agent, got run 20261121-143205-7f3a, which an agent trains there",
    "/runs/mine: expected a run that no agent of another computer or user follows, got run 20261121-143205-7f3a, whose journal such "
    "an agent writes; watch it there, or here 10 minutes after that agent has ended",
    "/runs/mine: expected a run that no agent of another computer or user follows, got run 20261121-143205-7f3a, whose journal "
    "tandem-agent (process 4711 on node2) writes; watch it there, or here once that program has ended",
    "/runs/mine/journal: expected a journal that nobody else writes, got one that tandem-agent (process 4711 on node2) writes",
    "/runs/copy: expected the folder of a scheduler's job, got a copy of /runs/mine, where run 20261121-143205-7f3a is",
    "node2: the host is out of reach",
};

TEST_P(FindingLanguages, SayWhyAHostIsOutOfReachAndALaunchIsRefused) {
    const LanguageTranslator language(QString::fromStdString(GetParam().first));
    const QRegularExpression letters(QString::fromUtf8(GetParam().second));
    static const QRegularExpression english(QStringLiteral("\\b(expected|which|answers|denied|uses|is over|out of reach)\\b"));
    std::vector<std::string> sentences(std::begin(kRefusals), std::end(kRefusals));
    for (const char* said : kSshErrors)
        sentences.emplace_back(agent::hosts::sshError({.name = "node2", .ssh = {.host = "node2"}}, said).what());
    for (const std::string& sentence : sentences) {
        QString text = findingText(sentence);
        EXPECT_TRUE(text.contains(letters)) << sentence;
        text.remove(QRegularExpression(QStringLiteral("[(\uFF08][^()]*(\\([^()]*\\)[^()]*)*[)\uFF09]")));  // ssh's own words
        EXPECT_FALSE(text.contains(english)) << text.toStdString();
    }
}

// tandem-cli explain, the window and the manual have a word for whatever goes wrong.
TEST_F(FindingTextTest, EverySentenceHasACode) {
    for (const Diagnostic& one : findings()) {
        if (isOfTheParser(one.message)) continue;
        EXPECT_NE(engine::errors::kindOf(one.path, one.message), nullptr) << one.path << ": " << one.message;
    }
    for (const char* said : kRefusals) EXPECT_NE(engine::errors::kindOf(said), nullptr) << said;
    for (const char* said : kSshErrors) {
        const std::string error = agent::hosts::sshError({.name = "node2", .ssh = {.host = "node2"}}, said).what();
        EXPECT_NE(engine::errors::kindOf(error), nullptr) << error;
    }
    for (const auto& [source, translation] : textsOf("ko", kFiles)) {
        QString sentence = source;
        if (!source.contains(QLatin1String("expected ")) && !source.startsWith(QLatin1String("%1: "))) continue;  // a part of others
        for (int i = 1; i <= 5; ++i) sentence.replace(QStringLiteral("%%1").arg(i), QStringLiteral("x%1").arg(i));
        if (!sentence.startsWith(QLatin1String("x1"))) sentence.prepend(QLatin1String("x.csv: "));
        EXPECT_NE(engine::errors::kindOf(sentence.toStdString()), nullptr) << sentence.toStdString();
    }
}

// A sentence of the list that nobody says any more is found here.
TEST_F(FindingTextTest, HostsAreSpokenOfAsTheAgentDoes) {
    std::string all;
    for (const char* folder : {"agent/direct", "agent/history", "agent/hosts", "agent/home", "agent/server", "agent/local", "engine/launch",
                               "engine/spec/cluster"}) {
        for (const auto& [path, literal] : literalsBelow(fs::path(TANDEM_SOURCES) / folder)) all += literal + '\n';
    }
    static const QRegularExpression joint(
        QStringLiteral("%\\d|expected |got one that |, | \\(|: | within|another process|its chief |\\bGPUs?\\b|\\btasks?\\b|older|newer"));
    int read = 0;
    for (const auto& [source, translation] : textsOf("ko", kHosts)) {
        for (const QString& part : source.split(joint)) {
            const QString text = trimmed(part);
            if (text.size() < 7) continue;
            ++read;
            EXPECT_NE(all.find(text.toStdString()), std::string::npos) << text.toStdString() << " of " << source.toStdString();
        }
    }
    EXPECT_GT(read, 60);
}

TEST_F(FindingTextTest, TranslatesASentenceWithinASentence) {
    const PlacesTranslator places;
    EXPECT_EQ(findingText(std::string("a.tfrecord: record 3: is no tf.train.Example (data.on_error=skip goes on without it)")),
              QString::fromUtf8("\u2039\u2039\u2039a.tfrecord\u203a3\u203a\u203a\u203a"));
    EXPECT_EQ(findingText(std::string("line 2, column 9: kept as text: layer: expected a layer such as Dense(10), got a tuple")),
              QString::fromUtf8("\u20392\u203a9\u203a\u2039layer\u203a\u2039\u2039\u203a\u203a\u203a"));
}

}  // namespace
}  // namespace ui::models

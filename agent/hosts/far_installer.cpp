#include "agent/hosts/far_installer.h"

#include <charconv>
#include <sstream>

#include "agent/hosts/ssh_process.h"

namespace agent::hosts {

namespace {

// $1 the folder, $2 the bundle's name, $3 its checksum, $4 its bytes, $5 its version.
constexpr std::string_view kScript = R"sh(
LC_ALL=C; export LC_ALL
folder=$1 name=$2 hash=$3 bytes=$4 version=$5
silence_s=20
case $folder in /*) ;; *) folder=$HOME/$folder ;; esac
while [ "${folder%/}" != "$folder" ]; do folder=${folder%/}; done
base=${folder%/*} last=${folder##*/}
[ -n "$base" ] || base=/
echo tandem-errors >&2

# Sets pid and agent_version to those of an agent of another version, and busy to the folder of one of its tasks; elsewhere, when it runs on
# another computer that has the same home. Each task is a child of its agent.
look_for_agent() {
    pid= busy= elsewhere=
    file=${TANDEM_RUNS_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/tandem/runs}/agent.json
    [ -r "$file" ] || return 0
    agent_version=$(sed -n 's/.*"version": *"\([^"]*\)".*/\1/p' "$file")
    host=$(sed -n 's/.*"host": *"\([^"]*\)".*/\1/p' "$file")
    if [ -n "$host" ] && [ "$host" != "$(uname -n)" ]; then elsewhere=yes; return 0; fi
    [ "$agent_version" != "$version" ] || return 0
    pid=$(sed -n 's/.*"pid": *\([0-9][0-9]*\).*/\1/p' "$file")
    [ -n "$pid" ] && is_agent "$pid" || { pid=; return 0; }
    for status in $(grep -l "^PPid:[[:space:]]*$pid\$" /proc/[0-9]*/status 2>/dev/null); do
        busy=$(readlink "${status%/status}/cwd" 2>/dev/null)
        [ -z "$busy" ] || break
    done
    echo "tandem-old-agent $pid $agent_version $busy"
}
is_agent() {
    program=$(readlink "/proc/$1/exe" 2>/dev/null) || return 1
    case ${program##*/} in tandem-agent|"tandem-agent (deleted)") return 0 ;; *) return 1 ;; esac
}

place=$base
while [ ! -d "$place" ]; do place=${place%/*}; [ -n "$place" ] || place=/; done
is_empty() { [ -d "$1" ] && [ -z "$(ls -A "$1")" ]; }
if [ "$last" = current ]; then
    if [ -L "$folder" ] || [ ! -e "$folder" ] || is_empty "$folder"; then kind=link
    elif [ -f "$folder/share/tandem/bundle.json" ]; then kind=bundle
    else kind=filled; fi
elif [ -L "$folder" ] || [ -z "$last" ]; then kind=filled
elif [ ! -e "$folder" ] || is_empty "$folder"; then kind=folder
else kind=filled; fi

echo "tandem-host $(uname -m)"
echo "tandem-glibc $(getconf GNU_LIBC_VERSION 2>/dev/null)"
echo "tandem-folder $folder"
echo "tandem-place $kind"
[ ! -w "$place" ] || echo tandem-writable
df -Pk "$place" | tail -n 1 | { read -r device blocks used free rest; echo "tandem-free-kb $free"; }
for tool in tar gzip sha256sum flock head readlink sync; do
    command -v $tool >/dev/null || echo "tandem-missing $tool"
done
for program in "$folder/bin/tandem-agent" "$folder/tandem-agent" "$(command -v tandem-agent)" "$HOME/.local/bin/tandem-agent"; do
    if [ -f "$program" ] && [ -x "$program" ]; then
        echo "tandem-program $program"
        echo "tandem-version $("$program" --version </dev/null)"
        break
    fi
done
look_for_agent
echo tandem-end
read -r order || exit 0

aside=$base/.incoming
[ $kind != folder ] || aside=$base/.$last.incoming
part=$aside/$hash.part target=$base/$name
[ $kind != folder ] || target=$folder
beat= reader= watcher= keep=
leave() {
    for child in $beat $reader $watcher; do kill $child 2>/dev/null; done
    if [ -n "$keep" ]; then rm -rf "$aside/tree"; else rm -rf "$aside"; fi
}
fail() { echo "tandem-failed $1"; exit 1; }
end_agent() {
    [ -n "$pid" ] || return 0
    kill "$pid"
    tries=0
    while is_agent "$pid"; do
        [ $tries -lt 150 ] || fail "end the agent of version $agent_version (process $pid)"
        tries=$((tries + 1))
        sleep 0.1
    done
}
if [ "$order" = agent ]; then
    look_for_agent
    [ -z "$busy" ] || exit 1
    end_agent
    echo "tandem-installed $folder"
    exit 0
fi
[ "$order" = install ] || exit 0

mkdir -p "$base" || fail "make the folder $base"
while :; do
    mkdir -p "$aside" && true >>"$aside/lock" || { rmdir "$aside" 2>/dev/null; fail "write to $base"; }
    exec 9>>"$aside/lock"
    until flock -w 1 9; do echo tandem-waiting; done
    # Whoever held it before may have removed it.
    [ "$aside/lock" -ef /proc/self/fd/9 ] && break
    exec 9>&-
done
trap leave EXIT
trap 'exit 1' HUP INT TERM PIPE
(while sleep 2 </dev/null >/dev/null 2>&1; do echo tandem-alive; done) </dev/null 9>&- &
beat=$!
rm -rf "$aside/tree" "$aside/old" "$aside/link"
for other in "$aside"/*.part; do [ "$other" = "$part" ] || rm -f "$other"; done

if [ -d "$target" ] && (cd "$target" && sha256sum --check --status share/tandem/bundle.sha256) 2>/dev/null; then
    echo tandem-there
else
    true >>"$part" || fail "write to $aside"
    have=$(($(wc -c <"$part")))
    [ $have -le $bytes ] || { rm -f "$part"; have=0; }
    echo "tandem-offset $have"
    keep=yes
    if [ $have -lt $bytes ]; then
        exec 3<&0
        head -c $((bytes - have)) <&3 >>"$part" 9>&- &
        reader=$!
        (
            before= quiet_s=0
            while sleep 1; do
                now=$(wc -c <"$part")
                if [ "$now" = "$before" ]; then quiet_s=$((quiet_s + 1)); else quiet_s=0 before=$now; fi
                [ $quiet_s -lt $silence_s ] || kill $reader
            done
        ) </dev/null >/dev/null 2>&1 3<&- 9>&- &
        watcher=$!
        wait $reader
        status=$?
        kill $watcher
        reader= watcher=
        if [ $(($(wc -c <"$part"))) -lt $bytes ]; then
            [ $status != 1 ] || { keep=; fail "write the archive to $aside"; }
            fail "receive all of the archive"
        fi
    fi
    if [ "$(sha256sum <"$part")" != "$hash  -" ]; then
        keep=
        echo tandem-damaged
        fail "find the archive unchanged"
    fi
    mkdir "$aside/tree" && tar -xzf "$part" -C "$aside/tree" --no-same-owner || { keep=; fail "unpack the archive in $aside"; }
    (cd "$aside/tree" && sha256sum --check --quiet share/tandem/bundle.sha256 >&2) || { keep=; fail "find all files unchanged in $aside"; }
    keep=
    sync -f "$aside/tree" 2>/dev/null
    rm -f "$part"
fi

put_in_place() {
    [ -d "$aside/tree" ] || return 0
    if [ $kind = folder ]; then
        [ ! -e "$target" ] || rmdir "$target" || fail "replace the empty folder $target"
    elif [ -e "$target" ]; then
        mv -T "$target" "$aside/old" || fail "replace $target"
    fi
    mv -T "$aside/tree" "$target" || fail "make $target"
}
[ $kind = folder ] || put_in_place
look_for_agent
[ -z "$busy" ] || exit 1
[ $kind != folder ] || put_in_place

previous=
if [ $kind != folder ]; then
    previous=$(readlink "$folder")
    if [ $kind = bundle ]; then
        previous=unpacked-$(sha256sum <"$folder/share/tandem/bundle.json" | head -c 12)
        mv -T "$folder" "$base/$previous" || fail "move $folder aside"
    elif [ -d "$folder" ] && [ ! -L "$folder" ]; then
        rmdir "$folder" || fail "replace the empty folder $folder"
    fi
    if [ "$previous" != "$name" ]; then
        ln -s "$name" "$aside/link" && mv -T "$aside/link" "$folder" || fail "make the link $folder"
    fi
fi
end_agent

# Those of other versions go, but for one whose programs run, here or, as far as can be told, on another computer with the same home.
if [ $kind != folder ]; then
    real=$(cd "$base" && pwd -P)
    for other in "$real"/*-????????????; do
        [ -d "$other" ] && [ ! -L "$other" ] && [ -f "$other/share/tandem/bundle.json" ] || continue
        [ "$other" != "$real/$name" ] || continue
        [ -z "$elsewhere" ] || [ "${other##*/}" != "$previous" ] || continue
        ls -l /proc/[0-9]*/exe 2>/dev/null | grep -q -F -- "-> $other/" && continue
        mv -T "$other" "$aside/old" && rm -rf "$aside/old"
    done
fi
echo "tandem-installed $target"
exit 0
)sh";

std::string firstWord(const std::string& text) {
    return text.substr(0, text.find(' '));
}

std::optional<std::uint64_t> numberIn(const std::string& text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

FarPlace placeOf(const std::string& word) {
    return word == "link"     ? FarPlace::kLink
           : word == "bundle" ? FarPlace::kBundle
           : word == "folder" ? FarPlace::kFolder
                              : FarPlace::kFilled;
}

FarOldAgent oldAgentIn(const std::string& text) {
    std::istringstream words(text);
    FarOldAgent agent;
    words >> agent.pid >> agent.version >> std::ws;
    std::getline(words, agent.busy_with);
    return agent;
}

// Sets `behind` to what stands behind the mark of a line; false for a line of another kind.
bool isMarked(const std::string& line, std::string_view mark, std::string& behind) {
    if (!line.starts_with(mark) || (line.size() > mark.size() && line[mark.size()] != ' ')) {
        return false;
    }
    behind = line.size() > mark.size() ? line.substr(mark.size() + 1) : "";
    return true;
}

void addFact(FarFacts& facts, const std::string& line) {
    constexpr std::uint64_t kKilobyte = 1024;
    std::string value;
    if (isMarked(line, "tandem-host", value)) {
        facts.arch = value;
    } else if (isMarked(line, "tandem-glibc", value)) {
        facts.glibc = value.starts_with("glibc ") ? value.substr(value.find(' ') + 1) : "";
    } else if (isMarked(line, "tandem-folder", value)) {
        facts.folder = value;
    } else if (isMarked(line, "tandem-place", value)) {
        facts.place = placeOf(value);
    } else if (isMarked(line, "tandem-writable", value)) {
        facts.is_writable = true;
    } else if (isMarked(line, "tandem-free-kb", value)) {
        const auto free = numberIn(value);
        facts.free_bytes = free ? std::optional(*free * kKilobyte) : std::nullopt;
    } else if (isMarked(line, "tandem-missing", value)) {
        facts.missing_tools.push_back(value);
    } else if (isMarked(line, "tandem-program", value)) {
        facts.program = value;
    } else if (isMarked(line, "tandem-version", value)) {
        facts.version = firstWord(value);
    } else if (isMarked(line, "tandem-end", value)) {
        facts.is_whole = true;
    }
}

}  // namespace

std::string_view installerScript() {
    return kScript;
}

std::string installerCommand(const Host& host, const Bundle& bundle) {
    const std::string folder = host.folder.starts_with("~/") ? host.folder.substr(2) : host.folder;
    // dd takes not a byte more than the script has.
    const std::string reader = "s=$(dd bs=1 count=" + std::to_string(kScript.size()) + " 2>/dev/null); eval \"$s\"";
    std::string command = "exec sh -c " + quotedForShell(reader) + " sh";
    for (const std::string& word : {folder, folderNameOf(bundle), bundle.sha256, std::to_string(bundle.bytes), bundle.version}) {
        command += " " + quotedForShell(word);
    }
    return command;
}

FarAnswers farAnswersIn(std::string_view output) {
    FarAnswers answers;
    std::istringstream lines{std::string(output.substr(0, output.rfind('\n') + 1))};
    std::string value;
    for (std::string line; std::getline(lines, line);) {
        if (isMarked(line, "tandem-old-agent", value)) {
            answers.old_agent = oldAgentIn(value);
        } else if (isMarked(line, "tandem-offset", value)) {
            answers.offset = numberIn(value);
        } else if (isMarked(line, "tandem-there", value)) {
            answers.is_there = true;
        } else if (isMarked(line, "tandem-damaged", value)) {
            answers.is_damaged = true;
        } else if (isMarked(line, "tandem-failed", value)) {
            answers.failed = value;
        } else if (isMarked(line, "tandem-installed", value)) {
            answers.installed = value;
        } else {
            addFact(answers.facts, line);
        }
    }
    return answers;
}

}  // namespace agent::hosts

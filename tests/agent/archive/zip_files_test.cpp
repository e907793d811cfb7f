// Archives that somebody made otherwise than Tandem does: foreign, of another version, or meant to do harm.
#include <zip.h>

#include <cstring>
#include <functional>

#include <gmock/gmock.h>

#include "agent/archive/manifest.h"
#include "agent/archive/member_name.h"
#include "agent/history/run_store.h"
#include "agent/wire/delimited.h"
#include "engine/checksum/sha256.h"
#include "engine/spec/error.h"
#include "tests/support/archive_rig.h"

namespace {

namespace fs = std::filesystem;
using agent::archive::Manifest;
using agent::archive::RunArchive;
using engine::Error;
using engine::ErrorCode;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using tests::Unpacked;

struct Member {
    std::string name, bytes;
    bool is_link = false;
};

// A zip file by libzip itself, with names as they are given.
void writeZip(const fs::path& file, const std::vector<Member>& members) {
    zip_t* archive = zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    ASSERT_NE(archive, nullptr);
    for (const Member& member : members) {
        zip_source_t* source = zip_source_buffer(archive, member.bytes.data(), member.bytes.size(), 0);
        const zip_int64_t index = zip_file_add(archive, member.name.c_str(), source, 0);
        ASSERT_GE(index, 0) << member.name;
        if (member.is_link) {
            zip_file_set_external_attributes(archive, static_cast<zip_uint64_t>(index), 0, ZIP_OPSYS_UNIX, 0120777U << 16);
        }
    }
    ASSERT_EQ(zip_close(archive), 0);
}

std::string sha256(const std::string& bytes) {
    engine::checksum::Sha256 sum;
    sum.add(bytes.data(), bytes.size());
    return sum.hex();
}

class ZipFilesTest : public ::testing::Test, protected tests::ArchiveRig {
protected:
    ZipFilesTest() {
        engine::run::RunInfo record = run;
        record.run_dir.clear();
        std::string events;
        for (const std::string& event : tests::lines(1, 4)) agent::convert::appendDelimited(events, std::string_view(event));
        members = {{"record.json", agent::history::toJson(record)}, {"journal.events", events}, {"project.tandem", run.project_json}};
        manifest.run = run.id;
        manifest.host = "node1";
        manifest.events = 4;
        manifest.last_sequence = 4;
    }
    // With a manifest that fits.
    void pack() {
        manifest.members.clear();
        for (const Member& member : members) {
            manifest.members.push_back({member.name, sha256(member.bytes), static_cast<std::int64_t>(member.bytes.size())});
        }
        std::vector<Member> all = members;
        all.push_back({"manifest.json", toJson(manifest)});
        writeZip(file(), all);
    }
    // What is said against it.
    std::string refusal(ErrorCode code = ErrorCode::kDataLoss) const {
        try {
            const Unpacked got(file());
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), code) << error.what();
            EXPECT_THAT(error.what(), StartsWith(file().string() + ": "));
            return error.what();
        }
        ADD_FAILURE() << "expected an error";
        return {};
    }
    Member& member(const std::string& name) {
        return *std::find_if(members.begin(), members.end(), [&](const Member& one) { return one.name == name; });
    }

    std::vector<Member> members;
    Manifest manifest;
};

TEST_F(ZipFilesTest, AreReadWhoeverWroteThem) {
    pack();
    EXPECT_EQ(Unpacked(file()).events.size(), 4U);
}

TEST_F(ZipFilesTest, ThatAreNoneAreRefused) {
    tests::writeText(file(), "");
    EXPECT_THAT(refusal(), HasSubstr("expected the archive of a run, which is a zip file, got something else or one that was cut short"));
    tests::writeText(file(), std::string(100'000, 'x'));
    EXPECT_THAT(refusal(), HasSubstr("(100000 bytes)"));
    EXPECT_THROW(RunArchive{dir.path()}, Error) << "a folder";
    EXPECT_THROW(RunArchive{dir.path() / "none"}, Error);
}

TEST_F(ZipFilesTest, OfOthersAreRefused) {
    writeZip(file(), {{"config.json", "{}"}, {"model.weights.h5", "hdf"}});
    EXPECT_THAT(refusal(), HasSubstr("expected the archive of a run, got a zip file without manifest.json"));
    writeZip(file(), {{"manifest.json", R"({"manifest_version": 3, "name": "an extension of a browser"})"}});
    EXPECT_THAT(refusal(), HasSubstr("expected that of a run's archive"));
    writeZip(file(), {{"manifest.json", "not json"}});
    EXPECT_THAT(refusal(), HasSubstr("expected a JSON object"));
}

TEST_F(ZipFilesTest, OfANewerVersionAreRefusedByTheirVersion) {
    writeZip(file(), {{"manifest.json", R"({"format": "tandem-run", "version": 2, "members": {}})"}});
    EXPECT_THAT(refusal(ErrorCode::kFailedPrecondition), HasSubstr("expected format version 1, got version 2, which a newer Tandem wrote"));
}

TEST_F(ZipFilesTest, WhoseNamesLeadElsewhereAreRefused) {
    for (const auto& [name, fault] :
         std::vector<std::pair<std::string, std::string>>{{"../evil", "a path that leads out of the folder"},
                                                          {"logs/../../evil", "a path that leads out of the folder"},
                                                          {"/etc/evil", "an absolute path"},
                                                          {"logs//x", "a path that is no file's"},
                                                          {"logs/", "a path that is no file's"},
                                                          {"a\nb", "a name that is no text"},
                                                          {std::string(1100, 'x'), "a name of 1100 bytes"}}) {
        const std::vector<Member> before = members;
        members.push_back({name, "x"});
        pack();
        EXPECT_THAT(refusal(ErrorCode::kPermissionDenied), HasSubstr("expected names of files below a run's folder, got " + fault)) << name;
        members = before;
    }
}

TEST_F(ZipFilesTest, WithLinksAreRefused) {
    members.push_back({"logs/passwd", "/etc/passwd", true});
    pack();
    EXPECT_THAT(refusal(ErrorCode::kPermissionDenied), HasSubstr("logs/passwd: expected a file, got a link"));
}

TEST_F(ZipFilesTest, ThatBringWhatIsTheAgentsAreRefused) {
    for (const char* name : {"journal", "journal-wal", "lock", "submission.json", "control.json", "imported.json", "followed.json",
                             "part.worker-0.json", "far_run.json", "cluster.key", "events/worker-0.events"}) {
        const std::vector<Member> before = members;
        members.push_back({name, "x"});
        pack();
        EXPECT_THAT(refusal(), HasSubstr(std::string("got \"") + name + "\", which is the agent's own"));
        members = before;
    }
}

TEST_F(ZipFilesTest, ThatDoNotFitTheirManifestAreRefused) {
    members.push_back({"logs/a", "text"});
    pack();
    std::vector<Member> with = members;
    with.push_back({"manifest.json", toJson(manifest)});
    std::vector<Member> changed = with;
    changed[3].bytes = "tExt";
    writeZip(file(), changed);
    EXPECT_THAT(refusal(), HasSubstr("logs/a: expected the bytes whose checksum its manifest gives, got others"));
    changed[3].bytes = "more text";
    writeZip(file(), changed);
    EXPECT_THAT(refusal(), HasSubstr("logs/a: expected 4 bytes as the manifest says, got 9"));
    changed = with;
    changed.erase(changed.begin() + 3);
    writeZip(file(), changed);
    EXPECT_THAT(refusal(), HasSubstr("expected the member \"logs/a\" that its manifest names, got none"));
    changed = with;
    changed.push_back({"logs/b", "text"});
    writeZip(file(), changed);
    EXPECT_THAT(refusal(), HasSubstr("expected those members that its manifest names alone, got \"logs/b\" too"));
    members.erase(members.begin() + 1);
    pack();
    EXPECT_THAT(refusal(), HasSubstr("expected a member journal.events, got none"));
}

TEST_F(ZipFilesTest, WithANameTwiceAreRefused) {
    members.push_back({"logs/a", "one"});
    members.push_back({"logs/b", "two"});
    pack();
    std::string bytes = tests::readText(file());
    for (std::size_t at = 0; (at = bytes.find("logs/b", at)) != std::string::npos;) bytes.replace(at, 6, "logs/a");
    tests::writeText(file(), bytes);
    EXPECT_THAT(refusal(), HasSubstr("expected each name once, got one twice"));
}

TEST_F(ZipFilesTest, OfRecordsThatAreNoneAreRefused) {
    const auto withRecord = [&](const std::function<void(engine::run::RunInfo&)>& change) {
        engine::run::RunInfo record = run;
        change(record);
        member("record.json").bytes = agent::history::toJson(record);
        manifest.run = record.id;
        pack();
        return refusal();
    };
    const std::string what = "record.json: expected the record of a run that is over, got something else";
    EXPECT_THAT(withRecord([](auto& record) { record.state = engine::run::RunState::kTraining; }), HasSubstr(what));
    EXPECT_THAT(withRecord([](auto& record) { record.id = "../../x"; }), HasSubstr(what));
    EXPECT_THAT(withRecord([](auto& record) { record.tasks = -1; }), HasSubstr(what));
    member("record.json").bytes = "[]";
    pack();
    EXPECT_THAT(refusal(), HasSubstr(what));
    member("record.json").bytes = agent::history::toJson(run);
    manifest.run = "another";
    pack();
    EXPECT_THAT(refusal(), HasSubstr("expected run another as the manifest says, got " + run.id));
}

TEST_F(ZipFilesTest, WhoseEventsAreNoneAreRefused) {
    const std::string whole = member("journal.events").bytes;
    const auto withEvents = [&](const std::string& bytes) {
        member("journal.events").bytes = bytes;
        pack();
        return refusal();
    };
    EXPECT_THAT(withEvents(whole.substr(0, whole.size() - 3)), HasSubstr("journal.events: ends inside an event"));
    EXPECT_THAT(withEvents(whole + whole), HasSubstr("expected events by growing numbers, got number 1 behind 4"));
    EXPECT_THAT(withEvents(whole + std::string("\x02\xFF\xFF", 3)), HasSubstr("journal.events: "));
    EXPECT_THAT(withEvents("\xFF\xFF\xFF\xFF\x0F"), HasSubstr("journal.events: message stream: expected a message of at most"));
    EXPECT_THAT(withEvents(""), HasSubstr("expected 4 events up to number 4 as the manifest says, got 0 up to number 0"));
}

// 300 MB of zeros are 300 kB deflated.
TEST_F(ZipFilesTest, ThatUnpackToMuchMoreThanTheyAreAreRefusedBeforeTheyAreUnpacked) {
    members.push_back({"logs/zeros", std::string(300'000'000, '\0')});
    pack();
    EXPECT_LT(fs::file_size(file()), 1'000'000U);
    EXPECT_THAT(refusal(), AllOf(HasSubstr("expected at most"), HasSubstr("bytes once unpacked")));
}

// The list of members claims less than the stream holds.
TEST_F(ZipFilesTest, ThatClaimLessThanTheyHoldAreRefused) {
    members.push_back({"logs/zeros", std::string(40'000'000, '\0')});
    pack();
    std::string bytes = tests::readText(file());
    const std::string size("\x00\x5A\x62\x02", 4), claim("\x64\x00\x00\x00", 4);  // 40,000,000 and 100
    for (std::size_t at = 0; (at = bytes.find(size, at)) != std::string::npos; at += 4) bytes.replace(at, 4, claim);
    tests::writeText(file(), bytes);
    EXPECT_THAT(refusal(), HasSubstr("logs/zeros: expected 40000000 bytes as the manifest says, got 100"));
}

TEST_F(ZipFilesTest, WithTooManyMembersAreRefused) {
    for (int i = 0; i < 20'001; ++i) members.push_back({"logs/" + std::to_string(i), ""});
    pack();
    EXPECT_THAT(refusal(), HasSubstr("expected at most 20000 members, got 20005"));
}

TEST_F(ZipFilesTest, LeaveAMarkThatTellsThemApart) {
    EXPECT_FALSE(agent::archive::readImportMark(dir.path()));
    agent::archive::writeImportMark(engine::files::SafeFolder::open(dir.path()), {"digest", run.id});
    EXPECT_EQ(agent::archive::readImportMark(dir.path()), (agent::archive::ImportMark{"digest", run.id}));
    tests::writeText(dir.path() / "imported.json", "{");
    EXPECT_FALSE(agent::archive::readImportMark(dir.path()));
}

}  // namespace

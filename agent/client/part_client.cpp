#include "agent/client/part_client.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>

#include <unistd.h>

#include "agent/client/agent_call.h"
#include "agent/client/cancel_watch.h"
#include "agent/wire/credentials_convert.h"
#include "agent/wire/run_convert.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/task_event_convert.h"
#include "engine/files/regular_file.h"
#include "engine/spec/error.h"

namespace agent::client {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kMostSilence{10};  // between two pieces of a file
constexpr int kLastPort = 65535;
constexpr std::size_t kMostShown = 200;  // of what an agent said

}  // namespace

HeldPart PartClient::prepare(const std::string& project_json, int tasks, const std::string& home, const std::vector<int>& ports,
                             std::chrono::milliseconds deadline) {
    proto::PreparePartRequest request;
    request.set_project_json(project_json);
    request.set_tasks(tasks);
    request.set_home(convert::validUtf8(home));
    request.mutable_ports()->Add(ports.begin(), ports.end());
    const auto reply = callAgent(*channel_, "prepare", &proto::Agent::Stub::PreparePart, request, deadline);
    HeldPart held{reply.part_id(), {reply.ports().begin(), reply.ports().end()}};
    const bool are_ports = std::all_of(held.ports.begin(), held.ports.end(), [](int port) { return port > 0 && port <= kLastPort; });
    if (!are_ports || held.ports.size() != static_cast<std::size_t>(tasks) || (!ports.empty() && held.ports != ports)) {
        std::string got;
        for (const int port : held.ports) {
            got += (got.empty() ? "" : ", ") + std::to_string(port);
        }
        throw engine::Error(engine::ErrorCode::kDataLoss, "part: expected " + std::to_string(tasks) +
                                                              " ports that the agent there holds, got " +
                                                              (got.empty() ? "none" : convert::shortened(got, kMostShown)));
    }
    return held;
}

engine::run::RunInfo PartClient::start(const std::string& id, const std::string& project_json, const std::vector<PartTask>& tasks,
                                       const std::string& run_dir, const std::string& backup, std::chrono::milliseconds deadline) {
    proto::StartPartRequest request;
    request.set_part_id(id);
    request.set_project_json(project_json);
    request.set_run_dir(run_dir);
    request.set_backup(backup);
    for (const PartTask& task : tasks) {
        proto::PartTask* added = request.add_tasks();
        *added->mutable_task() = convert::toProto(task.task);
        added->set_port(task.port);
        convert::toProto(task.credentials, *added->mutable_credentials());
    }
    return convert::fromProto(callAgent(*channel_, "start", &proto::Agent::Stub::StartPart, request, deadline));
}

void PartClient::drop(const std::string& id, std::chrono::milliseconds deadline) {
    proto::DropPartRequest request;
    request.set_part_id(id);
    callAgent(*channel_, "drop", &proto::Agent::Stub::DropPart, request, deadline);
}

// A call that another thread may end.
class PartClient::FileCall {
public:
    FileCall(PartClient& client, const std::string& token, std::chrono::milliseconds deadline) : client_(client) {
        admit(context, token, deadline);
        const engine::MutexLock lock(client_.mutex_);
        client_.file_calls_.push_back(this);
        if (client_.files_cancelled_) {
            context.TryCancel();
        }
    }
    ~FileCall() {
        const engine::MutexLock lock(client_.mutex_);
        std::erase(client_.file_calls_, this);
    }
    FileCall(const FileCall&) = delete;
    FileCall& operator=(const FileCall&) = delete;

    grpc::ClientContext context;

private:
    PartClient& client_;
};

void PartClient::cancelFiles() {
    const engine::MutexLock lock(mutex_);
    files_cancelled_ = true;
    for (FileCall* call : file_calls_) {
        call->context.TryCancel();
    }
}

files::FilesFound PartClient::findFiles(const std::string& list, std::chrono::milliseconds deadline) {
    const AgentChannel::Connection connection = channel_->connection();
    FileCall call(*this, connection.token, deadline);
    proto::FindFilesReply reply;
    const std::unique_ptr<grpc::ClientWriter<proto::FindFilesRequest>> stream = connection.stub->FindFiles(&call.context, &reply);
    proto::FindFilesRequest piece;
    bool goes_on = true;
    for (std::size_t at = 0; at < list.size() && goes_on; at += convert::kFilePieceBytes) {
        piece.set_list(list.substr(at, convert::kFilePieceBytes));
        goes_on = stream->Write(piece);  // false: the agent has ended the call, and its status says why
    }
    stream->WritesDone();
    if (const grpc::Status status = stream->Finish(); !status.ok()) {
        throw convert::toError(status, "find files");
    }
    files::FilesFound found{.path = reply.path(), .lacking = {}, .lacking_bytes = reply.lacking_bytes(), .free_bytes = reply.free_bytes()};
    for (const proto::LackingFile& one : reply.lacking()) {
        found.lacking.push_back({one.index(), one.has_bytes()});
    }
    return found;
}

void PartClient::sendFile(const files::ListedFile& listed, const std::filesystem::path& file, std::int64_t offset,
                          const std::function<bool(std::int64_t bytes)>& sent, std::chrono::milliseconds deadline) {
    if (offset < 0 || offset > listed.bytes) {
        throw engine::Error(engine::ErrorCode::kDataLoss, file.string() + ": expected the agent there to have 0 to " +
                                                              std::to_string(listed.bytes) + " bytes of it, got " + std::to_string(offset));
    }
    const engine::files::RegularFile opened(file);
    if (::lseek(opened.descriptor(), offset, SEEK_SET) != offset) {
        throw engine::Error(engine::ErrorCode::kInternal, file.string() + ": can't be read from byte " + std::to_string(offset));
    }
    const AgentChannel::Connection connection = channel_->connection();
    FileCall call(*this, connection.token, deadline);
    proto::SendFileReply reply;
    const std::unique_ptr<grpc::ClientWriter<proto::SendFileRequest>> stream = connection.stub->SendFile(&call.context, &reply);
    proto::SendFileRequest piece;
    piece.set_name(listed.name);
    piece.set_bytes(listed.bytes);
    piece.set_sha256(listed.sha256);
    piece.set_offset(offset);
    std::int64_t left = listed.bytes - offset;
    bool is_cancelled = false;
    int failure = 0;  // errno of reading here
    for (bool is_first = true; is_first || left > 0; is_first = false) {
        std::string& data = *piece.mutable_data();
        data.resize(static_cast<std::size_t>(std::min<std::int64_t>(left, convert::kFilePieceBytes)));
        ssize_t got = 0;
        do {
            got = data.empty() ? 0 : ::read(opened.descriptor(), data.data(), data.size());
        } while (got < 0 && errno == EINTR);
        failure = got < 0 ? errno : 0;
        data.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        const bool has_ended = got <= 0 && left > 0;  // the file got shorter: the agent says what it lacks
        if (failure != 0 || !stream->Write(piece) || has_ended) {
            break;
        }
        left -= got;
        piece.Clear();
        if (is_cancelled = !sent(got); is_cancelled) {
            break;
        }
    }
    if (is_cancelled || failure != 0) {
        call.context.TryCancel();
    }
    stream->WritesDone();
    const grpc::Status status = stream->Finish();
    if (failure != 0) {
        throw engine::Error(engine::ErrorCode::kInternal, file.string() + ": can't be read: " + std::strerror(failure));
    }
    if (is_cancelled) {
        throw engine::Error(engine::ErrorCode::kCancelled, file.string() + ": is not sent any more");
    }
    if (!status.ok()) {
        throw convert::toError(status, file.c_str());
    }
}

std::vector<RunFile> PartClient::listFiles(const std::string& run_id, std::chrono::milliseconds deadline) {
    proto::ListFilesRequest request;
    request.set_run_id(run_id);
    std::vector<RunFile> files;
    const auto reply = callAgent(*channel_, "list files", &proto::Agent::Stub::ListFiles, request, deadline);
    for (const proto::RunFile& file : reply.files()) {
        files.push_back({file.path(), file.bytes(), file.modified_unix_ns()});
    }
    return files;
}

void PartClient::fetch(const std::string& run_id, const std::string& path, const std::function<void(std::string_view bytes)>& take,
                       std::chrono::milliseconds deadline) {
    const AgentChannel::Connection connection = channel_->connection();
    grpc::ClientContext context;
    admit(context, connection.token, deadline);
    proto::FetchFileRequest request;
    request.set_run_id(run_id);
    request.set_path(path);
    const std::unique_ptr<grpc::ClientReader<proto::FileChunk>> stream = connection.stub->FetchFile(&context, request);
    std::int64_t expected = 0, got = 0;
    std::atomic<Clock::time_point> last_piece = Clock::now();
    const std::function<bool()> is_silent = [&] { return Clock::now() - last_piece.load() > kMostSilence; };
    const CancelWatch silence(context, is_silent);
    proto::FileChunk chunk;
    const grpc::Status broken = convert::guarded([&] {
        while (stream->Read(&chunk)) {
            expected = got == 0 ? chunk.total_bytes() : expected;
            got += static_cast<std::int64_t>(chunk.data().size());
            last_piece = Clock::time_point::max();  // what the caller does with it takes its own time
            take(chunk.data());
            last_piece = Clock::now();
        }
    });
    if (!broken.ok()) {
        context.TryCancel();
    }
    const grpc::Status status = stream->Finish();
    if (broken.ok() && silence.wasCancelled()) {
        throw engine::Error(engine::ErrorCode::kUnavailable,
                            path + ": expected a piece of it within " + std::to_string(kMostSilence.count()) + " s, got none");
    }
    if (!broken.ok() || !status.ok()) {
        throw convert::toError(broken.ok() ? status : broken, path.c_str());
    }
    if (got != expected) {
        throw engine::Error(engine::ErrorCode::kDataLoss,
                            path + ": expected " + std::to_string(expected) + " bytes, got " + std::to_string(got));
    }
}

}  // namespace agent::client

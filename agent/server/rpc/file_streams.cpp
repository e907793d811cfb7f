#include "agent/server/rpc/file_streams.h"

#include <atomic>
#include <optional>
#include <utility>

#include "agent/wire/size_limits.h"
#include "agent/wire/status.h"
#include "engine/spec/error.h"

namespace agent::server {

namespace {

using engine::Error;
using engine::ErrorCode;

// Takes messages until the caller has said everything, then ends the call on a thread of the desk.
template <typename Request>
class ReadStream : public grpc::ServerReadReactor<Request> {
public:
    // `last` is the thread that ends the call.
    ReadStream(const FileDesk& desk, std::shared_ptr<JobThread> last, std::function<void()> ended)
        : desk_(desk), last_(std::move(last)), ended_(std::move(ended)) {}

    void begin() { this->StartRead(&request_); }

    void OnReadDone(bool ok) override {
        if (ok) {
            const grpc::Status status = convert::guarded([&] { take(request_); });
            if (status.ok()) {
                begin();
            } else {
                this->Finish(status);
            }
            return;
        }
        if (is_cancelled_) {
            this->Finish(grpc::Status::CANCELLED);
            return;
        }
        last_->run([this] { this->Finish(convert::guarded([&] { conclude(); })); });
    }

    void OnCancel() override { is_cancelled_ = true; }

    void OnDone() override {
        ended_();
        delete this;
    }

protected:
    virtual void take(Request& request) = 0;
    virtual void conclude() = 0;

    const FileDesk& desk() const { return desk_; }
    std::function<bool()> cancelled() const {
        return [this] { return is_cancelled_.load(); };
    }

private:
    const FileDesk desk_;
    const std::shared_ptr<JobThread> last_;
    const std::function<void()> ended_;
    Request request_;
    std::atomic<bool> is_cancelled_ = false;
};

class FindStream final : public ReadStream<proto::FindFilesRequest> {
public:
    FindStream(const FileDesk& desk, proto::FindFilesReply* reply, std::function<void()> ended)
        : ReadStream(desk, desk.looks, std::move(ended)), reply_(reply) {}

private:
    void take(proto::FindFilesRequest& request) override {
        convert::requireSize("files", text_.size() + request.list().size(), files::kMostListBytes);
        text_ += request.list();
    }

    void conclude() override {
        const files::FilesFound found = desk().store->find(files::parseFileList(text_), cancelled());
        reply_->set_path(found.path);
        for (const files::LackingFile& file : found.lacking) {
            proto::LackingFile& one = *reply_->add_lacking();
            one.set_index(static_cast<std::uint32_t>(file.index));
            one.set_has_bytes(file.has_bytes);
        }
        reply_->set_lacking_bytes(found.lacking_bytes);
        reply_->set_free_bytes(found.free_bytes);
    }

    proto::FindFilesReply* const reply_;
    std::string text_;
};

class ReceiveStream final : public ReadStream<proto::SendFileRequest> {
public:
    ReceiveStream(const FileDesk& desk, std::function<void()> ended) : ReadStream(desk, desk.checks, std::move(ended)) {}

private:
    void take(proto::SendFileRequest& request) override {
        if (!incoming_) {
            // The same rules as for a file of a list.
            const files::ListedFile file{request.name(), request.bytes(), request.sha256()};
            files::requireSound(file);
            incoming_.emplace(*desk().store, file, request.offset());
        }
        incoming_->take(request.data());
    }

    void conclude() override {
        if (!incoming_) {
            throw Error(ErrorCode::kInvalidArgument, "file: expected a name and a checksum, got nothing");
        }
        incoming_->finish(cancelled());
    }

    std::optional<files::FileStore::Incoming> incoming_;
};

}  // namespace

grpc::ServerReadReactor<proto::FindFilesRequest>* startFind(const FileDesk& desk, proto::FindFilesReply* reply,
                                                            std::function<void()> ended) {
    auto* stream = new FindStream(desk, reply, std::move(ended));  // deletes itself in OnDone
    stream->begin();
    return stream;
}

grpc::ServerReadReactor<proto::SendFileRequest>* startReceive(const FileDesk& desk, std::function<void()> ended) {
    auto* stream = new ReceiveStream(desk, std::move(ended));  // deletes itself in OnDone
    stream->begin();
    return stream;
}

}  // namespace agent::server

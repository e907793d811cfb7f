#include "agent/transport/link_stream.h"

#include "agent/transport/grpc_channel.h"

namespace agent::worker {

LinkStream::LinkStream(Events events) : events_(std::move(events)), last_heard_(std::chrono::steady_clock::now()) {
    on_read_.done = [this](bool ok) {
        reading_ = false;
        if (!ok) return finish();
        last_heard_ = std::chrono::steady_clock::now();
        const proto::LinkMessage message = std::move(incoming_);
        incoming_.Clear();
        if (!finish_after_writes_) events_.message(*this, message);
        readNext();
    };
    on_written_.done = [this](bool ok) {
        writing_ = false;
        to_write_.pop_front();
        if (finish_after_this_write_) return finish();
        if (ok) writeNext();
    };
    on_finished_.done = [this](bool) { end(finishReason()); };
}

void LinkStream::write(proto::LinkMessage message) {
    to_write_.push_back(std::move(message));
    writeNext();
}

void LinkStream::finishAfterWrites() {
    finish_after_writes_ = true;
    writeNext();
}

void LinkStream::onOpen(bool ok) {
    open_ = ok;
    last_heard_ = std::chrono::steady_clock::now();
    if (!ok) return finish();
    readNext();
    writeNext();
}

void LinkStream::readNext() {
    if (stopped_ || finishing_ || finish_after_this_write_) return;
    reading_ = true;
    startRead(&incoming_, &on_read_);
}

void LinkStream::writeNext() {
    if (stopped_ || !open_ || writing_ || finishing_ || finish_after_this_write_) return;
    if (!to_write_.empty()) {
        writing_ = true;
        startWrite(to_write_.front(), &on_written_);
    } else if (finish_after_writes_) {
        finish();
    }
}

void LinkStream::finish() {
    if (finishing_ || stopped_) return;
    finish_after_this_write_ = writing_;  // one of the two at a time
    if (writing_) return;
    finishing_ = true;
    startFinish(&on_finished_);
}

void LinkStream::end(const std::string& why) {
    if (ended_) return;
    ended_ = true;
    if (!stopped_) events_.ended(*this, why);
}

CallerStream::CallerStream(Events events, Connection connection, grpc::CompletionQueue* queue)
    : LinkStream(std::move(events)),
      proven_(connection.proven),
      stub_(proto::Collective::NewStub(channelOver(std::move(connection.socket)))) {
    on_started_.done = [this](bool ok) { onOpen(ok); };
    stream_ = stub_->PrepareAsyncLink(&context_, queue);
    stream_->StartCall(&on_started_);
}

std::string CallerStream::finishReason() const {
    return status_.ok() ? std::string() : status_.error_message();
}

}  // namespace agent::worker

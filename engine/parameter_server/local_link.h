// A server in the same process: for tests and for programs that bring both sides.
#pragma once

#include <deque>
#include <string>

#include "engine/parameter_server/server_link.h"

namespace engine::parameter_server {

// Pushes are applied by the thread that starts them. The store and the region outlive it.
class LocalLink final : public ServerLink {
public:
    LocalLink(ParameterStore& store, int worker, std::span<std::byte> region)
        : store_(store), worker_(worker), session_(store, worker, region) {}

    State state() override { return stateIn(store_.state()); }
    void give(const GivenValues& values) override { store_.give(values); }
    void begin(std::chrono::steady_clock::time_point deadline) override;
    State pull(std::span<const ByteRange> ranges, std::span<std::byte> values, std::span<std::int64_t> versions) override;
    void startPush(const PushRequest& request, const PushedRanges&) override { replies_.push_back(session_.push(request)); }
    PushReply awaitPush() override;
    void read(std::span<std::byte> variables) override;
    void tellEpoch(const EpochSums& sums) override { store_.tellEpoch(worker_, sums); }
    EpochSums epochSums(std::int64_t epoch) override { return store_.epochSums(epoch); }
    void setLearningRate(float rate) override { store_.setLearningRate(rate); }
    void openEpochs(std::int64_t epochs) override { store_.openEpochs(epochs); }
    std::string way() const override { return "loopback"; }

private:
    ParameterStore& store_;
    const int worker_;
    ParameterStore::Session session_;
    std::deque<PushReply> replies_;
};

}  // namespace engine::parameter_server

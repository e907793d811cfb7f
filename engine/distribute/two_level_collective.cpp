#include "engine/distribute/two_level_collective.h"

#include <array>
#include <utility>

#include "engine/spec/error.h"

namespace engine::distribute {
namespace {

constexpr int kMain = 0;             // the device that speaks with the other workers
constexpr std::uint64_t kSums = 32;  // under way

// A sum is three operations, each kind in an order of its own: the devices' sum on the main device, the main devices' sum between the
// workers, and the copy back. A later sum's first part needs nothing of an earlier one's last.
struct Sum {
    std::span<float> data;
    std::uint64_t within = 0, between = 0, back = 0;  // tickets
};

class TwoLevelCollective final : public Collective {
public:
    TwoLevelCollective(std::unique_ptr<DeviceCollective> within, std::unique_ptr<DeviceCollective> back, Collective& between,
                       std::span<std::byte> region)
        : within_(std::move(within)), back_(std::move(back)), between_(between), region_(region), is_main_(within_->rank() == kMain) {}

    int rank() const override { return between_.rank() * within_->size() + within_->rank(); }
    int size() const override { return between_.size() * within_->size(); }

    std::span<std::byte> allocateRegion(std::size_t bytes) override {
        if (!is_main_) return within_->allocateRegion(bytes);
        if (region_.empty()) region_ = between_.allocateRegion(bytes);
        ENGINE_CHECK(region_.size() >= bytes);
        return region_.first(bytes);
    }

    void allReduceSum(std::span<float> data) override { wait(startAllReduceSum(data)); }

    std::uint64_t startAllReduceSum(std::span<float> data) override {
        const std::uint64_t number = started_ + 1;
        if (number > kSums) wait(number - kSums);
        Sum& sum = sumOf(number);
        sum.data = data;
        sum.within = within_->startReduceSum(data, {.way = spec::ReduceRoute::Way::kWorkers, .main = kMain});
        if (!is_main_) sum.back = back_->startBroadcast(std::as_writable_bytes(data), kMain);
        started_ = number;
        if (is_main_) sendReadySums();
        return number;
    }

    void wait(std::uint64_t ticket) override {
        while (finished_ < ticket) {
            const std::uint64_t number = finished_ + 1;
            Sum& sum = sumOf(number);
            within_->wait(sum.within);
            if (is_main_) {
                sendReadySums();
                between_.wait(sum.between);
                sum.back = back_->startBroadcast(std::as_writable_bytes(sum.data), kMain);
            }
            back_->wait(sum.back);
            finished_ = number;
        }
    }

    void checkMembers() override {
        within_->checkMembers();
        if (is_main_) between_.checkMembers();
    }

    void broadcast(std::span<std::byte> data, int root) override {
        ENGINE_CHECK(root >= 0 && root < size());
        wait(started_);
        const int worker = root / within_->size();
        if (worker == between_.rank()) within_->broadcast(data, root % within_->size());
        if (is_main_) between_.broadcast(data, worker);
        back_->broadcast(data, kMain);
    }

    void allGather(std::span<const std::byte> mine, std::span<std::byte> all) override {
        ENGINE_CHECK(all.size() == mine.size() * static_cast<std::size_t>(size()));
        wait(started_);
        std::vector<std::byte> of_worker(mine.size() * static_cast<std::size_t>(within_->size()));
        within_->allGather(mine, of_worker);
        if (is_main_) between_.allGather(of_worker, all);
        back_->broadcast(all, kMain);
    }

    void barrier() override {
        wait(started_);
        within_->barrier();
        if (is_main_) between_.barrier();
        back_->barrier();
    }

    // The progress among the workers; the devices of one worker are never apart.
    ExchangeProgress* progress() override { return is_main_ ? between_.progress() : nullptr; }

    std::string describe() const override {
        const std::string devices = within_->describe(), workers = between_.describe();
        return devices + (devices.empty() || workers.empty() ? "" : "\n") + workers;
    }

private:
    Sum& sumOf(std::uint64_t number) { return sums_[number % kSums]; }

    // Called for the main device: what the worker's devices have added up starts its way between the workers.
    void sendReadySums() {
        while (sent_ < started_ && within_->isDone(sumOf(sent_ + 1).within)) {
            Sum& sum = sumOf(++sent_);
            sum.between = between_.startAllReduceSum(sum.data);
        }
    }

    const std::unique_ptr<DeviceCollective> within_;
    const std::unique_ptr<DeviceCollective> back_;
    Collective& between_;
    std::span<std::byte> region_;
    const bool is_main_;
    std::array<Sum, kSums> sums_;
    std::uint64_t started_ = 0;
    std::uint64_t sent_ = 0;  // of the main device
    std::uint64_t finished_ = 0;
};

}  // namespace

std::vector<std::unique_ptr<Collective>> makeTwoLevelCollectives(const std::vector<std::string>& devices, Collective& between,
                                                                 const TwoLevelOptions& options) {
    auto within = makeDeviceCollectives(devices, options.devices);
    auto back = makeDeviceCollectives(devices, options.devices);
    std::vector<std::unique_ptr<Collective>> members;
    for (std::size_t d = 0; d < devices.size(); ++d) {
        members.push_back(std::make_unique<TwoLevelCollective>(std::move(within[d]), std::move(back[d]), between, options.region));
    }
    return members;
}

}  // namespace engine::distribute

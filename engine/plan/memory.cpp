#include "engine/plan/memory.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "engine/plan/index/looks.h"
#include "engine/plan/index/plan_index.h"
#include "engine/plan/op_table.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

TensorDesc& placedTensor(Plan& plan, TensorId id) {
    return plan.tensors[static_cast<std::size_t>(id)];
}

// Tensors that lie one after another, and the ops (inclusive) during which their memory is taken.
struct Block {
    std::vector<TensorId> members{};
    std::int64_t bytes = 0;
    int first_op = 0, last_op = 0;
    std::int64_t offset = -1;
};

// Bytes that are taken, as the fewest ranges: neighbours are one.
class TakenBytes {
public:
    void add(std::int64_t begin, std::int64_t end) {
        auto next = ends_.upper_bound(begin);
        if (next != ends_.begin() && std::prev(next)->second >= begin) {
            --next;
            begin = next->first;
        }
        while (next != ends_.end() && next->first <= end) {
            end = std::max(end, next->second);
            next = ends_.erase(next);
        }
        ends_.emplace_hint(next, begin, end);
    }
    // The end of the first range that takes some of these bytes; `begin` where they are all free.
    std::int64_t endOfFirst(std::int64_t begin, std::int64_t bytes) const {
        ++looksOfThisThread();
        auto range = ends_.upper_bound(begin);
        if (range != ends_.begin() && std::prev(range)->second > begin) --range;
        return range != ends_.end() && range->first < begin + bytes ? range->second : begin;
    }

private:
    std::map<std::int64_t, std::int64_t> ends_;  // by where a range begins
};

// What of the arena is taken, by op: a tree whose leaves are the ops. A node knows what is taken during all of its ops, and what during any
// of them. So a block is added, and looked for a place for, at as many nodes as the logarithm of the ops, and blocks that lie side by side
// are looked at as one.
class TakenByOp {
public:
    // Ops from `first` to `last`, inclusive.
    TakenByOp(int first, int last) : first_(first), last_(last), nodes_(4 * static_cast<std::size_t>(last - first + 1)) {}

    void add(const Block& block) {
        if (block.bytes > 0) add(1, first_, last_, block);
    }

    // The lowest place whose bytes are free during all ops of the block.
    std::int64_t lowestFree(const Block& block) const {
        std::vector<const TakenBytes*> met;
        collect(1, first_, last_, block, met);
        std::int64_t offset = 0;
        for (std::size_t free = 0, i = 0; free < met.size(); i = (i + 1) % met.size()) {
            const std::int64_t end = met[i]->endOfFirst(offset, block.bytes);
            free = end == offset ? free + 1 : 0;
            offset = end;
        }
        return offset;
    }

private:
    struct Node {
        TakenBytes throughout, at_some_time;
    };

    static bool meets(int first, int last, const Block& block) { return first <= block.last_op && block.first_op <= last; }
    static bool covers(const Block& block, int first, int last) { return block.first_op <= first && last <= block.last_op; }

    void add(std::size_t node, int first, int last, const Block& block) {
        nodes_[node].at_some_time.add(block.offset, block.offset + block.bytes);
        if (covers(block, first, last)) return nodes_[node].throughout.add(block.offset, block.offset + block.bytes);
        const int middle = first + (last - first) / 2;
        if (meets(first, middle, block)) add(2 * node, first, middle, block);
        if (meets(middle + 1, last, block)) add(2 * node + 1, middle + 1, last, block);
    }

    void collect(std::size_t node, int first, int last, const Block& block, std::vector<const TakenBytes*>& met) const {
        if (covers(block, first, last)) return met.push_back(&nodes_[node].at_some_time);
        met.push_back(&nodes_[node].throughout);
        const int middle = first + (last - first) / 2;
        if (meets(first, middle, block)) collect(2 * node, first, middle, block, met);
        if (meets(middle + 1, last, block)) collect(2 * node + 1, middle + 1, last, block, met);
    }

    int first_, last_;
    std::vector<Node> nodes_;  // the root is 1, the halves of n are 2 n and 2 n + 1
};

class PrivateArena {
public:
    PrivateArena(Plan& plan, const InPlace& in_place) : plan_(plan), index_(plan), root_(plan.tensors.size()), last_use_(root_.size()) {
        for (std::size_t i = 0; i < root_.size(); ++i) {
            root_[i] = static_cast<TensorId>(i);
            last_use_[i] = lastUseOf(root_[i]);
        }
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            const Op& op = plan_.ops[i];
            if (rowOf(op.kind).is_alias) {
                if (!in_place || isPrivateAlias(op)) join(op.outputs.front(), op.inputs.front());
            } else if (in_place) {
                for (const InPlacePair& pair : in_place(op)) takePlaceOfInput(static_cast<int>(i), pair);
            }
        }
    }

    // Sets the offsets; returns the size.
    std::int64_t place() {
        collectBlocks();
        // Largest first: the order that leaves the fewest holes.
        std::stable_sort(blocks_.begin(), blocks_.end(), [](const Block& a, const Block& b) { return a.bytes > b.bytes; });
        std::int64_t end = kAlignmentBytes;
        TakenByOp taken(-1, static_cast<int>(plan_.ops.size()));
        for (Block& block : blocks_) {
            block.offset = taken.lowestFree(block);
            taken.add(block);
            end = std::max(end, block.offset + block.bytes);
            std::int64_t offset = block.offset;
            for (TensorId id : block.members) {
                placedTensor(plan_, id).offset_bytes = offset;
                offset += alignUp(byteCount(placedTensor(plan_, id)));
            }
        }
        for (std::size_t i = 0; i < root_.size(); ++i) {
            const TensorId id = static_cast<TensorId>(i);
            if (rootOf(id) != id) placedTensor(plan_, id).offset_bytes = placedTensor(plan_, rootOf(id)).offset_bytes;
        }
        return end;
    }

private:
    TensorId rootOf(TensorId id) const {
        while (root_[static_cast<std::size_t>(id)] != id) id = root_[static_cast<std::size_t>(id)];
        return id;
    }

    void join(TensorId alias, TensorId of) {
        const TensorId root = rootOf(of);
        root_[static_cast<std::size_t>(alias)] = root;
        int& last_use = last_use_[static_cast<std::size_t>(root)];
        last_use = std::max(last_use, last_use_[static_cast<std::size_t>(alias)]);
    }

    // The two lie apart where a caller has moved one of them to another region; the reshape copies then.
    bool isPrivateAlias(const Op& op) const {
        const TensorDesc &alias = placedTensor(plan_, op.outputs.front()), &of = placedTensor(plan_, op.inputs.front());
        return alias.region == Region::kPrivate && of.region == Region::kPrivate && alias.offset_bytes == of.offset_bytes;
    }

    void takePlaceOfInput(int index, InPlacePair pair) {
        const TensorId root = rootOf(pair.input);
        if (rootOf(pair.output) != pair.output || index_.producers(pair.output).front() != index) return;
        const bool ends_here = last_use_[static_cast<std::size_t>(root)] == index && root != pair.output;
        const bool is_as_large = byteCount(placedTensor(plan_, root)) == byteCount(placedTensor(plan_, pair.output));
        if (ends_here && is_as_large && isPassing(root) && isPassing(pair.output)) join(pair.output, root);
    }

    // True for what ops alone fill and read: it is of no use before the first of them and behind the last.
    bool isPassing(TensorId id) const {
        const TensorRole role = placedTensor(plan_, id).role;
        return (role == TensorRole::kActivation || role == TensorRole::kScratch) && isPlannedHere(id) && !index_.producers(id).empty() &&
               !index_.consumers(id).empty() && id != plan_.input && id != plan_.output && id != plan_.header;
    }

    int lastUseOf(TensorId id) const {
        const std::vector<int>&producers = index_.producers(id), &consumers = index_.consumers(id);
        return std::max(producers.empty() ? -1 : producers.back(), consumers.empty() ? -1 : consumers.back());
    }

    bool isPlannedHere(TensorId id) const {
        const bool is_used = !index_.producers(id).empty() || !index_.consumers(id).empty() || id == plan_.input || id == plan_.output;
        return is_used && placedTensor(plan_, id).region == Region::kPrivate;
    }

    // A gradient that an update reads after the backward pass: these lie together, last parameter first.
    bool isUpdatedLater(TensorId id) const {
        const std::vector<int>& readers = index_.consumers(id);
        return placedTensor(plan_, id).role == TensorRole::kGradient && !readers.empty() && readers.back() != index_.producers(id).back();
    }

    Block lifetimeOf(TensorId id) const {
        const int end = static_cast<int>(plan_.ops.size());
        const std::vector<int>& producers = index_.producers(id);
        const std::vector<int>& consumers = index_.consumers(id);
        Block block{.members = {id}, .bytes = alignUp(byteCount(placedTensor(plan_, id)))};
        const bool is_filled_outside = producers.empty() || id == plan_.header;
        block.first_op = is_filled_outside ? -1 : producers.front();
        block.last_op = consumers.empty() ? block.first_op : std::max(consumers.back(), block.first_op);
        const bool is_scratch = !producers.empty() && plan_.ops[static_cast<std::size_t>(producers.back())].fused_update.has_value();
        const bool is_result = id == plan_.output || id == plan_.header || (consumers.empty() && !is_scratch);
        if (is_result) block.last_op = end;
        if (placedTensor(plan_, id).role == TensorRole::kProduct)
            return {.members = {id}, .bytes = block.bytes, .first_op = -1, .last_op = end};
        return block;
    }

    void collectBlocks() {
        std::vector<Block> of_root(root_.size());
        // Never shared with others, so that the gaps between gradients stay zero and a flat update may run over them.
        Block gradients{.first_op = -1, .last_op = static_cast<int>(plan_.ops.size())};
        for (std::size_t i = root_.size(); i-- > 0;) {
            const TensorId id = static_cast<TensorId>(i);
            if (!isPlannedHere(id)) continue;
            const Block block = lifetimeOf(id);
            if (isUpdatedLater(id)) {
                gradients.members.push_back(id);
                gradients.bytes += block.bytes;
            } else {
                const TensorId root = rootOf(id);
                Block& target = of_root[static_cast<std::size_t>(root)];
                const bool is_first = target.members.empty();
                target.first_op = is_first ? block.first_op : std::min(target.first_op, block.first_op);
                target.last_op = is_first ? block.last_op : std::max(target.last_op, block.last_op);
                target.members = {root};
                target.bytes = alignUp(byteCount(placedTensor(plan_, root)));
            }
        }
        std::sort(gradients.members.begin(), gradients.members.end(),
                  [this](TensorId a, TensorId b) { return placedTensor(plan_, a).of > placedTensor(plan_, b).of; });
        if (!gradients.members.empty()) blocks_.push_back(std::move(gradients));
        for (Block& block : of_root) {
            if (!block.members.empty()) blocks_.push_back(std::move(block));
        }
    }

    Plan& plan_;
    PlanIndex index_;
    std::vector<TensorId> root_;  // of an alias: the tensor whose memory it is
    std::vector<int> last_use_;   // by root, the last op that touches it or an alias that was met
    std::vector<Block> blocks_;
};

std::int64_t placeShared(Plan& plan) {
    std::int64_t end = 0;
    auto add = [&](TensorId id) {
        placedTensor(plan, id).offset_bytes = end;
        end += alignUp(byteCount(placedTensor(plan, id)));
    };
    for (std::size_t i = 0; i < plan.buckets.size(); ++i) {
        if (i == 0 && plan.header != kNoTensor) add(plan.header);
        for (TensorId id : plan.buckets[i].gradients) add(id);
        ENGINE_CHECK(plan.buckets[i].offset_bytes + plan.buckets[i].bytes == end);
    }
    return end;
}

}  // namespace

Plan layoutVariables(Plan plan) {
    const std::vector<TensorId> parameters = parametersOf(plan);
    std::vector<std::string> blocks;  // slot names as they first appear
    for (const TensorDesc& tensor : plan.tensors) {
        if (tensor.role == TensorRole::kSlot && std::find(blocks.begin(), blocks.end(), tensor.slot_name) == blocks.end()) {
            blocks.push_back(tensor.slot_name);
        }
    }
    const SlotIndex slots(plan);
    std::int64_t end = 0;
    auto add = [&](TensorDesc& tensor) {
        tensor.region = Region::kVariables;
        tensor.offset_bytes = end;
        end += alignUp(byteCount(tensor));
    };
    for (std::size_t i = parameters.size(); i-- > 0;) add(placedTensor(plan, parameters[i]));
    for (TensorId state : statesOf(plan)) add(placedTensor(plan, state));
    for (const std::string& block : blocks) {
        for (std::size_t i = parameters.size(); i-- > 0;) {
            for (TensorId slot : slots.of(parameters[i])) {
                if (placedTensor(plan, slot).slot_name == block) add(placedTensor(plan, slot));
            }
        }
    }
    for (TensorDesc& tensor : plan.tensors) {
        if (tensor.role == TensorRole::kSlot && tensor.of == kNoTensor) add(tensor);
    }
    plan.variable_bytes = end;
    return plan;
}

Plan planMemory(Plan plan) {
    plan = layoutVariables(std::move(plan));
    for (TensorDesc& tensor : plan.tensors) {
        if (tensor.region != Region::kVariables) tensor.offset_bytes = -1;
    }
    plan.shared_bytes = placeShared(plan);
    plan.private_bytes = PrivateArena(plan, {}).place();
    return plan;
}

Plan placeInPlace(Plan plan, const InPlace& in_place) {
    plan.private_bytes = PrivateArena(plan, in_place).place();
    return plan;
}

}  // namespace engine::plan

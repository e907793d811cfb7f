#include "engine/parameter_server/parameter_client.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/plan/memory.h"
#include "engine/plan/passes/passes.h"
#include "engine/spec/error.h"

namespace engine::parameter_server {
namespace {

constexpr std::chrono::hours kLongestWait{1};  // for the steps of others

// Ranges that touch are one.
void append(std::vector<ByteRange>& ranges, std::size_t offset, std::size_t bytes) {
    if (bytes == 0) return;
    if (!ranges.empty() && ranges.back().offset + ranges.back().bytes == offset) {
        ranges.back().bytes += bytes;
    } else {
        ranges.push_back({.offset = offset, .bytes = bytes});
    }
}

std::int64_t bytesOf(const std::vector<ByteRange>& ranges) {
    return std::accumulate(ranges.begin(), ranges.end(), std::int64_t{0},
                           [](std::int64_t sum, const ByteRange& range) { return sum + static_cast<std::int64_t>(range.bytes); });
}

// The bytes of a part of a table, which are no more than those of the rows that a batch can name.
std::int64_t mostBytes(const plan::RowTable& table, std::int64_t bytes) {
    return std::min(bytes, table.most_rows * table.rowBytes());
}

}  // namespace

ParameterPlans parameterPlans(const spec::RunSpec& run, const plan::CompileTarget& target) {
    ParameterPlans plans{.whole = plan::compileWhole(run, target),
                         .worker = plan::compile(run, target),
                         .parts = {},
                         .servers = {},
                         .is_bounded = run.strategy.max_staleness.has_value()};
    plans.parts = plan::variableParts(plans.whole, run.strategy, target.servers);
    for (int server = 0; server < target.servers; ++server) {
        const spec::TaskId task{"ps", server};
        plans.servers.push_back(plan::serverPlans(plans.whole, plans.parts, server, plan::deviceName(&task, "CPU:0")));
    }
    return plans;
}

ParameterClient::ParameterClient(const ParameterPlans& plans, std::vector<ServerLink*> links, backend::Variables& variables,
                                 distribute::ExchangeProgress* progress)
    : plans_(plans), tables_(plan::rowTables(plans.worker)), links_(std::move(links)), progress_(progress) {
    ENGINE_CHECK(!links_.empty() && links_.size() == plans_.servers.size());
    const std::size_t buckets = plans_.worker.buckets.size();
    bucket_bytes_.resize(buckets, 0);
    if (progress_ != nullptr) {
        progress_->setBucketCount(static_cast<int>(buckets));
        exchanges_ = progress_->read(distribute::ExchangeProgress::Clock::now()).sequence;
    }
    for (std::size_t k = 0; k < links_.size(); ++k) {
        Server server{.link = links_[k], .pulled = piecesOf(k, variables, false), .versions = std::vector<std::int64_t>(buckets, 0)};
        server.block.resize(storeLayout(plans_.servers[k].front().plan, buckets).pulled);
        server.has_tables = std::any_of(server.pulled.begin(), server.pulled.end(), [](const Piece& piece) { return piece.table >= 0; });
        for (const plan::ServerPlan& plan : plans_.servers[k]) {
            if (!plan.plan.ops.empty()) server.buckets.push_back(plan.bucket);
        }
        servers_.push_back(std::move(server));
    }
    for (const plan::Op& op : plans_.worker.ops) {
        if (op.kind != plan::OpKind::kPush) continue;
        last_pushed_ = op.bucket;
        if (holds(servers_.front(), op.bucket)) ends_step_ = op.bucket;
    }
    // Another server may apply its part later: where others wait for the end of a step, it is told when all have.
    if (plans_.is_bounded && servers_.size() > 1) ends_step_ = -1;
}

ParameterClient::~ParameterClient() = default;

bool ParameterClient::holds(const Server& server, int bucket) const {
    return std::find(server.buckets.begin(), server.buckets.end(), bucket) != server.buckets.end();
}

// Tells where each tensor of a server's plan lies in the task's memory.
std::vector<ParameterClient::Piece> ParameterClient::piecesOf(std::size_t server, const backend::Variables& variables,
                                                              bool with_slots) const {
    const plan::Plan& plan = plans_.servers[server].front().plan;
    const std::vector<plan::RowTable> tables = plan::rowTables(plans_.whole);
    ENGINE_CHECK(tables.size() == tables_.size());
    std::unordered_map<std::string_view, const plan::VariablePart*> parts;
    for (const plan::VariablePart& part : plans_.parts) parts.emplace(part.name, &part);
    std::vector<Piece> pieces;
    for (const plan::TensorDesc& tensor : plan.tensors) {
        const bool is_slot = tensor.role == plan::TensorRole::kSlot;
        if (!plan::isVariable(tensor) || (is_slot && !with_slots)) continue;
        const std::string& held = is_slot ? plan.tensors[static_cast<std::size_t>(tensor.of)].name : tensor.name;
        const auto found = parts.find(held);
        ENGINE_CHECK(found != parts.end());
        const plan::VariablePart* part = found->second;
        const std::string& whole = plans_.whole.tensors[static_cast<std::size_t>(part->variable)].name;
        const std::span<float> values = variables.values(is_slot ? whole + ":" + tensor.slot_name : whole);
        Piece piece{.server_offset = static_cast<std::size_t>(tensor.offset_bytes),
                    .values = values.data() + part->first_element,
                    .count = static_cast<std::size_t>(plan::elementCount(tensor))};
        for (std::size_t i = 0; i < tables.size(); ++i) {
            if (tables[i].table != part->variable || is_slot) continue;
            piece.table = static_cast<int>(i);
            piece.first_row = part->first_element / tables[i].width;
        }
        pieces.push_back(piece);
    }
    return pieces;
}

// What of the batch's rows lies in `bytes` of a table from `first_row` on.
ParameterClient::PartRows ParameterClient::rowsOf(int table, std::int64_t first_row, std::size_t bytes) const {
    const auto index = static_cast<std::size_t>(table);
    const std::span<const std::int64_t> rows = batch_rows_[index];
    const auto row_bytes = static_cast<std::size_t>(tables_[index].rowBytes());
    const auto begin = std::lower_bound(rows.begin(), rows.end(), first_row);
    const auto end = std::lower_bound(begin, rows.end(), first_row + static_cast<std::int64_t>(bytes / row_bytes));
    return {.rows = {begin, end}, .first_row = first_row, .row_bytes = row_bytes};
}

void ParameterClient::ask(Server& server) const {
    server.asked.clear();
    if (!server.has_tables) return append(server.asked, 0, server.block.size());
    for (const Piece& piece : server.pulled) {
        const std::size_t bytes = piece.count * sizeof(float);
        if (piece.table < 0) {
            append(server.asked, piece.server_offset, bytes);
            continue;
        }
        const PartRows part = rowsOf(piece.table, piece.first_row, bytes);
        for (const std::int64_t row : part.rows) {
            append(server.asked, piece.server_offset + static_cast<std::size_t>(row - part.first_row) * part.row_bytes, part.row_bytes);
        }
    }
}

void ParameterClient::takeAnswer(Server& server) const {
    for (const Piece& piece : server.pulled) {
        const std::byte* held = server.block.data() + piece.server_offset;
        const std::size_t bytes = piece.count * sizeof(float);
        if (piece.table < 0) {
            std::memcpy(piece.values, held, bytes);
            continue;
        }
        const PartRows part = rowsOf(piece.table, piece.first_row, bytes);
        for (const std::int64_t row : part.rows) {
            const std::size_t at = static_cast<std::size_t>(row - part.first_row) * part.row_bytes;
            std::memcpy(reinterpret_cast<std::byte*>(piece.values) + at, held + at, part.row_bytes);
        }
    }
}

void ParameterClient::pull(std::span<const std::span<const std::int64_t>> tables) {
    ENGINE_CHECK(tables.size() == tables_.size());
    step_ = {};
    batch_rows_ = tables;
    std::fill(bucket_bytes_.begin(), bucket_bytes_.end(), 0);
    std::int64_t bytes = 0;
    for (Server& server : servers_) {
        ask(server);
        bytes += bytesOf(server.asked);
    }
    if (progress_ != nullptr) progress_->beginStep(++exchanges_, static_cast<std::size_t>(bytes));
    {
        const distribute::ExchangeWait wait(progress_, -1);  // for other workers
        servers_.front().link->begin(std::chrono::steady_clock::now() + kLongestWait);
    }
    for (Server& server : servers_) {
        const distribute::ExchangeWait wait(progress_, numberOf(server));
        const ServerLink::State state = server.link->pull(server.asked, server.block, server.versions);
        server.generation = state.generation;
        server.pulled_bytes += bytesOf(server.asked);
        step_.is_over = step_.is_over || state.is_over;
        if (&server == &servers_.front()) {
            step_.rate_changes = state.rate_changes;
            step_.told_rate = state.learning_rate;
        }
        takeAnswer(server);
    }
}

// Finds where the bucket's gradients for the server lie; returns their bytes.
std::int64_t ParameterClient::findPushed(const Server& server, int bucket) {
    whole_ranges_.clear();
    row_ranges_.clear();
    for (const plan::ServerPlan& plan : plans_.servers[static_cast<std::size_t>(numberOf(server))]) {
        if (plan.bucket != bucket) continue;
        for (const plan::ServerPlan::Range& read : plan.reads) {
            const auto offset = static_cast<std::size_t>(read.offset_bytes), bytes = static_cast<std::size_t>(read.bytes);
            if (read.table < 0) {
                append(whole_ranges_, offset, bytes);
                continue;
            }
            const PartRows part = rowsOf(read.table, read.first_row, bytes);
            for (const std::int64_t row : part.rows) {
                append(row_ranges_, offset + static_cast<std::size_t>(row - part.first_row) * part.row_bytes, part.row_bytes);
            }
        }
    }
    return bytesOf(whole_ranges_) + bytesOf(row_ranges_);
}

void ParameterClient::startPush(int bucket) {
    for (Server& server : servers_) {
        if (!holds(server, bucket)) continue;
        const std::int64_t bytes = findPushed(server, bucket);
        bucket_bytes_[static_cast<std::size_t>(bucket)] += bytes;
        server.link->startPush({.generation = server.generation,
                                .seen_version = server.versions[static_cast<std::size_t>(bucket)],
                                .bucket = bucket,
                                .learning_rate = learning_rate_,
                                .ends_step = &server == &servers_.front() && bucket == ends_step_,
                                .pulled_bytes = std::exchange(server.pulled_bytes, 0),
                                .pushed_bytes = bytes},
                               {.whole = whole_ranges_, .rows = row_ranges_});
        server.pushed.push_back(bucket);
    }
}

void ParameterClient::awaitOne(Server& server) {
    const distribute::ExchangeWait wait(progress_, numberOf(server));
    const PushReply reply = server.link->awaitPush();
    server.pushed.erase(server.pushed.begin());
    step_.is_void = step_.is_void || reply.is_void;
    step_.staleness = std::max(step_.staleness, reply.staleness);
    step_.global_step = std::max(step_.global_step, reply.global_step);
}

void ParameterClient::awaitPush(int bucket) {
    if (progress_ != nullptr) progress_->awaitBucket(bucket, static_cast<std::size_t>(bucket_bytes_[static_cast<std::size_t>(bucket)]));
    for (Server& server : servers_) {
        while (std::find(server.pushed.begin(), server.pushed.end(), bucket) != server.pushed.end()) awaitOne(server);
    }
    if (bucket == last_pushed_ && ends_step_ < 0) endStep();
}

void ParameterClient::endStep() {
    Server& first = servers_.front();
    first.link->startPush({.generation = first.generation,
                           .bucket = -1,
                           .learning_rate = learning_rate_,
                           .ends_step = true,
                           .pulled_bytes = std::exchange(first.pulled_bytes, 0)},
                          {});
    first.pushed.push_back(-1);
    awaitOne(first);
}

ServerLink::State ParameterClient::state() {
    ServerLink::State first = links_.front()->state();
    for (ServerLink* link : links_) {
        if (link->state().generation == 0) first.generation = 0;
    }
    return first;
}

bool ParameterClient::isReady() {
    return std::all_of(links_.begin(), links_.end(), [](ServerLink* link) { return link->state().generation != 0; });
}

ParameterClient::Staleness ParameterClient::staleness() {
    std::int64_t pushes = 0, sum = 0;
    Staleness found;
    for (ServerLink* link : links_) {
        const ServerLink::State state = link->state();
        pushes += state.pushes;
        sum += state.staleness_sum;
        found.largest = std::max(found.largest, state.largest_staleness);
    }
    found.mean = pushes > 0 ? static_cast<double>(sum) / static_cast<double>(pushes) : 0;
    return found;
}

void ParameterClient::give(const backend::Variables& all, std::int64_t updates, std::int64_t global_step, const EpochOrigin& origin) {
    // Server 0 last: whoever sees its values finds the others' there.
    for (std::size_t k = links_.size(); k-- > 0;) {
        std::vector<std::byte> block(static_cast<std::size_t>(plans_.servers[k].front().plan.variable_bytes));
        for (const Piece& piece : piecesOf(k, all, true)) {
            std::memcpy(block.data() + piece.server_offset, piece.values, piece.count * sizeof(float));
        }
        links_[k]->give({.variables = block, .updates = updates, .global_step = global_step, .origin = origin});
    }
}

void ParameterClient::read(backend::Variables& all) {
    for (std::size_t k = 0; k < links_.size(); ++k) {
        std::vector<std::byte> block(static_cast<std::size_t>(plans_.servers[k].front().plan.variable_bytes));
        links_[k]->read(block);
        for (const Piece& piece : piecesOf(k, all, true)) {
            std::memcpy(piece.values, block.data() + piece.server_offset, piece.count * sizeof(float));
        }
    }
}

std::int64_t ParameterClient::pulledBytes() const {
    std::int64_t bytes = 0;
    for (const Server& server : servers_) {
        if (!server.has_tables) {
            bytes += static_cast<std::int64_t>(server.block.size());
            continue;
        }
        for (const Piece& piece : server.pulled) {
            const auto all = static_cast<std::int64_t>(piece.count * sizeof(float));
            bytes += piece.table < 0 ? all : mostBytes(tables_[static_cast<std::size_t>(piece.table)], all);
        }
    }
    return bytes;
}

std::int64_t ParameterClient::pushedBytes() const {
    std::int64_t bytes = 0;
    for (const std::vector<plan::ServerPlan>& plans : plans_.servers) {
        for (const plan::ServerPlan& plan : plans) {
            for (const plan::ServerPlan::Range& range : plan.reads) {
                bytes += range.table < 0 ? range.bytes : mostBytes(tables_[static_cast<std::size_t>(range.table)], range.bytes);
            }
        }
    }
    return bytes;
}

}  // namespace engine::parameter_server

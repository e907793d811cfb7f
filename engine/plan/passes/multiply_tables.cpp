#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "engine/plan/index/plan_index.h"
#include "engine/plan/memory.h"
#include "engine/plan/passes/passes.h"

namespace engine::plan {
namespace {

// A row that is multiplied saves its products; one that is looked up costs memory's time. Beside a table of V rows, T products of rows of K
// values are worth changing where K (T - V) is at least this many times T.
constexpr std::int64_t kValuesPerLookUp = 32;

constexpr int kNone = -1;

// Indices of the ops that multiply what an embedding has looked up. Without a backward pass the last three are kNone. `product_back` makes
// the weight's gradient; a fused one makes that of the rows, too, in the place of `input_back`. Of a frozen table the last two are kNone.
struct Chain {
    int look_up = kNone, product = kNone, product_back = kNone, input_back = kNone, look_up_back = kNone;
};

class Tables {
public:
    explicit Tables(Plan plan) : plan_(std::move(plan)), index_(plan_) {}

    Plan run() {
        std::vector<Chain> chains;
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            if (const auto chain = chainFrom(static_cast<int>(i))) chains.push_back(*chain);
        }
        if (chains.empty()) return std::move(plan_);
        splitUpdates(plan_, [&](const Op& op) {
            return std::ranges::any_of(chains,
                                       [&](const Chain& chain) { return chain.product_back != kNone && &op == &at(chain.product_back); });
        });
        std::vector<std::vector<Op>> ops;
        for (Op& op : plan_.ops) ops.push_back({std::move(op)});
        for (const Chain& chain : chains) rewrite(chain, ops);
        std::vector<int> last_of;
        plan_.ops.clear();
        for (std::vector<Op>& some : ops) {
            std::ranges::move(some, std::back_inserter(plan_.ops));
            last_of.push_back(static_cast<int>(plan_.ops.size()) - 1);
        }
        for (const Chain& chain : chains) {  // the table's gradient comes from the way back of the product
            if (chain.look_up_back != kNone) {
                last_of[static_cast<std::size_t>(chain.look_up_back)] =
                    last_of[static_cast<std::size_t>(chain.input_back != kNone ? chain.input_back : chain.product_back)];
            }
        }
        for (Bucket& bucket : plan_.buckets) {
            if (bucket.ready_after_op >= 0) bucket.ready_after_op = last_of[static_cast<std::size_t>(bucket.ready_after_op)];
        }
        return planMemory(std::move(plan_));
    }

private:
    const Op& at(int index) const { return plan_.ops[static_cast<std::size_t>(index)]; }
    TensorDesc& tensor(TensorId id) { return plan_.tensors[static_cast<std::size_t>(id)]; }
    const TensorDesc& tensor(TensorId id) const { return plan_.tensors[static_cast<std::size_t>(id)]; }

    std::optional<Chain> chainFrom(int look_up) const {
        const Op& op = at(look_up);
        if (op.kind != OpKind::kEmbedding || op.gate || !isVariable(tensor(op.inputs[1]))) return std::nullopt;
        const TensorId rows = op.outputs.front();
        if (rows == plan_.output) return std::nullopt;
        Chain chain{.look_up = look_up};
        for (const int reader : index_.consumers(rows)) {
            const Op& other = at(reader);
            if (other.gate || other.inputs.front() != rows || std::ranges::count(other.inputs, rows) != 1) return std::nullopt;
            int* place = placeOf(other.kind, chain);
            if (place == nullptr || *place != kNone) return std::nullopt;
            *place = reader;
        }
        if (chain.product == kNone || (chain.product_back == kNone) == plan_.training) return std::nullopt;
        if (!isVariable(tensor(at(chain.product).inputs[1])) || !addBackward(chain) || !pays(chain)) return std::nullopt;
        return chain;
    }

    static int* placeOf(OpKind kind, Chain& chain) {
        switch (kind) {
            case OpKind::kFusedDense:
            case OpKind::kMatMul:
                return &chain.product;
            case OpKind::kFusedDenseBack:
            case OpKind::kMatMulBackWeight:
                return &chain.product_back;
            default:
                return nullptr;
        }
    }

    bool isFused(const Chain& chain) const { return at(chain.product_back).kind == OpKind::kFusedDenseBack; }
    TensorId gradientOfRows(const Chain& chain) const {
        if (chain.input_back != kNone) return at(chain.input_back).outputs.front();
        const Op& back = at(chain.product_back);
        return isFused(chain) && back.outputs.size() > 2 ? back.outputs[2] : kNoTensor;
    }

    // False where somebody else takes the gradient of the rows, or begins that of the table. Whoever adds to it, or reduces it, comes
    // later.
    bool addBackward(Chain& chain) const {
        if (chain.product_back == kNone) return true;
        if (!isFused(chain)) {
            const TensorId w = at(chain.product).inputs[1];
            for (const int reader : index_.consumers(at(chain.product_back).inputs[1])) {
                if (at(reader).kind == OpKind::kMatMulBackInput && at(reader).inputs[1] == w && !at(reader).gate) chain.input_back = reader;
            }
        }
        const TensorId gradient = gradientOfRows(chain);
        if (gradient == kNoTensor) return true;
        const std::vector<int>& readers = index_.consumers(gradient);
        if (readers.size() != 1 || index_.producers(gradient).size() != 1) return false;
        const Op& back = at(readers.front());
        if (back.kind != OpKind::kEmbeddingBack || back.inputs.front() != at(chain.look_up).inputs.front() || back.gate ||
            back.fused_update || index_.producers(back.outputs.front()).front() != readers.front())
            return false;
        chain.look_up_back = readers.front();
        return true;
    }

    bool pays(const Chain& chain) const {
        const spec::Shape& table = tensor(at(chain.look_up).inputs[1]).shape;
        const std::int64_t products = elementCount(tensor(at(chain.look_up).outputs.front())) / table[1];
        return table[1] * (products - table[0]) >= kValuesPerLookUp * products;
    }

    TensorId addTensor(TensorDesc made) {
        plan_.tensors.push_back(std::move(made));
        return static_cast<TensorId>(plan_.tensors.size() - 1);
    }

    // The ops of the chain in the places of its products; its other places are empty then.
    void rewrite(const Chain& chain, std::vector<std::vector<Op>>& ops) {
        const auto take = [&](int index) {
            std::vector<Op>& place = ops[static_cast<std::size_t>(index)];
            Op op = std::move(place.front());
            place.clear();
            return op;
        };
        Op look_up = take(chain.look_up), product = take(chain.product);
        const TensorId ids = look_up.inputs[0], table = look_up.inputs[1], rows = look_up.outputs[0], y = product.outputs[0];
        const spec::Shape shape{tensor(table).shape[0], matrixShape(tensor(product.inputs[1]).shape, tensor(table).shape[1])[1]};
        const TensorId products = addTensor(
            {.name = tensor(y).name + ":table", .role = TensorRole::kProduct, .shape = shape, .of = table, .layer = product.layer});
        tensor(rows).offset_bytes = -1;
        product.inputs[0] = table;
        product.outputs[0] = look_up.inputs[1] = products;
        look_up.outputs[0] = y;
        ops[static_cast<std::size_t>(chain.product)] = {std::move(product), std::move(look_up)};
        if (chain.product_back == kNone) return;

        // The sums by id stand in front of the first op that takes them.
        const int first = chain.input_back == kNone ? chain.product_back : std::min(chain.input_back, chain.product_back);
        Op& back = ops[static_cast<std::size_t>(chain.product_back)].front();
        const TensorId dy = back.inputs.back();
        const TensorId dproducts = addTensor(
            {.name = tensor(products).name + ":grad", .role = TensorRole::kGradient, .shape = shape, .of = table, .layer = back.layer});
        Op sum{.kind = OpKind::kEmbeddingBack,
               .phase = Phase::kBackward,
               .name = tensor(table).layer + "/" + std::string(toString(OpKind::kEmbeddingBack)),
               .layer = tensor(table).layer,
               .device = back.device};
        back.inputs.front() = table;
        if (back.kind == OpKind::kFusedDenseBack) back.inputs[2] = back.inputs[2] == dy ? dproducts : products;
        back.inputs.back() = dproducts;
        if (chain.look_up_back != kNone) {
            sum = take(chain.look_up_back);
            Op& input_back = chain.input_back == kNone ? back : ops[static_cast<std::size_t>(chain.input_back)].front();
            tensor(input_back.outputs.back()).offset_bytes = -1;
            input_back.outputs.back() = sum.outputs[0];
            if (chain.input_back != kNone) input_back.inputs[0] = dproducts;
        }
        sum.inputs = {ids, dy};
        sum.outputs = {dproducts};
        std::vector<Op>& place = ops[static_cast<std::size_t>(first)];
        place.insert(place.begin(), std::move(sum));
    }

    Plan plan_;
    PlanIndex index_;
};

}  // namespace

Plan multiplyTables(Plan plan) {
    return plan.dtype_policy.empty() ? Tables(std::move(plan)).run() : std::move(plan);
}

bool takesTable(const Plan& plan, const Op& op) {
    switch (op.kind) {
        case OpKind::kMatMul:
        case OpKind::kMatMulBackWeight:
        case OpKind::kMatMulBackInput:
        case OpKind::kFusedDense:
        case OpKind::kFusedDenseBack: {
            const TensorDesc& rows = plan.tensors[static_cast<std::size_t>(op.inputs.front())];
            return isVariable(rows) || rows.role == TensorRole::kGradient;
        }
        default:
            return false;
    }
}

}  // namespace engine::plan

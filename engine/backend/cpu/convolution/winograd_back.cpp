// Gradients of convolutions by Winograd's filtering where a kernel is large beside the images: all samples are mapped first, then each
// position's matrix of the kernel's gradient is one product over the tiles of all of them. Sums over runs of samples, as elsewhere
// (convolution_back.cpp), would be larger than what they sum.
#include <algorithm>
#include <string>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/cpu/convolution/back_finish.h"
#include "engine/backend/cpu/convolution/back_operands.h"
#include "engine/backend/cpu/convolution/pair_operands.h"
#include "engine/backend/cpu/convolution/winograd_gradients.h"

namespace engine::backend::cpu {
namespace {

int tileOf(const Memory& memory, const ConvolutionGeometry& geometry) {
    return Winograd::tileOf(geometry, memory.batch(), !memory.plan().dtype_policy.empty());
}

class WinogradBack final : public BoundOp {
public:
    WinogradBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          of_(op),
          geometry_(geometryOfBack(memory, op)),
          winograd_(tileOf(memory, geometry_), geometry_, kernels),
          whole_(Winograd::inWholeTiles(geometry_, static_cast<int>(winograd_.m()))),
          g_(geometry_),
          results_(memory, op, of_, geometry_, g_, kernels),
          input_(static_cast<int>(winograd_.m()), geometry_, memory.batch(), hasInput(), false, kernels),
          finish_(memory, op, of_, geometry_, kernels),
          panels_(divideUp(geometry_.filters, kernels.panel_columns)) {
        checkPooled(op);
    }

    // True for dx alone, which has no sums. Else where the sums of runs (as many as there are at most, each written, summed and mapped
    // back) are more than what is mapped of all samples, and that is 64 MB at most.
    static bool pays(const Memory& memory, const plan::Op& op, const ConvolutionGeometry& geometry) {
        if (BackOperands(op).dkernel == plan::kNoTensor) return true;
        constexpr std::int64_t kRuns = 16, kMostFloats = 16 << 20;
        const std::int64_t m = tileOf(memory, geometry), tile = m + geometry.window.kernel_h - 1;
        const std::int64_t tiles = memory.batch() * divideUp(geometry.out_h, m) * divideUp(geometry.out_w, m);
        const std::int64_t mapped = tiles * (geometry.channels + geometry.filters);
        const std::int64_t sums = std::min(kRuns, memory.batch()) * geometry.channels * geometry.filters;
        return 3 * sums >= 2 * mapped && tile * tile * mapped <= kMostFloats;
    }

    std::string kernel() const override {
        return "Winograd " + geometry_.text() + (hasKernel() ? " dkernel by positions" : "") +
               (op_.fused_update ? ", applied at once" : "");
    }

    ScratchBytes scratch() const override {
        return {.shared = (turnedElements() + imageElements() + dyElements() + sumElements() + biasElements()) * kFloat,
                .per_thread = (input_.samples() * gradientElements() + input_.threadFloats()) * kFloat};
    }

    std::vector<Stage> stages(std::byte* shared) override {
        turned_ = reinterpret_cast<float*>(shared);
        image_ = turned_ + turnedElements();
        dy_ = image_ + imageElements();
        sums_ = dy_ + dyElements();
        bias_ = sums_ + sumElements();
        Access turned{turned_, turnedElements() * kFloat, 0, true}, mapped{image_, (imageElements() + dyElements()) * kFloat, 0, true};
        Access sums{sums_, sumElements() * kFloat, 0, true}, bias{bias_, biasElements() * kFloat, 0, true};
        std::vector<Stage> all;
        if (hasInput()) add(all, {.accesses = {memory_.reads(of_.kernel), turned}, .when = When::kEarly}, Work::kTurn);
        turned.writes = false;
        Stage samples{.accesses = {turned, mapped, bias}, .fewest_samples = input_.samples(), .writes_by_samples = true};
        for (plan::TensorId id : {of_.x, of_.y, of_.argmax, of_.dy}) {
            if (id != plan::kNoTensor) samples.accesses.push_back(memory_.readsSamples(id));
        }
        if (hasInput()) samples.accesses.push_back(memory_.writesSamples(of_.dx));
        add(all, samples, Work::kSamples);
        if (!hasKernel()) return all;
        mapped.writes = bias.writes = false;
        add(all, {.accesses = {mapped, sums}}, Work::kPositions);
        sums.writes = false;
        add(all, {.accesses = {sums, memory_.writes(of_.dkernel)}}, Work::kMapBack);
        Stage finish{.accesses = {bias}};
        finish_.addAccesses(finish.accesses);
        if (finish_.hasMoreThanKernel()) add(all, finish, Work::kFinish);
        return all;
    }

    void run(int stage, const StepState& step, int thread) override {
        switch (work_[static_cast<std::size_t>(stage)]) {
            case Work::kTurn:
                return input_.turnKernel(memory_.floats(of_.kernel), thread, step.threads, turned_);
            case Work::kSamples:
                return mapSamples(step.samplesOf(thread), step.scratchOf(thread));
            case Work::kPositions:
                return sumPositions(share(winograd_.positions() * panels_, thread, step.threads), step.samples * tilesOfSample());
            case Work::kMapBack:
                return winograd_.mapKernelGradient(sums_, geometry_.channels, geometry_.filters,
                                                   share(geometry_.channels, thread, step.threads), memory_.floats(of_.dkernel));
            case Work::kFinish:
                return finish_.run(step, thread, nullptr, {.values = bias_, .step = biasRow(), .count = step.samples});
        }
    }

private:
    enum class Work { kTurn, kSamples, kPositions, kMapBack, kFinish };

    void add(std::vector<Stage>& all, const Stage& stage, Work work) {
        all.push_back(stage);
        work_.push_back(work);
    }

    bool hasInput() const { return of_.dx != plan::kNoTensor; }
    bool hasKernel() const { return of_.dkernel != plan::kNoTensor; }
    std::int64_t gradientElements() const { return wholeLines(g_.floats()); }
    std::int64_t tilesOfSample() const { return whole_.out_h / winograd_.m() * (whole_.out_w / winograd_.m()); }
    std::int64_t allTiles() const { return memory_.batch() * tilesOfSample(); }

    // Of all threads: the kernel as dx takes it; what is mapped of all samples and of dy; the kernel's gradient at every position; the
    // bias' gradient of each sample.
    std::int64_t turnedElements() const { return wholeLines(input_.turnedFloats()); }
    std::int64_t imageElements() const { return hasKernel() ? winograd_.mappedFloats(allTiles(), geometry_.channels) : 0; }
    std::int64_t dyElements() const { return hasKernel() ? winograd_.mappedFloats(allTiles(), geometry_.filters) : 0; }
    std::int64_t sumElements() const { return hasKernel() ? winograd_.mappedFloats(geometry_.channels, geometry_.filters) : 0; }
    std::int64_t biasRow() const { return wholeLines(geometry_.filters); }
    std::int64_t biasElements() const { return of_.dbias == plan::kNoTensor ? 0 : memory_.batch() * biasRow(); }

    void mapSamples(Range samples, float* gradients) const {
        const std::int64_t block = input_.samples();
        float* scratch = gradients + block * gradientElements();
        // What lies around the values of an image, and what no pooling window covers, stays 0.
        if (!results_.isPlain()) std::fill_n(gradients, std::min(block, samples.size()) * gradientElements(), 0.0F);
        for (std::int64_t i = samples.begin; i < samples.end; i += block) {
            const std::int64_t count = std::min(block, samples.end - i);
            for (std::int64_t j = 0; !results_.isPlain() && j < count; ++j) {
                float* sums = of_.dbias == plan::kNoTensor ? nullptr : bias_ + (i + j) * biasRow();
                if (sums != nullptr) std::fill_n(sums, geometry_.filters, 0.0F);
                results_.form(i + j, gradients + j * gradientElements(), sums);
            }
            const TiledImages dy = results_.images(i, gradients);
            if (hasInput()) {
                input_.inputGradient(dy, count, turned_, scratch, memory_.floats(of_.dx) + i * memory_.sampleElements(of_.dx));
            }
            if (hasKernel()) mapBlock({i, i + count}, dy);
        }
    }

    void mapBlock(Range samples, const TiledImages& dy) const {
        const TileGrid grid{samples.size(), whole_.out_h / winograd_.m(), whole_.out_w / winograd_.m()};
        const std::int64_t first = samples.begin * tilesOfSample();
        const float* x = memory_.floats(of_.x) + samples.begin * memory_.sampleElements(of_.x);
        winograd_.mapImages(tiledImages(geometry_, x), 0, geometry_.channels, grid, image_ + first * geometry_.channels, allTiles());
        winograd_.mapResultGradient(dy, 0, geometry_.filters, grid, dy_ + first * geometry_.filters, allTiles());
    }

    // Item (position, panel): a panel of columns of one position's matrix.
    void sumPositions(Range items, std::int64_t tiles) const {
        const std::int64_t width = kernels_.panel_columns;
        for (std::int64_t i = items.begin; i < items.end; ++i) {
            const std::int64_t column = i % panels_ * width;
            winograd_.kernelGradientAt(i / panels_, image_, dy_, tiles, allTiles(), geometry_.channels, geometry_.filters,
                                       {column, std::min(column + width, geometry_.filters)}, sums_);
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    BackOperands of_;
    ConvolutionGeometry geometry_;
    Winograd winograd_;
    ConvolutionGeometry whole_;  // in whole tiles
    GradientImage g_;
    ResultGradient results_;
    WinogradGradients input_;
    BackFinish finish_;
    std::int64_t panels_;  // of dkernel's columns
    float *turned_ = nullptr, *image_ = nullptr, *dy_ = nullptr, *sums_ = nullptr, *bias_ = nullptr;
    std::vector<Work> work_;
};

}  // namespace

std::unique_ptr<BoundOp> bindWinogradBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    const BackOperands of(op);
    const ConvolutionGeometry geometry = geometryOfBack(memory, op);
    if (holdsPairs(memory, of.x != plan::kNoTensor ? of.x : of.kernel) || !Winograd::fits(geometry)) return nullptr;
    return WinogradBack::pays(memory, op, geometry) ? std::make_unique<WinogradBack>(memory, op, kernels) : nullptr;
}

}  // namespace engine::backend::cpu

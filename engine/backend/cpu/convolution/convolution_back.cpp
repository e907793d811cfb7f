// Gradients of convolutions with bias, activation and pooling: of the kernel as sums over runs of samples, of the input beside them.
#include <algorithm>
#include <bit>
#include <optional>
#include <string>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/cpu/convolution/back_finish.h"
#include "engine/backend/cpu/convolution/back_operands.h"
#include "engine/backend/cpu/convolution/convolution_geometry.h"
#include "engine/backend/cpu/convolution/pair_operands.h"
#include "engine/backend/cpu/convolution/panel_convolution.h"
#include "engine/backend/cpu/convolution/run_sums.h"
#include "engine/backend/cpu/convolution/winograd_gradients.h"

namespace engine::backend::cpu {
namespace {

// A thread forms the gradient of some samples' convolution results in its scratch, makes dx of it and adds to a sum of kernel gradients:
// one sum a run of samples, added up at the end.
class ConvolutionBack final : public BoundOp {
public:
    ConvolutionBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          of_(op),
          geometry_(geometryOfBack(memory, op)),
          pairs_(holdsPairs(memory, of_.x != plan::kNoTensor ? of_.x : of_.kernel) ? pairProducts(kernels.isa) : nullptr),
          turned_geometry_(pairs_ == nullptr ? geometry_ : geometry_.ofFilterPairs()),
          in_tiles_(pairs_ == nullptr && Winograd::fits(geometry_)),
          g_(in_tiles_ ? GradientImage(geometry_) : GradientImage(geometry_, of_.dx != plan::kNoTensor, kernels)),
          results_(memory, op, of_, geometry_, g_, kernels),
          by_windows_(geometry_, kernels),
          input_(geometry_.channels / plan::windowOf(op).groups, plan::windowOf(op).groups, inputOffsets(), g_.groupFloats() / halves(),
                 kernels, pairs_),
          finish_(memory, op, of_, geometry_, kernels) {
        checkPooled(op);
        pools_in_registers_ = plan::hasPool(op) && of_.dx == plan::kNoTensor && geometry_.isShallow();
        chooseRuns();
        const std::int64_t most_samples = memory.mostSamplesOfRun(runs_);
        block_ = pixelBlock(geometry_.out_h, geometry_.out_w, most_samples);
        if (in_tiles_) {
            winograd_.emplace(tile(), geometry_, most_samples, of_.dx != plan::kNoTensor, of_.dkernel != plan::kNoTensor, kernels);
            block_.samples = winograd_->samples();
        }
        if (pairs_ != nullptr) block_.samples = divideUp(block_.samples, 2) * 2;
    }

    std::string kernel() const override {
        std::string text = (pools_in_registers_ ? "direct " : in_tiles_ ? "Winograd " : "panels ") + geometry_.text();
        if (of_.dx != plan::kNoTensor && !g_.blocked) text += " dx by windows";
        if (of_.dkernel != plan::kNoTensor) text += " dkernel in " + std::to_string(runs_) + " runs";
        if (pools_in_registers_) text += ", pooling folded in";
        return text + (op_.fused_update ? ", applied at once" : "");
    }

    ScratchBytes scratch() const override {
        return {.shared = (turnedElements() + sumElements()) * kFloat,
                .per_thread = (block_.samples * gradientElements() + imageElements() + windowElements()) * kFloat};
    }

    std::vector<Stage> stages(std::byte* shared) override {
        turned_ = reinterpret_cast<float*>(shared);
        float* parts_of_runs = turned_ + turnedElements();
        sums_.emplace(parts_of_runs, partElements(), runs_, memory_.threads(), kernels_);
        tile_sums_ = parts_of_runs + runs_ * partElements();
        Access turned{turned_, turnedElements() * kFloat, 0, true}, parts{parts_of_runs, sumElements() * kFloat, 0, true};
        std::vector<Stage> all;
        if (of_.dx != plan::kNoTensor) add(all, {.accesses = {memory_.reads(of_.kernel), turned}, .when = When::kEarly}, Work::kTurn);
        turned.writes = false;
        Stage runs{.accesses = {turned, parts},
                   .fewest_samples = pairs_ == nullptr ? block_.samples : kAllSamples,  // an odd strip would pair other samples
                   .writes_by_samples = memory_.keepsRuns(runs_)};
        for (plan::TensorId id : {of_.x, of_.y, of_.argmax, of_.dy}) {
            if (id != plan::kNoTensor) runs.accesses.push_back(memory_.readsRuns(id, runs_));
        }
        if (of_.dx != plan::kNoTensor) runs.accesses.push_back(memory_.writesRuns(of_.dx, runs_));
        add(all, runs, Work::kRuns);
        if (of_.dkernel == plan::kNoTensor) return all;
        parts.writes = false;
        Stage finish{.accesses = {parts}, .when = When::kLate};
        finish_.addAccesses(finish.accesses);
        add(all, finish, Work::kFinish);
        return all;
    }

    void run(int stage, const StepState& step, int thread) override {
        switch (work_[static_cast<std::size_t>(stage)]) {
            case Work::kTurn:
                return turn(step, thread);
            case Work::kRuns:
                return sumRuns(step, thread);
            case Work::kFinish:
                return finish(step, thread);
        }
    }

private:
    enum class Work { kTurn, kRuns, kFinish };

    int tile() const { return Winograd::tileOf(geometry_, memory_.batch(), !memory_.plan().dtype_policy.empty()); }

    // Enough runs for many threads, as long as their sums stay small, and no more than a full batch needs. Their number is a power of two,
    // for the sake of strips: where 5 to 7 sums would fit there are 4, and 8 where 9 to 15 would, and threads beyond that have no run.
    void chooseRuns() {
        constexpr std::int64_t kMostBytes = 16 << 20, kFewest = 4, kMost = 16;
        const auto fitting = static_cast<std::uint64_t>(std::clamp(kMostBytes / (geometry_.kernelElements() * kFloat + 1), kFewest, kMost));
        const std::uint64_t needed = std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(1, memory_.samples())));
        runs_ = static_cast<std::int64_t>(std::min(std::bit_floor(fitting), needed));
    }

    void add(std::vector<Stage>& all, const Stage& stage, Work work) {
        all.push_back(stage);
        work_.push_back(work);
    }

    std::int64_t partElements() const {
        return of_.dkernel == plan::kNoTensor ? 0 : wholeLines(geometry_.kernelElements() + geometry_.filters);
    }
    // A thread's sum over tiles of the run that it is at, which stays there from one of its strips to the next.
    std::int64_t tileSumElements() const { return winograd_ ? wholeLines(winograd_->sumFloats()) : 0; }
    // The sums of all runs, and behind them those of all threads.
    std::int64_t sumElements() const { return runs_ * partElements() + memory_.threads() * tileSumElements(); }
    std::int64_t turnedElements() const {
        if (of_.dx == plan::kNoTensor) return 0;
        if (winograd_) return wholeLines(winograd_->turnedFloats());
        return wholeLines(g_.blocked ? input_.packedElements() : geometry_.kernelElements());
    }
    std::int64_t gradientElements() const { return pools_in_registers_ ? 0 : wholeLines(g_.floats()); }
    std::int64_t windowElements() const { return of_.dx != plan::kNoTensor && !g_.blocked ? by_windows_.scratchElements() : 0; }

    // The floats behind the gradients of a block: its padded samples; or the gradients in bfloat16, and gradients and samples in pairs of
    // samples.
    std::int64_t imageElements() const {
        if (winograd_) return winograd_->threadFloats();
        if (pairs_ == nullptr) return block_.samples * geometry_.paddedElements();
        return block_.samples * gradientElements() + block_.samples / 2 * wholeLines(pairImageElements());
    }
    std::int64_t pairImageElements() const { return geometry_.paddedHeight() * geometry_.paddedWidth() * geometry_.channels; }

    // dx takes the filters of dy by pairs, dkernel the samples.
    std::int64_t halves() const { return pairs_ == nullptr ? 1 : 2; }
    std::vector<std::int32_t> inputOffsets() const {
        std::vector<std::int32_t> offsets = g_.windowOffsets(plan::windowOf(op_));
        if (pairs_ == nullptr) return offsets;
        std::vector<std::int32_t> of_pairs;
        for (std::size_t i = 0; i + 1 < offsets.size(); i += 2) of_pairs.push_back(offsets[i] / 2);
        return of_pairs;
    }

    void turn(const StepState& step, int thread) {
        const float* kernel = memory_.floats(of_.kernel);
        if (winograd_) return winograd_->turnKernel(kernel, thread, step.threads, turned_);
        if (g_.blocked) return packTurnedKernel(turned_geometry_, input_, kernel, thread, step.threads, kernels_, turned_);
        by_windows_.turnKernel(kernel, thread, step.threads, turned_);
    }

    // Samples of one run: all of it, or one of the strips that it is taken in, in order.
    struct PartOfRun {
        std::int64_t run = 0;
        Range whole, samples;
        bool is_first = true, is_last = true;
    };

    void sumRuns(const StepState& step, int thread) {
        float* gradients = step.scratchOf(thread);
        // What lies around the values of a padded image, and what no pooling window covers, stays 0.
        if (!winograd_ || !results_.isPlain()) std::fill_n(gradients, block_.samples * gradientElements(), 0.0F);
        const std::int64_t strip = step.partOf(thread), strips_of_run = step.parts() / runs_;
        if (strips_of_run > 1 && step.strips % strips_of_run == 0) {
            const std::int64_t run = strip / strips_of_run, of_run = strip % strips_of_run;
            return sumPart({.run = run,
                            .whole = step.samplesOfPart(run, runs_),
                            .samples = step.samplesOf(thread),
                            .is_first = of_run == 0,
                            .is_last = of_run + 1 == strips_of_run},
                           thread, gradients);
        }
        const Range mine = share(runs_, strip, step.parts());
        for (std::int64_t run = mine.begin; run < mine.end; ++run) {
            const Range samples = step.samplesOfPart(run, runs_);
            sumPart({.run = run, .whole = samples, .samples = samples}, thread, gradients);
        }
    }

    void sumPart(const PartOfRun& of, int thread, float* gradients) {
        float* part = sums_->sumOf(of.run, thread);
        if (of.is_first) std::fill_n(part, partElements(), 0.0F);
        addPart(of, part, thread, gradients);
        if (of.is_last && of_.dkernel != plan::kNoTensor) sums_->end(of.run, thread);
    }

    void addPart(const PartOfRun& of, float* part, int thread, float* gradients) {
        if (winograd_) return addInTiles(of, part, tile_sums_ + thread * tileSumElements(), gradients);
        if (pools_in_registers_) {
            for (std::int64_t i = of.samples.begin; i < of.samples.end; ++i) addInRegisters(i, part, gradients);
            return;
        }
        for (std::int64_t i = of.samples.begin; i < of.samples.end; i += block_.samples) {
            addSamples({i, std::min(i + block_.samples, of.samples.end)}, part, gradients);
        }
    }

    void addSamples(Range samples, float* part, float* gradients) {
        float* more = gradients + block_.samples * gradientElements();
        float* bias_part = of_.dbias == plan::kNoTensor ? nullptr : part + geometry_.kernelElements();
        for (std::int64_t i = 0; i < samples.size(); ++i) results_.form(samples.begin + i, gradients + i * gradientElements(), bias_part);
        if (pairs_ != nullptr) {
            if (of_.dx != plan::kNoTensor) inputGradientOfPairs(samples, gradients, more);
            if (of_.dkernel != plan::kNoTensor) kernelGradientOfPairs(samples, gradients, part, more);
            return;
        }
        if (of_.dx != plan::kNoTensor) inputGradient(samples, gradients, more);
        if (of_.dkernel != plan::kNoTensor) {
            const WindowImage x =
                geometry_.image(memory_.floats(of_.x) + samples.begin * memory_.sampleElements(of_.x), samples.size(), more);
            kernelGradient(samples.size(), x, gradients, kernels_.panelGradient, part);
        }
    }

    void addInTiles(const PartOfRun& of, float* part, float* sum, float* gradients) {
        float* scratch = gradients + block_.samples * gradientElements();
        float* bias_part = of_.dbias == plan::kNoTensor ? nullptr : part + geometry_.kernelElements();
        for (std::int64_t i = of.samples.begin; i < of.samples.end; i += block_.samples) {
            const std::int64_t count = std::min(block_.samples, of.samples.end - i);
            for (std::int64_t j = 0; !results_.isPlain() && j < count; ++j) {
                results_.form(i + j, gradients + j * gradientElements(), bias_part);
            }
            const TiledImages dy = results_.images(i, gradients);
            if (of_.dx != plan::kNoTensor) {
                float* dx = memory_.floats(of_.dx) + i * memory_.sampleElements(of_.dx);
                winograd_->inputGradient(dy, count, turned_, scratch, dx);
            }
            if (of_.dkernel != plan::kNoTensor) {
                const float* x = memory_.floats(of_.x) + i * memory_.sampleElements(of_.x);
                winograd_->sumKernelGradient(x, dy, count, i > of.whole.begin, scratch, sum);
            }
        }
        if (of_.dkernel != plan::kNoTensor && of.is_last && of.whole.size() > 0) winograd_->endKernelGradient(sum, part);
    }

    void inputGradientOfPairs(Range samples, const float* gradients, float* scratch) {
        kernels_.narrow(gradients, samples.size() * gradientElements(), reinterpret_cast<std::uint16_t*>(scratch));
        multiplyInput(samples, scratch);
    }

    void inputGradient(Range samples, const float* gradients, float* scratch) {
        const std::int64_t size = memory_.sampleElements(of_.dx);
        float* dx = memory_.floats(of_.dx) + samples.begin * size;
        if (!g_.blocked) {
            for (std::int64_t i = 0; i < samples.size(); ++i) {
                by_windows_.run(gradients + i * gradientElements(), turned_, scratch, dx + i * size);
            }
            return;
        }
        multiplyInput(samples, gradients);
    }

    // dx from neighbouring images of dy, blocked, as floats or pairs.
    void multiplyInput(Range samples, const float* gradients) {
        const std::int64_t size = memory_.sampleElements(of_.dx);
        input_.run({.x = gradients,
                    .x_sample = gradientElements() / halves(),
                    .x_row = g_.row() / halves(),
                    .x_pixel = g_.pixel() / halves(),
                    .panel = turned_,
                    .samples = samples.size(),
                    .rows = geometry_.height,
                    .width = geometry_.width,
                    .y = memory_.floats(of_.dx) + samples.begin * size,
                    .y_sample = size,
                    .y_row = geometry_.width * geometry_.channels,
                    .y_pixel = geometry_.channels},
                   pixelBlock(geometry_.height, geometry_.width, samples.size()).rows);
    }

    // Two samples in each image of x and dy, the last alone where their number is odd.
    void kernelGradientOfPairs(Range samples, const float* gradients, float* part, float* scratch) {
        float* x = scratch + block_.samples / 2 * gradientElements();
        const std::int64_t image = wholeLines(pairImageElements()), pairs = divideUp(samples.size(), 2);
        for (std::int64_t i = 0; i < pairs; ++i) {
            const float* low = gradients + 2 * i * gradientElements();
            const bool alone = 2 * i + 1 == samples.size();
            kernels_.narrowPairs(low, alone ? nullptr : low + gradientElements(), gradientElements(), scratch + i * gradientElements());
            pairSamples(samples.begin + 2 * i, alone, x + i * image);
        }
        const WindowImage of{.values = x,
                             .sample = image,
                             .row = geometry_.window.stride_h * geometry_.paddedWidth() * geometry_.channels,
                             .pixel = geometry_.window.stride_w * geometry_.channels};
        kernelGradient(pairs, of, scratch, pairs_->panelGradient, part);
    }

    // Two samples of x as one padded image of pairs.
    void pairSamples(std::int64_t sample, bool alone, float* image) const {
        const std::int64_t row = geometry_.width * geometry_.channels, padded_row = geometry_.paddedWidth() * geometry_.channels;
        const std::int64_t size = memory_.sampleElements(of_.x);
        const auto* low = reinterpret_cast<const std::uint16_t*>(memory_.bytes(of_.x)) + sample * size;
        const std::uint16_t* high = alone ? nullptr : low + size;
        if (!geometry_.isPadded()) return kernels_.pairRows(low, high, size, image);
        std::fill_n(image, pairImageElements(), 0.0F);
        float* to = image + geometry_.window.pad_top * padded_row + geometry_.window.pad_left * geometry_.channels;
        for (std::int64_t h = 0; h < geometry_.height; ++h, to += padded_row) {
            kernels_.pairRows(low + h * row, high == nullptr ? nullptr : high + h * row, row, to);
        }
    }

    void kernelGradient(std::int64_t images, const WindowImage& x, const float* gradients, void (*gradient)(const PanelGradientArgs&),
                        float* part) {
        for (std::int64_t row = 0; row < geometry_.out_h; row += block_.rows) {
            for (int group = 0; group < g_.groups; ++group) {
                for (std::int64_t panel = 0; panel < g_.cut.panels; ++panel) {
                    gradient({.x = x.values + row * x.row + group * geometry_.channels / g_.groups,
                              .x_sample = x.sample,
                              .x_row = x.row,
                              .x_pixel = x.pixel,
                              .offsets = geometry_.offsets().data(),
                              .count = geometry_.kernelRows(),
                              .dy = gradients + g_.at(group, panel) + row * g_.row(),
                              .dy_sample = gradientElements(),
                              .dy_row = g_.row(),
                              .dy_pixel = g_.pixel(),
                              .samples = images,
                              .rows = std::min(block_.rows, geometry_.out_h - row),
                              .width = geometry_.out_w,
                              .columns = g_.cut.of(panel).size(),
                              .dkernel = part + group * g_.cut.columns + g_.cut.of(panel).begin,
                              .dkernel_row = geometry_.filters});
                }
            }
        }
    }

    void addInRegisters(std::int64_t i, float* part, float* scratch) {
        ConvArgs conv = geometry_.args();
        conv.x = geometry_.padded(memory_.floats(of_.x) + i * memory_.sampleElements(of_.x), scratch);
        const std::int64_t at = i * memory_.sampleElements(of_.dy);
        kernels_.pooledConvolutionGradient({.conv = conv,
                                            .y = memory_.floats(of_.y) + at,
                                            .dy = memory_.floats(of_.dy) + at,
                                            .argmax = memory_.cells(of_.argmax) + at,
                                            .relu = results_.hasRelu(),
                                            .dkernel = part,
                                            .dbias = part + geometry_.kernelElements()});
    }

    void finish(const StepState& step, int thread) const {
        const std::int64_t elements = geometry_.kernelElements();
        const RunSums::Total kernel = sums_->total(shareLines(elements, thread, step.threads));
        BackFinish::Parts bias;
        if (finish_.hasBias(step, thread)) bias = partsOf(sums_->total({elements, elements + geometry_.filters}), elements);
        const BackFinish::Parts of_kernel = partsOf(kernel, 0);
        finish_.run(step, thread, &of_kernel, bias);
    }
    static BackFinish::Parts partsOf(const RunSums::Total& total, std::int64_t first) {
        return {.values = total.values + first, .step = total.step, .count = total.count};
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    BackOperands of_;
    ConvolutionGeometry geometry_;
    const PairProducts* pairs_;            // null: floats. Else x and kernel hold bfloat16
    ConvolutionGeometry turned_geometry_;  // of dy and the turned kernel: their filters may be pairs
    bool in_tiles_;                        // by Winograd's filtering
    GradientImage g_;
    ResultGradient results_;
    InputGradient by_windows_;
    PanelProduct input_;  // dx, where g_ is blocked
    BackFinish finish_;
    std::optional<WinogradGradients> winograd_;
    PixelBlock block_;
    bool pools_in_registers_ = false;
    std::int64_t runs_ = 1;
    std::optional<RunSums> sums_;  // of kernel gradients, and bias gradients behind them
    float *turned_ = nullptr, *tile_sums_ = nullptr;
    std::vector<Work> work_;
};

}  // namespace

std::unique_ptr<BoundOp> bindConvolutionBack(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    if (auto depthwise = bindDepthwise(memory, op, kernels)) return depthwise;
    if (auto whole = bindWinogradBack(memory, op, kernels)) return whole;
    return std::make_unique<ConvolutionBack>(memory, op, kernels);
}

}  // namespace engine::backend::cpu

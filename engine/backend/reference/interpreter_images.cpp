// The interpreter's ops of images, and of axes.
#include <algorithm>
#include <cstring>
#include <span>
#include <variant>
#include <vector>

#include "engine/backend/image/blur.h"
#include "engine/backend/image/color_map.h"
#include "engine/backend/image/elastic_map.h"
#include "engine/backend/image/erasing.h"
#include "engine/backend/image/gate.h"
#include "engine/backend/image/image_map.h"
#include "engine/backend/image/levels.h"
#include "engine/backend/image/random_mix.h"
#include "engine/backend/reference/interpreter.h"
#include "engine/backend/reference/kernels.h"

namespace engine::backend::reference {
namespace {

// The window's weighted sum around each value of an image, without what lies beyond it.
std::vector<float> blurred(const plan::RandomBlur& blur, const BlurWeights& weights, const BlurredImage& image, std::span<const float> x) {
    std::vector<float> sums;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(x.size()); ++i) {
        const std::int64_t channel = i % image.channels, column = i / image.channels % image.width, row = i / image.rowValues();
        double sum = 0;
        for (int cell = 0; cell < blur.kernel_h * blur.kernel_w; ++cell) {
            const std::int64_t from = row + cell / blur.kernel_w - blur.kernel_h / 2,
                               at = column + cell % blur.kernel_w - blur.kernel_w / 2;
            if (from < 0 || from >= image.height || at < 0 || at >= image.width) continue;
            const float value = x[static_cast<std::size_t>((from * image.width + at) * image.channels + channel)];
            sum += static_cast<double>(weights(cell)) * static_cast<double>(value);
        }
        sums.push_back(static_cast<float>(sum));
    }
    return sums;
}

// One channel of a batch, whose values stand at these places. Back where dy is not empty.
void equalize(const plan::ImageLevels& levels, std::span<const std::size_t> places, std::span<const float> x, std::span<const float> dy,
              std::span<float> out) {
    std::vector<std::int32_t> counts(static_cast<std::size_t>(levels.bins));
    for (const std::size_t i : places) ++counts[static_cast<std::size_t>(countedBin(levels, equalizedLevelOf(levels, x[i])))];
    std::vector<float> table(counts.size());
    const float* of_bins = fillEqualizedLevels(levels, counts.data(), table.data()) ? table.data() : nullptr;
    for (const std::size_t i : places) out[i] = dy.empty() ? equalizedValue(levels, of_bins, x[i]) : equalizedBack(of_bins, dy[i]);
}

// One channel of an image, whose values stand at every `channels` places.
void equalizeTiles(const plan::ImageLevels& levels, const LevelTiles& grid, std::size_t channels, std::span<const float> x,
                   std::span<float> y) {
    std::vector<float> tables;
    for (std::int64_t tile = 0; tile < grid.tiles(); ++tile) {
        std::vector<std::int32_t> counts(kTileLevels);
        for (std::int64_t cell = 0; cell < grid.cellsOfTile(); ++cell) {
            ++counts[static_cast<std::size_t>(tileLevel(levels, x[static_cast<std::size_t>(grid.cellOf(tile, cell)) * channels]))];
        }
        tables.resize(tables.size() + kTileLevels);
        fillTileLevels(levels, grid.cellsOfTile(), counts.data(), &tables[tables.size() - kTileLevels]);
    }
    for (std::int64_t cell = 0; cell < grid.height * grid.width; ++cell) {
        const std::size_t at = static_cast<std::size_t>(cell) * channels;
        y[at] = tiledValue(levels, grid, tables.data(), cell / grid.width, cell % grid.width, x[at]);
    }
}

// What an image read elsewhere has at a cell, before it is held within the range.
float readAt(const ImageTaps& taps, const ElasticSize& size, std::span<const float> x, std::int64_t channel) {
    double sum = taps.constant;
    for (std::size_t t = 0; t < static_cast<std::size_t>(taps.count); ++t) {
        sum += static_cast<double>(taps.weights[t]) *
               static_cast<double>(x[static_cast<std::size_t>(taps.cells[t] * size.channels + channel)]);
    }
    return static_cast<float>(sum);
}

}  // namespace

void Interpreter::image(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    if (std::holds_alternative<plan::RandomImage>(op.attributes)) return randomImage(op, step);
    if (std::holds_alternative<plan::RandomColors>(op.attributes)) return randomColors(op, step);
    if (std::holds_alternative<plan::RandomErasing>(op.attributes)) return randomErasing(op, step);
    if (std::holds_alternative<plan::RandomBlur>(op.attributes)) return randomBlur(op, step);
    if (std::holds_alternative<plan::RandomElastic>(op.attributes)) return randomElastic(op, step);
    if (std::holds_alternative<plan::ImageLevels>(op.attributes)) return imageLevels(op, step);
    if (std::holds_alternative<plan::RandomMix>(op.attributes)) return randomMix(op, step);
    const plan::TensorId in = op.inputs[0], out = op.outputs[0];
    if (op.kind == plan::OpKind::kTranspose) {
        return transposeAxes(std::get<plan::Permutation>(op.attributes), shapeOf(in, n), floats(in, n), floats(out, n));
    }
    const spec::Shape in_shape = plan::imageShape(shapeOf(in, n)), out_shape = plan::imageShape(shapeOf(out, n));
    if (op.kind == plan::OpKind::kPad2D) {
        return pad2D(std::get<plan::Pads2D>(op.attributes), {in_shape, out_shape}, floats(in, n), floats(out, n));
    }
    if (const auto* window = std::get_if<plan::Window2D>(&op.attributes)) {
        if (op.kind == plan::OpKind::kPatches) return patches(*window, {in_shape, out_shape}, floats(in, n), floats(out, n));
        return patchesBack(*window, {out_shape, in_shape}, floats(in, n), floats(out, n));
    }
    if (const auto* part = std::get_if<plan::Resample2D>(&op.attributes)) {
        std::vector<PartBegin> begins;
        for (std::int64_t i = 0; i < itemsOf(op, step); ++i) begins.push_back(partBegin(randomItemOf(op, part->seed, step, i).key, *part));
        if (op.kind == plan::OpKind::kResample2D) return resample2D(*part, begins, {in_shape, out_shape}, floats(in, n), floats(out, n));
        return resample2DBack(*part, begins, {out_shape, in_shape}, floats(in, n), floats(out, n));
    }
    const auto& resize = std::get<plan::Resize2D>(op.attributes);
    if (op.kind == plan::OpKind::kUpsample2D) return upsample2D(resize, {in_shape, out_shape}, floats(in, n), floats(out, n));
    upsample2DBack(resize, {out_shape, in_shape}, floats(in, n), floats(out, n));
}

void Interpreter::randomImage(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    const bool is_forward = op.kind == plan::OpKind::kRandomImage;
    const auto& random = std::get<plan::RandomImage>(op.attributes);
    const std::span<const float> in = floats(op.inputs[0], n);
    const std::span<float> out = floats(op.outputs[0], n), maps = floats(is_forward ? op.outputs[1] : op.inputs[1], n);
    const spec::Shape& batch = tensorOf(op.inputs[0]).shape;
    const spec::Shape image{batch[1], batch[2], batch[3]};
    const auto size = static_cast<std::size_t>(image[0] * image[1] * image[2]);
    for (std::int64_t i = 0; i < itemsOf(op, step); ++i) {
        float* numbers = &maps[static_cast<std::size_t>(i) * sizeof(ImageMap) / sizeof(float)];
        ImageMap map;
        if (is_forward) {
            const RandomItem item = randomItemOf(op, random.seed, step, i);
            map = drawImageMap(item.key, random, item.sample, image[0], image[1]);
            std::memcpy(numbers, &map, sizeof map);
        } else {
            std::memcpy(static_cast<void*>(&map), numbers, sizeof map);
        }
        const std::size_t begin = static_cast<std::size_t>(i) * size;
        is_forward ? readImage(random, map, image, in.subspan(begin, size), out.subspan(begin, size))
                   : readImageBack(random, map, image, in.subspan(begin, size), out.subspan(begin, size));
    }
}

void Interpreter::randomColors(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    const auto& colors = std::get<plan::RandomColors>(op.attributes);
    const std::span<const float> in = floats(op.inputs[0], n);
    const std::span<float> out = floats(op.outputs[0], n);
    const spec::Shape& batch = tensorOf(op.inputs[0]).shape;
    const ColorImage image{batch[1] * batch[2], batch[3]};
    const auto size = static_cast<std::size_t>(image.pixels * image.channels);
    for (std::int64_t i = 0; i < itemsOf(op, step); ++i) {
        const RandomItem item = randomItemOf(op, colors.seed, step, i);
        const ColorNumbers numbers = drawColorNumbers(item.key, colors, item.sample);
        const std::size_t begin = static_cast<std::size_t>(i) * size;
        if (op.kind == plan::OpKind::kRandomColors) {
            mapColors(colors, numbers, image, in.subspan(begin, size), out.subspan(begin, size));
        } else {
            const std::span<const float> x = floats(op.inputs[1], n);
            mapColorsBack(colors, numbers, image, in.subspan(begin, size), x.subspan(begin, size), out.subspan(begin, size));
        }
    }
}

void Interpreter::randomErasing(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    const auto& erasing = std::get<plan::RandomErasing>(op.attributes);
    const std::span<const float> in = floats(op.inputs[0], n);
    const std::span<float> out = floats(op.outputs[0], n);
    const spec::Shape& batch = tensorOf(op.inputs[0]).shape;
    const ErasedImage image{batch[1], batch[2], batch[3]};
    const auto size = static_cast<std::size_t>(image.height * image.width * image.channels);
    for (std::int64_t i = 0; i < itemsOf(op, step); ++i) {
        const RandomItem item = randomItemOf(op, erasing.seed, step, i);
        const std::size_t begin = static_cast<std::size_t>(i) * size;
        const auto erase = op.kind == plan::OpKind::kRandomErasing ? eraseBox : eraseBoxBack;
        erase(erasing, item, image, in.subspan(begin, size), out.subspan(begin, size));
    }
}

void Interpreter::randomBlur(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    const auto& blur = std::get<plan::RandomBlur>(op.attributes);
    const bool is_forward = op.kind == plan::OpKind::kRandomBlur;
    const std::span<const float> in = floats(op.inputs[0], n), values = floats(op.inputs[is_forward ? 0 : 1], n);
    const std::span<float> out = floats(op.outputs[0], n);
    const spec::Shape& batch = tensorOf(op.inputs[0]).shape;
    const BlurredImage image{batch[1], batch[2], batch[3]};
    const auto size = static_cast<std::size_t>(image.height * image.rowValues());
    for (std::int64_t i = 0; i < itemsOf(op, step); ++i) {
        const RandomItem item = randomItemOf(op, blur.seed, step, i);
        const BlurNumbers numbers = drawBlurNumbers(item.key, blur, item.sample);
        const BlurWeights weights(blur, drawBlurDeviations(item.key, blur));
        const auto mixed = [&](std::span<const float> x) {
            std::vector<float> result(x.begin(), x.end());
            if (!numbers.changes) return result;
            const std::vector<float> sums = blurred(blur, weights, image, x);
            for (std::size_t k = 0; k < size; ++k) result[k] = blurMixed(blur, numbers.amount, x[k], sums[k]);
            return result;
        };
        const std::size_t begin = static_cast<std::size_t>(i) * size;
        std::vector<float> result = mixed(values.subspan(begin, size));
        for (std::size_t k = 0; k < size; ++k) {
            result[k] = is_forward ? blurHeld(blur, result[k]) : in[begin + k] * blurHeldSlope(blur, result[k]);
        }
        if (!is_forward) result = mixed(result);
        std::copy(result.begin(), result.end(), &out[begin]);
    }
}

void Interpreter::randomElastic(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    const auto& elastic = std::get<plan::RandomElastic>(op.attributes);
    const bool is_forward = op.kind == plan::OpKind::kRandomElastic;
    const std::span<const float> in = floats(op.inputs[0], n), values = floats(op.inputs[is_forward ? 0 : 1], n);
    const std::span<float> out = floats(op.outputs[0], n), fields = floats(is_forward ? op.outputs[1] : op.inputs[2], n);
    const spec::Shape& batch = tensorOf(op.inputs[0]).shape;
    const ElasticSize size{batch[1], batch[2], batch[3]};
    const auto cells = static_cast<std::size_t>(size.cells()), count = cells * static_cast<std::size_t>(size.channels);
    for (std::int64_t i = 0; i < itemsOf(op, step); ++i) {
        const std::size_t begin = static_cast<std::size_t>(i) * count;
        const std::span<float> field = fields.subspan(static_cast<std::size_t>(i) * cells, cells);
        if (is_forward) {
            std::vector<float> scratch(cells + static_cast<std::size_t>(mostElasticPlaces(elastic, size)));
            fillElasticField(elastic, randomItemOf(op, elastic.seed, step, i), size, field, scratch);
        }
        const std::span<const float> x = values.subspan(begin, count), dy = in.subspan(begin, count);
        std::vector<double> sums(count);
        for (std::size_t k = 0; k < count; ++k) {
            const auto cell = static_cast<std::int64_t>(k) / size.channels, channel = static_cast<std::int64_t>(k) % size.channels;
            const ImageTaps taps = elasticTaps(elastic, field[static_cast<std::size_t>(cell)], cell, size.height, size.width);
            const float mixed = readAt(taps, size, x, channel);
            if (is_forward) {
                sums[k] = static_cast<double>(elasticHeld(elastic, mixed));
                continue;
            }
            const auto held = static_cast<double>(dy[k] * elasticHeldSlope(elastic, mixed));
            for (std::size_t t = 0; t < static_cast<std::size_t>(taps.count); ++t) {
                sums[static_cast<std::size_t>(taps.cells[t] * size.channels + channel)] += held * static_cast<double>(taps.weights[t]);
            }
        }
        for (std::size_t k = 0; k < count; ++k) out[begin + k] = static_cast<float>(sums[k]);
    }
}

void Interpreter::imageLevels(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    const auto& levels = std::get<plan::ImageLevels>(op.attributes);
    const bool is_forward = op.kind == plan::OpKind::kImageLevels;
    const std::span<const float> in = floats(op.inputs[0], n), x = floats(op.inputs[is_forward ? 0 : 1], n);
    const std::span<float> out = floats(op.outputs[0], n);
    const spec::Shape& batch = tensorOf(op.inputs[0]).shape;
    const auto channels = static_cast<std::size_t>(batch[3]), size = static_cast<std::size_t>(batch[1] * batch[2]) * channels;
    const auto images = static_cast<std::size_t>(itemsOf(op, step));
    if (levels.map == plan::ImageLevels::Map::kEqualization) {
        const auto times = static_cast<std::size_t>(plan::itemsPerSample(plan_, op));
        for (std::size_t k = 0; k < times * channels; ++k) {  // a channel at a time
            std::vector<std::size_t> places;
            for (std::size_t image = k / channels; image < images; image += times) {
                for (std::size_t i = image * size + k % channels; i < (image + 1) * size; i += channels) places.push_back(i);
            }
            equalize(levels, places, x, is_forward ? std::span<const float>() : in, out);
        }
        return;
    }
    if (levels.map == plan::ImageLevels::Map::kAdaptive) {
        if (!is_forward) return std::fill(out.begin(), out.end(), 0.0F);
        const LevelTiles grid(levels, batch[1], batch[2]);
        for (std::size_t k = 0; k < images * channels; ++k) {  // a channel of an image
            const std::size_t begin = k / channels * size, channel = k % channels;
            equalizeTiles(levels, grid, channels, x.subspan(begin + channel, size - channel), out.subspan(begin + channel, size - channel));
        }
        return;
    }
    for (std::size_t k = 0; k < images * channels; ++k) {  // a channel of an image
        const std::size_t begin = k / channels * size + k % channels, end = (k / channels + 1) * size;
        ChannelLevels extremes;
        for (std::size_t i = begin; i < end; i += channels) extremes.add(levelOf(levels, x[i]));
        if (is_forward) {
            for (std::size_t i = begin; i < end; i += channels) out[i] = stretchedValue(levels, extremes, x[i]);
            continue;
        }
        LevelSums sums;
        for (std::size_t i = begin; i < end; i += channels) sums.add(extremes, levelOf(levels, x[i]), in[i]);
        for (std::size_t i = begin; i < end; i += channels) out[i] = stretchedBack(levels, extremes, sums, x[i], in[i]);
    }
}

void Interpreter::randomMix(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    const auto& mix = std::get<plan::RandomMix>(op.attributes);
    const bool is_forward = op.kind == plan::OpKind::kRandomMix;
    std::vector<std::span<const float>> mixed;
    for (std::size_t i = is_forward ? 0 : 2; i < op.inputs.size(); ++i) mixed.push_back(floats(op.inputs[i], n));
    const std::span<float> weights = floats(is_forward ? op.outputs[1] : op.inputs[1], n);
    const auto items = static_cast<std::size_t>(itemsOf(op, step));
    for (std::size_t item = 0; item < items && is_forward; ++item) {
        const DropoutKey key = randomItemOf(op, mix.seed, step, static_cast<std::int64_t>(item)).key;
        fillMixWeights(key, mix, static_cast<int>(mixed.size()), &weights[item * mixed.size()]);
    }
    for (std::size_t i = 0; i < mixed[0].size(); ++i) {
        const std::span<const float> of_item = weights.subspan(i / (mixed[0].size() / items) * mixed.size(), mixed.size());
        float sum = of_item[0] * mixed[0][i];
        for (std::size_t k = 1; k < mixed.size(); ++k) sum += of_item[k] * mixed[k][i];
        if (is_forward) {
            floats(op.outputs[0], n)[i] = mixHeld(mix, sum);
            continue;
        }
        const float held = floats(op.inputs[0], n)[i] * mixHeldSlope(mix, sum);
        for (std::size_t k = 0; k < mixed.size(); ++k) floats(op.outputs[k], n)[i] = of_item[k] * held;
    }
}

// What the op made gives way to its first input.
void Interpreter::passClosedGate(const plan::Op& op, const Step& step) {
    const std::span<const float> in = floats(op.inputs[0], step.samples);
    const std::span<float> out = floats(op.outputs[0], step.samples);
    const std::int64_t items = itemsOf(op, step);
    for (std::int64_t item = 0; item < items; ++item) {
        if (isOpen(*op.gate, randomItemOf(op, op.gate->seed, step, item).key)) continue;
        const std::size_t size = in.size() / static_cast<std::size_t>(items), begin = static_cast<std::size_t>(item) * size;
        std::copy_n(&in[begin], size, &out[begin]);
    }
}

}  // namespace engine::backend::reference

#include "engine/spec/project/model_summary.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <vector>

#include "engine/spec/catalog/keras_path.h"
#include "engine/spec/catalog/optimizer_table.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/shape.h"

namespace engine::spec {
namespace {

constexpr std::int64_t kFloatBytes = 4;
// Iterations (int64) and the learning rate (float32): what every optimizer keeps beside its slots.
constexpr std::int64_t kOptimizerScalars = 2, kOptimizerScalarBytes = 12;

struct Totals {
    std::int64_t trainable = 0, frozen = 0;
};

std::int64_t sizeOf(const Shape& shape) {
    std::int64_t size = 1;
    for (const std::int64_t axis : shape) size *= axis;
    return size;
}

Totals totalsOf(const std::vector<LayerInfo>& infos) {
    Totals totals;
    for (const LayerInfo& info : infos) {
        for (const VariableInfo& variable : info.variables)
            (variable.trainable ? totals.trainable : totals.frozen) += sizeOf(variable.shape);
    }
    return totals;
}

// Keras' table: three columns of this many characters, a space on both sides of a cell.
constexpr std::array<std::size_t, 3> kColumns{33, 24, 15};

std::string rule(const char* left, const char* line, const char* cross, const char* right) {
    std::string text = left;
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
        for (std::size_t n = 0; n < kColumns[i]; ++n) text += line;
        text += i + 1 == kColumns.size() ? right : cross;
    }
    return text + "\n";
}

// Words go to the next line where one does not hold them; a longer word is cut.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
    std::vector<std::string> lines{""};
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        std::string word = text.substr(at, end - at);
        if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) lines.emplace_back();
        for (; word.size() > width; word.erase(0, width)) {
            lines.back() = word.substr(0, width);
            lines.emplace_back();
        }
        lines.back() += (lines.back().empty() ? "" : " ") + word;
        at = end + 1;
    }
    return lines;
}

std::string row(const std::array<std::string, 3>& cells, const char* edge) {
    std::array<std::vector<std::string>, 3> lines;
    std::size_t height = 1;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        lines[i] = wrapped(cells[i], kColumns[i] - 2);
        height = std::max(height, lines[i].size());
    }
    std::string text;
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string cell = y < lines[i].size() ? lines[i][y] : "";
            const std::string gap(kColumns[i] - 2 - cell.size(), ' ');
            text += std::string(edge) + " " + (i + 1 == cells.size() ? gap + cell : cell + gap) + " ";
        }
        text += std::string(edge) + "\n";
    }
    return text;
}

std::string countLine(const char* name, std::int64_t count, std::int64_t bytes) {
    return std::string(" ") + name + ": " + countText(count) + " (" + memoryText(bytes) + ")\n";
}

std::string padded(const std::string& text, std::size_t width, bool right) {
    const std::string gap(width > text.size() ? width - text.size() : 0, ' ');
    return right ? gap + text : text + gap;
}

}  // namespace

std::string memoryText(std::int64_t bytes) {
    static constexpr std::array<const char*, 5> kUnits{"B", "KB", "MB", "GB", "TB"};
    auto size = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; size >= 1024 && unit + 1 < kUnits.size(); ++unit) size /= 1024;
    char text[48];
    std::snprintf(text, sizeof text, "%.2f %s", size, kUnits[unit]);
    return text;
}

std::string countText(std::int64_t count) {
    std::string text = std::to_string(count);
    for (std::size_t at = text.size(); at > (count < 0 ? 4U : 3U); at -= 3) text.insert(at - 3, ",");
    return text;
}

std::int64_t slotNumbers(const ModelSpec& model, const ObjectSpec& optimizer) {
    const KerasPaths paths(model);
    std::vector<OptimizerSlot> slots = ownSlots(optimizer);
    const std::vector<OptimizerSlot> common = commonSlots(optimizer);
    slots.insert(slots.end(), common.begin(), common.end());
    std::int64_t numbers = 0;
    for (const LayerInfo& info : inferShapes(model)) {
        for (const VariableInfo& variable : info.variables) {
            if (!variable.trainable) continue;
            const TrainedVariable trained{paths.of(variable.name), variable.shape};
            for (const OptimizerSlot& slot : slots) {
                if (const std::optional<Shape> shape = slotShape(optimizer, slot.form, trained)) numbers += sizeOf(*shape);
            }
        }
    }
    return numbers;
}

std::int64_t slotBytes(const RunSpec& run) {
    return slotNumbers(run.model, run.compile.optimizer) * kFloatBytes;
}

std::string modelSummary(const ModelSpec& model, const ObjectSpec* optimizer) {
    const std::vector<LayerInfo> infos = inferShapes(model);
    std::string text = "Model: \"" + model.name + "\"\n";
    text += rule("┏", "━", "┳", "┓") + row({"Layer (type)", "Output Shape", "Param #"}, "┃") + rule("┡", "━", "╇", "┩");
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const LayerSpec& layer = model.layers[i];
        const bool known = infos[i].known;
        text += i == 0 ? "" : rule("├", "─", "┼", "┤");
        text += row({layer.name + " (" + layer.class_name + ")", known ? batchShapeText(infos[i].output_shape) : "?",
                     known ? countText(infos[i].parameters) : "0 (unbuilt)"},
                    "│");
    }
    text += rule("└", "─", "┴", "┘");
    const Totals totals = totalsOf(infos);
    std::int64_t slots = 0, slot_bytes = 0;
    if (optimizer != nullptr) {
        const std::int64_t numbers = slotNumbers(model, *optimizer);
        slots = numbers + kOptimizerScalars;
        slot_bytes = numbers * kFloatBytes + kOptimizerScalarBytes;
    }
    const std::int64_t parameters = totals.trainable + totals.frozen;
    text += countLine("Total params", parameters + slots, parameters * kFloatBytes + slot_bytes);
    text += countLine("Trainable params", totals.trainable, totals.trainable * kFloatBytes);
    text += countLine("Non-trainable params", totals.frozen, totals.frozen * kFloatBytes);
    if (optimizer != nullptr) text += countLine("Optimizer params", slots, slot_bytes);
    return text;
}

WorkTable workOf(const RunSpec& run) {
    const std::vector<LayerInfo> infos = inferShapes(run.model);
    WorkTable table;
    table.batch = run.data.batch_size_per_replica;
    table.optimizer = run.compile.optimizer.class_name;
    table.slot_bytes = slotBytes(run);
    table.total.known = true;
    for (std::size_t i = 0; i < infos.size(); ++i) {
        const LayerInfo& info = infos[i];
        const WorkRow& row = table.layers.emplace_back(WorkRow{run.model.layers[i].name, info.known, info.multiply_adds,
                                                               info.parameters * kFloatBytes, info.activation_bytes * table.batch});
        table.total.multiply_adds += row.multiply_adds;
        table.total.weight_bytes += row.weight_bytes;
        table.total.output_bytes += row.output_bytes;
    }
    return table;
}

std::string workSummary(const RunSpec& run) {
    const WorkTable table = workOf(run);
    std::vector<std::array<std::string, 4>> rows{
        {"layer", "multiply-adds a sample", "weights", "outputs, batch " + std::to_string(table.batch)}};
    const auto add = [&rows](const std::string& name, const WorkRow& row) {
        rows.push_back({name, row.known ? countText(row.multiply_adds) : "?", row.known ? memoryText(row.weight_bytes) : "?",
                        row.known ? memoryText(row.output_bytes) : "?"});
    };
    for (const WorkRow& row : table.layers) add(row.layer, row);
    add("total", table.total);
    std::array<std::size_t, 4> widths{};
    for (const auto& cells : rows) {
        for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
    }
    std::string text;
    for (const auto& cells : rows) {
        text += padded(cells[0], widths[0], false);
        for (std::size_t i = 1; i < cells.size(); ++i) text += "  " + padded(cells[i], widths[i], true);
        text += "\n";
    }
    return text + table.optimizer + " slots  " + memoryText(table.slot_bytes) + "\n";
}

}  // namespace engine::spec

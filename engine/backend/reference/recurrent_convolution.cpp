// ConvLSTM one sample, one time, one cell, one unit after the other; the formulas stand with OpKind::kRecurrent in engine/plan/op_kind.h.
#include <array>
#include <cstdint>
#include <variant>
#include <vector>

#include "engine/backend/reference/interpreter.h"
#include "engine/backend/reference/kernels.h"

namespace engine::backend::reference {
namespace {

using plan::RecurrentAttributes;

// Sizes of products (N, T, cells, 4 units) with up to three axes of cells, and where a sample's values of one time lie.
struct ConvolutionLayout {
    std::int64_t samples, time, units, cells = 1;
    std::array<std::int64_t, 3> axes{1, 1, 1};
    std::array<int, 3> window;
    bool backwards;

    ConvolutionLayout(const RecurrentAttributes& a, const spec::Shape& products)
        : samples(products[0]), time(products[1]), units(a.units), window(*a.window), backwards(a.go_backwards) {
        const std::size_t count = products.size() - 3;
        for (std::size_t i = 0; i < count; ++i) axes[3 - count + i] = products[2 + i];
        for (std::int64_t size : axes) cells *= size;
    }
    std::int64_t row(std::int64_t sample, std::int64_t step) const { return sample * time + (backwards ? time - 1 - step : step); }

    // function(cell that the window sees, number of the window's cell) for the window around `cell`.
    template <typename Function>
    void forWindow(std::int64_t cell, Function&& function) const {
        const std::array<std::int64_t, 3> at{cell / (axes[1] * axes[2]), cell / axes[2] % axes[1], cell % axes[2]};
        for (int d = 0; d < window[0]; ++d)
            for (int h = 0; h < window[1]; ++h)
                for (int w = 0; w < window[2]; ++w) {
                    const std::array<int, 3> tap{d, h, w};
                    std::int64_t seen = 0;
                    bool is_inside = true;
                    for (std::size_t axis = 0; axis < 3; ++axis) {
                        const std::int64_t place = at[axis] + tap[axis] - (window[axis] - 1) / 2;
                        is_inside = is_inside && place >= 0 && place < axes[axis];
                        seen = seen * axes[axis] + place;
                    }
                    if (is_inside) function(seen, (d * window[1] + h) * window[2] + w);
                }
    }
};

constexpr std::int64_t kGates = 4;

std::size_t placeOf(std::int64_t row, std::int64_t width, std::int64_t column) {
    return static_cast<std::size_t>(row * width + column);
}

}  // namespace

void Interpreter::recurrentConvolution(const plan::Op& op, const Step& step) {
    const auto& a = std::get<RecurrentAttributes>(op.attributes);
    const std::int64_t n = step.samples;
    const ConvolutionLayout layout(a, shapeOf(op.inputs[0], n));
    const std::int64_t units = layout.units, columns = kGates * units, cells = layout.cells;
    const std::span<const float> z = floats(op.inputs[0], n), kernel = floats(op.inputs[1], n);
    const std::span<float> y = floats(op.outputs[0], n), gates = floats(op.outputs[1], n), seen = floats(op.outputs[2], n),
                           inner = floats(op.outputs[3], n);
    const std::span<const std::uint8_t> times = a.masked ? mask(op.inputs.back(), n) : std::span<std::uint8_t>{};
    const bool is_dropped = a.recurrent_dropout > 0;
    const std::span<std::uint8_t> kept = is_dropped ? mask(op.outputs.back(), n) : std::span<std::uint8_t>{};
    const auto of_sample = static_cast<std::size_t>(cells * columns);
    for (std::size_t i = 0; is_dropped && i < static_cast<std::size_t>(layout.samples); ++i) {
        const RandomItem random = randomItemOf(op, a.seed, step, static_cast<std::int64_t>(i));
        fillDropoutMask(random.key, a.recurrent_dropout, random.sample, kept.subspan(i * of_sample, of_sample));
    }
    const std::int64_t groups = is_dropped ? kGates : 1;
    const double scale = is_dropped ? dropoutScale(a.recurrent_dropout) : 1;
    for (std::int64_t sample = 0; sample < layout.samples; ++sample) {
        std::vector<double> h(static_cast<std::size_t>(cells * units)), c(h.size());
        for (std::int64_t s = 0; s < layout.time; ++s) {
            const std::int64_t row = layout.row(sample, s);
            const bool counts = times.empty() || times[static_cast<std::size_t>(row)] != 0;
            std::vector<double> sees(static_cast<std::size_t>(cells * groups * units));  // (cells, groups, units)
            for (std::int64_t cell = 0; cell < cells; ++cell)
                for (std::int64_t i = 0; i < groups * units; ++i) {
                    const double factor = is_dropped ? kept[placeOf(sample * cells + cell, columns, i)] * scale : 1;
                    const std::size_t to = placeOf(cell, groups * units, i);
                    sees[to] = h[placeOf(cell, units, i % units)] * factor;
                    seen[placeOf(row, cells * groups * units, static_cast<std::int64_t>(to))] = static_cast<float>(sees[to]);
                }
            for (std::int64_t cell = 0; cell < cells; ++cell) {
                const std::int64_t place = row * cells + cell;
                for (std::int64_t u = 0; u < units; ++u) {
                    const auto sum = [&](std::int64_t gate) {
                        const std::int64_t column = gate * units + u, first = is_dropped ? gate * units : 0;
                        double total = z[placeOf(place, columns, column)];
                        layout.forWindow(cell, [&](std::int64_t from, std::int64_t tap) {
                            for (std::int64_t k = 0; k < units; ++k) {
                                total += sees[placeOf(from, groups * units, first + k)] * kernel[placeOf(tap * units + k, columns, column)];
                            }
                        });
                        return total;
                    };
                    double& state = h[placeOf(cell, units, u)];
                    double& carried = c[placeOf(cell, units, u)];
                    if (counts) {
                        const double i = activationValue(a.recurrent_activation, sum(0)),
                                     f = activationValue(a.recurrent_activation, sum(1));
                        const double g = activationValue(a.activation, sum(2)), o = activationValue(a.recurrent_activation, sum(3));
                        carried = f * carried + i * g;
                        state = o * activationValue(a.activation, carried);
                        const std::array<double, kGates> acting{i, f, g, o};
                        for (std::int64_t gate = 0; gate < kGates; ++gate) {
                            gates[placeOf(place, columns, gate * units + u)] = static_cast<float>(acting[static_cast<std::size_t>(gate)]);
                        }
                    }
                    inner[placeOf(place, units, u)] = static_cast<float>(carried);
                    if (!a.return_sequences && s + 1 < layout.time) continue;
                    const std::int64_t to = (a.return_sequences ? sample * layout.time + s : sample) * cells + cell;
                    y[placeOf(to, units, u)] = !counts && a.zero_output_for_mask ? 0 : static_cast<float>(state);
                }
            }
        }
    }
}

void Interpreter::recurrentConvolutionBack(const plan::Op& op, const Step& step) {
    const auto& a = std::get<RecurrentAttributes>(op.attributes);
    const std::int64_t n = step.samples;
    const ConvolutionLayout layout(a, shapeOf(op.outputs[0], n));
    const std::int64_t units = layout.units, columns = kGates * units, cells = layout.cells;
    const std::span<const float> kernel = floats(op.inputs[0], n), gates = floats(op.inputs[1], n), inner = floats(op.inputs[2], n);
    const bool is_dropped = a.recurrent_dropout > 0;
    const std::size_t dy_at = is_dropped ? 4 : 3;
    const std::span<const std::uint8_t> kept = is_dropped ? mask(op.inputs[3], n) : std::span<std::uint8_t>{};
    const std::span<const float> dy = floats(op.inputs[dy_at], n);
    const std::span<const std::uint8_t> times = a.masked ? mask(op.inputs.back(), n) : std::span<std::uint8_t>{};
    const std::span<float> dz = floats(op.outputs[0], n);
    const double scale = is_dropped ? dropoutScale(a.recurrent_dropout) : 1;
    const auto slope = [&](double value) { return activationDerivative(a.activation, value); };
    const auto gateSlope = [&](double value) { return activationDerivative(a.recurrent_activation, value); };
    for (std::int64_t sample = 0; sample < layout.samples; ++sample) {
        std::vector<double> dh(static_cast<std::size_t>(cells * units)), dc(dh.size());
        for (std::int64_t s = layout.time; s-- > 0;) {
            const std::int64_t row = layout.row(sample, s);
            const bool counts = times.empty() || times[static_cast<std::size_t>(row)] != 0;
            if ((a.return_sequences || s + 1 == layout.time) && (counts || !a.zero_output_for_mask)) {
                const std::int64_t from = a.return_sequences ? sample * layout.time + s : sample;
                for (std::size_t i = 0; i < dh.size(); ++i) dh[i] += dy[placeOf(from, cells * units, static_cast<std::int64_t>(i))];
            }
            std::vector<double> dgates(static_cast<std::size_t>(cells * columns));
            for (std::int64_t place = 0; counts && place < cells * units; ++place) {
                const std::int64_t cell = place / units, u = place % units;
                const auto kept_gate = [&](std::int64_t gate) {
                    return double{gates[placeOf(row * cells + cell, columns, gate * units + u)]};
                };
                const double i = kept_gate(0), f = kept_gate(1), g = kept_gate(2), o = kept_gate(3);
                const double active = activationValue(a.activation, inner[placeOf(row, cells * units, place)]);
                const double before = s == 0 ? 0 : inner[placeOf(layout.row(sample, s - 1), cells * units, place)];
                const double state = dh[static_cast<std::size_t>(place)];
                double& carried = dc[static_cast<std::size_t>(place)];
                carried += state * o * slope(active);
                dgates[placeOf(cell, columns, u)] = carried * g * gateSlope(i);
                dgates[placeOf(cell, columns, units + u)] = carried * before * gateSlope(f);
                dgates[placeOf(cell, columns, 2 * units + u)] = carried * i * slope(g);
                dgates[placeOf(cell, columns, 3 * units + u)] = state * active * gateSlope(o);
                carried *= f;
            }
            for (std::size_t i = 0; i < dgates.size(); ++i) {
                dz[placeOf(row, cells * columns, static_cast<std::int64_t>(i))] = static_cast<float>(dgates[i]);
            }
            if (!counts) continue;  // the gradients of the states pass by
            std::vector<double> dbefore(dh.size());
            for (std::int64_t cell = 0; cell < cells; ++cell) {
                layout.forWindow(cell, [&](std::int64_t to, std::int64_t tap) {
                    for (std::int64_t k = 0; k < units; ++k)
                        for (std::int64_t column = 0; column < columns; ++column) {
                            const std::int64_t gate = column / units;
                            const double factor = is_dropped ? kept[placeOf(sample * cells + to, columns, gate * units + k)] * scale : 1;
                            dbefore[placeOf(to, units, k)] +=
                                dgates[placeOf(cell, columns, column)] * kernel[placeOf(tap * units + k, columns, column)] * factor;
                        }
                });
            }
            dh = dbefore;
        }
    }
}

}  // namespace engine::backend::reference

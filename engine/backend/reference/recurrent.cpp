// SimpleRNN, LSTM, GRU one sample, one time, one unit after the other; the formulas stand with the ops in engine/plan/op_kind.h.
#include <algorithm>
#include <variant>
#include <vector>

#include "engine/backend/reference/interpreter.h"
#include "engine/backend/reference/kernels.h"

namespace engine::backend::reference {
namespace {

using plan::RecurrentAttributes;
using plan::RecurrentCell;

// Sizes, and where a sample's values of one time lie.
struct Layout {
    std::size_t samples, time, units, gates;
    bool backwards;

    Layout(const RecurrentAttributes& a, const spec::Shape& products)
        : samples(static_cast<std::size_t>(products[0])),
          time(static_cast<std::size_t>(products[1])),
          units(static_cast<std::size_t>(a.units)),
          gates(static_cast<std::size_t>(plan::gatesOf(a.cell))),
          backwards(a.go_backwards) {}

    std::size_t columns() const { return gates * units; }
    // The time that step s works on, in rows of the sequence.
    std::size_t row(std::size_t sample, std::size_t step) const { return sample * time + (backwards ? time - 1 - step : step); }
};

double entryAt(std::span<const float> values, std::size_t row, std::size_t columns, std::size_t column) {
    return values[row * columns + column];
}

// sum over k of state[k] * kernel[k][column]
double product(const std::vector<double>& state, std::span<const float> kernel, std::size_t columns, std::size_t column) {
    double sum = 0;
    for (std::size_t k = 0; k < state.size(); ++k) sum += state[k] * entryAt(kernel, k, columns, column);
    return sum;
}

// What a gate sees of a state's unit: all of it without a mask (samples, gates, units).
struct StateMask {
    std::span<const std::uint8_t> kept{};
    std::size_t gates = 1, units = 1;
    double scale = 1;

    double factor(std::size_t sample, std::size_t gate, std::size_t unit) const {
        return kept.empty() ? 1 : kept[(sample * gates + gate) * units + unit] * scale;
    }
};

}  // namespace

void Interpreter::recurrent(const plan::Op& op, const Step& step) {
    const auto& a = std::get<RecurrentAttributes>(op.attributes);
    if (a.window) return recurrentConvolution(op, step);
    const std::int64_t n = step.samples;
    const Layout layout(a, shapeOf(op.inputs[0], n));
    const std::size_t units = layout.units, columns = layout.columns();
    const std::span<const float> x = floats(op.inputs[0], n), kernel = floats(op.inputs[1], n);
    const std::span<const float> bias = a.two_biases ? floats(op.inputs[2], n) : std::span<float>{};
    const std::span<float> y = floats(op.outputs[0], n), gates = floats(op.outputs[1], n), previous = floats(op.outputs[2], n);
    const std::span<float> inner = a.cell == RecurrentCell::kSimple ? std::span<float>{} : floats(op.outputs[3], n);
    StateMask dropped{.gates = layout.gates, .units = units, .scale = dropoutScale(a.recurrent_dropout)};
    const std::span<const std::uint8_t> times = a.masked ? mask(op.inputs.back(), n) : std::span<std::uint8_t>{};
    if (a.recurrent_dropout > 0) {
        const std::span<std::uint8_t> kept = mask(op.outputs.back(), n);
        for (std::size_t i = 0; i < layout.samples; ++i) {
            const RandomItem random = randomItemOf(op, a.seed, step, static_cast<std::int64_t>(i));
            fillDropoutMask(random.key, a.recurrent_dropout, random.sample, kept.subspan(i * columns, columns));
        }
        dropped.kept = kept;
    }
    const auto activate = [&](double z) { return activationValue(a.activation, z); };
    const auto gate = [&](double z) { return activationValue(a.recurrent_activation, z); };
    for (std::size_t sample = 0; sample < layout.samples; ++sample) {
        std::vector<double> h(units), c(units);
        for (std::size_t s = 0; s < layout.time; ++s) {
            const std::size_t row = layout.row(sample, s);
            const auto z = [&](std::size_t column) { return entryAt(x, row, columns, column) + (a.two_biases ? bias[column] : 0); };
            const auto recurrent = [&](std::size_t column) {
                std::vector<double> seen(units);
                for (std::size_t u = 0; u < units; ++u) seen[u] = h[u] * dropped.factor(sample, column / units, u);
                return product(seen, kernel, columns, column) + (a.two_biases ? entryAt(bias, 1, columns, column) : 0);
            };
            const auto keep = [&](std::size_t column, double value) { gates[row * columns + column] = static_cast<float>(value); };
            const std::vector<double> before = h;
            std::vector<double> next(units), reset(units);
            const bool counts = times.empty() || times[row] != 0;
            if (!counts) next = h;
            if (counts && a.cell == RecurrentCell::kGru && !a.reset_after) {
                for (std::size_t u = 0; u < units; ++u)
                    reset[u] = gate(z(units + u) + recurrent(units + u)) * h[u] * dropped.factor(sample, 2, u);
            }
            for (std::size_t u = 0; u < units; ++u) {
                previous[row * units + u] = static_cast<float>(h[u]);
                if (!counts) {
                    if (a.cell == RecurrentCell::kLstm) inner[row * units + u] = static_cast<float>(c[u]);
                } else if (a.cell == RecurrentCell::kSimple) {
                    next[u] = activate(z(u) + recurrent(u));
                    keep(u, next[u]);
                } else if (a.cell == RecurrentCell::kLstm) {
                    const double i = gate(z(u) + recurrent(u)), f = gate(z(units + u) + recurrent(units + u));
                    const double g = activate(z(2 * units + u) + recurrent(2 * units + u));
                    const double o = gate(z(3 * units + u) + recurrent(3 * units + u));
                    c[u] = f * c[u] + i * g;
                    next[u] = o * activate(c[u]);
                    keep(u, i);
                    keep(units + u, f);
                    keep(2 * units + u, g);
                    keep(3 * units + u, o);
                    inner[row * units + u] = static_cast<float>(c[u]);
                } else {
                    const double update = gate(z(u) + recurrent(u)), r = gate(z(units + u) + recurrent(units + u));
                    const double hidden = a.reset_after ? recurrent(2 * units + u) : product(reset, kernel, columns, 2 * units + u);
                    const double candidate = activate(z(2 * units + u) + (a.reset_after ? r * hidden : hidden));
                    next[u] = update * before[u] + (1 - update) * candidate;
                    keep(u, update);
                    keep(units + u, r);
                    keep(2 * units + u, candidate);
                    inner[row * units + u] = static_cast<float>(a.reset_after ? hidden : reset[u]);
                }
            }
            h = next;
            if (a.return_sequences || s + 1 == layout.time) {
                const std::size_t to = a.return_sequences ? sample * layout.time + s : sample;
                const bool puts_zeros = !counts && a.zero_output_for_mask;
                for (std::size_t u = 0; u < units; ++u) y[to * units + u] = puts_zeros ? 0 : static_cast<float>(h[u]);
            }
        }
    }
}

void Interpreter::recurrentBack(const plan::Op& op, const Step& step) {
    const auto& a = std::get<RecurrentAttributes>(op.attributes);
    if (a.window) return recurrentConvolutionBack(op, step);
    const std::int64_t n = step.samples;
    const bool is_gru = a.cell == RecurrentCell::kGru;
    const Layout layout(a, shapeOf(op.outputs[0], n));
    const std::size_t units = layout.units, columns = layout.columns();
    const std::span<const float> kernel = floats(op.inputs[0], n), gates = floats(op.inputs[1], n), previous = floats(op.inputs[2], n);
    const std::span<const float> inner = a.cell == RecurrentCell::kSimple ? std::span<float>{} : floats(op.inputs[3], n);
    const std::size_t dy_at = op.inputs.size() - (a.masked ? 2 : 1);
    const std::span<const float> dy = floats(op.inputs[dy_at], n);
    const std::span<const std::uint8_t> times = a.masked ? mask(op.inputs.back(), n) : std::span<std::uint8_t>{};
    const std::span<float> dproduct = floats(op.outputs[0], n);
    StateMask dropped{.gates = layout.gates, .units = units, .scale = dropoutScale(a.recurrent_dropout)};
    if (a.recurrent_dropout > 0) dropped.kept = mask(op.inputs[dy_at - 1], n);
    const auto slope = [&](double value) { return activationDerivative(a.activation, value); };
    const auto gateSlope = [&](double value) { return activationDerivative(a.recurrent_activation, value); };
    std::vector<double> dkernel(units * columns), dbias(2 * columns);
    for (std::size_t sample = 0; sample < layout.samples; ++sample) {
        std::vector<double> dh(units), dc(units);
        for (std::size_t s = layout.time; s-- > 0;) {
            const std::size_t row = layout.row(sample, s);
            const bool counts = times.empty() || times[row] != 0;
            if ((a.return_sequences || s + 1 == layout.time) && (counts || !a.zero_output_for_mask)) {
                const std::size_t from = a.return_sequences ? sample * layout.time + s : sample;
                for (std::size_t u = 0; u < units; ++u) dh[u] += dy[from * units + u];
            }
            if (!counts) {  // the gradients of the states pass by
                std::fill_n(dproduct.begin() + static_cast<std::ptrdiff_t>(row * columns), columns, 0.0F);
                continue;
            }
            const auto kept = [&](std::size_t column) { return entryAt(gates, row, columns, column); };
            const auto state = [&](std::size_t u) { return entryAt(previous, row, units, u); };
            std::vector<double> dz(columns), drecurrent(columns), dbefore(units), dreset(units);
            for (std::size_t u = 0; u < units; ++u) {
                if (a.cell == RecurrentCell::kSimple) {
                    dz[u] = dh[u] * slope(kept(u));
                } else if (a.cell == RecurrentCell::kLstm) {
                    const double i = kept(u), f = kept(units + u), g = kept(2 * units + u), o = kept(3 * units + u);
                    const double active = activationValue(a.activation, inner[row * units + u]);
                    const double before = s == 0 ? 0 : inner[layout.row(sample, s - 1) * units + u];
                    dc[u] += dh[u] * o * slope(active);
                    dz[u] = dc[u] * g * gateSlope(i);
                    dz[units + u] = dc[u] * before * gateSlope(f);
                    dz[2 * units + u] = dc[u] * i * slope(g);
                    dz[3 * units + u] = dh[u] * active * gateSlope(o);
                    dc[u] *= f;
                } else {
                    const double update = kept(u), candidate = kept(2 * units + u);
                    dz[u] = dh[u] * (state(u) - candidate) * gateSlope(update);
                    dz[2 * units + u] = dh[u] * (1 - update) * slope(candidate);
                    dbefore[u] = dh[u] * update;
                }
            }
            if (is_gru) {
                for (std::size_t u = 0; u < units; ++u) {
                    const double r = kept(units + u);
                    if (a.reset_after) {
                        dz[units + u] = dz[2 * units + u] * inner[row * units + u] * gateSlope(r);
                        continue;
                    }
                    for (std::size_t k = 0; k < units; ++k) dreset[u] += dz[2 * units + k] * entryAt(kernel, u, columns, 2 * units + k);
                    dreset[u] *= dropped.factor(sample, 2, u);
                    dz[units + u] = dreset[u] * state(u) * gateSlope(r);
                    dbefore[u] += dreset[u] * r;
                }
            }
            drecurrent = dz;
            if (is_gru && a.reset_after) {
                for (std::size_t u = 0; u < units; ++u) drecurrent[2 * units + u] *= kept(units + u);
            }
            for (std::size_t column = 0; column < columns; ++column) {
                dproduct[row * columns + column] = static_cast<float>(dz[column]);
                dbias[column] += dz[column];
                dbias[columns + column] += drecurrent[column];
                const bool through_reset = is_gru && !a.reset_after && column >= 2 * units;
                for (std::size_t u = 0; u < units; ++u) {
                    const double factor = dropped.factor(sample, column / units, u);
                    dkernel[u * columns + column] += (through_reset ? inner[row * units + u] : state(u) * factor) * drecurrent[column];
                    if (!through_reset) dbefore[u] += drecurrent[column] * entryAt(kernel, u, columns, column) * factor;
                }
            }
            dh = dbefore;
        }
    }
    const auto store = [&](std::size_t output, const std::vector<double>& sums) {
        if (output >= op.outputs.size()) return;
        const std::span<float> to = floats(op.outputs[output], n);
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<float>(sums[i]);
    };
    store(is_gru ? 2 : 1, dkernel);
    if (a.two_biases) store(3, dbias);
}

}  // namespace engine::backend::reference

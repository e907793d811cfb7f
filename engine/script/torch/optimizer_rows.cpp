// Keras' optimizers, written out: PyTorch's own add epsilon at another place, keep momentum without the rate, and decay weights otherwise.
#include "engine/script/python_text.h"
#include "engine/script/torch/training_rows.h"
#include "engine/spec/catalog/keras_path.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/optimizer_table.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/keras/python/python_literal.h"

namespace engine::script::torch {
namespace {

struct Formula {
    std::string_view class_name;
    std::string slots;    // of a weight w, as a dictionary
    std::string factors;  // statements of a step t, before the weights
    std::string update;   // statements of a weight w, its gradient g and its slots s
};

constexpr std::string_view kText = R"py(class Optimizer:
    """{{CLASS}} as Keras has it{{WHY}}."""

    def __init__(self, model):
        self.parameters = [w for w in model.parameters() if w.requires_grad]
        self.slots = [{{SLOTS}} for name, w in model.named_parameters() if w.requires_grad]
        self.iterations = 0

    @torch.no_grad()
    def step(self, rate):
        self.iterations += 1
        t = self.iterations
        gradients = [w.grad for w in self.parameters]
{{BEFORE}}        for w, g, s in zip(self.parameters, gradients, self.slots):
{{UPDATE}}

)py";

// What takes whole variables sees them as Keras has them.
constexpr std::string_view kWholeSlots = "{'parameter': name}";
constexpr std::string_view kKerasForm =
    "name, shape, axes = {row[1]: (row[0], row[2], row[3]) for row in VARIABLES}[s['parameter']]\ng = in_keras_order(g, shape, axes)\n";
constexpr std::string_view kApplyWhole = "w -= (change.permute(axes) if axes else change).reshape(w.shape)\n";

Formula adafactor(const spec::Settings& settings) {
    const auto number = [&](const char* field) { return pyNumber(settings.getDouble(field)); };
    return {"Adafactor", std::string(kWholeSlots), "kept, size = 1 - t ** " + number("beta_2_decay") + ", min(rate, t ** -0.5)\n",
            std::string(kKerasForm) + "square = g * g + " + number("epsilon_1") +
                "\nif g.ndim >= 2:\n    s['r'] = kept * s.get('r', 0) + (1 - kept) * square.mean(-1)\n"
                "    s['c'] = kept * s.get('c', 0) + (1 - kept) * square.mean(-2)\n"
                "    v = (s['r'] / s['r'].mean(-1, keepdim=True)).unsqueeze(-1) * s['c'].unsqueeze(-2)\n"
                "else:\n    s['v'] = v = kept * s.get('v', 0) + (1 - kept) * square\n"
                "change = torch.where(v > 0, g / v.sqrt(), 0.0)\nchange /= (change.square().mean().sqrt() / " +
                number("clip_threshold") + ").clamp(min=1)\nchange *= size * w.square().mean().sqrt().clamp(min=" + number("epsilon_2") +
                ")\n" + std::string(kApplyWhole)};
}

// The variables that Muon leaves to Adam, as a set of names.
std::string leftToAdam(const spec::ModelSpec& model, const spec::ObjectSpec& optimizer) {
    const spec::KerasPaths paths(model);
    std::vector<std::string> names;
    for (const spec::LayerInfo& info : spec::inferShapes(model)) {
        for (const spec::VariableInfo& variable : info.variables) {
            const spec::TrainedVariable trained{paths.of(variable.name), variable.shape};
            if (spec::slotShape(optimizer, spec::SlotForm::kOfAdam, trained)) names.push_back(spec::pythonText(variable.name));
        }
    }
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return names.empty() ? "()" : "{" + text + "}";
}

Formula muon(const spec::ModelSpec& model, const spec::ObjectSpec& optimizer, const spec::Settings& settings) {
    const auto number = [&](const char* field) { return pyNumber(settings.getDouble(field)); };
    const auto isOff = [&](const char* field) { return spec::isTurnedOff(optimizer, field); };
    const auto decayOf = [&](const char* field) { return isOff(field) ? std::string("0.0") : number(field); };
    const std::string b1 = number("adam_beta_1"), b2 = number("adam_beta_2"), mu = number("momentum");
    const std::string size = isOff("rms_rate") ? "" : " * " + number("rms_rate") + " * math.sqrt(max(x.shape))";
    return {
        "Muon", std::string(kWholeSlots),
        "size = rate * " + number("adam_lr_ratio") + " * math.sqrt(1 - " + b2 + " ** t) / (1 - " + b1 + " ** t)\n" +
            "left_to_adam = " + leftToAdam(model, optimizer) + "\n",
        std::string(kKerasForm) + "if name in left_to_adam:\n    w -= " + decayOf("adam_weight_decay") +
            " * rate * w\n    s['m'] = s.get('m', 0) * " + b1 + " + g * (1 - " + b1 + ")\n    s['v'] = s.get('v', 0) * " + b2 +
            " + g * g * (1 - " + b2 + ")\n    change = size * s['m'] / (torch.sqrt(s['v']) + " + number("epsilon") +
            ")\nelse:\n    w -= " + decayOf("weight_decay") + " * rate * w\n    s['m'] = s.get('m', 0) * " + mu +
            " + g\n    x = " + (settings.getBool("nesterov") ? "g + " + mu + " * s['m']" : "s['m']") +
            "\n    is_tall = x.shape[0] > x.shape[1]\n    x = x.T if is_tall else x\n    x = x / (x.norm() + 1e-7)\n    for _ in range(" +
            std::to_string(settings.getInt("ns_steps")) + "):\n        a = x @ x.T\n        x = " + number("muon_a") + " * x + (" +
            number("muon_b") + " * a + " + number("muon_c") + " * a @ a) @ x\n    change = rate * (x.T if is_tall else x)" + size + "\n" +
            std::string(kApplyWhole)};
}

Formula formulaOf(const spec::ModelSpec& model, const spec::ObjectSpec& optimizer, const spec::Settings& settings) {
    const std::string& name = optimizer.class_name;
    if (name == "Adafactor") return adafactor(settings);
    if (name == "Muon") return muon(model, optimizer, settings);
    const auto number = [&](const char* field) { return pyNumber(settings.getDouble(field)); };
    const std::string kZeros = "torch.zeros_like(w)";
    if (name == "SGD") {
        if (settings.getDouble("momentum") == 0) return {name, "{}", "", "w -= rate * g\n"};
        const std::string mu = number("momentum"), move = "s['momentum'].mul_(" + mu + ").sub_(rate * g)\n";
        return {name, "{'momentum': " + kZeros + "}", "",
                move + (settings.getBool("nesterov") ? "w += " + mu + " * s['momentum'] - rate * g\n" : "w += s['momentum']\n")};
    }
    if (name == "RMSprop") {
        const bool centered = settings.getBool("centered"), moves = settings.getDouble("momentum") > 0;
        const std::string rho = number("rho");
        std::string slots = "{'v': " + kZeros, update = "s['v'].mul_(" + rho + ").add_((1 - " + rho + ") * g * g)\n";
        std::string divisor = "s['v'] + " + number("epsilon");
        if (centered) {
            slots += ", 'mean': " + kZeros;
            update += "s['mean'].mul_(" + rho + ").add_((1 - " + rho + ") * g)\n";
            divisor = "s['v'] - s['mean'].square() + " + number("epsilon");
        }
        update += "change = rate * g / torch.sqrt(" + divisor + ")\n";
        if (moves) {
            slots += ", 'momentum': " + kZeros;
            update += "change = s['momentum'].mul_(" + number("momentum") + ").add_(change)\n";
        }
        return {name, slots + "}", "", update + "w -= change\n"};
    }
    if (name == "Adagrad") {
        return {name, "{'accumulator': torch.full_like(w, " + number("initial_accumulator_value") + ")}", "",
                "s['accumulator'] += g * g\nw -= rate * g / torch.sqrt(s['accumulator'] + " + number("epsilon") + ")\n"};
    }
    if (name == "Adadelta") {
        const std::string rho = number("rho"), epsilon = number("epsilon");
        return {name, "{'accumulator': " + kZeros + ", 'delta': " + kZeros + "}", "",
                "s['accumulator'].mul_(" + rho + ").add_((1 - " + rho + ") * g * g)\n" + "delta = -torch.sqrt(s['delta'] + " + epsilon +
                    ") * g / torch.sqrt(s['accumulator'] + " + epsilon + ")\n" + "s['delta'].mul_(" + rho + ").add_((1 - " + rho +
                    ") * delta * delta)\nw += rate * delta\n"};
    }
    if (name == "Lion") {
        const std::string b1 = number("beta_1"), b2 = number("beta_2");
        return {name, "{'m': " + kZeros + "}", "",
                "w -= rate * torch.sign(" + b1 + " * s['m'] + (1 - " + b1 + ") * g)\ns['m'].mul_(" + b2 + ").add_((1 - " + b2 + ") * g)\n"};
    }
    if (name == "Ftrl") {
        const std::string power = pyNumber(-settings.getDouble("learning_rate_power"));
        return {name, "{'accumulator': torch.full_like(w, " + number("initial_accumulator_value") + "), 'linear': " + kZeros + "}", "",
                "shrunk = g + 2 * " + number("l2_shrinkage_regularization_strength") + " * w\n" + "after = s['accumulator'] + g * g\n" +
                    "s['linear'] += shrunk - (after ** " + power + " - s['accumulator'] ** " + power + ") / rate * w\n" +
                    "divisor = after ** " + power + " / rate + 2 * " + number("l2_regularization_strength") + " + " + number("beta") +
                    " / rate\n" + "limit = " + number("l1_regularization_strength") + "\n" +
                    "w.copy_((s['linear'].clamp(-limit, limit) - s['linear']) / divisor)\ns['accumulator'] = after\n"};
    }
    // Adam and its kin.
    const std::string b1 = number("beta_1"), b2 = number("beta_2"), epsilon = number("epsilon");
    std::string slots = "{'m': " + kZeros + ", 'v': " + kZeros;
    const std::string first = "s['m'] += (g - s['m']) * (1 - " + b1 + ")\n",
                      both = first + "s['v'] += (g * g - s['v']) * (1 - " + b2 + ")\n";
    if (name == "Adamax") {
        return {name, "{'m': " + kZeros + ", 'u': " + kZeros + "}", "size = rate / (1 - " + b1 + " ** t)\n",
                first + "torch.maximum(" + b2 + " * s['u'], g.abs(), out=s['u'])\nw -= size * s['m'] / (s['u'] + " + epsilon + ")\n"};
    }
    if (name == "Nadam") {
        return {name, slots + "}",
                "now, then = (" + b1 + " * (1 - 0.5 * 0.96 ** k) for k in (t, t + 1))\n" + "product = math.prod(" + b1 +
                    " * (1 - 0.5 * 0.96 ** k) for k in range(1, t + 1))\n",
                both + "ahead = then * s['m'] / (1 - product * then) + (1 - now) * g / (1 - product)\n" +
                    "w -= rate * ahead / (torch.sqrt(s['v'] / (1 - " + b2 + " ** t)) + " + epsilon + ")\n"};
    }
    if (name == "Lamb") {
        return {name, slots + "}", "",
                both + "way = s['m'] / (1 - " + b1 + " ** t) / (torch.sqrt(s['v'] / (1 - " + b2 + " ** t)) + " + epsilon + ")\n" +
                    "norms = w.norm(), way.norm()\nw -= rate * (norms[0] / norms[1] if min(norms) > 0 else 1.0) * way\n"};
    }
    if (name == "ScheduleFreeAdamW") {
        const std::string warmup = std::to_string(settings.getInt("warmup_steps"));
        return {name, "{'m': w.detach().clone(), 'v': " + kZeros + "}",
                "size = rate * min(t / " + warmup + ", 1.0) if " + warmup + " else rate\n",
                "s['v'] += (g * g - s['v']) * (1 - " + b2 + ")\ns['m'] -= size * g / (torch.sqrt(s['v'] / (1 - " + b2 + " ** t)) + " +
                    epsilon + ")\nmean = (w - (1 - " + b1 + ") * s['m']) / " + b1 + "\nmean += (s['m'] - mean) / t\nw.copy_((1 - " + b1 +
                    ") * s['m'] + " + b1 + " * mean)\n"};
    }
    const bool largest = settings.getBool("amsgrad");
    if (largest) slots += ", 'vhat': " + kZeros;
    return {name, slots + "}", "size = rate * math.sqrt(1 - " + b2 + " ** t) / (1 - " + b1 + " ** t)\n",
            both + (largest ? "torch.maximum(s['vhat'], s['v'], out=s['vhat'])\n" : "") + "w -= size * s['m'] / (torch.sqrt(s['" +
                (largest ? "vhat" : "v") + "']) + " + epsilon + ")\n"};
}

std::string why(const std::string& name) {
    if (name == "SGD") return ": the momentum holds the rate";
    if (name == "Adam" || name == "AdamW") return ": epsilon is added to the root of v as it is (PyTorch's Adam corrects v before)";
    return "";
}

bool accumulates(const spec::Settings& settings) {
    return settings.findInt("gradient_accumulation_steps").value_or(1) > 1;
}

}  // namespace

bool clipsShares(const spec::ObjectSpec& optimizer) {
    const spec::Settings settings = spec::settingsOf(spec::optimizerSchemas(), optimizer);
    const auto has = [&](const char* name) { return settings.findDouble(name).has_value(); };
    return (has("clipnorm") || has("global_clipnorm") || has("clipvalue")) && !accumulates(settings);
}

std::string writeOptimizer(const spec::ModelSpec& model, const spec::ObjectSpec& optimizer, spec::Diagnostics& findings) {
    const spec::Settings settings = spec::settingsOf(spec::optimizerSchemas(), optimizer);
    const Formula formula = formulaOf(model, optimizer, settings);
    if (settings.getBool("use_ema")) {
        findings.push_back({spec::Severity::kError, "compile.optimizer.config.use_ema",
                            optimizer.class_name + ": expected use_ema=False, which the program in PyTorch trains with, got True", ""});
    }
    std::string before;
    if (accumulates(settings)) {
        const std::string k = std::to_string(*settings.findInt("gradient_accumulation_steps"));
        before += "# Every " + k + "th step changes the weights, by the mean of " + k + " gradients.\n" +
                  "for g, s in zip(gradients, self.slots):\n    s['sum'] = s['sum'] + g if 'sum' in s else g.clone()\n" + "if t % " + k +
                  ":\n    return\n" + "t //= " + k + "\ngradients = [s.pop('sum') / " + k + " for s in self.slots]\n";
    }
    const bool clips_shares = clipsShares(optimizer);
    if (clips_shares)
        before += "world = dist.get_world_size() if dist.is_initialized() else 1\ngradients = [g / world for g in gradients]\n";
    if (const auto clip = settings.findDouble("clipnorm")) {
        before += "gradients = [g * " + pyNumber(*clip) + " / g.norm().clamp(min=" + pyNumber(*clip) + ") for g in gradients]\n";
    }
    if (const auto clip = settings.findDouble("global_clipnorm")) {
        before += "norm = torch.stack([g.norm() for g in gradients]).norm()\n" + std::string("gradients = [g * ") + pyNumber(*clip) +
                  " / norm.clamp(min=" + pyNumber(*clip) + ") for g in gradients]\n";
    }
    if (const auto clip = settings.findDouble("clipvalue")) {
        before += "gradients = [g.clamp(-" + pyNumber(*clip) + ", " + pyNumber(*clip) + ") for g in gradients]\n";
    }
    if (clips_shares) {
        before +=
            "if world > 1:\n    flat = torch.cat([g.reshape(-1) for g in gradients])\n    dist.all_reduce(flat)\n"
            "    parts = flat.split([g.numel() for g in gradients])\n"
            "    gradients = [part.reshape(g.shape) for part, g in zip(parts, gradients)]\n";
    }
    std::string update = formula.update;
    const auto decay = settings.findDouble("weight_decay");
    if (decay && *decay > 0 && optimizer.class_name != "Muon")  // whose formula has two
        update.insert(0, "w -= " + pyNumber(*decay) + " * rate * w\n");
    return filled(kText, {{"CLASS", optimizer.class_name},
                          {"WHY", why(optimizer.class_name)},
                          {"SLOTS", formula.slots},
                          {"BEFORE", indented(before + formula.factors, 8)},
                          {"UPDATE", indented(update, 12)}});
}

std::string writeSchedule(const spec::ObjectSpec& optimizer) {
    const spec::ObjectSpec* schedule = optimizer.config.getObject("learning_rate");
    if (schedule == nullptr) return {};
    const spec::Settings settings = spec::settingsOf(spec::scheduleSchemas(), *schedule);
    const std::string& name = schedule->class_name;
    const auto number = [&](const char* field) { return pyNumber(settings.getDouble(field)); };
    std::string body;
    if (name == "ExponentialDecay" || name == "InverseTimeDecay") {
        const std::string part = settings.getBool("staircase") ? "step // " + number("decay_steps") : "step / " + number("decay_steps");
        body = name == "ExponentialDecay"
                   ? "return " + number("initial_learning_rate") + " * " + number("decay_rate") + " ** (" + part + ")\n"
                   : "return " + number("initial_learning_rate") + " / (1 + " + number("decay_rate") + " * (" + part + "))\n";
    } else if (name == "PiecewiseConstantDecay") {
        body = "for border, rate in zip(" + pyList(settings.getDoubles("boundaries")) + ", " + pyList(settings.getDoubles("values")) +
               "):\n    if step <= border:\n        return rate\n" + "return " + pyNumber(settings.getDoubles("values").back()) + "\n";
    } else if (name == "PolynomialDecay") {
        body = "steps = " + number("decay_steps") + "\n";
        body += settings.getBool("cycle") ? "steps *= max(1, math.ceil(step / steps))\n" : "step = min(step, steps)\n";
        body += "return (" + number("initial_learning_rate") + " - " + number("end_learning_rate") + ") * (1 - step / steps) ** " +
                number("power") + " + " + number("end_learning_rate") + "\n";
    } else if (name == "CosineDecay") {
        const std::optional<double> target = settings.findDouble("warmup_target");
        const std::string start = target ? pyNumber(*target) : number("initial_learning_rate");
        if (target && settings.getInt("warmup_steps") > 0) {
            const std::string steps = number("warmup_steps");
            body = "if step < " + steps + ":\n    return " + number("initial_learning_rate") + " + (" + start + " - " +
                   number("initial_learning_rate") + ") * step / " + steps + "\nstep -= " + steps + "\n";
        }
        body += "wave = (1 + math.cos(math.pi * min(step / " + number("decay_steps") + ", 1))) / 2\n" + "return " + start + " * ((1 - " +
                number("alpha") + ") * wave + " + number("alpha") + ")\n";
    } else {
        body = "length, start = " + number("first_decay_steps") +
               ", 1.0\nwhile step >= length:\n    step, length, start = step - length, length * " + number("t_mul") + ", start * " +
               number("m_mul") + "\n" + "wave = start * (1 + math.cos(math.pi * step / length)) / 2\nreturn " +
               number("initial_learning_rate") + " * ((1 - " + number("alpha") + ") * wave + " + number("alpha") + ")\n";
    }
    return "def rate_of(step):\n    \"\"\"" + name + ": the rate of a step, from 0.\"\"\"\n" + indented(body, 4) + "\n\n";
}

}  // namespace engine::script::torch

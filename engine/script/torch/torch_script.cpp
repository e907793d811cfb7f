#include "engine/script/torch/torch_script.h"

#include <algorithm>

#include "engine/script/data_reader.h"
#include "engine/script/python_text.h"
#include "engine/script/script_api.h"
#include "engine/script/torch/layer_rows.h"
#include "engine/script/torch/model_writer.h"
#include "engine/script/torch/torch_blocks.h"
#include "engine/script/torch/training_rows.h"
#include "engine/spec/catalog/loss_rules.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/project/data_order.h"
#include "engine/spec/project/estimator_run.h"
#include "engine/spec/project/schedule.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::script::torch {
namespace {

using spec::RunSpec;

constexpr std::string_view kHead = R"py("""{{NAME}}: the training of a Tandem project in PyTorch.

{{STRATEGY}}
    python {{FILE}}                                   one process
    torchrun --nproc-per-node 2 {{FILE}}              two processes of this computer
    torchrun --nnodes 2 --node-rank RANK --master-addr HOST --master-port PORT --nproc-per-node 1 {{FILE}}
                                                      one process on each of two computers
    TF_CONFIG='{"cluster": …, "task": …}' python {{FILE}}
                                                      a task of a cluster as Tandem and TensorFlow describe it

Needs torch and numpy{{NEEDS}}.
"""
{{IMPORTS}}
import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
{{DISTRIBUTED}}from torch.utils.data import DataLoader, Dataset
{{MORE}}
EPOCHS = {{EPOCHS}}
FIRST_EPOCH = {{FIRST_EPOCH}}
STEPS_PER_EPOCH = {{STEPS_PER_EPOCH}}  # 0: all samples once
STEPS = {{STEPS}}  # of the whole training; 0: as the epochs say
BATCH = {{BATCH}}  # samples of a process
DROP_REMAINDER = {{DROP_REMAINDER}}
VALIDATION_BATCH = {{VALIDATION_BATCH}}  # samples of a process
VALIDATION_STEPS = {{VALIDATION_STEPS}}  # 0: all samples
SEED = {{SEED}}


)py";

constexpr std::string_view kPrepare = R"py(# ---- data ----

{{READER}}

class Samples(Dataset):
    """Gives a whole batch for a list of indices: samples as the model takes them."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, indices):
        x = torch.from_numpy(self.x[indices].astype(np.float32))
{{PREPARE}}        y = torch.from_numpy(self.y[indices])
        return x, {{LABELS}}


class Share:
    """The part of this process of each batch of all, one after the other, as Keras' strategies share a batch out.

    A last batch without a sample for each of them is left out.
    """

    def __init__(self, count, batch, world, rank, shuffle, drop_last):
        self.count, self.whole, self.world, self.rank = count, batch * world, world, rank
        self.shuffle, self.drop_last, self.epoch = shuffle, drop_last, 0

    def __iter__(self):
        order = torch.arange(self.count)
        if self.shuffle:
            order = torch.randperm(self.count, generator=torch.Generator().manual_seed(SEED + self.epoch))
        for batch in order.split(self.whole):
            parts = batch.split(-(-len(batch) // self.world))
            if len(parts) == self.world and (len(batch) == self.whole or not self.drop_last):
                yield parts[self.rank].tolist()


def loader_of(samples, batch, world, rank, shuffle, drop_last):
    share = Share(len(samples), batch, world, rank, shuffle, drop_last)
    return DataLoader(samples, sampler=share, batch_size=None), share


)py";

constexpr std::string_view kModel = R"py(# ---- model ----

{{BLOCKS}}class Model(nn.Module):
    def __init__(self):
        super().__init__()
{{DECLARATIONS}}
    def forward(self, x):
{{FORWARD}}        return x


Variable = collections.namedtuple('Variable', 'name parameter shape axes start fixed')

# The variables of the model: their names in Tandem and Keras, the parameters here, their shapes there, the axes of these in the order of
# the parameter, and what they begin with.
VARIABLES = [
{{VARIABLES}}]


def initialize(model):
    """Begins as Keras does."""
    parameters = model.state_dict()
    for name, parameter, shape, axes, start, fixed in VARIABLES:
        values = start(shape)
        parameters[parameter].copy_((values.permute(axes) if axes else values).reshape(parameters[parameter].shape))
        if fixed and parameter in dict(model.named_parameters()):
            model.get_parameter(parameter).requires_grad_(False)


def in_keras_order(values, shape, axes):
    """A parameter's values with the axes that Keras has."""
    if not axes:
        return values.reshape(shape)
    return values.reshape([shape[axis] for axis in axes]).permute(sorted(range(len(axes)), key=lambda i: axes[i]))


def load_weights(model, file):
    """Values from an .npz with an array for each variable, by its name: `tandem-cli export keras PROJECT --out weights.npz`."""
    stored, parameters = np.load(file), model.state_dict()
    for name, parameter, shape, axes, *_ in VARIABLES:
        values = torch.from_numpy(stored[name]).reshape(shape)
        parameters[parameter].copy_((values.permute(axes) if axes else values).reshape(parameters[parameter].shape))


def save_weights(model, file):
    """The same file, which load_weights() and Tandem read."""
    pathlib.Path(file).parent.mkdir(parents=True, exist_ok=True)
    parameters = model.state_dict()
    arrays = {name: in_keras_order(parameters[parameter], shape, axes).cpu().numpy() for name, parameter, shape, axes, *_ in VARIABLES}
    np.savez(file, **{name: np.array(values, order='C') for name, values in arrays.items()})


)py";

constexpr std::string_view kTraining = R"py(# ---- loss, metrics, optimizer ----

{{SCORES}}{{CLASS_WEIGHTS}}def loss_of(outputs, y{{WEIGHS}}):
    """Of a batch."""
    {{MATCH}}losses = {{LOSS}}
{{REDUCE}}

{{PENALTY}}{{CONSTRAIN}}def predictions_of(outputs):
    return {{PREDICTIONS}}


METRICS = {  # what a batch adds to the sums, what the sums give
{{METRICS}}}

{{SCHEDULE}}{{OPTIMIZER}}# ---- processes ----

def join():
    """The place of this process among all: rank, number, device. torchrun says it in RANK, a cluster of Tandem's or TensorFlow's in
    TF_CONFIG."""
    if 'RANK' not in os.environ and 'TF_CONFIG' in os.environ:
        config = json.loads(os.environ['TF_CONFIG'])
        tasks = [(job, i, address) for job in ('chief', 'worker') for i, address in enumerate(config['cluster'].get(job, []))]
        own = [(job, i) for job, i, _ in tasks].index((config['task']['type'], int(config['task']['index'])))
        host, port = tasks[0][2].rsplit(':', 1)
        os.environ.update(RANK=str(own), WORLD_SIZE=str(len(tasks)), MASTER_ADDR=host, MASTER_PORT=port)
    device = torch.device('cpu')
    if torch.cuda.is_available():
        device = torch.device('cuda', int(os.environ.get('LOCAL_RANK', 0)) % torch.cuda.device_count())
        torch.cuda.set_device(device)
    if 'RANK' not in os.environ:
        return 0, 1, device
    dist.init_process_group('nccl' if device.type == 'cuda' else 'gloo')
    return dist.get_rank(), dist.get_world_size(), device


def summed(values, world):
    """Of all processes."""
    if world > 1:
        dist.all_reduce(values)
    return values


class Sums:
    """Loss and metrics over batches."""

    def __init__(self):
        self.sums = {}

    def add(self, loss, outputs, y):
        predictions = predictions_of(outputs.detach())
        self.put('loss', torch.tensor([loss.item() * len(y), len(y)], dtype=torch.float64, device=y.device))
        for name, (measure, _) in METRICS.items():
            {{MATCH_METRIC}}self.put(name, measure(predictions, y))

    def put(self, name, sums):
        self.sums[name] = self.sums[name] + sums if name in self.sums else sums

    def results(self, world, prefix=''):
        results = {}
        for name, sums in sorted(self.sums.items()):
            value = METRICS[name][1] if name in METRICS else lambda s: s[0] / s[1]
            results[prefix + name] = float(value(summed(sums, world)))
        return results


@torch.no_grad()
def evaluate(model, loader, world, device):
    model.eval()
    sums = Sums()
    for i, (x, y) in enumerate(loader):
        if VALIDATION_STEPS and i == VALIDATION_STEPS:
            break
        x, y = x.to(device), y.to(device)
        outputs = model(x)
        sums.add(loss_of(outputs, y{{UNWEIGHED}}){{PLUS_PENALTY}}, outputs, y)
    return sums.results(world, 'val_')


def endless(loader, share):
    """The samples again and again, each time in another order."""
    turn = 0
    while True:
        share.epoch = turn
        yield from loader
        turn += 1


# ---- training ----

{{CLASSES}}{{TAKE_FIRST}}def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--data', type=pathlib.Path, default={{FOLDER}}, help='folder with the files of the data set')
    parser.add_argument('--weights', default={{WEIGHTS}}, help='.npz with the values to begin with')
    parser.add_argument('--save-weights', default={{SAVE_WEIGHTS}}, help='.npz to write after training')
    parser.add_argument('--no-shuffle', dest='shuffle', action='store_false', help='take the samples as they come')
    parser.add_argument('--steps', type=int, default=STEPS, help='end after so many steps')
    parser.add_argument('--log-every', type=int, default={{LOG_EVERY}}, help='steps between two lines; 0: none')
    arguments = parser.parse_args()

    rank, world, device = join()
    torch.manual_seed(SEED)
    model = Model().to(device)
    initialize(model)
    if arguments.weights:
        load_weights(model, arguments.weights)
{{REPLICA}}
    x_train, y_train, x_test, y_test = read_data(arguments.data)
    train, share = loader_of(Samples(x_train, y_train), BATCH, world, rank, arguments.shuffle and {{SHUFFLE}}, DROP_REMAINDER)
    test = None if x_test is None else loader_of(Samples(x_test, y_test), VALIDATION_BATCH, world, rank, False, False)[0]
{{ADAPT}}    batches = endless(train, share)

    optimizer = Optimizer(model)
    rate, step, first_epoch, stops = {{RATE}}, 0, FIRST_EPOCH, False
    logs = {}
{{BEGIN}}    for epoch in range(first_epoch, EPOCHS):
        if stops:
            break
        began = time.time()
{{EPOCH_BEGIN}}        share.epoch = epoch
        replica.train()
        sums = Sums()
        for x, y in itertools.islice(batches, STEPS_PER_EPOCH) if STEPS_PER_EPOCH else train:
{{STEP_RATE}}            x, y = x.to(device), y.to(device)
            outputs = replica(x)
            loss = loss_of(outputs, y){{PLUS_PENALTY}}
            model.zero_grad()
            {{BACKWARD}}.backward()
            optimizer.step(rate)
{{CONSTRAINED}}            step += 1
            sums.add(loss, outputs, y)
            loss_value = float(summed(loss.detach().clone(), world)) / world
            if rank == 0 and arguments.log_every and step % arguments.log_every == 0:
                print(f'step {step}  loss {loss_value:.9g}', flush=True)
{{STEP_END}}            if arguments.steps and step >= arguments.steps:
                stops = True
                break
{{SAME_BUFFERS}}        logs = sums.results(world)
        if test is not None and ({{VALIDATES}}):
            logs.update(evaluate(model, test, world, device))
        logs['learning_rate'] = rate
        if rank == 0:
            print(f'epoch {epoch + 1}/{EPOCHS}  {time.time() - began:.1f} s  ' + '  '.join(f'{k} {v:.6g}' for k, v in logs.items()), flush=True)
{{EPOCH_END}}{{END}}    if arguments.save_weights and rank == 0:
        save_weights(model, arguments.save_weights)
    if world > 1:
        dist.destroy_process_group()


if __name__ == '__main__':
    main()
)py";

constexpr std::string_view kMeanOfAll =
    R"py(    # Every process has a copy; the mean of their gradients is what each of them applies.
    replica = DistributedDataParallel(model) if world > 1 else model
)py";

constexpr std::string_view kOwnSum =
    R"py(    # Every process has a copy; the optimizer clips each one's gradients before it adds them up, which DistributedDataParallel does not.
    replica = model
    take_first(model.state_dict().values(), world)
)py";

constexpr std::string_view kTakeFirst = R"py(def take_first(tensors, world):
    """The values of the first process."""
    for tensor in tensors if world > 1 else ():
        dist.broadcast(tensor, 0)


)py";

// ---- parts -----------------------------------------------------------------------------------------------------------

std::string join(const std::vector<std::string>& lines, int columns) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return indented(text, columns);
}

// Words that a module has already.
bool isTaken(const std::string& name) {
    static const std::set<std::string, std::less<>> kWords{"type",
                                                           "to",
                                                           "train",
                                                           "eval",
                                                           "forward",
                                                           "half",
                                                           "float",
                                                           "double",
                                                           "cpu",
                                                           "cuda",
                                                           "apply",
                                                           "modules",
                                                           "children",
                                                           "share_memory",
                                                           "buffers",
                                                           "parameters",
                                                           "training",
                                                           "class",
                                                           "def",
                                                           "for",
                                                           "if",
                                                           "in",
                                                           "is",
                                                           "not",
                                                           "or",
                                                           "and",
                                                           "pass",
                                                           "return",
                                                           "lambda",
                                                           "from",
                                                           "import",
                                                           "global",
                                                           "while",
                                                           "with",
                                                           "as",
                                                           "del",
                                                           "try",
                                                           "None",
                                                           "True",
                                                           "False",
                                                           "compile",
                                                           "dump_patches",
                                                           "call_super_init"};
    return kWords.contains(name);
}

// What the last layer is when its softmax or sigmoid is taken out, so that the loss is taken from logits, as Keras does it.
struct LogitModel {
    spec::ModelSpec model;
    std::string activation;  // that was taken out: "softmax", "sigmoid"; empty: none
};
LogitModel logitModel(const RunSpec& run) {
    LogitModel result{run.model, {}};
    const spec::ObjectSpec& loss = run.compile.loss;
    const std::string wanted = loss.class_name == "BinaryCrossentropy" ? "sigmoid"
                               : loss.class_name == "SparseCategoricalCrossentropy" || loss.class_name == "CategoricalCrossentropy"
                                   ? "softmax"
                                   : "";
    if (wanted.empty() || result.model.layers.empty() || loss.config.getBool("from_logits", false)) return result;
    spec::LayerSpec& last = result.model.layers.back();
    const bool is_layer = last.class_name == "Softmax" && wanted == "softmax";
    const spec::FieldValue* activation = last.config.find("activation");
    const bool has = activation != nullptr && *activation == spec::FieldValue(wanted);
    if (!is_layer && !has) return result;
    if (is_layer || last.class_name == "Activation") {
        result.model.layers.pop_back();
    } else {
        last.config.erase("activation");
    }
    result.activation = wanted;
    return result;
}

std::string variableLine(const VariableRow& row) {
    std::string axes = "None";
    if (!row.axes.empty()) {
        axes.clear();
        for (const int axis : row.axes) axes += (axes.empty() ? "(" : ", ") + std::to_string(axis);
        axes += ")";
    }
    return "    Variable(" + pyText(row.name) + ", " + pyText(row.parameter) + ", " + pyTuple(row.shape) + ", " + axes +
           ", lambda shape: " + row.start + ", " + pyBool(row.is_fixed && !row.is_statistic) + "),\n";
}

// An LSTM's forget gate begins with ones.
void setForgetBias(const spec::ModelSpec& model, VariableRow& row) {
    for (const spec::LayerSpec& layer : model.layers) {
        for (const spec::LayerSpec& owner : spec::owningLayers(layer)) {
            if (!owner.class_name.starts_with("LSTM") || row.name != owner.name + "/bias" || row.shape.size() != 1) continue;
            if (!spec::settingsOf(owner).getBool("unit_forget_bias")) continue;
            const std::string units = std::to_string(row.shape[0] / 4), two = std::to_string(row.shape[0] / 2);
            row.start = "torch.cat([torch.zeros(" + units + "), torch.ones(" + units + "), torch.zeros(" + two + ")])";
        }
    }
}

std::string writeModel(const spec::ModelSpec& model, ModelWriter& writer, spec::Diagnostics& findings) {
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(model);
    std::set<std::string> names;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const spec::LayerSpec& layer = model.layers[i];
        std::string name = pyName(layer.name);
        while (isTaken(name) || !names.insert(name).second) name += "_layer";
        const Place place{layer, infos[i], spec::settingsOf(layer), name, "model.layers[" + std::to_string(i) + "]"};
        writeLayer(writer, place);
        const bool begins = layer.class_name == "Embedding" || layer.class_name == "ReversibleEmbedding" || layer.class_name == "Masking";
        if (!begins && infos[i].output_mask && infos[i].input_mask != infos[i].output_mask) {
            writer.refuse(place, "expected the mask of its input to stay as it is, got another one");
        }
        if (i + 1 == model.layers.size() && infos[i].output_mask)
            writer.refuse(place, "expected an output without a mask, got one with a mask");
    }
    writer.turn(Axes::kChannelsLast, infos.empty() ? 1 : infos.back().output_shape.size());
    std::string blocks, variables;
    for (const Block& block : modelBlocks()) {
        if (writer.blocks().contains(block.name)) blocks += block.text;
    }
    for (VariableRow row : writer.variables()) {
        setForgetBias(model, row);
        variables += variableLine(row);
    }
    if (model.dtype_policy != spec::ModelSpec().dtype_policy) {
        findings.push_back({spec::Severity::kError, "model.dtype_policy",
                            "expected float32, the only one of the program in PyTorch, got " + model.dtype_policy, ""});
    }
    return filled(kModel,
                  {{"BLOCKS", blocks},
                   {"DECLARATIONS", join(writer.declarations(), 8)},
                   {"FORWARD", (writer.penalisesOutputs() ? "        self.of_outputs = 0.0\n" : "") + join(writer.forwardLines(), 8)},
                   {"VARIABLES", variables}});
}

std::string writePrepare(const RunSpec& run, const DataReader& reader, bool whole_labels) {
    const spec::DataSpec& data = run.data;
    std::string prepare;
    const auto say = [&](const std::string& line) { prepare += "        " + line + "\n"; };
    const auto scale = [&] {
        if (data.scale == 1 && data.offset == 0) return;
        say("x = x * " + pyNumber(data.scale) + (data.offset == 0 ? "" : " + " + pyNumber(data.offset)));
    };
    const bool normalizes = !data.std.empty();
    const bool first = normalizes && spec::meaningOf(data, spec::passesOf(run)).normalizes_first;
    if (!first) scale();
    if (normalizes) say("x = (x - torch.tensor(" + pyList(data.mean) + ")) / torch.tensor(" + pyList(data.std) + ")");
    if (first) scale();
    return filled(kPrepare, {{"READER", reader.text}, {"PREPARE", prepare}, {"LABELS", whole_labels ? "y.long()" : "y.float()"}});
}

std::string strategyText(const RunSpec& run) {
    const std::optional<spec::StrategyKind> kind = spec::strategyKind(run.strategy.name);
    std::string text = "The project's strategy is " + run.strategy.name + ". ";
    if (kind == spec::StrategyKind::kParameterServer) {
        return text +
               "PyTorch's DistributedDataParallel has no parameter servers: here all processes step\ntogether and apply the mean of their "
               "gradients, "
               "while servers apply each worker's by itself.\n";
    }
    if (kind == spec::StrategyKind::kTpu) return text + "Here it trains on GPUs or the processor; a TPU needs torch_xla beside.\n";
    if (kind == spec::StrategyKind::kCentralStorage) {
        return text + "Here every process has a copy of the variables of its own, which stay equal.\n";
    }
    if (kind == spec::StrategyKind::kDefault || kind == spec::StrategyKind::kOneDevice) {
        const bool clips_shares = clipsShares(run.compile.optimizer);
        return text + "One process does the same; more " + (clips_shares ? "add their gradients up" : "are DistributedDataParallel") +
               ".\n";
    }
    if (clipsShares(run.compile.optimizer)) {
        return text + "Its equal is a copy in every process, and the sum of their gradients, which each clips first.\n";
    }
    return text + "DistributedDataParallel is its equal: a copy in every process, the\nmean of their gradients in every step.\n";
}

std::string importLines(const DataReader& reader) {
    std::set<std::string> modules{"argparse", "collections", "itertools", "json", "math", "os", "pathlib", "time"};
    for (const std::string& module : reader.imports) {
        if (module != "PIL") modules.insert(module);
    }
    std::string text;
    for (const std::string& module : modules) text += "import " + module + "\n";
    return text;
}

bool readsPictures(const DataReader& reader) {
    return std::find(reader.imports.begin(), reader.imports.end(), "PIL") != reader.imports.end();
}

struct Reduction {
    std::string lines;
    bool is_summed = false;  // over the processes too, where DistributedDataParallel takes the mean
};
Reduction reductionOf(const RunSpec& run) {
    const std::string kind = run.compile.loss.config.getString("reduction", "sum_over_batch_size");
    const bool weighs = !run.fit.class_weight.empty();
    std::string text;
    if (weighs) {
        text +=
            "    weights = (weights_of(y) if is_trained else torch.ones(len(y), device=y.device)).reshape((-1,) + (1,) * (losses.dim() - "
            "1))\n"
            "    losses = losses * weights\n";
    }
    if (kind == "sum") return {text + "    return losses.sum()\n", true};
    if (kind == "mean_with_sample_weight" && weighs) return {text + "    return losses.sum() / weights.expand_as(losses).sum()\n", false};
    return {text + "    return losses.mean()\n", false};
}

std::string classWeights(const RunSpec& run) {
    if (run.fit.class_weight.empty()) return {};
    std::string table;
    for (const auto& [label, weight] : run.fit.class_weight)
        table += (table.empty() ? "" : ", ") + std::to_string(label) + ": " + pyNumber(weight);
    return "CLASS_WEIGHT = {" + table + "}\n\n\ndef weights_of(y):\n    labels = " +
           (run.data.one_hot > 0 ? std::string("y.argmax(-1)") : std::string("y.reshape(len(y))")) +
           "\n    return torch.tensor([CLASS_WEIGHT.get(int(label), 1.0) for label in labels], device=y.device)\n\n\n";
}

// Statements over a variable in Keras' order, one a variable that asks for it.
std::string penaltyFunction(const ModelWriter& writer) {
    std::string body;
    for (const VariableRow& row : writer.variables()) {
        if (row.penalty.empty()) continue;
        body += "    w = model.get_parameter(" + pyText(row.parameter) + ")  # " + row.name + "\n    total = total + " + row.penalty + "\n";
    }
    if (body.empty() && !writer.penalisesOutputs()) return body;
    return "def penalty_of(model):\n    \"\"\"What regularizers add to the loss.\"\"\"\n    total = " +
           std::string(writer.penalisesOutputs() ? "model.of_outputs  # what the layers put out last" : "0.0") + "\n" + body +
           "    return total\n\n\n";
}

std::string constrainFunction(const ModelWriter& writer) {
    std::string body;
    for (const VariableRow& row : writer.variables()) {
        if (row.constraint.empty()) continue;
        body += "    hold(" + pyText(row.name) + ", lambda w: " + row.constraint + ")\n";
    }
    if (body.empty()) return body;
    return R"py(@torch.no_grad()
def constrain(model):
    """What weights are held to after every step."""
    def hold(wanted, constraint):
        for name, parameter, shape, axes, *_ in VARIABLES:
            if name == wanted:
                w = model.get_parameter(parameter)
                values = constraint(in_keras_order(w, shape, axes))
                w.copy_((values.permute(axes) if axes else values).reshape(w.shape))

)py" + body +
           "\n\n";
}

void checkOrder(const RunSpec& run, spec::Diagnostics& findings) {
    const spec::OrderMeaning meaning = spec::meaningOf(run.data, spec::passesOf(run));
    spec::OrderMeaning usual;
    usual.normalizes_first = meaning.normalizes_first;
    if (meaning == usual) return;
    findings.push_back({spec::Severity::kError, "data.order",
                        "expected the order take, cache, shuffle, repeat, batch, which PyTorch's DataLoader has, got another one", ""});
}

}  // namespace

Script writeTorchScript(const RunSpec& asked) {
    Script script;
    RunSpec run = spec::trainedRun(asked);
    std::int64_t steps = asked.fit.steps;
    if (asked.estimator) {
        steps = asked.estimator->train_spec.max_steps.value_or(0);
        run.fit.epochs = asked.estimator->train_spec.input_repeats > 0 ? asked.estimator->train_spec.input_repeats : 1000000;
        run.fit.steps_per_epoch = 0;
        run.data.validate_on_test = asked.data.validate_on_test;
    } else if (steps > 0) {
        run.fit.epochs = 1000000;
    }
    checkOrder(run, script.findings);
    const DataReader reader = writeDataReader(run, script.findings);
    const LogitModel made = logitModel(run);
    ModelWriter writer(script.findings);
    const std::string model = writeModel(made.model, writer, script.findings);
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(run.model);
    const std::int64_t outputs = infos.empty() ? 1 : infos.back().output_shape.back();
    const Scores scores = writeScores(run, outputs, !made.activation.empty(), script.findings);
    const std::string optimizer = writeOptimizer(run.model, run.compile.optimizer, script.findings);
    const Hooks hooks = writeHooks(run, script.findings);
    if (spec::hasErrors(script.findings)) return script;

    const bool whole_labels = spec::takesWholeLabels(run.compile.loss.class_name);
    const std::string penalty = penaltyFunction(writer), constrain = constrainFunction(writer),
                      schedule = writeSchedule(run.compile.optimizer);
    const Reduction reduction = reductionOf(run);
    const std::string match = whole_labels ? "" : "y = y.reshape(outputs.shape) if y.numel() == outputs.numel() else y\n    ";
    const std::string plus = penalty.empty() ? "" : " + penalty_of(model)";
    const std::string pictures =
        std::string(readsPictures(reader) ? ", Pillow" : "") + (hooks.imports.empty() ? "" : ", tensorboard for the callback TensorBoard");
    const bool clips_shares = clipsShares(run.compile.optimizer);
    std::string more;
    for (const std::string& line : hooks.imports) more += line + "\n";
    if (readsPictures(reader)) more += "from PIL import Image\n";
    const std::string name = run.name.empty() ? run.model.name : run.name;

    std::string text = filled(
        kHead, {{"NAME", name},
                {"STRATEGY", strategyText(run)},
                {"FILE", std::string(rowOf(Api::kTorch).file)},
                {"NEEDS", pictures},
                {"IMPORTS", importLines(reader)},
                {"DISTRIBUTED", clips_shares ? "" : "from torch.nn.parallel import DistributedDataParallel\n"},
                {"MORE", more},
                {"EPOCHS", std::to_string(run.fit.epochs)},
                {"FIRST_EPOCH", std::to_string(run.fit.initial_epoch)},
                {"STEPS_PER_EPOCH", std::to_string(run.fit.steps_per_epoch)},
                {"STEPS", std::to_string(steps)},
                {"BATCH", std::to_string(run.data.batch_size_per_replica)},
                {"DROP_REMAINDER", pyBool(run.data.drop_remainder)},
                {"VALIDATION_BATCH",
                 std::to_string(run.fit.validation_batch_size > 0 ? run.fit.validation_batch_size : run.data.batch_size_per_replica)},
                {"VALIDATION_STEPS", std::to_string(run.fit.validation_steps)},
                {"SEED", std::to_string(run.fit.seed)}});
    text += writePrepare(run, reader, whole_labels) + model;
    const std::string predictions = made.activation.empty()        ? "outputs"
                                    : made.activation == "softmax" ? "F.softmax(outputs, -1)"
                                                                   : "torch.sigmoid(outputs)";
    const std::string save =
        run.fit.save_weights.empty() ? "None" : pyText(run.fit.save_weights.substr(0, run.fit.save_weights.find('.')) + ".npz");
    text += filled(
        kTraining,
        {{"SCORES", scores.functions},
         {"CLASS_WEIGHTS", classWeights(run)},
         {"WEIGHS", run.fit.class_weight.empty() ? "" : ", is_trained=True"},
         {"UNWEIGHED", run.fit.class_weight.empty() ? "" : ", is_trained=False"},
         {"WEIGHTS", initialWeights(run, {".npz"}, script.findings)},
         {"MATCH", match},
         {"LOSS", scores.loss},
         {"REDUCE", reduction.lines},
         {"PENALTY", penalty},
         {"CONSTRAIN", constrain},
         {"PREDICTIONS", predictions},
         {"METRICS", scores.metrics},
         {"SCHEDULE", schedule.empty() ? std::string("\n") : "\n" + schedule},
         {"OPTIMIZER", optimizer},
         {"MATCH_METRIC", whole_labels ? "" : "y = y.reshape(predictions.shape) if y.numel() == predictions.numel() else y\n            "},
         {"PLUS_PENALTY", plus},
         {"CLASSES", hooks.classes},
         {"FOLDER", reader.folder},
         {"REPLICA", std::string(clips_shares ? kOwnSum : kMeanOfAll)},
         {"TAKE_FIRST", clips_shares ? std::string(kTakeFirst) : std::string()},
         {"SAME_BUFFERS",
          clips_shares ? "        take_first(model.buffers(), world)  # means of batches, which each process has of its own\n" : ""},
         {"ADAPT", writer.adapted().empty()
                       ? ""
                       : "    if not arguments.weights:\n        model." + writer.adapted() + ".adapt(Samples(x_train, y_train))\n"},
         {"SAVE_WEIGHTS", save},
         {"LOG_EVERY", std::to_string(std::max<std::int64_t>(run.fit.log_every, 1))},
         {"SHUFFLE", pyBool(run.data.shuffle > 0)},
         {"RATE", pyNumber(spec::optimizerRate(run.compile.optimizer, 0))},
         {"BEGIN", indented(hooks.begin, 4)},
         {"EPOCH_BEGIN", indented(hooks.epoch_begin, 8)},
         {"STEP_RATE", schedule.empty() ? "" : "            rate = rate_of(optimizer.iterations)\n"},
         {"BACKWARD", reduction.is_summed ? "(loss * world)" : "loss"},
         {"CONSTRAINED", constrain.empty() ? "" : "            constrain(model)\n"},
         {"STEP_END", indented(hooks.step_end, 12)},
         {"VALIDATES", asked.estimator ? std::string("stops or epoch + 1 == EPOCHS") : validatesText(run.fit)},
         {"EPOCH_END", indented(hooks.epoch_end, 8)},
         {"END", indented(hooks.end, 4)}});
    script.text = std::move(text);
    return script;
}

}  // namespace engine::script::torch

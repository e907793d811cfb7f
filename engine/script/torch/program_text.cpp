#include "engine/script/torch/program_text.h"

namespace engine::script::torch {

constinit const std::string_view kProgramHead = R"py("""{{NAME}}: the training of a Tandem project in PyTorch.

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

constinit const std::string_view kProgramData = R"py(# ---- data ----

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

constinit const std::string_view kProgramModel = R"py(# ---- model ----

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

constinit const std::string_view kProgramTraining = R"py(# ---- loss, metrics, optimizer ----

{{SCORES}}{{CLASS_WEIGHTS}}def loss_of(outputs, y{{WEIGHS}}):
    """Of a batch."""
    {{MATCH}}losses = {{LOSS}}
{{REDUCE}}

{{PENALTY}}{{CONSTRAIN}}def predictions_of(outputs):
    return {{PREDICTIONS}}


METRICS = {  # what a batch adds to the sums, what the sums give
{{METRICS}}}
{{LOGIT_METRICS}}
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
            {{MATCH_METRIC}}self.put(name, measure({{SCORES_OF_METRIC}}, y))

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

constinit const std::string_view kReplicaOfMeans =
    R"py(    # Every process has a copy; the mean of their gradients is what each of them applies.
    replica = DistributedDataParallel(model) if world > 1 else model
)py";

constinit const std::string_view kReplicaOfSums =
    R"py(    # Every process has a copy; the optimizer clips each one's gradients before it adds them up, which DistributedDataParallel does not.
    replica = model
    take_first(model.state_dict().values(), world)
)py";

constinit const std::string_view kTakeFirstFunction = R"py(def take_first(tensors, world):
    """The values of the first process."""
    for tensor in tensors if world > 1 else ():
        dist.broadcast(tensor, 0)


)py";

}  // namespace engine::script::torch

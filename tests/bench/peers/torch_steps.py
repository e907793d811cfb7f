"""PyTorch: one training step, eager, channels last or compiled, data resident in memory; with --workers N as many processes with
DistributedDataParallel over Gloo.
"""
import argparse

import models
import steps


def kinds(torch):
    """Modules that PyTorch lacks, by the names of models.py. Pictures are (N, C, H, W), sequences (N, T, C)."""
    nn, functional = torch.nn, torch.nn.functional

    class Lstm(nn.Module):
        def __init__(self, width, units):
            super().__init__()
            self.lstm = nn.LSTM(width, units, batch_first=True)

        def forward(self, v):
            return self.lstm(v)[0][:, -1]

    class Mean(nn.Module):
        def __init__(self, dimensions):
            super().__init__()
            self.over = (2, 3) if dimensions == 2 else (1,)

        def forward(self, v):
            return v.mean(self.over)

    class Sequence(nn.Module):
        def forward(self, v):
            return v.flatten(2).transpose(1, 2)

    class Positions(nn.Module):
        def __init__(self, shape):
            super().__init__()
            self.embeddings = nn.Parameter(torch.randn(shape) * models.POSITIONS_DEVIATION)

        def forward(self, v):
            return v + self.embeddings

    class Attention(nn.Module):
        """Queries, keys and values by one product."""
        def __init__(self, width, heads, size):
            super().__init__()
            self.heads, self.size = heads, size
            self.inner, self.outer = nn.Linear(width, 3 * heads * size), nn.Linear(heads * size, width)

        def forward(self, v):
            items, time, _ = v.shape
            query, key, value = self.inner(v).view(items, time, 3, self.heads, self.size).permute(2, 0, 3, 1, 4).unbind(0)
            sums = functional.scaled_dot_product_attention(query, key, value)
            return self.outer(sums.transpose(1, 2).reshape(items, time, self.heads * self.size))

    class Residual(nn.Module):
        def __init__(self, main, shortcut):
            super().__init__()
            self.main, self.shortcut = main, shortcut

        def forward(self, v):
            return self.main(v) + self.shortcut(v)

    return argparse.Namespace(Lstm=Lstm, Mean=Mean, Sequence=Sequence, Positions=Positions, Attention=Attention, Residual=Residual)


def activations(nn, name):
    return {"relu": [nn.ReLU()], "gelu": [nn.GELU()], "linear": []}[name]


def convolution(nn, layer, channels):
    """With "same" a stride of 2 begins a pixel further down and right than Keras' does: the same work without a copy with a border."""
    padding = 0 if layer.padding == "valid" else (layer.size - 1) // 2
    return nn.Conv2d(channels, layer.filters, layer.size, stride=layer.stride, padding=padding, bias=layer.bias)


def modules(torch, own, layers, shape):
    """The layers on samples of `shape`, channels last, one after the other."""
    nn, made = torch.nn, []
    for layer in layers:
        kind = type(layer).__name__
        if kind == "Conv":
            made += [convolution(nn, layer, shape[-1]), *activations(nn, layer.activation)]
        elif kind == "Pool":
            made.append(nn.MaxPool2d(2))
        elif kind == "Mean":
            made.append(own.Mean(layer.dimensions))
        elif kind == "Flatten":
            made.append(nn.Flatten())
        elif kind == "Sequence":
            made.append(own.Sequence())
        elif kind == "Dense":
            made += [nn.Linear(shape[-1], layer.units), *activations(nn, layer.activation)]
        elif kind == "Relu":
            made.append(nn.ReLU())
        elif kind == "BatchNorm":
            made.append(nn.BatchNorm2d(shape[-1], eps=models.BATCH_NORM_EPSILON, momentum=1 - models.BATCH_NORM_MOMENTUM))
        elif kind == "LayerNorm":
            made.append(nn.LayerNorm(shape[-1], eps=models.LAYER_NORM_EPSILON))
        elif kind == "Positions":
            made.append(own.Positions(shape))
        elif kind == "Attention":
            made.append(own.Attention(shape[-1], layer.heads, layer.size))
        elif kind == "Residual":
            made.append(own.Residual(modules(torch, own, layer.layers, shape), modules(torch, own, layer.shortcut, shape)))
        elif kind == "Embedding":
            made.append(nn.Embedding(layer.words, layer.width))
        else:
            made.append(own.Lstm(shape[-1], layer.units))
        shape = models.output_shape(layer, shape)
    return nn.Sequential(*made)


def build(torch, name):
    model = models.MODELS[name]
    made = modules(torch, kinds(torch), model.layers, model.shape)
    # nn.LSTM has a second bias, which adds to the first.
    models.expect_parameters(name, sum(p.numel() for key, p in made.named_parameters() if not key.endswith("bias_hh_l0")))
    return made


def work(rank, args, ports):
    import torch
    import torch.distributed as dist
    if args.threads:
        torch.set_num_threads(args.threads)
    if args.workers > 1:
        dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{ports[0]}", rank=rank, world_size=args.workers)
    x, y = (torch.from_numpy(v) for v in models.samples(args.model, 1 + rank))
    text = models.is_text(models.MODELS[args.model])
    if not text:
        x = x.permute(0, 3, 1, 2).contiguous()
    loss_of = torch.nn.CrossEntropyLoss()
    for mode in args.modes:
        for batch in args.batches:
            torch.manual_seed(1)
            model = build(torch, args.model)
            last = mode == "channels_last" and not text
            if last:
                model = model.to(memory_format=torch.channels_last)
            # Without the broadcast of rank 0's moving averages before every step: no other peer has one.
            net = torch.nn.parallel.DistributedDataParallel(model, broadcast_buffers=False) if args.workers > 1 else model
            if mode == "compiled":
                net = torch.compile(net)
            optimizer = torch.optim.Adam(net.parameters(), foreach=True)

            def run(indices):
                indices = torch.from_numpy(indices)
                v = x[indices]
                v = v if text else v.float().div_(255)
                if last:
                    v = v.contiguous(memory_format=torch.channels_last)
                optimizer.zero_grad(set_to_none=True)
                loss = loss_of(net(v), y[indices])
                loss.backward()
                optimizer.step()
                return loss.item()

            if args.workers > 1:
                going = torch.ones(1)

                def together(indices, go, alone=run):
                    going.fill_(go)
                    dist.broadcast(going, 0)
                    alone(indices)
                    return going.item()
                steps.measure_together(args, f"PyTorch {torch.__version__}", mode, batch, rank, together)
                continue
            steps.measure(args, f"PyTorch {torch.__version__}", mode, batch, run)
    if args.workers > 1:
        dist.destroy_process_group()


def main():
    args = steps.parse(__doc__, ["eager", "channels_last", "compiled"])
    if args.workers == 1:
        return work(0, args, [])
    steps.ranks(args, work)


if __name__ == "__main__":
    main()

"""PyTorch: one training step, eager, channels last or compiled, data resident in memory; with --workers N as many processes with
DistributedDataParallel over Gloo.
"""
import models
import steps


def build(torch, name):
    nn = torch.nn

    class Words(nn.Module):
        def __init__(self, embedding, lstm, dense):
            super().__init__()
            self.embedding = nn.Embedding(embedding.words, embedding.width)
            self.lstm = nn.LSTM(embedding.width, lstm.units, batch_first=True)
            self.dense = nn.Linear(lstm.units, dense.units)

        def forward(self, v):
            return self.dense(self.lstm(self.embedding(v))[0][:, -1])

    model = models.MODELS[name]
    if models.is_text(model):
        return Words(*model.layers)
    height, width, channels = model.shape
    made, flat = [], 0
    for layer in model.layers:
        kind = type(layer).__name__
        if kind == "Conv":
            made += [nn.Conv2d(channels, layer.filters, layer.size, padding=layer.padding), nn.ReLU()]
            channels = layer.filters
            if layer.padding == "valid":
                height, width = height - layer.size + 1, width - layer.size + 1
        elif kind == "Pool":
            made.append(nn.MaxPool2d(2))
            height, width = height // 2, width // 2
        elif kind == "Flatten":
            made.append(nn.Flatten())
            flat = height * width * channels
        else:
            made += [nn.Linear(flat, layer.units)] + ([nn.ReLU()] if layer.relu else [])
            flat = layer.units
    return nn.Sequential(*made)


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
            net = torch.nn.parallel.DistributedDataParallel(model) if args.workers > 1 else model
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

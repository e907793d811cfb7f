"""A worker of the tutorial CNN under PyTorch's DistributedDataParallel over Gloo, for hosts of their own: samples are random and lie in memory.
Rank 0 prints one JSON line: milliseconds a step, the median of all but the first ten.

    python3 ddp_task.py --rank 0 --workers 2 --address 10.77.0.1:2222 [--device eth0] [--batch 64] [--steps 200]
"""
import argparse
import json
import os
import statistics
import time


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rank", type=int, default=0)
    p.add_argument("--workers", type=int, default=1)
    p.add_argument("--address", default="127.0.0.1:2222", help="where rank 0 waits for the others")
    p.add_argument("--device", default="lo", help="the network device that Gloo takes")
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--steps", type=int, default=200)
    return p.parse_args()


def main():
    a = parse()
    os.environ["GLOO_SOCKET_IFNAME"] = a.device
    import torch
    from torch import nn
    torch.set_num_threads(1)
    torch.manual_seed(1)
    model = nn.Sequential(nn.Conv2d(1, 32, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(32 * 13 * 13, 64), nn.ReLU(), nn.Linear(64, 10))
    net = model
    if a.workers > 1:
        torch.distributed.init_process_group("gloo", init_method=f"tcp://{a.address}", rank=a.rank, world_size=a.workers)
        net = nn.parallel.DistributedDataParallel(model)
    optimizer, loss_of = torch.optim.Adam(net.parameters(), foreach=True), nn.CrossEntropyLoss()
    x, y = torch.rand(4096, 1, 28, 28), torch.randint(0, 10, (4096,))
    times = []
    for _ in range(a.steps):
        began = time.perf_counter()
        chosen = torch.randint(0, len(x), (a.batch,))
        optimizer.zero_grad(set_to_none=True)
        loss_of(net(x[chosen]), y[chosen]).backward()
        optimizer.step()
        times.append(time.perf_counter() - began)
    if a.rank == 0:
        print(json.dumps({"peer": f"torch {torch.__version__}", "ms_a_step": 1000 * statistics.median(times[10:])}), flush=True)
    if a.workers > 1:
        torch.distributed.barrier()
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()

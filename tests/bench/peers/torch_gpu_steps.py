"""PyTorch on one GPU: a training step eager, compiled (reduce-overhead, then max-autotune), or the whole step captured as a CUDA graph. Channels last,
fused Adam, cuDNN's benchmark mode on; bfloat16 by autocast. `--peak` prints the machine's own limits instead: what a floor is reckoned from.
"""
import json
import sys

import gpu_steps
import models
import torch_steps


def peak(torch):
    """Multiply-adds a second by precision, bytes a second, and the least time of an empty step, each the best of several."""
    def best(run, times=7):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        least = float("inf")
        for _ in range(times):
            begin.record()
            run()
            end.record()
            torch.cuda.synchronize()
            least = min(least, begin.elapsed_time(end) * 1e-3)
        return least

    found, n = {"device": torch.cuda.get_device_name()}, 8192
    for precision in gpu_steps.PRECISIONS:
        torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
        kind = torch.bfloat16 if precision == "bfloat16" else torch.float32
        a, b = torch.randn(n, n, device="cuda", dtype=kind), torch.randn(n, n, device="cuda", dtype=kind)
        a @ b
        found[f"multiply_adds_per_s.{precision}"] = n ** 3 / best(lambda: a @ b)
        del a, b
    source = torch.zeros(1 << 30, dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    found["bytes_per_s"] = 2 * source.numel() / best(lambda: target.copy_(source))
    one = torch.zeros(1, device="cuda")
    graph, side = torch.cuda.CUDAGraph(), torch.cuda.Stream()
    with torch.cuda.stream(side):
        one.add_(1)
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        one.add_(1)

    def replay():
        for _ in range(1000):
            graph.replay()
    found["graph_launch_s"] = best(replay) / 1000
    print(json.dumps({"peak": found}), flush=True)


def main():
    import torch
    if "--peak" in sys.argv:
        return peak(torch)
    args = gpu_steps.parse(__doc__, ["eager", "compile", "max_autotune", "graph"])
    torch.backends.cudnn.benchmark = True

    def make(name, batch, precision, mode):
        torch.cuda.empty_cache()
        torch._dynamo.reset()
        torch.manual_seed(1)
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = precision == "tf32"
        images, labels = (torch.from_numpy(part).cuda() for part in models.samples(name))
        images = images.permute(0, 3, 1, 2)  # channels last as it lies
        order = torch.randint(0, models.SAMPLES, (args.steps, batch), device="cuda")
        net = torch_steps.build(torch, name).cuda().to(memory_format=torch.channels_last)
        optimizer = torch.optim.Adam(net.parameters(), fused=True, capturable=True)
        loss_of = torch.nn.CrossEntropyLoss()
        forward = net
        if mode == "compile":
            forward = torch.compile(net, mode="reduce-overhead")
        elif mode == "max_autotune":
            forward = torch.compile(net, mode="max-autotune")
        index = order[0].clone()

        def step():
            optimizer.zero_grad(set_to_none=mode != "graph")
            batch_images = images[index].float().div_(255)
            with torch.autocast("cuda", torch.bfloat16, enabled=precision == "bfloat16"):
                loss = loss_of(forward(batch_images), labels[index])
            loss.backward()
            optimizer.step()

        run = step
        if mode == "graph":
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                for _ in range(3):
                    step()
            torch.cuda.current_stream().wait_stream(side)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                step()
            run = graph.replay

        def repeat():
            for k in range(args.steps):
                index.copy_(order[k])
                run()
            torch.cuda.synchronize()
        return repeat

    gpu_steps.measure(args, f"PyTorch {torch.__version__}", make)


if __name__ == "__main__":
    main()

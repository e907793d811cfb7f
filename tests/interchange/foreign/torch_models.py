"""torch_models.py FOLDER: models of PyTorch as it exports them, by both of its exporters, with an input in Keras' order (NAME.x.npy) and what
onnxruntime makes of the file (NAME.theirs.npy)."""
import sys
import warnings

import numpy as np
import onnxruntime
import torch
from torch import nn

warnings.filterwarnings("ignore")


class LastOf(nn.Module):
    """The last time of a recurrent layer whose samples come first."""

    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def forward(self, x):
        return self.cell(x)[0][:, -1, :]


class AllOf(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def forward(self, x):
        return self.cell(x)[0]


def moved(model):
    """Statistics and weights that differ from those that a layer begins with."""
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for name, value in list(model.named_parameters()) + list(model.named_buffers()):
            if value.is_floating_point():
                value.add_(0.2 * torch.rand(value.shape, generator=generator))
    return model.eval()


def models():
    torch.manual_seed(3)
    image = (1, 28, 28)
    yield "mlp", nn.Sequential(nn.Flatten(), nn.Linear(784, 32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 10), nn.Softmax(-1)), image
    yield "cnn", nn.Sequential(nn.Conv2d(1, 6, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(),
                               nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8 * 6 * 6, 16), nn.ReLU(), nn.Linear(16, 10)), image
    yield "lenet5", nn.Sequential(nn.Conv2d(1, 6, 5, padding=2), nn.Tanh(), nn.AvgPool2d(2), nn.Conv2d(6, 16, 5), nn.Tanh(), nn.AvgPool2d(2),
                                  nn.Flatten(), nn.Linear(400, 120), nn.Tanh(), nn.Linear(120, 84), nn.Tanh(), nn.Linear(84, 10)), image
    yield "strides", nn.Sequential(nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.SiLU(), nn.Conv2d(8, 8, 3, padding=1, groups=8), nn.GELU(),
                                   nn.Conv2d(8, 4, 1, bias=False), nn.Hardswish(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 3)), (3, 16, 16)
    yield "up", nn.Sequential(nn.Conv2d(2, 4, 3, padding=1), nn.LeakyReLU(0.2), nn.Upsample(scale_factor=2), nn.ConvTranspose2d(4, 3, 2, stride=2),
                              nn.ELU(0.7), nn.ReLU6(), nn.ZeroPad2d((1, 0, 2, 1)), nn.Conv2d(3, 2, 3)), (2, 5, 6)
    yield "sequence", nn.Sequential(nn.Conv1d(3, 5, 3, padding=1), nn.ReLU(), nn.MaxPool1d(2), nn.BatchNorm1d(5), nn.Conv1d(5, 4, 2), nn.Softplus(),
                                    nn.Flatten(), nn.Linear(16, 2), nn.Sigmoid()), (3, 10)
    yield "normal", nn.Sequential(nn.Linear(6, 8), nn.LayerNorm(8), nn.Mish(), nn.BatchNorm1d(8), nn.Linear(8, 5), nn.PReLU(), nn.LogSoftmax(-1)), (6,)
    yield "lstm", nn.Sequential(AllOf(nn.LSTM(4, 5, batch_first=True)), LastOf(nn.LSTM(5, 3, batch_first=True)), nn.Linear(3, 2)), (7, 4)
    yield "gru", nn.Sequential(AllOf(nn.GRU(4, 5, batch_first=True)), nn.Linear(5, 3), LastOf(nn.GRU(3, 3, batch_first=True))), (6, 4)
    yield "rnn", nn.Sequential(LastOf(nn.RNN(4, 5, batch_first=True)), nn.Linear(5, 2)), (6, 4)
    yield "both", nn.Sequential(AllOf(nn.LSTM(4, 3, batch_first=True, bidirectional=True)), nn.Linear(6, 2)), (5, 4)
    yield "words", nn.Sequential(nn.Embedding(20, 4), LastOf(nn.GRU(4, 3, batch_first=True)), nn.Linear(3, 2)), None


def main(folder):
    for name, model, shape in models():
        model = moved(model)
        x = torch.randint(0, 20, (2, 6)) if shape is None else torch.rand((2,) + shape) - 0.5
        for kind in ("script", "dynamo"):
            file = f"{folder}/torch_{name}_{kind}.onnx"
            try:
                if kind == "script":
                    torch.onnx.export(model, (x,), file, dynamo=False, opset_version=17, input_names=["x"], output_names=["y"],
                                      dynamic_axes={"x": {0: "n"}, "y": {0: "n"}})
                else:
                    torch.onnx.export(model, (x,), file, dynamo=True, external_data=False, verbose=False,
                                      dynamic_shapes=({0: torch.export.Dim("n")},))
            except Exception as error:  # an exporter that can't: nothing to read
                print(f"{name} ({kind}): {str(error).splitlines()[0]}", file=sys.stderr)
                continue
            session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
            y = session.run(None, {session.get_inputs()[0].name: x.numpy()})[0]
            # Channels last, as Tandem reads them: of images, and of sequences that a convolution begins with.
            channels_first = shape is not None and (len(shape) == 3 or name == "sequence")
            last = lambda value: np.moveaxis(value, 1, -1) if channels_first and value.ndim > 2 else value
            np.save(file[:-5] + ".x.npy", np.ascontiguousarray(last(x.numpy()), dtype=np.float32))
            np.save(file[:-5] + ".theirs.npy", y.astype(np.float32))


main(sys.argv[1])

"""Trainings of other programs that write event files, an epoch at a time: after each they say so and wait for a line.

    event_writers.py keras|torch FOLDER
"""
import json
import os
import sys


def tell(epoch):
    print(f"epoch {epoch}", flush=True)
    if epoch < 2:
        sys.stdin.readline()


def train_keras(folder):
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import keras
    import numpy as np

    x = np.random.RandomState(0).rand(256, 8, 8, 1).astype("float32")
    y = (x.sum((1, 2, 3)) > 32).astype("int64")
    model = keras.Sequential([keras.layers.Input((8, 8, 1)), keras.layers.Conv2D(4, 3, activation="relu"), keras.layers.Flatten(),
                              keras.layers.Dense(2, activation="softmax")])
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])

    class Tell(keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            tell(epoch)

    board = keras.callbacks.TensorBoard(folder, histogram_freq=1)
    history = model.fit(x, y, epochs=3, batch_size=32, validation_split=0.25, verbose=0, callbacks=[board, Tell()])
    print(json.dumps(history.history), flush=True)


def train_torch(folder):
    sys.modules["tensorflow"] = None  # the two do not stand each other in one process
    import torch
    from torch.utils.tensorboard import SummaryWriter

    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    x = torch.randn(256, 8)
    y = (x.sum(1) > 0).long()
    writer = SummaryWriter(folder)
    told = {"train": [], "test": []}
    for epoch in range(3):
        for batch in range(10):
            rows = torch.randint(0, 256, (32,))
            loss = torch.nn.functional.cross_entropy(model(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            told["train"].append(loss.item())
            writer.add_scalar("Loss/train", loss.item(), 10 * epoch + batch)
        told["test"].append(torch.nn.functional.cross_entropy(model(x), y).item())
        writer.add_scalar("Loss/test", told["test"][-1], epoch)
        for name, parameter in model.named_parameters():
            writer.add_histogram(name, parameter, epoch)
        writer.flush()
        tell(epoch)
    writer.close()
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    {"keras": train_keras, "torch": train_torch}[sys.argv[1]](sys.argv[2])

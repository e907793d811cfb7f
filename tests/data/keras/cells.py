"""RNN over cells as Keras computes it, with masks on their way: python cells.py (writes beside itself)."""
from functools import partial

import numpy as np

import golden
from golden import inner, write

random = np.random.default_rng(23)
layers_case = partial(golden.layers_case, random)
IDS = np.array([[3, 1, 0, 0, 2], [0, 4, 2, 0, 0], [0, 0, 0, 5, 0], [1, 2, 3, 4, 5]], np.int32)
MASKED = -1.0
MASKING, EMBEDDING = inner("Masking", mask_value=MASKED), inner("Embedding", input_dim=6, output_dim=3, mask_zero=True)
CELLS = {"SimpleRNN": inner("SimpleRNNCell", units=2), "LSTM": inner("LSTMCell", units=3), "GRU": inner("GRUCell", units=2)}
STACK = [inner("LSTMCell", units=3), inner("GRUCell", units=4, reset_after=False), inner("SimpleRNNCell", units=2)]
WAYS = ({}, {"return_sequences": True}, {"go_backwards": True}, {"return_sequences": True, "go_backwards": True}, {"unroll": True},
        {"return_sequences": True, "zero_output_for_mask": True}, {"zero_output_for_mask": True},
        {"return_sequences": True, "go_backwards": True, "zero_output_for_mask": True})


def sequences():
    x = random.uniform(-1, 1, (4, 5, 3)).astype(np.float32)
    x[IDS == 0] = MASKED
    x[3, 1, :2] = MASKED  # not all of its features
    return x


def cases():
    plain = random.uniform(-1, 1, (3, 5, 3)).astype(np.float32)
    masked = sequences()
    for name, cell in CELLS.items():
        for way in WAYS[:5]:
            yield layers_case(f"{name} {way}", plain, [inner("RNN", cell=cell, **way)])
        for way in WAYS:
            yield layers_case(f"masked {name} {way}", masked, [MASKING, inner("RNN", cell=cell, **way)])
    yield layers_case("a stack of one", plain, [inner("RNN", cell=[CELLS["LSTM"]], return_sequences=True)])
    for way in WAYS[:5]:
        yield layers_case(f"stack {way}", plain, [inner("RNN", cell=STACK, **way)])
    for way in WAYS:
        yield layers_case(f"masked stack {way}", masked, [MASKING, inner("RNN", cell=STACK, **way)])
        yield layers_case(f"stack of ids {way}", IDS, [EMBEDDING, inner("RNN", cell=STACK[:2], **way)])
    # The mask that goes on is that of the input, whichever way the times went.
    yield layers_case("two masked stacks", masked,
                      [MASKING, inner("RNN", cell=STACK, return_sequences=True, go_backwards=True),
                       inner("RNN", cell=[inner("GRUCell", units=3), inner("LSTMCell", units=2, use_bias=False)], go_backwards=True)])
    yield layers_case("functions", plain,
                      [inner("RNN", cell=[inner("LSTMCell", units=2, activation="relu", recurrent_activation="hard_sigmoid"),
                                          inner("GRUCell", units=3, activation="softsign", use_bias=False)])])
    yield layers_case("one frozen", plain, [inner("RNN", cell=[inner("LSTMCell", units=2, trainable=False), inner("GRUCell", units=3)])])
    yield layers_case("not training", plain, [inner("RNN", cell=STACK)], training=False)


write("cells.json", list(cases()))

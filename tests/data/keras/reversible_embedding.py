"""Models with ReversibleEmbedding as Keras computes and trains them: python reversible_embedding.py (writes beside itself). Weights of the way back,
which no chain goes, have no gradient: an optimizer leaves them as they are, with its weight decay, too, and a moving average of theirs is
themselves."""
import warnings

import numpy as np

import golden
from golden import array, inner, keras, write

random = np.random.default_rng(17)
IDS = np.array([[3, 1, 0, 0, 2], [0, 4, 2, 0, 0], [5, 0, 0, 5, 0], [1, 2, 3, 4, 5]], np.int32)
TIED = inner("ReversibleEmbedding", input_dim=6, output_dim=3, mask_zero=True, logit_soft_cap=30.0)
UNTIED = inner("ReversibleEmbedding", input_dim=6, output_dim=3, tie_weights=False, embeddings_regularizer=inner("L2", l2=0.01),
               reverse_dtype="float32")


def training_case(name, optimizer, layers):
    model = golden.started(random, IDS, layers)
    before = [array(weight) for weight in model.weights]
    labels = random.integers(0, 3, len(IDS)).astype(np.int32)
    model.compile(getattr(keras.optimizers, optimizer["class_name"])(**optimizer["config"]), keras.losses.SparseCategoricalCrossentropy())
    losses = [float(model.train_on_batch(IDS, labels)) for _ in range(5)]
    slots = {variable.path.split("/")[-1]: array(variable) for variable in model.optimizer.variables if "reverse_embeddings" in variable.path}
    return {"name": name, "optimizer": optimizer, "layers": layers, "input": array(IDS), "ids": True, "labels": array(labels), "weights": before,
            "losses": losses, "weights_after": [array(weight) for weight in model.weights], "slots": slots}


def training_cases():
    ends = [inner("Flatten"), inner("Dense", units=3, activation="softmax")]
    yield training_case("tied", inner("SGD", learning_rate=0.1, momentum=0.9), [TIED, inner("GRU", units=4), ends[1]])
    yield training_case("untied", inner("SGD", learning_rate=0.1, momentum=0.9, weight_decay=0.1), [UNTIED] + ends)
    yield training_case("untied with an average", inner("AdamW", learning_rate=0.1, epsilon=0.001, weight_decay=0.5, use_ema=True, ema_momentum=0.5, ema_overwrite_frequency=2),
                        [UNTIED] + ends)
    yield training_case("untied with its slots", inner("Adagrad", learning_rate=0.1, initial_accumulator_value=0.3), [UNTIED] + ends)


warnings.simplefilter("ignore")
write("reversible_embedding.json", {"training": list(training_cases())})

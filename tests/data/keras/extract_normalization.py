"""Takes activations, normalisation, embedding and recurrent layers out of the golden files of the reference:
python extract_normalization.py SAMPLES_DIR (writes beside itself). Forms as extract.py's.
"""
import ast
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = sys.argv[1]
LAYERS = {"Activation": ["activation"], "BatchNormalization": [], "LayerNormalization": [], "GroupNormalization": ["groups"], "UnitNormalization": [],
          "Embedding": ["input_dim", "output_dim"], "PReLU": [], "ReLU": [], "LeakyReLU": [], "ELU": [], "Softmax": [],
          "SimpleRNN": ["units"], "LSTM": ["units"], "GRU": ["units"]}


def load(name):
    with open(os.path.join(SAMPLES, name)) as file:
        return json.load(file)


def array(nested):
    shape, values = [], nested
    while isinstance(values, list):
        shape.append(len(values))
        values = values[0]
    flat = nested
    for _ in shape[1:]:
        flat = [value for row in flat for value in row]
    return {"shape": shape, "values": flat if shape else [flat]}


def layer(text):
    call = ast.parse(text.removeprefix("L.").replace(",)", ")"), mode="eval").body
    if call.func.id not in LAYERS:
        return None
    config = dict(zip(LAYERS[call.func.id], (ast.literal_eval(argument) for argument in call.args)))
    config.update({keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords})
    return call.func.id, config


def cases(file):
    for case in load(file):
        found = layer(case["layer"])
        if found is None:
            continue
        weights = [weight["value"] if isinstance(weight, dict) else weight[1] for weight in case["weights"]
                   if "seed_generator" not in str(weight["name"] if isinstance(weight, dict) else weight[0])]
        result = {"name": case["layer"].removeprefix("L."), "class_name": found[0], "config": found[1], "training": case["training"] is not False,
                  "input": array(case["input"]), "weights": [array(weight) for weight in weights], "output": array(case["output"])}
        if "weights_after" in case and case["training"]:
            after = [weight["value"] if isinstance(weight, dict) else weight for weight in case["weights_after"]]
            result["weights_after"] = [array(weight[1] if isinstance(weight, list) and weight and isinstance(weight[0], str) else weight) for weight in after]
        if "r" in case:
            result["r"] = array(case["r"])
            result["grad_weights"] = [array(gradient) for gradient in case["grad_weights"]]
        if "grad_input" in case:
            result["grad_input"] = array(case["grad_input"])
        yield result


def write(name, value):
    with open(os.path.join(HERE, name), "w") as file:
        json.dump(value, file, separators=(",", ":"))
        file.write("\n")


write("normalization.json", [*cases("golden_grad_norm_dense.json"), *(case for case in cases("golden_layers.json") if "RNN" not in case["class_name"]
                                                                     and case["class_name"] not in ("LSTM", "GRU"))])
write("recurrent.json", [*cases("golden_grad_rnn.json"), *(case for case in cases("golden_layers.json") if case["class_name"] in ("SimpleRNN", "LSTM", "GRU"))])
write("activations.json", load("golden_activations.json"))

"""Takes the cases that the engine covers out of the golden files of the reference: python extract.py SAMPLES_DIR (writes beside itself).

Layer constructors become Keras' class name and config; nested lists become {"shape", "values"}.
"""
import ast
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = sys.argv[1]
LAYERS = {"Conv2D": ["filters", "kernel_size"], "MaxPooling2D": ["pool_size"], "Flatten": [], "Dense": ["units"], "Activation": ["activation"]}
# Positional arguments of the layers of images and sequences; nested numbers become a flat list, as the engine keeps them.
IMAGE_LAYERS = {"Conv1D": ["filters", "kernel_size"], "DepthwiseConv2D": ["kernel_size"], "SeparableConv2D": ["filters", "kernel_size"],
                "Conv2DTranspose": ["filters", "kernel_size"], "MaxPooling1D": ["pool_size"], "AveragePooling1D": ["pool_size"],
                "AveragePooling2D": ["pool_size"], "GlobalAveragePooling1D": [], "GlobalMaxPooling1D": [], "GlobalAveragePooling2D": [],
                "GlobalMaxPooling2D": [], "UpSampling1D": ["size"], "UpSampling2D": ["size"], "ZeroPadding1D": ["padding"],
                "ZeroPadding2D": ["padding"], "Cropping2D": ["cropping"], "Rescaling": ["scale"], "Permute": ["dims"],
                "RepeatVector": ["n"], "Reshape": ["target_shape"]}
ACTIVATIONS = {"linear", "relu", "softmax"}


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


def flat(value):
    return [number for part in value for number in part] if isinstance(value, tuple) and isinstance(value[0], tuple) else value


def layer(text, layers):
    """("Conv2D", {"filters": 3, ...}) of "L.Conv2D(3,3,padding='same')", or None for another layer."""
    call = ast.parse(text.removeprefix("L.").replace(",)", ")"), mode="eval").body

    def value(node):
        return node.id if isinstance(node, ast.Name) else flat(ast.literal_eval(node))

    name = call.func.id
    if name not in layers:
        return None
    config = dict(zip(layers[name], (value(argument) for argument in call.args)))
    config.update({keyword.arg: value(keyword.value) for keyword in call.keywords})
    return (name, config) if config.get("activation", "linear") in ACTIVATIONS else None


def layer_cases(file, with_gradients, layers=LAYERS):
    for case in load(file):
        found = layer(case["layer"], layers)
        if found is None:
            continue
        result = {"name": case["layer"].removeprefix("L."), "class_name": found[0], "config": found[1], "input": array(case["input"]),
                  "weights": [array(weight["value"] if isinstance(weight, dict) else weight[1]) for weight in case["weights"]], "output": array(case["output"])}
        if with_gradients:
            result.update({"r": array(case["r"]), "grad_input": array(case["grad_input"]),
                           "grad_weights": [array(gradient) for gradient in case["grad_weights"]]})
        yield result


def optimizer_cases():
    golden = load("golden_optimizers.json")
    runs = []
    for run in golden["runs"]:
        final = {variable["name"]: variable["value"] for variable in run["variables_at_end"]}
        runs.append({"class_name": run["class"], "config": run["kwargs"], "variables_at_end": {n: array(v) for n, v in final.items() if n[:2] in ("w_", "b_")},
                     "after_each_step": [{"w": array(w), "b": array(b)} for w, b in run["after_each_step"]]})
    return {"w0": array(golden["w0"]), "b0": array(golden["b0"]), "grads_w": [array(g) for g in golden["grads"]],
            "grads_b": [array(g) for g in golden["grads_b"]], "runs": runs}


def metric_cases():
    golden = load("golden_metrics.json")
    return [{"class_name": case["metric"], "config": case["kwargs"], "y_true": [array(batch) for batch in case["y_true"]],
             "y_pred": [array(batch) for batch in case["y_pred"]], "result_after_each_batch": case["result_after_each_batch"]}
            for case in golden["cases"] if not case["weighted"]]


def loss_cases():
    golden = load("golden_losses.json")
    cases = []
    for case in golden["cases"]:
        if case["reduction"] is not None:
            kept = {key: case[key] for key in ("loss", "kwargs", "y_true", "y_pred", "reduction", "weighted", "value")}
            cases.append({**kept, **({"gradient": array(case["grad_y_pred"])} if "grad_y_pred" in case else {})})
    return {"inputs": {name: array(values) for name, values in golden["inputs"].items()}, "cases": cases}


def write(name, value):
    with open(os.path.join(HERE, name), "w") as file:
        json.dump(value, file, separators=(",", ":"))
        file.write("\n")


write("layers_forward.json", list(layer_cases("golden_layers.json", False)))
write("layers_gradients.json", [*layer_cases("golden_grad_conv.json", True), *layer_cases("golden_grad_norm_dense.json", True)])
write("image_layers_forward.json", list(layer_cases("golden_layers.json", False, IMAGE_LAYERS)))
write("image_layers_gradients.json", [*layer_cases("golden_grad_conv.json", True, IMAGE_LAYERS),
                                      *layer_cases("golden_grad_norm_dense.json", True, IMAGE_LAYERS)])
write("optimizers.json", optimizer_cases())
write("losses.json", loss_cases())
write("metrics.json", metric_cases())

"""The classes that exported code defines where Keras lacks a layer, from the writer's own source: `from exported_classes import Residual`."""
import pathlib

import keras

SOURCE = pathlib.Path(__file__).resolve().parents[3] / "engine" / "spec" / "keras" / "code" / "keras_code_write.cpp"
_names = {"keras": keras, "layers": keras.layers}
exec(SOURCE.read_text().split('R"py(')[1].split(')py"')[0], _names)
Residual = _names["Residual"]

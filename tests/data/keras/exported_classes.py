"""The classes that exported code defines where Keras lacks a layer, from the writer's own source: `from exported_classes import CLASSES`."""
import pathlib

import keras

SOURCE = pathlib.Path(__file__).resolve().parents[3] / "engine" / "spec" / "keras" / "tandem_classes.cpp"
_names = {"keras": keras, "layers": keras.layers}
for _text in SOURCE.read_text().split('R"py(')[1:]:
    exec(_text.split(')py"')[0], _names)
CLASSES = {name: value for name, value in _names.items() if isinstance(value, type)}

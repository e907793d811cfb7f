"""What keras.utils.text_dataset_from_directory gives of a folder with odd names, in the order of names: python text_folder.py (writes beside
itself). `files` by their paths, `folders` that are empty; `class_names`, `texts` and `labels` of all of it, and of its parts by a
validation_split."""
import os
import tempfile

import keras

from golden import write

FILES = {"neg/10.txt": "ten\n", "neg/9.txt": "nine, line one\r\nline two\n", "neg/a b.txt": "with a space", "neg/B.TXT": "Capitals",
         "neg/\u00fc.txt": "\u00fcber \u65e5\u672c", "neg/.hidden.txt": "hidden", "neg/.txt": "an ending alone", "neg/empty.txt": "",
         "neg/x.txt.bak": "no text", "neg/notes.md": "no text", "neg/txt": "no text", "neg/Z/z.txt": "in Z", "neg/sub/a.txt": "in sub",
         "neg/sub/deep/a.tXt": "deep in sub", "neg/sub-2/a.txt": "in sub-2", "neg/.dots/a.txt": "in .dots", "neg/folder.txt/a.txt": "in folder.txt",
         "Pos/last.txt": "last", "Pos/first.txt": "first", "\u00e4 class/one.txt": "one", ".cache/a.txt": "no class", "readme.txt": "no class"}
FOLDERS = ["empty", "neg/nothing.txt"]


def said(folder, **options):
    data = keras.utils.text_dataset_from_directory(folder, batch_size=None, shuffle=False, verbose=False, **options)
    pairs = [(text.numpy().decode(), int(label)) for text, label in data]
    return {"class_names": data.class_names, "texts": [text for text, _ in pairs], "labels": [label for _, label in pairs]}


with tempfile.TemporaryDirectory() as folder:
    for name in FOLDERS:
        os.makedirs(os.path.join(folder, name))
    for name, text in FILES.items():
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(text.encode())
    parts = {subset: said(folder, validation_split=0.3, subset=subset)["texts"] for subset in ("training", "validation")}
    write("text_folder.json", {"files": FILES, "folders": FOLDERS, **said(folder), "parts": parts})

"""TextVectorization and StringLookup as Keras computes them, adapted to texts and by vocabularies that are given: python text_layers.py
(writes beside itself). A configuration has "none" where Keras has None, and a list where Keras has a tuple."""
import keras
import numpy as np

from golden import array, write

SIGNS = "".join(chr(code) for code in range(33, 127) if not chr(code).isalnum())
TEXTS = ["The cat sat on the mat.", "the dog's DOG, the cat!", "Ünï ÇÄFÉ the a\u00a0b\u2003c", "  a\tb\x0bc\x0cd  e ", f"x{SIGNS}y", "",
         "[UNK] unk", "\u65e5\u672c\u8a9e \u65e5\u672c", "I\u0307 \u0130 \u00df", "b a b a c", "c"]
SEEN = ["a b c a", "the the CAT", "\u65e5\u672c \U0001f600 a", "no one knows", "!!", "d c b a"]
WORDS = ["red", "green", "blue", "red", "blue", "red", "\u00fcber", "Red", "", "[UNK]", "x"]
LONG = ["", "a", "ab", "abc", "abcd", "abcdefg", "abcdefgh", "abcdefghi", "0123456789abcdef", "0123456789abcdefg",
        "0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef!", "z" * 63, "z" * 64, "z" * 65, "\u65e5\u672c\u8a9e" * 30]


def case(name, class_name, texts, seen=None, **config):
    own = {key: None if key in ("standardize", "split") and value == "none" else tuple(value) if key == "ngrams" and isinstance(value, list) else value
           for key, value in config.items()}
    layer = getattr(keras.layers, class_name)(**own)
    result = {"name": name, "class_name": class_name, "config": config, "texts": texts}
    if seen:
        layer.adapt(np.array(seen))
        result |= {"seen": seen, "vocabulary": [str(text) for text in layer.get_vocabulary(include_special_tokens=False)]}
    column = keras.ops.convert_to_numpy(layer(np.array(texts)[:, None]))
    return result | {"output": array(column)}


def cases():
    for seen in (TEXTS, SEEN):
        kind = "of all kinds" if seen is TEXTS else "of others"
        for standardize in ("lower_and_strip_punctuation", "lower", "strip_punctuation", "none"):
            for split in ("whitespace", "character", "none"):
                yield case(f"{standardize} {split} {kind}", "TextVectorization", TEXTS, seen, standardize=standardize, split=split,
                           output_sequence_length=7)
        for ngrams in (2, [2], [3, 1]):
            yield case(f"ngrams {ngrams} {kind}", "TextVectorization", TEXTS, seen, ngrams=ngrams, output_sequence_length=9)
        yield case(f"ngrams of whole texts {kind}", "TextVectorization", TEXTS, seen, ngrams=2, split="none", output_sequence_length=2)
        for mode in ("multi_hot", "count", "tf_idf"):
            yield case(f"{mode} {kind}", "TextVectorization", TEXTS, seen, output_mode=mode, max_tokens=40, pad_to_max_tokens=True)
            yield case(f"{mode} of few {kind}", "TextVectorization", TEXTS, seen, output_mode=mode, max_tokens=5, pad_to_max_tokens=True)
        yield case(f"few {kind}", "TextVectorization", TEXTS, seen, max_tokens=5, output_sequence_length=3)
    yield case("given", "TextVectorization", TEXTS, vocabulary=["the", "cat", "a"], output_sequence_length=4)
    yield case("given with its special tokens", "TextVectorization", TEXTS, vocabulary=["", "[UNK]", "the", "cat"], output_sequence_length=4)
    yield case("count given", "TextVectorization", TEXTS, output_mode="count", vocabulary=["the", "cat", "a"])
    yield case("tf_idf given", "TextVectorization", TEXTS, output_mode="tf_idf", vocabulary=["the", "cat", "a"], idf_weights=[0.5, 1.25, 2.0])
    yield case("tf_idf given with its special tokens", "TextVectorization", TEXTS, output_mode="tf_idf", vocabulary=["[UNK]", "the", "cat"],
               idf_weights=[0.25, 0.5, 1.0], max_tokens=6, pad_to_max_tokens=True)

    for mask in ({}, {"mask_token": "x"}, {"mask_token": ""}):
        for mode in ("int", "one_hot", "multi_hot", "count", "tf_idf"):
            words = " ".join(f"{key} {value!r}" for key, value in mask.items())
            pads = {} if mode == "int" else {"max_tokens": 9, "pad_to_max_tokens": True}
            yield case(f"{mode} {words}", "StringLookup", WORDS + ["other"], WORDS, output_mode=mode, **pads, **mask)
    yield case("few", "StringLookup", WORDS, WORDS, max_tokens=3)
    yield case("no place for others", "StringLookup", ["b", "a"], num_oov_indices=0, vocabulary=["a", "b"])
    for salt in ({}, {"salt": 133}, {"salt": [133, 137]}):
        yield case(f"places by hashes {salt}", "StringLookup", LONG, num_oov_indices=1009, vocabulary=["green"], **salt)
    yield case("places by hashes with a mask", "StringLookup", LONG, num_oov_indices=3, mask_token="abc", vocabulary=["ab", "a"])


write("text_layers.json", list(cases()))

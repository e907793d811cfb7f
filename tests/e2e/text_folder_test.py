"""A folder of texts with one sub-folder a class: a TextVectorization with an Embedding behind it learns from it, and what can't be read is
named."""
import json
import random
import unittest

from programs import ProgramTest

PRAISE, BLAME = ["fine", "great", "lovely", "good"], ["poor", "awful", "bad", "dull"]
TRAINED, TESTED = 96, 32
WORDS, LENGTH = 24, 6


class TextFolder(ProgramTest):
    def write(self):
        chance = random.Random(4)
        for part, count in (("train", TRAINED), ("test", TESTED)):
            for i in range(count):
                name, words = (("blame", BLAME), ("praise", PRAISE))[i % 2]
                folder = self.home / "reviews" / part / name / ("more" if i % 3 else ".")
                folder.mkdir(parents=True, exist_ok=True)
                word = chance.choice(words)
                (folder / f"{i}.{'TXT' if i % 5 else 'txt'}").write_text(f"A {word} {chance.choice(['film', 'book', 'play'])},\nreally {word}!\n")
        (self.home / "reviews/train/readme.txt").write_text("beside the classes")
        (self.home / "reviews/train/.cache").mkdir()
        (self.home / "reviews/train/.cache/0.txt").write_text("no class")

    def reviews(self, **data):
        layers = [{"class_name": "TextVectorization", "name": "texts", "config": {"max_tokens": WORDS, "output_sequence_length": LENGTH}},
                  {"class_name": "Embedding", "name": "embedding", "config": {"input_dim": WORDS, "output_dim": 4}},
                  {"class_name": "GlobalAveragePooling1D", "name": "pool", "config": {}},
                  {"class_name": "Dense", "name": "scores", "config": {"units": 2}}]
        project = {"version": 1, "name": "reviews",
                   "model": {"name": "sequential", "input_shape": [1], "input_dtype": "string", "layers": layers},
                   "data": {"dataset": "text_folder", "train_files": ["reviews/train"], "test_files": ["reviews/test"], "shuffle": 1000,
                            "batch_size_per_replica": 8, "validate_on_test": True, **data},
                   "compile": {"optimizer": {"class_name": "Adam", "config": {"learning_rate": 0.05}},
                               "loss": {"class_name": "SparseCategoricalCrossentropy", "config": {"from_logits": True}}, "metrics": ["accuracy"]},
                   "fit": {"epochs": 10, "log_every": 1, "seed": 3}, "strategy": {"name": "MirroredStrategy"},
                   "callbacks": {"model_checkpoint": {"filepath": "checkpoints/ckpt_{epoch}", "save_weights_only": True}}}
        path = self.home / "reviews.tandem"
        path.write_text(json.dumps(project))
        return path

    def test_is_learnt_and_predicted(self):
        self.write()
        out = self.home / "out"
        events = self.train(self.reviews(), "--out", out)
        epochs = [event for event in events if event["event"] == "epoch"]
        self.assertEqual(len(epochs), 10)
        self.assertEqual(len([event for event in events if event["event"] == "step"]), 10 * TRAINED // 8)
        self.assertEqual(epochs[-1]["val_accuracy"], 1)
        done = self.run_cli("evaluate", out, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["test_accuracy"], 1)

        new, scores = self.home / "new.txt", self.home / "scores.csv"
        new.write_text("what a lovely play\nan awful, dull book\n")
        done = self.run_cli("predict", out, "--data", new, "--out", scores)
        self.assertEqual(done.returncode, 0, done.stderr)
        blame, praise = zip(*([float(cell) for cell in line.split(",")] for line in scores.read_text().splitlines()), strict=True)
        self.assertGreater(praise[0], blame[0])
        self.assertGreater(blame[1], praise[1])

    def test_weighs_the_same_on_two_workers(self):
        self.write()
        losses = []
        for workers in (1, 2):
            events = self.train(self.reviews(), "--threads", 1, "--set", "fit.epochs=1", "--set", "data.shuffle=0", "--set",
                                f"data.batch_size_per_replica={16 // workers}", *(["--workers", 2] if workers == 2 else []))
            losses.append([event["loss"] for event in events if event["event"] == "step"])
        self.assertEqual(len(losses[0]), TRAINED // 16)
        for k, (one, two) in enumerate(zip(*losses, strict=True)):
            self.assertAlmostEqual(one, two, delta=1e-4, msg=f"step {k + 1}")

    def test_keeps_a_part_for_validation(self):
        """As many as Keras keeps: the whole part of the share, which is mixed in before."""
        self.write()
        project = self.reviews(test_files=[], validation_split=0.26, split_seed=5, validate_on_test=False)
        events = self.train(project, "--set", "data.batch_size_per_replica=1", "--set", "fit.epochs=1")
        self.assertEqual(len([event for event in events if event["event"] == "step"]), TRAINED - int(TRAINED * 0.26))

    def test_is_looked_at(self):
        self.write()
        done = self.run_cli("data", self.reviews(), "--check")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for word in ("blame", "praise", str(TRAINED)):
            self.assertIn(word, done.stdout)
        bad = self.home / "reviews/train/blame/bad.txt"
        bad.write_bytes(b"caf\xe9")
        for mode, code in (("refuse", 1), ("skip", 0)):
            done = self.run_cli("data", self.reviews(on_error=mode), "--check")
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            self.assertIn("blame/bad.txt: expected a text in UTF-8, got the byte 0xe9 at position 3", done.stdout + done.stderr)

    def test_refuses_by_name(self):
        def refuse(project, *words):
            done = self.run_cli("train", project, "--set", "fit.epochs=1")
            self.assertIn(done.returncode, (1, 2), done.stdout + done.stderr)
            for word in words:
                self.assertIn(word, done.stdout + done.stderr)

        refuse(self.reviews(), "reviews/train: expected a f", "found none")
        self.write()
        (self.home / "reviews/train/new").mkdir()
        refuse(self.reviews(), "reviews/train: has 3 sub-folders, each a class, expected at most 2")
        (self.home / "reviews/train/new").rmdir()
        (self.home / "reviews/train/blame/bad.txt").write_bytes(b"\xff\xfea\0")
        refuse(self.reviews(), "blame/bad.txt: expected a text in UTF-8, got the byte 0xff at position 0", "data.on_error=skip")
        refuse(self.reviews(train_files=["reviews/train", "reviews/test"]), "data.train_files", "expected one folder")
        (self.home / "empty/a").mkdir(parents=True)
        refuse(self.reviews(train_files=["empty"]), "empty: expected sub-folders with .txt files, found 0 texts in 1 sub-folders")


if __name__ == "__main__":
    unittest.main()

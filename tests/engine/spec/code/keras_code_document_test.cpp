// Code inside of documents: what is taken, and what is left.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/keras/keras_code.h"
#include "keras_code_reading.h"

namespace engine::spec {
namespace {

using testing::HasSubstr;

const std::string kCode =
    "model = keras.Sequential([\n    layers.Dense(3, input_shape=(4,)),\n    layers.Dense(2)])\nmodel.compile('sgd', 'mse')\n";

std::string indented(const std::string& text, const std::string& margin) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at) + 1;
        result += margin + text.substr(at, end - at);
        at = end;
    }
    return result;
}

TEST(KerasCodeDocument, FindsCodeInEveryKindOfDocument) {
    struct Row {
        std::string name, text;
    };
    const Row rows[] = {
        {"plain code", kCode},
        {"a fence at the end", kCode + "```\n"},
        {"a fence at the begin", "```python\n" + kCode},
        {"Markdown", "# A model\n\nIt has two layers.\n\n```python\n" + kCode + "```\nIt says:\n\n```\nEpoch 1/2 with loss 0.3\n```\n"},
        {"prompts beside fences",
         "```\nEpoch 1/2 with loss 0.3\n```\nTry it by hand:\n\n>>> model = keras.Sequential([\n...     layers.Dense(3, "
         "input_shape=(4,)),\n"
         "...     layers.Dense(2)])\n>>> model.compile('sgd', 'mse')\n\n```bash\npip install keras\n```\n"},
        {"tildes", "Some words on it.\n~~~\n" + kCode + "~~~\n"},
        {"another language between", "```bash\npip install keras\n```\n\n```python\n" + kCode + "```\n"},
        {"indented", "The model is made so, as always:\n\n" + indented(kCode, "    ") + "\nand that is all of it.\n"},
        {"prompts",
         ">>> model = keras.Sequential([\n...     layers.Dense(3, input_shape=(4,)),\n...     layers.Dense(2)])\n"
         ">>> model.compile('sgd', 'mse')\n<None>\n"},
        {"prompts of a notebook",
         "In [3]: model = keras.Sequential([layers.Dense(3, input_shape=(4,)), layers.Dense(2)])\nOut[3]: <Sequential>\n"
         "In [4]: model.compile('sgd', 'mse')\n"},
        {"a page in Korean",
         "\xEB\xAA\xA8\xEB\x8D\xB8 \xEB\xA7\x8C\xEB\x93\xA4\xEA\xB8\xB0\n\n\xEB\x8B\xA4\xEC\x9D\x8C\xEC\x9D\x80 "
         "\xEC\xBC\x80\xEB\x9D\xBC\xEC\x8A\xA4 \xEB\xAA\xA8\xEB\x8D\xB8\xEC\x9E\x85\xEB\x8B\x88\xEB\x8B\xA4(\xEC\x98\x88\n\n" +
             kCode +
             "10/10 [====] - 3s 343ms/step - loss: 3.3857e-04\ntf.Tensor(0.0, shape=(), dtype=float32)\n"
             "\xEB\x81\x9D\xEB\x82\xAC\xEC\x8A\xB5\xEB\x8B\x88\xEB\x8B\xA4 \xEC\x97\xAC\xEA\xB8\xB0\xEC\x84\x9C\n"},
        {"a page with cells", "In [None]:\n" + kCode + "\nNow the model is trained by the loop below.\n"},
        {"a notebook",
         R"json({"cells": [{"cell_type": "markdown", "source": ["# Title\n", "words of it"]}, {"cell_type": "code", "source": [
            "%matplotlib inline\n", "model = keras.Sequential([layers.Dense(3, input_shape=(4,)),\n", "  layers.Dense(2)])"], "outputs": []},
            {"cell_type": "code", "source": "model.compile('sgd', 'mse')"}], "nbformat": 4})json"},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        const CodeDocument document = readDocument(row.text);
        for (const std::string& text : {row.name == "a notebook" ? document.code : row.text, document.code}) {
            const CodeReading reading = readKerasCode(text, emptyRun());
            EXPECT_EQ(notesOf(reading), "") << document.code;
            EXPECT_EQ(layersOf(reading.run), "Dense(3) Dense(2)");
            EXPECT_EQ(reading.run.compile.optimizer.class_name, "SGD");
        }
        for (const char* prose :
             {"pip", "words", "Epoch", ">>>", "```", "~~~", "In [", "Tensor(", "\xEB", "trained", "%matplotlib", "always"})
            EXPECT_EQ(document.code.find(prose), std::string::npos) << document.code;
        EXPECT_EQ(readDocument(document.code).code, document.code) << "code stays as it is";
        EXPECT_EQ(document.is_document, row.name != "plain code");
    }
}

TEST(KerasCodeDocument, TellsWhatItTookAndLeft) {
    const CodeDocument document = readDocument("# Words\n\n```python\na = 1\nb = 2\n```\nMore of the words.\n```python\n  c = 3\n```\n");
    EXPECT_EQ(document.code, "a = 1\nb = 2\n\nc = 3\n");
    EXPECT_EQ(document.blocks, (std::vector<CodeLines>{{4, 5}, {9, 9}}));
    EXPECT_EQ(document.lines_left, 6);
    ASSERT_EQ(document.places.size(), 4U);
    EXPECT_EQ(document.places[3].line, 9);
    const CodeDocument notebook =
        readDocument(R"({"cells": [{"cell_type": "markdown", "source": "x"}, {"cell_type": "code", "source": "a = 1\nb = 2"}]})");
    EXPECT_EQ(notebook.code, "a = 1\nb = 2\n");
    ASSERT_EQ(notebook.places.size(), 2U);
    EXPECT_EQ(notebook.places[1].cell, 2);
    EXPECT_EQ(notebook.places[1].line, 2);
}

// A mistake in code is no prose, and a word in a program does not make a document of it.
TEST(KerasCodeDocument, LosesNoCode) {
    const std::string broken = "model = Sequential()\nmodel.add(Dense(8 16))\nmodel.compile('sgd', 'mse')\n";
    EXPECT_FALSE(readDocument(broken).is_document);
    const CodeReading reading = readKerasCode("Some words of prose here.\n\n" + broken, emptyRun());
    EXPECT_THAT(notesOf(reading, Severity::kError), HasSubstr("line 4, column 19: expected , or ), got 16"));
    const std::string program =
        "'''Trains a model on the data.'''\nimport keras\n\n# some words of it\nmodel = keras.Sequential()  # more words of it\n"
        "print('some words of it')\nfor x in data:\n    pass\n";
    EXPECT_FALSE(readDocument(program).is_document);
    EXPECT_EQ(readDocument(program).code, program);
    EXPECT_EQ(readDocument(std::string(2 << 20, '(')).code.size(), std::size_t{2 << 20});
    std::string long_prose = "x = 1\n";
    for (int i = 0; i < 2000; ++i) long_prose += "words (of a text that\n";
    EXPECT_EQ(readDocument(long_prose).code, "x = 1\n");
}

// Nothing of the project changes where a part of its text can't be read; what could not be brought in is told.
TEST(KerasCodeDocument, KnowsWhereTextAndProjectDiffer) {
    RunSpec run = readKerasCode(kCode + "model.fit(data, epochs=2)\n", emptyRun()).run;
    const std::string text = kCode + "model.fit(data, epochs=2)\n";
    EXPECT_EQ(partsThatDiffer(text, run), std::vector<std::string>());
    run.fit.epochs = 3;
    EXPECT_EQ(partsThatDiffer(text, run), std::vector<std::string>{"fit"});
    EXPECT_EQ(partsThatDiffer(updateKerasCode(text, readKerasCode(text, run, AbsentArguments::kDefault), run), run),
              std::vector<std::string>());
    EXPECT_EQ(partsThatDiffer("model = Sequential([Dense(8 16)])\n", run), std::vector<std::string>{""});
    run.code = "model = Sequential([Dense(8 16)])\nmodel.compile('sgd', 'mse')\n";
    EXPECT_EQ(projectCode(run), run.code) << "what can't be read stays as it is";
    const std::string loop =
        "sets = tfds.load('mnist')\ndata = sets['train'].batch(4)\nfor x in data:\n    opt = keras.optimizers.SGD()\n    "
        "opt.minimize(keras.losses.MeanSquaredError()(x, y), w)\n";
    RunSpec own = readKerasCode(loop, emptyRun()).run;
    EXPECT_EQ(partsThatDiffer(loop, own), std::vector<std::string>());
    own.data.dataset = "cifar10";
    EXPECT_EQ(partsThatDiffer(loop, own), std::vector<std::string>{"data"});
}

}  // namespace
}  // namespace engine::spec

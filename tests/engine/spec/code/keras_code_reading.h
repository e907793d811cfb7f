// SPDX-License-Identifier: Apache-2.0
// What the tests of code read and compare: seeds, starter projects, models as text.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/keras/keras_code.h"

namespace engine::spec {

inline std::string readFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file) << path;
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string seed(const std::string& name) {
    return readFile(std::string(TANDEM_TEST_DATA) + "/code/" + name);
}

inline RunSpec starter(const std::string& name) {
    const ProjectReport report = parseProject(readFile(std::string(TANDEM_RESOURCES) + "/templates/" + name + ".tandem"));
    EXPECT_FALSE(hasErrors(report.diagnostics));
    return report.run;
}

inline RunSpec emptyRun() {
    RunSpec run;
    run.model.input_shape = {};
    return run;
}

// Class names with the required fields: "Conv2D(32) Flatten()".
inline std::string layersOf(const RunSpec& run) {
    std::string text;
    for (const LayerSpec& layer : run.model.layers) {
        text += (text.empty() ? "" : " ") + layer.class_name + "(";
        for (const char* field : {"filters", "units", "rate"}) {
            if (const FieldValue* value = layer.config.find(field)) text += valueText(*value);
        }
        text += ")";
    }
    return text;
}

inline std::string notesOf(const CodeReading& reading, Severity least = Severity::kWarning) {
    std::string text;
    for (const CodeNote& note : reading.notes) {
        if (note.severity <= least) text += toString(note) + "\n";
    }
    return text;
}

// What the code of a project says, read back over a project that lacks it.
inline RunSpec roundTrip(const RunSpec& run, const CodeLayout& layout = {}) {
    RunSpec base = run;
    base.model = {};
    base.compile = {};
    base.callbacks = {};
    base.fit.epochs = 77;
    const std::string code = writeKerasCode(run, layout);
    const CodeReading reading = readKerasCode(code, base, AbsentArguments::kDefault);
    EXPECT_EQ(notesOf(reading), "") << code;
    return reading.run;
}

inline void expectSameModel(const RunSpec& read, const RunSpec& written) {
    const CodeLayout layout;
    EXPECT_EQ(writeKerasCode(read, layout), writeKerasCode(written, layout));
    EXPECT_EQ(read.model.input_shape, written.model.input_shape);
    EXPECT_EQ(read.model.input_dtype, written.model.input_dtype);
    ASSERT_EQ(read.model.layers.size(), written.model.layers.size());
    for (std::size_t i = 0; i < read.model.layers.size(); ++i) EXPECT_EQ(read.model.layers[i].name, written.model.layers[i].name);
}

}  // namespace engine::spec

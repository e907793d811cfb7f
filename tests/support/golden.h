// Reads tests/data/keras: arrays as {"shape", "values"}, configs as Keras writes them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/spec/fields.h"
#include "engine/spec/model_spec.h"

namespace tests::support {

struct Array {
    engine::spec::Shape shape;
    std::vector<float> values;
};

inline nlohmann::json readGolden(const std::string& file) {
    const std::string path = std::string(TANDEM_TEST_DATA) + "/keras/" + file;
    std::ifstream stream(path);
    if (!stream) throw std::runtime_error("cannot open " + path);
    return nlohmann::json::parse(stream);
}

inline Array toArray(const nlohmann::json& json) {
    return {json.at("shape").get<engine::spec::Shape>(), json.at("values").get<std::vector<float>>()};
}

inline std::vector<Array> toArrays(const nlohmann::json& json) {
    std::vector<Array> arrays;
    for (const nlohmann::json& item : json) arrays.push_back(toArray(item));
    return arrays;
}

inline engine::spec::Fields toFields(const nlohmann::json& config) {
    engine::spec::Fields fields;
    for (const auto& [name, value] : config.items()) {
        if (value.is_boolean())
            fields.set(name, value.get<bool>());
        else if (value.is_number_integer())
            fields.set(name, value.get<std::int64_t>());
        else if (value.is_number())
            fields.set(name, value.get<double>());
        else if (value.is_string())
            fields.set(name, value.get<std::string>());
        else if (value.is_object())
            fields.set(name, engine::spec::ObjectBox({value.at("class_name"), toFields(value.at("config"))}));
        else if (value.is_null())
            fields.set(name, std::monostate{});
        else if (value.is_array() && !value.empty() && value.front().is_string())
            fields.set(name, value.get<std::vector<std::string>>());
        else if (!value.empty() && value.front().is_object()) {
            std::vector<engine::spec::ObjectBox> objects;
            for (const nlohmann::json& item : value)
                objects.push_back(engine::spec::ObjectSpec{item.at("class_name"), toFields(item.at("config"))});
            fields.set(name, std::move(objects));
        } else if (std::any_of(value.begin(), value.end(), [](const nlohmann::json& item) { return item.is_number_float(); }))
            fields.set(name, value.get<std::vector<double>>());
        else
            fields.set(name, value.get<std::vector<std::int64_t>>());
    }
    return fields;
}

}  // namespace tests::support

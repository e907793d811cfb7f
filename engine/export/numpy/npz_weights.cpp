#include "engine/export/numpy/npz_weights.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "engine/export/atomic_file.h"
#include "engine/export/numpy/npy_file.h"
#include "engine/export/zip_archive.h"
#include "engine/spec/error.h"
#include "engine/spec/shape.h"

namespace engine::exporter {
namespace {

constexpr std::size_t kBefore = 10;  // magic, version, length of the header

// The values of a member that holds float32 in C order under that shape.
std::string_view valuesOf(std::string_view bytes, const spec::Shape& shape, std::size_t count, const std::string& where) {
    const auto fault = [&](const std::string& got) {
        return Error(ErrorCode::kInvalidArgument,
                     where + ": expected float32 of the shape " + spec::shapeText(shape) + " in C order, got " + got);
    };
    if (bytes.size() < kBefore || !bytes.starts_with("\x93NUMPY\x01")) {
        throw Error(ErrorCode::kDataLoss, where + ": expected an array of NumPy (version 1), got something else");
    }
    const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at])); };
    const std::size_t header = byte(8) | byte(9) << 8U;
    if (bytes.size() < kBefore + header) {
        throw Error(ErrorCode::kDataLoss, where + ": expected a header of " + std::to_string(header) + " bytes, got less");
    }
    const std::string_view text = bytes.substr(kBefore, header);
    if (text.find("'<f4'") == std::string_view::npos) throw fault("another type");
    if (text.find("'fortran_order': False") == std::string_view::npos) throw fault("Fortran's order");
    std::string wanted;
    for (const std::int64_t size : shape) wanted += std::to_string(size) + ",";
    std::string found(text.substr(std::min(text.find('('), text.size())));
    found = found.substr(0, found.find(')'));
    std::erase_if(found, [](char c) { return c == ' ' || c == '('; });
    if (!found.empty() && found.back() != ',') found += ",";
    if (found != wanted) throw fault("(" + found + ")");
    const std::string_view values = bytes.substr(kBefore + header);
    if (values.size() != count * sizeof(float)) {
        throw Error(ErrorCode::kDataLoss, where + ": expected " + std::to_string(count * sizeof(float)) + " bytes of values, got " +
                                              std::to_string(values.size()));
    }
    return values;
}

bool isSlot(std::string_view name) {
    return name.find(':') != std::string_view::npos;
}

}  // namespace

std::string npzWeights(const CheckpointContents& contents) {
    std::vector<std::pair<std::string, std::string>> members;
    for (const VariableView& variable : contents.variables) {
        if (!isSlot(variable.name)) members.emplace_back(variable.name + ".npy", npyBytes(variable.shape, variable.values));
    }
    return writeZip(members);
}

void readNpzWeights(const std::filesystem::path& file, std::span<const MutableVariableView> weights) {
    const std::map<std::string, std::string> members = readZip(readFile(file), file.string());
    std::vector<std::string_view> values;
    for (const MutableVariableView& weight : weights) {
        const auto member = members.find(weight.name + ".npy");
        if (member == members.end()) {
            throw Error(ErrorCode::kNotFound, file.string() + ": expected an array \"" + weight.name + "\", found none");
        }
        values.push_back(valuesOf(member->second, weight.shape, weight.values.size(), file.string() + ", " + weight.name));
    }
    for (std::size_t i = 0; i < values.size(); ++i) std::memcpy(weights[i].values.data(), values[i].data(), values[i].size());
}

}  // namespace engine::exporter

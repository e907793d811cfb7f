#include "engine/export/backup_file.h"

#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

#include "backup.pb.h"
#include "engine/export/atomic_file.h"
#include "engine/export/record_framing.h"
#include "engine/spec/error.h"
#include "engine/spec/shape.h"

namespace engine::exporter {
namespace {

namespace formats = tandem::formats;

constexpr int kBackupVersion = 1;
static_assert(std::endian::native == std::endian::little, "values are stored as they lie in memory");

std::string_view bytesOf(std::span<const float> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

struct ValueToProto {
    formats::SavedValue& out;

    void operator()(std::int64_t value) const { out.set_whole(value); }
    void operator()(double value) const { out.set_real(value); }
    void operator()(const std::string& value) const { out.set_text(value); }
    void operator()(const std::vector<float>& value) const {
        const std::string_view bytes = bytesOf(value);
        out.set_floats(bytes.data(), bytes.size());
    }
};

SavedObject::Value valueOf(const formats::SavedValue& saved) {
    switch (saved.value_case()) {
        case formats::SavedValue::kWhole:
            return static_cast<std::int64_t>(saved.whole());
        case formats::SavedValue::kReal:
            return saved.real();
        case formats::SavedValue::kText:
            return saved.text();
        case formats::SavedValue::kFloats: {
            std::vector<float> floats(saved.floats().size() / sizeof(float));
            if (!floats.empty()) std::memcpy(floats.data(), saved.floats().data(), floats.size() * sizeof(float));
            return floats;
        }
        case formats::SavedValue::VALUE_NOT_SET:
            break;
    }
    throw Error(ErrorCode::kDataLoss, "backup: expected a value of " + saved.name() + ", got none");
}

void addObjects(const std::vector<SavedObject>& objects, formats::BackupHeader& header) {
    for (const SavedObject& object : objects) {
        formats::SavedObject& saved = *header.add_objects();
        saved.set_name(object.name);
        for (const auto& [name, value] : object.values) {
            formats::SavedValue& entry = *saved.add_values();
            entry.set_name(name);
            std::visit(ValueToProto{entry}, value);
        }
    }
}

std::vector<SavedObject> objectsOf(const formats::BackupHeader& header) {
    std::vector<SavedObject> objects;
    for (const formats::SavedObject& saved : header.objects()) {
        SavedObject object{saved.name(), {}};
        for (const formats::SavedValue& value : saved.values()) {
            object.set(value.name(), valueOf(value));
        }
        objects.push_back(std::move(object));
    }
    return objects;
}

formats::BackupHeader parseHeader(std::string_view bytes) {
    formats::BackupHeader header;
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) ||
        !header.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
        throw Error(ErrorCode::kDataLoss, "expected a backup's header, got something else");
    }
    if (header.version() < 1 || header.version() > kBackupVersion) {
        throw Error(ErrorCode::kDataLoss,
                    "expected a backup of version " + std::to_string(kBackupVersion) + " at most, got " + std::to_string(header.version()));
    }
    return header;
}

std::string describe(const std::string& name, const spec::Shape& shape) {
    return name + " " + spec::shapeText(shape);
}

void requireSameVariables(const formats::BackupHeader& header, std::span<const MutableVariableView> variables) {
    const auto count = static_cast<std::size_t>(header.variables_size());
    for (std::size_t i = 0; i < std::max(count, variables.size()); ++i) {
        const std::string wanted = i < variables.size() ? describe(variables[i].name, variables[i].shape) : "no further variable";
        std::string got = "no further variable";
        if (i < count) {
            const formats::BackupHeader::Variable& stored = header.variables(static_cast<int>(i));
            got = describe(stored.name(), {stored.shape().begin(), stored.shape().end()});
        }
        if (wanted != got) {
            throw Error(ErrorCode::kFailedPrecondition,
                        "expected the variables of this model and optimizer, " + wanted + " among them, got " + got);
        }
    }
}

std::string_view nextRecord(std::string_view& rest) {
    const auto record = takeRecord(rest);
    if (!record) {
        throw Error(ErrorCode::kDataLoss, "expected another record, got the end of the file");
    }
    return *record;
}

}  // namespace

std::string encodeObjects(const std::vector<SavedObject>& objects) {
    formats::BackupHeader header;
    header.set_version(kBackupVersion);
    addObjects(objects, header);
    return header.SerializeAsString();
}

std::vector<SavedObject> decodeObjects(std::string_view bytes) {
    return objectsOf(parseHeader(bytes));
}

std::int64_t writeBackup(const files::Place& file, const std::vector<SavedObject>& objects, std::span<const VariableView> variables) {
    formats::BackupHeader header;
    header.set_version(kBackupVersion);
    addObjects(objects, header);
    for (const VariableView& variable : variables) {
        formats::BackupHeader::Variable& entry = *header.add_variables();
        entry.set_name(variable.name);
        entry.mutable_shape()->Add(variable.shape.begin(), variable.shape.end());
    }
    std::string bytes;
    appendRecord(bytes, header.SerializeAsString());
    for (const VariableView& variable : variables) {
        appendRecord(bytes, bytesOf(variable.values));
    }
    writeFileAtomically(file, bytes);
    return static_cast<std::int64_t>(bytes.size());
}

std::vector<SavedObject> readBackupObjects(const files::Place& file) {
    const std::string bytes = readFile(file);
    try {
        std::string_view rest = bytes;
        return objectsOf(parseHeader(nextRecord(rest)));
    } catch (const Error& error) {
        throw Error(error.code(), file.path().string() + ": " + error.what());
    }
}

bool isBackupFileName(const std::filesystem::path& file) {
    return file.extension() == ".backup";
}

BackupPart readBackupByName(const files::Place& file, std::span<const MutableVariableView> variables) {
    const std::string bytes = readFile(file);
    try {
        std::string_view rest = bytes;
        const formats::BackupHeader header = parseHeader(nextRecord(rest));
        std::map<std::string, std::string_view> stored;  // by name and shape
        for (const formats::BackupHeader::Variable& one : header.variables()) {
            stored[describe(one.name(), {one.shape().begin(), one.shape().end()})] = nextRecord(rest);
        }
        BackupPart part{objectsOf(header), {}};
        std::vector<std::pair<std::span<float>, std::string_view>> found;
        for (const MutableVariableView& variable : variables) {
            const std::string wanted = describe(variable.name, variable.shape);
            const auto values = stored.find(wanted);
            if (values == stored.end()) {
                if (variable.name.find(':') == std::string::npos) {
                    throw Error(ErrorCode::kInvalidArgument,
                                "expected the weights of this model, " + wanted + " among them, got none of that name and shape");
                }
                part.missing.push_back(variable.name);
                continue;
            }
            if (values->second.size() != variable.values.size_bytes()) {
                throw Error(ErrorCode::kDataLoss, variable.name + ": expected " + std::to_string(variable.values.size_bytes()) +
                                                      " bytes, got " + std::to_string(values->second.size()));
            }
            found.emplace_back(variable.values, values->second);
        }
        for (const auto& [to, from] : found) {
            std::memcpy(to.data(), from.data(), from.size());
        }
        return part;
    } catch (const Error& error) {
        throw Error(error.code(), file.path().string() + ": " + error.what());
    }
}

std::vector<SavedObject> readBackup(const files::Place& file, std::span<const MutableVariableView> variables) {
    const std::string bytes = readFile(file);
    try {
        std::string_view rest = bytes;
        const formats::BackupHeader header = parseHeader(nextRecord(rest));
        requireSameVariables(header, variables);
        std::vector<std::string_view> values;
        for (const MutableVariableView& variable : variables) {
            values.push_back(nextRecord(rest));
            if (values.back().size() != variable.values.size_bytes()) {
                throw Error(ErrorCode::kDataLoss, variable.name + ": expected " + std::to_string(variable.values.size_bytes()) +
                                                      " bytes, got " + std::to_string(values.back().size()));
            }
        }
        if (!rest.empty()) {
            throw Error(ErrorCode::kDataLoss, "expected the end of the file, got " + std::to_string(rest.size()) + " bytes more");
        }
        std::vector<SavedObject> objects = objectsOf(header);
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::memcpy(variables[i].values.data(), values[i].data(), values[i].size());
        }
        return objects;
    } catch (const Error& error) {
        throw Error(error.code(), file.path().string() + ": " + error.what());
    }
}

}  // namespace engine::exporter

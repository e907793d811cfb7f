#include "engine/train/callbacks/callback.h"

#include <string>
#include <string_view>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/error.h"

namespace engine::train {

// A line for each file of callbacks/, made by CMake.
#define TANDEM_ROWS(name) std::span<const CallbackRow> name##Rows();
#include "callback_files.inc"
#undef TANDEM_ROWS

namespace {

const CallbackRow* findRow(std::string_view class_name) {
    for (std::span<const CallbackRow> (*rows)() : {
#define TANDEM_ROWS(name) &name##Rows,
#include "callback_files.inc"
#undef TANDEM_ROWS
         }) {
        for (const CallbackRow& row : rows()) {
            if (row.class_name == class_name) return &row;
        }
    }
    return nullptr;
}

// Those that a project may list, but for the trainer's own.
std::string knownNames() {
    std::string names;
    for (const spec::ObjectSchema& schema : spec::callbackSchemas()) {
        if (findRow(schema.class_name) != nullptr) names += (names.empty() ? "" : ", ") + schema.class_name;
    }
    return names;
}

}  // namespace

Callbacks makeCallbacks(const spec::CallbackSpecs& specs) {
    Callbacks callbacks;
    for (const spec::ObjectSpec& object : specs) {
        if (object.class_name == "BackupAndRestore") {
            continue;
        }
        const CallbackRow* row = findRow(object.class_name);
        if (row == nullptr) {
            throw Error(ErrorCode::kUnimplemented, "callbacks: expected one of " + knownNames() + ", got \"" + object.class_name + "\"");
        }
        callbacks.push_back(row->make(object));
    }
    return callbacks;
}

}  // namespace engine::train

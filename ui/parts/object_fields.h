// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of a layer, optimizer or schedule as a form reads and writes them.
#pragma once

#include "engine/spec/catalog/object_schema.h"

namespace ui::views {

// The field's value, or what it is when nobody sets it.
inline engine::spec::FieldValue valueOr(const engine::spec::Fields& config, const engine::spec::FieldSchema& schema) {
    const engine::spec::FieldValue* value = config.find(schema.name);
    return value != nullptr ? *value : schema.fallback;
}

// What a field is anyway is not written.
inline void put(engine::spec::Fields& config, const engine::spec::FieldSchema& schema, const engine::spec::FieldValue& value) {
    if (!schema.required && value == schema.fallback)
        config.erase(schema.name);
    else
        config.set(schema.name, value);
}

}  // namespace ui::views

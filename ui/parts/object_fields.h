// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of a layer, optimizer or schedule as a form reads and writes them.
#pragma once

#include "engine/spec/catalog/object_schema.h"

namespace ui::views {

// Returns the field's value, or its default when nobody sets it.
inline engine::spec::FieldValue valueOr(const engine::spec::Fields& config, const engine::spec::FieldSchema& schema) {
    const engine::spec::FieldValue* value = config.find(schema.name);
    return value != nullptr ? *value : schema.fallback;
}

// Sets a field of `config`; a value that is the field's default is not written.
inline void put(engine::spec::Fields& config, const engine::spec::FieldSchema& schema, const engine::spec::FieldValue& value) {
    if (!schema.required && value == schema.fallback)
        config.erase(schema.name);
    else
        config.set(schema.name, value);
}

}  // namespace ui::views

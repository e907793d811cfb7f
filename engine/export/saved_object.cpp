#include "engine/export/saved_object.h"

namespace engine::exporter {

void SavedObject::set(const std::string& key, const Value& value) {
    values.emplace_back(key, value);
}

}  // namespace engine::exporter

#include "engine/spec/catalog/objects/object_rows.h"

#include <utility>

namespace engine::spec::objects {

FieldSchema flagField(std::string name, bool fallback, std::string hint) {
    return {.name = std::move(name), .kind = FieldKind::kBool, .fallback = fallback, .hint = std::move(hint)};
}

}  // namespace engine::spec::objects

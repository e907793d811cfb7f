#include "engine/export/index/compared.h"

namespace engine::exporter {

std::int64_t& comparedOfThisThread() {
    thread_local std::int64_t compared = 0;
    return compared;
}

}  // namespace engine::exporter

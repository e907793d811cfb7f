#include "engine/spec/keras/python/read_work.h"

namespace engine::spec::code {

std::int64_t& readOfThisThread() {
    thread_local std::int64_t read = 0;
    return read;
}

}  // namespace engine::spec::code

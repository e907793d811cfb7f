// An owned file descriptor, -1 for none: the engine's, by the name that the agent's folders use.
#pragma once

#include "engine/files/file_descriptor.h"

namespace agent::convert {

using engine::files::FileDescriptor;

}  // namespace agent::convert

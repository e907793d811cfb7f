#include "agent/server/rpc/trust.h"

namespace agent::server {

std::string makeToken() {
    return convert::toHex(convert::makeSecret());
}

}  // namespace agent::server

// Work on foreign bytes in a process of its own, for libraries that damaged files can crash or send round in circles.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace engine::exporter {

// What `work` returns, called in a forked child that shares nothing with this process afterwards: it may use memory and pure functions, but
// no lock that another thread of this process may hold. An Error it throws is thrown here. Throws Error(kDataLoss) with `what` in front
// when the child crashed or was not done by the deadline, kResourceExhausted when it could not be started.
std::string callIsolated(const std::function<std::string()>& work, const std::string& what, std::chrono::seconds deadline);

}  // namespace engine::exporter

// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a TCP port of this computer's loopback can be bound now. A moment's answer; the agent reserves ports for real.
#pragma once

#include <vector>

namespace ui::session {

bool isLoopbackPortFree(int port);
// Returns `count` different free ports: the usual ones of TensorFlow's examples first (12345, 23456, ...), then what the system gives.
std::vector<int> freeLoopbackPorts(int count);
// Returns the usual ports, free or not.
std::vector<int> usualPorts(int count);

}  // namespace ui::session

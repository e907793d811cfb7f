// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of the open project that need to know this computer: its ports, its names. GUI thread only.
#pragma once

#include <optional>
#include <vector>

#include "engine/spec/cluster/cluster_repair.h"

namespace ui::session {

class Host;
class Project;

int localWorkers(const Project& project);                 // tasks that the project trains on
int hostCount(const Project& project, const Host& host);  // computers with a task, this one among them where it has one; at least 1
// Rewrites strategy and cluster for n workers on this computer (1 to 8), as one step of undo.
void setLocalWorkers(Project& project, int workers);
// Gives every task of this computer a port that is free now.
void chooseFreePorts(Project& project);

// Returns what a click would do about a finding of Project::diagnostics() or of the doctor; nullopt when nothing is known to help.
std::optional<engine::spec::Repair> repairOf(const Project& project, const Host& host, const engine::spec::Diagnostic& finding);
// Does what repairOf() says, as one step of undo. False when nothing is known to help.
bool repair(Project& project, const Host& host, const engine::spec::Diagnostic& finding);

}  // namespace ui::session

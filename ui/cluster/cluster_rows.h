// SPDX-License-Identifier: GPL-3.0-or-later
// What the Cluster page shows of session and project, as the canvas' and the list's plain values.
#pragma once

#include <vector>

#include "engine/spec/diagnostic.h"
#include "ui/canvas/cluster_canvas.h"
#include "ui/models/check_list_model.h"
#include "ui/session/session.h"

namespace ui::views {

inline constexpr int kSparePorts = 8;  // that are found free for an edit: more than it can take

// `lost_s`: the seconds for which the agent of this computer has not answered; below 0: it answers.
canvas::ClusterPicture clusterPicture(const session::Session& session, const theme::Theme& theme, int lost_s);

struct Finding {
    models::CheckRow row;
    engine::spec::Diagnostic diagnostic;  // what a fix is for; of passed checks empty
};
// Returns problems first, with what a click would do about them; then the doctor's rows, or the passed checks that are known without it.
std::vector<Finding> clusterFindings(const session::Session& session);

// Returns "worker 1" for "cluster.worker[1]"; the path itself when it names no task.
QString pathText(const QString& path);

}  // namespace ui::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/project/exported_files.h"

#include <QDir>
#include <algorithm>

#include "engine/launch/tf_config_files.h"
#include "ui/session/event_list.h"
#include "ui/session/project/whole_file.h"

namespace ui::session {

QStringList filesThere(const QString& folder, const QStringList& names) {
    QStringList there;
    std::copy_if(names.begin(), names.end(), std::back_inserter(there), [&](const QString& name) { return QDir(folder).exists(name); });
    return there;
}

ErrorInfo writeFiles(EventList& events, const QString& folder, const std::vector<engine::launch::LaunchFile>& files) {
    if (!QDir().mkpath(folder)) return {0, QStringLiteral("%1: expected a folder that can be made, the system refused").arg(folder)};
    for (const auto& file : files) {
        const QString path = folder + "/" + QString::fromStdString(file.file_name);
        if (const QString problem = writeWholeFile(path, file.text); !problem.isEmpty())
            return {0, QStringLiteral("%1: expected to write it: %2").arg(path, problem)};
    }
    events.addFiles(folder, static_cast<int>(files.size()));
    return {};
}

}  // namespace ui::session

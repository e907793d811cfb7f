// SPDX-License-Identifier: GPL-3.0-or-later
// A user of their own: folders in which no agent, run or setting of the machine takes part. Ends the agent that was started there.
#pragma once

#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <vector>

namespace tests {

class Home {
public:
    Home();
    // Waits until the agent and its workers are gone: nothing writes into the folders any more.
    ~Home();
    QString path(const QString& name) const { return folder_.filePath(name); }

    // Ids of this user's processes of that program ("tandem-worker") whose environment holds all of these texts.
    std::vector<int> processes(const QString& program, const QStringList& environment = {}) const;

private:
    QTemporaryDir folder_;
};

}  // namespace tests

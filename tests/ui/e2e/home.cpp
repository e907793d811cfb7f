// SPDX-License-Identifier: GPL-3.0-or-later
#include "home.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QTest>
#include <algorithm>
#include <csignal>

namespace tests {
namespace {

constexpr int kEndMs = 180'000;

}  // namespace

Home::Home() {
    for (const char* name : {"HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"}) {
        const QString folder = folder_.filePath(QString::fromLatin1(name).toLower());
        QDir().mkpath(folder);
        QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv(name, folder.toUtf8());
    }
}

Home::~Home() {
    for (const int agent : processes(QStringLiteral("tandem-agent"))) ::kill(agent, SIGTERM);
    const auto nobody = [this] {
        return processes(QStringLiteral("tandem-agent")).empty() && processes(QStringLiteral("tandem-worker")).empty();
    };
    EXPECT_TRUE(QTest::qWaitFor(nobody, kEndMs)) << "the agent ends with its workers";
}

std::vector<int> Home::processes(const QString& program, const QStringList& environment) const {
    const QByteArray mine = "HOME=" + folder_.filePath(QStringLiteral("home")).toUtf8();
    std::vector<int> found;
    for (const QString& pid : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        if (!QFile::symLinkTarget(QStringLiteral("/proc/%1/exe").arg(pid)).endsWith(QLatin1Char('/') + program)) continue;
        QFile file(QStringLiteral("/proc/%1/environ").arg(pid));
        if (!file.open(QIODevice::ReadOnly)) continue;
        const QByteArray all = file.readAll();
        const bool wanted = all.split('\0').contains(mine) && std::all_of(environment.begin(), environment.end(),
                                                                          [&](const QString& text) { return all.contains(text.toUtf8()); });
        if (wanted) found.push_back(pid.toInt());
    }
    return found;
}

}  // namespace tests

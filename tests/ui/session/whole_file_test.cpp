// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/project/whole_file.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "tests/support/small_disk.h"

namespace ui::session {
namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("none");
}

TEST(WholeFile, AFullDiskLeavesTheEarlierFileAndSaysWhy) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("mine.tandem");
    ASSERT_EQ(writeWholeFile(path, "earlier").toStdString(), "");
    for (const rlim_t room : {0, 10, 4096}) {
        const tests::support::SmallDisk disk(room);
        EXPECT_FALSE(writeWholeFile(path, QByteArray(5000, 'x')).isEmpty()) << room;
    }
    EXPECT_EQ(contentOf(path), "earlier");
    EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList("mine.tandem"));
    EXPECT_TRUE(writeWholeFile(path, QByteArray(5000, 'x')).isEmpty());
    EXPECT_EQ(contentOf(path), QByteArray(5000, 'x'));
    EXPECT_TRUE(writeWholeFile(path, "").isEmpty());
    EXPECT_EQ(contentOf(path), "");
}

TEST(WholeFile, NamesWhatTheSystemSays) {
    const QTemporaryDir folder;
    EXPECT_FALSE(writeWholeFile(folder.filePath("no such folder/mine.tandem"), "text").isEmpty());
    ASSERT_TRUE(QDir(folder.path()).mkdir("taken"));
    EXPECT_FALSE(writeWholeFile(folder.filePath("taken"), "text").isEmpty());
}

}  // namespace
}  // namespace ui::session

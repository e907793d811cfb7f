// SPDX-License-Identifier: GPL-3.0-or-later
// How many samples of each class a data set on this computer has, read from its IDX label files (magic 0x00000801, big-endian count, one
// byte a label; gzip or plain; see yann.lecun.com/exdb/mnist). May block on files: for a worker thread.
#pragma once

#include "ui/session/values.h"

namespace ui::session {

// Returns what the set holds. `folders` are looked through in order for <folder>/<data.dataset>/; a data set "idx" names its files itself.
DatasetFacts readDatasetFacts(const engine::spec::DataSpec& data, const QStringList& folders);

// Returns the folders in which data sets are looked for: $TANDEM_DATA_DIR, `share_dir`/datasets, the user's cache.
QStringList datasetFolders(const QString& share_dir);

}  // namespace ui::session

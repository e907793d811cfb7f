// SPDX-License-Identifier: GPL-3.0-or-later
// The run report on pages of A4: the same facts and tables as the HTML report, with the charts as Monitor draws them, in light colours.
#pragma once

#include <QByteArray>
#include <QImage>
#include <vector>

#include "engine/report/run_data.h"

namespace ui::charts {
class ChartCard;
}

namespace ui::views {

// Returns the file's whole content. GUI thread.
QByteArray reportPdf(const engine::report::RunData& run, const std::vector<const charts::ChartCard*>& charts);
// Returns the report's first page, `width` pixels wide.
QImage reportPage(const engine::report::RunData& run, const std::vector<const charts::ChartCard*>& charts, int width);

}  // namespace ui::views

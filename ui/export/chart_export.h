// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of a run's charts and its report as PDF or HTML without a window: `tandem --export`.
#pragma once

#include <QString>
#include <iosfwd>

#include "ui/charts/chart_picture.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {

struct ChartExportOptions {
    enum class What { kCharts, kReport } what = What::kCharts;
    QString run;  // id, or its beginning; empty: the newest
    charts::PictureOptions picture{.columns = 2};
    bool split = false;  // a picture for each chart
    bool html = false;   // the report as a page for browsers in place of a PDF
    QString folder = QStringLiteral(".");
};

// Asks the agent for the run, reads everything it told, writes the files and prints their paths, one a line. Spins the event loop, with a
// deadline for each wait. 0, or 1 after a sentence on `err`, or 3 when the agent does not answer.
int exportCharts(session::Session& session, const theme::ThemeController& themes, const ChartExportOptions& options, std::ostream& out,
                 std::ostream& err);

}  // namespace ui::views

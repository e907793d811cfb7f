// A line chart as SVG text for the report: both axes named, ticks at round numbers, at most two points a pixel column.
#pragma once

#include <string>
#include <vector>

#include "engine/report/run_data.h"

namespace engine::report {

struct ChartLine {
    const SeriesData* series = nullptr;  // outlives the call; not null
    std::string label;
    std::string css_class;  // gives the colour: "s1" to "s8"
    bool dashed = false;
    bool points = false;  // hollow circles: validation
    bool steps = false;   // holds its value until the next point
};

struct SvgChartOptions {
    std::string title, y_name;
    std::string x_name = "step";
    std::string nothing{};  // the sentence where no line has a finite value
    bool log_y = false;     // for values above 0; falls back to linear where there is none
    int width = 560, height = 280;
};

// An <svg> element with <title>, ending in a newline; options.nothing in its place when no line has a finite value.
std::string svgChart(const std::vector<ChartLine>& lines, const SvgChartOptions& options);

// & < > " for text and attributes; control characters other than tab and newline are dropped, as XML has no way to write them.
std::string escaped(std::string_view text);

}  // namespace engine::report

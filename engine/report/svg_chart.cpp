#include "engine/report/svg_chart.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace engine::report {
namespace {

constexpr double kLeft = 64, kRight = 14, kTop = 40, kBottom = 42;
constexpr int kMostTicks = 6;

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

std::string label(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", std::abs(value) < 1e-12 ? 0.0 : value);
    return text;
}

// 1, 2, 2.5 or 5 × 10ⁿ, the least with at most kMostTicks in `size`.
double tickDistance(double size) {
    const double power = std::pow(10.0, std::floor(std::log10(size / kMostTicks)));
    for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
        if (size / (factor * power) <= kMostTicks) return factor * power;
    }
    return 10 * power;
}

struct Scale {
    double from = 0, to = 1;     // values (logarithms of them)
    double first = 0, last = 1;  // pixels
    bool log = false;
    double at(double value) const { return first + ((log ? std::log10(value) : value) - from) / (to - from) * (last - first); }
    bool takes(double value) const { return std::isfinite(value) && (!log || value > 0); }
};

// Lowest and highest of each pixel column, in their order.
std::vector<std::pair<double, double>> columnExtremes(const SeriesData& series, const Scale& x, const Scale& y) {
    std::vector<std::pair<double, double>> out;
    std::size_t begin = 0;
    const auto column = [&](std::size_t i) { return std::floor(x.at(static_cast<double>(series.step[i]))); };
    while (begin < series.size()) {
        std::size_t end = begin, low = series.size(), high = series.size();
        for (; end < series.size() && column(end) == column(begin); ++end) {
            if (!y.takes(series.value[end])) continue;
            if (low == series.size() || series.value[end] < series.value[low]) low = end;
            if (high == series.size() || series.value[end] > series.value[high]) high = end;
        }
        if (low != series.size()) {
            for (const std::size_t i : {std::min(low, high), std::max(low, high)}) {
                const std::pair point(x.at(static_cast<double>(series.step[i])), y.at(series.value[i]));
                if (out.empty() || out.back() != point) out.push_back(point);
            }
        }
        begin = end;
    }
    return out;
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') out += c;
        }
    }
    return out;
}

std::string svgChart(const std::vector<ChartLine>& lines, const SvgChartOptions& options) {
    std::vector<double> values;
    double last_step = 1;
    bool positive = false;
    for (const ChartLine& line : lines) {
        for (std::size_t i = 0; i < line.series->size(); ++i) {
            last_step = std::max(last_step, static_cast<double>(line.series->step[i]));
            if (std::isfinite(line.series->value[i])) values.push_back(line.series->value[i]);
            positive = positive || line.series->value[i] > 0;
        }
    }
    if (values.empty()) return "<p class=\"note\">" + escaped(options.nothing) + "</p>\n";
    Scale x{0, last_step * 1.02, kLeft, options.width - kRight};
    Scale y{0, 1, options.height - kBottom, kTop, options.log_y && positive};
    if (y.log) std::erase_if(values, [](double v) { return v <= 0; });
    // The first high losses must not flatten the rest: the body of the values, as the studio's charts choose it.
    std::sort(values.begin(), values.end());
    const auto quantile = [&](double q) { return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))]; };
    double low = values.front(), high = values.back();
    const double body = quantile(0.92) - quantile(0.08);
    if (!y.log && body > 0 && high - quantile(0.92) > body) high = quantile(0.92);
    if (!y.log && body > 0 && quantile(0.08) - low > body) low = quantile(0.08);
    std::vector<double> y_ticks;
    if (y.log) {
        y.from = std::floor(std::log10(low));
        y.to = std::max(std::ceil(std::log10(high)), y.from + 1);
        const double every = std::max(1.0, std::ceil((y.to - y.from) / kMostTicks));
        for (double decade = y.from; decade <= y.to + 0.5; decade += every) y_ticks.push_back(std::pow(10.0, decade));
    } else {
        if (!(high > low)) high = low + std::max(1e-3, std::abs(low) * 0.05);
        if (low > 0 && low < 0.5 * (high - low)) low = 0;
        const double distance = tickDistance(high - low);
        y.from = std::floor(low / distance + 1e-9) * distance;
        y.to = std::ceil(high / distance - 1e-9) * distance;
        for (double tick = y.from; tick <= y.to + distance / 2; tick += distance) y_ticks.push_back(tick);
    }

    const std::string width = std::to_string(options.width), height = std::to_string(options.height);
    std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" viewBox=\"0 0 " + width + ' ' + height +
                      "\" width=\"" + width + "\" height=\"" + height + "\">\n<title>" + escaped(options.title) + "</title>\n";
    out += "<text class=\"head\" x=\"14\" y=\"22\">" + escaped(options.title) + "</text>\n";
    double legend = 24 + 7.6 * static_cast<double>(options.title.size()) + 14;
    for (const ChartLine& line : lines) {
        out += "<line class=\"line " + line.css_class + (line.dashed ? " dashed" : "") + "\" x1=\"" + number(legend) +
               "\" y1=\"18\" x2=\"" + number(legend + 16) + "\" y2=\"18\"/>\n<text x=\"" + number(legend + 22) + "\" y=\"22\">" +
               escaped(line.label) + "</text>\n";
        legend += 22 + 6.6 * static_cast<double>(line.label.size()) + 16;
    }
    for (const double tick : y_ticks) {
        const std::string at = number(y.at(tick));
        out += "<line class=\"grid\" x1=\"" + number(x.first) + "\" y1=\"" + at + "\" x2=\"" + number(x.last) + "\" y2=\"" + at +
               "\"/>\n<text class=\"tick\" text-anchor=\"end\" x=\"" + number(x.first - 8) + "\" y=\"" + number(y.at(tick) + 4) + "\">" +
               label(tick) + "</text>\n";
    }
    const double distance = tickDistance(x.to);
    for (double tick = 0; tick <= x.to; tick += distance) {
        out += "<text class=\"tick\" text-anchor=\"middle\" x=\"" + number(x.at(tick)) + "\" y=\"" + number(y.first + 18) + "\">" +
               label(tick) + "</text>\n";
    }
    out += "<line class=\"axis\" x1=\"" + number(x.first) + "\" y1=\"" + number(y.first) + "\" x2=\"" + number(x.last) + "\" y2=\"" +
           number(y.first) + "\"/>\n<text text-anchor=\"middle\" x=\"" + number((x.first + x.last) / 2) + "\" y=\"" + number(y.first + 36) +
           "\">" + escaped(options.x_name) + "</text>\n<text text-anchor=\"middle\" transform=\"translate(14 " +
           number((y.first + y.last) / 2) + ") rotate(-90)\">" + escaped(options.y_name) + "</text>\n";
    for (const ChartLine& line : lines) {
        std::string path, circles;
        double before = 0;
        for (const auto& [px, py] : columnExtremes(*line.series, x, y)) {
            const double inside = std::clamp(py, y.last, y.first);
            if (line.steps && !path.empty()) path += 'L' + number(px) + ' ' + number(before);
            path += (path.empty() ? 'M' : 'L') + number(px) + ' ' + number(inside);
            before = inside;
            if (line.points)
                circles +=
                    "<circle class=\"point " + line.css_class + "\" cx=\"" + number(px) + "\" cy=\"" + number(inside) + "\" r=\"3\"/>\n";
        }
        if (!path.empty())
            out += "<path class=\"line " + line.css_class + (line.dashed ? " dashed" : "") + "\" d=\"" + path + "\"/>\n" + circles;
    }
    return out + "</svg>\n";
}

}  // namespace engine::report

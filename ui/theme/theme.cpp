// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <algorithm>
#include <cmath>

namespace ui::theme {
namespace {

constexpr int kChiefSeries = 0, kPsSeries = 1, kEvaluatorSeries = 5;
constexpr std::array kWorkerSeries{2, 3, 4, 6, 7};

double luminance(const QColor& color) {
    const auto linear = [](double channel) { return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

}  // namespace

Theme lightTheme() {
    Theme t;
    t.dark = false;
    t.window = "#F5F6F8";
    t.rail = "#ECEEF2";
    t.surface = "#FFFFFF";
    t.sunken = "#EEF0F4";
    t.border = "#E0E4EA";
    t.border_strong = "#C3CAD4";
    t.control = "#858F9C";
    t.text = "#18202B";
    t.text2 = "#4A5563";
    t.text3 = "#5F6A78";
    t.accent = "#2F52CC";
    t.accent_fill = "#3558D6";
    t.accent_hover = "#2A4ABD";
    t.on_accent = "#FFFFFF";
    t.accent_tint = "#E7ECFC";
    t.ok = "#19744A";
    t.ok_tint = "#E2F3EA";
    t.warn = "#8A5A00";
    t.warn_tint = "#FCF0D6";
    t.err = "#BE2A37";
    t.err_tint = "#FCE7E8";
    t.grid = "#E9ECF1";
    t.axis = "#B4BCC7";
    t.shadow = "#1A202A";
    t.veil = QColor(0, 0, 0, 97);
    t.series = {"#2458D8", "#B93A08", "#078067", "#CF2E94", "#B08705", "#40307C", "#2F93EA", "#56291F"};
    t.phases = {"#8FA3C4", "#2458D8", "#C9CFD8", "#D98A1F", "#078067"};
    t.code = {t.accent, t.ok, "#B93A08", "#6A2E91", t.text3};
    t.category_data = "#5A6472";
    t.categories = {"#335588", "#2F6B45", "#7A5548", "#8A3A2E", "#2F6A60", "#4F5191", "#335588"};
    return t;
}

Theme darkTheme() {
    Theme t;
    t.dark = true;
    t.window = "#15181D";
    t.rail = "#0F1216";
    t.surface = "#1C2027";
    t.sunken = "#12151A";
    t.border = "#2B313A";
    t.border_strong = "#444D5A";
    t.control = "#76818F";
    t.text = "#E7EBF1";
    t.text2 = "#B1BAC6";
    t.text3 = "#919CAA";
    t.accent = "#8FAAFF";
    t.accent_fill = "#4565E8";
    t.accent_hover = "#3B59DA";
    t.on_accent = "#FFFFFF";
    t.accent_tint = "#222C49";
    t.ok = "#55C98F";
    t.ok_tint = "#16301F";
    t.warn = "#EDB350";
    t.warn_tint = "#352911";
    t.err = "#FF8388";
    t.err_tint = "#3B1C20";
    t.grid = "#282E37";
    t.axis = "#57616E";
    t.shadow = "#000000";
    t.veil = QColor(0, 0, 0, 150);
    t.series = {"#62A8FF", "#FF7F38", "#2FA587", "#F7A0C6", "#F2DE7A", "#8F6BE8", "#A4EEFF", "#B0744E"};
    t.phases = {"#5F7598", "#62A8FF", "#3A424D", "#E0A03F", "#2FA587"};
    t.code = {t.accent, t.ok, "#FF9A62", "#C9A4F5", t.text3};
    t.category_data = "#5B6674";
    t.categories = {"#3F68A6", "#35794F", "#8A6152", "#9C4A3C", "#357A6E", "#5D60A8", "#3F68A6"};
    return t;
}

const QColor& Theme::taskColor(const engine::spec::TaskId& task) const {
    if (task.type == "chief") return series[kChiefSeries];
    if (task.type == "ps") return series[kPsSeries];
    if (task.type == "evaluator") return series[kEvaluatorSeries];
    const auto place = static_cast<std::size_t>(std::max(task.index, 0)) % kWorkerSeries.size();
    return series[static_cast<std::size_t>(kWorkerSeries[place])];
}

QColor Theme::onFill(const QColor& fill) const {
    const QColor white("#FFFFFF");
    return contrast(white, fill) >= 4.5 ? white : QColor("#10141A");
}

QColor Theme::mixed(const QColor& ground, int percent) const {
    const auto mix = [percent](int a, int b) { return (a * (100 - percent) + b * percent + 50) / 100; };
    return QColor(mix(ground.red(), text.red()), mix(ground.green(), text.green()), mix(ground.blue(), text.blue()));
}

double contrast(const QColor& a, const QColor& b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QString taskMark(const engine::spec::TaskId& task) {
    if (task.type == "chief") return QStringLiteral("C");
    if (task.type == "evaluator") return QStringLiteral("E");
    const QString type = QString::fromStdString(task.type);
    return type.left(1).toUpper() + QString::number(task.index);
}

QPalette paletteOf(const Theme& t) {
    QPalette p;
    const auto set = [&p](QPalette::ColorRole role, const QColor& normal, const QColor& disabled) {
        p.setColor(QPalette::Active, role, normal);
        p.setColor(QPalette::Inactive, role, normal);
        p.setColor(QPalette::Disabled, role, disabled);
    };
    set(QPalette::Window, t.window, t.window);
    set(QPalette::WindowText, t.text, t.text3);
    set(QPalette::Base, t.surface, t.sunken);
    set(QPalette::AlternateBase, t.window, t.window);
    set(QPalette::Text, t.text, t.text3);
    set(QPalette::PlaceholderText, t.text3, t.text3);
    set(QPalette::Button, t.surface, t.sunken);
    set(QPalette::ButtonText, t.text, t.text3);
    set(QPalette::BrightText, t.err, t.err);
    set(QPalette::Highlight, t.accent_tint, t.sunken);
    set(QPalette::HighlightedText, t.text, t.text3);
    set(QPalette::Link, t.accent, t.text3);
    set(QPalette::LinkVisited, t.accent, t.text3);
    set(QPalette::ToolTipBase, t.surface, t.surface);
    set(QPalette::ToolTipText, t.text, t.text);
    set(QPalette::Light, t.surface, t.surface);
    set(QPalette::Midlight, t.border, t.border);
    set(QPalette::Mid, t.border_strong, t.border);
    set(QPalette::Dark, t.border_strong, t.border);
    set(QPalette::Shadow, t.border_strong, t.border);
    return p;
}

}  // namespace ui::theme

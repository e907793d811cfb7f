// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/settings_field.h"

#include <QFontMetrics>
#include <QSettings>

namespace ui::views {

namespace {

constexpr int kLines = 2, kFrame = 6, kMostCharacters = 10'000;

}  // namespace

SettingsField::SettingsField(const theme::ThemeController& themes, QWidget* parent) : QPlainTextEdit(parent) {
    setFont(themes.font(theme::TextRole::kMonoField));
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
    setPlaceholderText(QStringLiteral("fit.epochs=5"));
    setProperty("kind", "field");
    const auto heightOf = [this](int lines) {
        return lines * QFontMetrics(font()).lineSpacing() + 2 * static_cast<int>(document()->documentMargin()) + kFrame;
    };
    setMinimumHeight(heightOf(1));  // where there is no room for more
    setMaximumHeight(heightOf(kLines));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

std::vector<std::string> SettingsField::settings() const {
    std::vector<std::string> settings;
    for (const QString& line : toPlainText().split(QLatin1Char('\n'))) {
        if (const QString setting = line.trimmed(); !setting.isEmpty()) settings.push_back(setting.toStdString());
    }
    return settings;
}

void SettingsField::keep(QSettings* settings, const QString& group, const QString& project) const {
    if (settings == nullptr || project.isEmpty()) return;
    const QString key = group + QLatin1Char('/') + objectName();
    settings->setValue(key, toPlainText().left(kMostCharacters));
    settings->setValue(key + QStringLiteral("Project"), project);
}

void SettingsField::recall(const QSettings* settings, const QString& group, const QString& project) {
    if (settings == nullptr || project.isEmpty()) return;
    const QString key = group + QLatin1Char('/') + objectName();
    if (settings->value(key + QStringLiteral("Project")).toString() == project) setPlainText(settings->value(key).toString());
}

}  // namespace ui::views

#include "moc_settings_field.cpp"

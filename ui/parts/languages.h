// SPDX-License-Identifier: GPL-3.0-or-later
// The languages of the window: which there are, which to take, and the switch. GUI thread only.
#pragma once

#include <QString>
#include <QTranslator>
#include <utility>
#include <vector>

class QSettings;

namespace ui::views {

// Returns the languages that this program has texts for: code ("en", "ko", "zh_CN") and its own name. English is first and always there.
std::vector<std::pair<QString, QString>> availableLanguages();

// Returns the language of last time, else the desktop's when we have texts for it, else English; English when no settings are kept.
QString startLanguage(const QSettings* settings);

// Returns the code of the language that StudioTranslator has set: "en", "ko", "zh_CN".
QString languageInForce();

// The texts of one language: ours, and Qt's own (buttons of dialogs, menus of fields). Installed on the application for its whole life, it
// is switched by loading another language; the caller then sends LanguageChange to the windows. Looks a text up by the class alone, without
// its namespaces: lupdate names contexts of nested namespaces so.
class StudioTranslator : public QTranslator {
    Q_OBJECT
public:
    explicit StudioTranslator(QObject* parent = nullptr);
    ~StudioTranslator() override;

    // Sets the default locale too (numbers, dates). Unknown: English. Returns the language in force.
    QString setLanguage(const QString& language);

    QString translate(const char* context, const char* source, const char* disambiguation, int n) const override;
    bool isEmpty() const override { return false; }

private:
    QTranslator ours_, qts_;
};

}  // namespace ui::views

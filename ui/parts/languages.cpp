// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/languages.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>
#include <algorithm>
#include <cstring>

namespace ui::views {
namespace {

constexpr auto kFolder = ":/translations";
constexpr int kPrefix = 7;  // of "tandem_ko.qm"

bool isAvailable(const QString& code) {
    const auto all = availableLanguages();
    return std::any_of(all.begin(), all.end(), [&](const auto& language) { return language.first == code; });
}

}  // namespace

std::vector<std::pair<QString, QString>> availableLanguages() {
    std::vector<std::pair<QString, QString>> out{{"en", "English"}};
    for (const QFileInfo& file : QDir(kFolder).entryInfoList({"tandem_*.qm"}, QDir::Files, QDir::Name)) {
        const QString code = file.completeBaseName().mid(kPrefix);
        if (code != "en") out.emplace_back(code, QLocale(code).nativeLanguageName());
    }
    return out;
}

QString startLanguage(const QSettings* settings) {
    if (!settings) return QStringLiteral("en");
    const QString kept = settings->value("language").toString();
    if (isAvailable(kept)) return kept;
    const QLocale desktop = QLocale::system();
    for (const auto& [code, name] : availableLanguages()) {
        const QLocale ours(code);
        if (ours.language() == desktop.language() && ours.script() == desktop.script()) return code;
    }
    return QStringLiteral("en");
}

StudioTranslator::StudioTranslator(QObject* parent) : QTranslator(parent) {
    QCoreApplication::installTranslator(this);
}

StudioTranslator::~StudioTranslator() {
    QCoreApplication::removeTranslator(this);
}

QString StudioTranslator::setLanguage(const QString& language) {
    const QString code = isAvailable(language) ? language : QStringLiteral("en");
    const QString file = QStringLiteral("tandem_%1.qm").arg(code);
    if (!ours_.load(file, kFolder)) qWarning("translations: expected %s in the program", qPrintable(file));
    // English is Qt's own; where its translations are not installed, its few texts stay English.
    (void)qts_.load(QStringLiteral("qtbase_%1.qm").arg(code), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    // The locale has a country: English is given one, and Chinese has it in its code. Without one Qt would choose a country by itself.
    QLocale::setDefault(code == "en" ? QLocale(QLocale::English, QLocale::UnitedStates) : QLocale(code));
    return code;
}

QString languageInForce() {
    const QLocale locale;
    for (const auto& [code, name] : availableLanguages()) {
        if (QLocale(code).language() == locale.language()) return code;
    }
    return QStringLiteral("en");
}

QString StudioTranslator::translate(const char* context, const char* source, const char* disambiguation, int n) const {
    const char* name = context;
    for (const char* at = context; (at = std::strstr(at, "::")) != nullptr;) name = at += 2;
    QString text = ours_.translate(name, source, disambiguation, n);
    if (text.isNull() && name != context) text = ours_.translate(context, source, disambiguation, n);  // named in full by the source itself
    return text.isNull() ? qts_.translate(context, source, disambiguation, n) : text;
}

}  // namespace ui::views

#include "moc_languages.cpp"

// SPDX-License-Identifier: GPL-3.0-or-later
// The studio: options and assembly, nothing else. Exit codes: 0 closed by the user, 1 an error, 2 wrong options.
#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QTimer>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>

#include "agent/client/agent_client.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/views/main_window.h"

namespace {

constexpr std::chrono::seconds kConnectDeadline{10};
constexpr int kWrongOptions = 2;

struct Options {
    QString project;
    std::optional<ui::theme::Choice> theme;
};

// Prints and ends the program for --help, --version and mistakes.
Options parseOptions(const QCoreApplication& app) {
    QCommandLineParser parser;
    parser.setApplicationDescription("Tandem: draw a model and a cluster, press one button, watch the workers train.");
    parser.addPositionalArgument("project", "Project file (*.tandem) to open.", "[PROJECT]");
    const QCommandLineOption theme("theme", "light, dark or desktop (the choice of last time when absent).", "name");
    parser.addOption(theme);
    parser.addHelpOption();
    parser.addVersionOption();
    parser.process(app);
    Options options;
    if (parser.isSet(theme)) {
        const QString name = parser.value(theme);
        if (name == "light")
            options.theme = ui::theme::Choice::kLight;
        else if (name == "dark")
            options.theme = ui::theme::Choice::kDark;
        else if (name == "desktop")
            options.theme = ui::theme::Choice::kDesktop;
        else {
            std::fprintf(stderr, "tandem: --theme: expected light, dark or desktop, got %s\n", qPrintable(name));
            std::exit(kWrongOptions);
        }
    }
    const QStringList positional = parser.positionalArguments();
    if (positional.size() > 1) {
        std::fprintf(stderr, "tandem: expected at most one project, got %d arguments\n", static_cast<int>(positional.size()));
        std::exit(kWrongOptions);
    }
    options.project = positional.value(0);
    return options;
}

int run(const Options& options) {
    QSettings settings;
    ui::theme::ThemeController themes;
    themes.setLanguage("en");
    themes.setChoice(options.theme.value_or(
        static_cast<ui::theme::Choice>(settings.value("theme", static_cast<int>(ui::theme::Choice::kDesktop)).toInt())));
    ui::session::Session session(
        {.connect = [] { return agent::client::connectLocalAgent({}, kConnectDeadline); }, .share_dir = {}, .settings = &settings});
    ui::views::MainWindow window(session, themes);
    window.show();
    if (!options.project.isEmpty() && session.open(options.project)) window.showMode(ui::views::Mode::kModel);
    return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
    QCoreApplication::setApplicationName("tandem");
    QCoreApplication::setOrganizationName("tandem");
    QCoreApplication::setApplicationVersion(TANDEM_VERSION);
    try {
        Options options;
        {
            int count = argc;  // --help and --version work without a display; Qt's own options stay in argv for the next
            const QCoreApplication without_display(count, argv);
            options = parseOptions(without_display);
        }
        const QApplication app(argc, argv);
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tandem: %s\n", error.what());
        return 1;
    }
}

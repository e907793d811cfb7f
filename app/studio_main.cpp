// SPDX-License-Identifier: GPL-3.0-or-later
// The studio: options and assembly, nothing else. Exit codes: 0 closed by the user, 1 an error, 2 wrong options.
// ssh starts it to ask the user of a studio that is open (agent/hosts/ssh_askpass.h): then it shows nothing and prints the answer.
#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QScreen>
#include <QSettings>
#include <QStandardPaths>
#include <QTimer>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <system_error>

#include "end_signals.h"

#include "agent/client/agent_client.h"
#include "agent/hosts/owned_folder.h"
#include "agent/hosts/ssh_askpass.h"
#include "engine/spec/error.h"
#include "ui/export/chart_export.h"
#include "ui/parts/languages.h"
#include "ui/session/host/host_backend.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/runs.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/window/main_window.h"

namespace {

constexpr std::chrono::seconds kConnectDeadline{10};
constexpr int kWrongOptions = 2;

struct Options {
    QString project;
    std::optional<ui::theme::Choice> theme;
    std::optional<ui::views::ChartExportOptions> chart_export;
    QString language;  // empty: as last time
};

[[noreturn]] void refuse(const char* option, const char* expected, const QString& got) {
    std::fprintf(stderr, "tandem: %s: expected %s, got %s\n", option, expected, qPrintable(got));
    std::exit(kWrongOptions);
}

// What --export and its companions ask for.
struct ExportSwitches {
    QCommandLineOption what{"export", "Write a picture of a run's charts, or its report, and end: charts or report.", "what"};
    QCommandLineOption run{"run", "With --export: id of the run, or its beginning (the newest when absent).", "id"};
    QCommandLineOption format{"format", "With --export charts: png (as usual), svg or pdf. With --export report: pdf (as usual) or html.",
                              "format"};
    QCommandLineOption size{"size", "With --export charts: width and height of a chart in pixels.", "WxH", "960x540"};
    QCommandLineOption split{"split", "With --export charts: a picture for each chart."};
    QCommandLineOption out{"out", "With --export: folder to write to, made when missing.", "folder", "."};

    void addTo(QCommandLineParser& parser) const { parser.addOptions({what, run, format, size, split, out}); }

    ui::views::ChartExportOptions read(const QCommandLineParser& parser) const {
        using ui::charts::PictureFormat;
        using What = ui::views::ChartExportOptions::What;
        ui::views::ChartExportOptions options;
        const QString kind = parser.value(what);
        if (kind != "charts" && kind != "report") refuse("--export", "charts or report", kind);
        options.what = kind == "report" ? What::kReport : What::kCharts;
        options.run = parser.value(run);
        options.split = parser.isSet(split);
        options.folder = parser.value(out);
        const bool report = options.what == What::kReport;
        const QString name = parser.isSet(format) ? parser.value(format) : QString(report ? "pdf" : "png");
        const QStringList known = report ? QStringList{"pdf", "html"} : QStringList{"png", "svg", "pdf"};
        if (!known.contains(name)) refuse("--format", report ? "pdf or html" : "png, svg or pdf", name);
        options.html = name == "html";
        options.picture.format = name == "png" ? PictureFormat::kPng : (name == "svg" ? PictureFormat::kSvg : PictureFormat::kPdf);
        const QStringList sides = parser.value(size).split('x');
        bool wide = false, high = false;
        options.picture.size = {sides.value(0).toInt(&wide), sides.value(1).toInt(&high)};
        const bool fits = wide && high && sides.size() == 2 && options.picture.size.width() >= 200 &&
                          options.picture.size.height() >= 200 && options.picture.size.width() <= 8000 &&
                          options.picture.size.height() <= 8000;
        if (!fits) refuse("--size", "WIDTHxHEIGHT from 200 to 8000 pixels", parser.value(size));
        return options;
    }
};

// Prints and ends the program for --help, --version and mistakes.
Options parseOptions(const QCoreApplication& app) {
    QCommandLineParser parser;
    parser.setApplicationDescription("Tandem: draw a model and a cluster, press one button, watch the workers train.");
    parser.addPositionalArgument("project",
                                 "Project file (*.tandem), Keras model (.keras, .h5, JSON), folder or archive (*.tandem-run) of a run, or "
                                 "folder of event files to open.",
                                 "[PROJECT]");
    const QCommandLineOption theme("theme", "light, dark or desktop (the choice of last time when absent).", "name");
    const QCommandLineOption language("language", "en, ko or zh_CN (the language of last time, else the desktop's).", "code");
    parser.addOptions({theme, language});
    const ExportSwitches exporting;
    exporting.addTo(parser);
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
    options.language = parser.value(language);
    if (parser.isSet(language) && !QStringList{"en", "ko", "zh_CN"}.contains(options.language)) {
        std::fprintf(stderr, "tandem: --language: expected en, ko or zh_CN, got %s\n", qPrintable(options.language));
        std::exit(kWrongOptions);
    }
    if (parser.isSet(exporting.what)) options.chart_export = exporting.read(parser);
    const QStringList positional = parser.positionalArguments();
    if (positional.size() > 1) {
        std::fprintf(stderr, "tandem: expected at most one project, got %d arguments\n", static_cast<int>(positional.size()));
        std::exit(kWrongOptions);
    }
    options.project = positional.value(0);
    return options;
}

// Makes the folder for the files that live as long as this studio, where those of studios that were killed are removed. None where it can't
// be made: then each part that needs one has a temporary folder of its own.
std::unique_ptr<agent::hosts::OwnedFolder> makeScratchFolder() {
    try {
        return std::make_unique<agent::hosts::OwnedFolder>("studio-");
    } catch (const engine::Error& error) {
        std::fprintf(stderr, "tandem: %s\n", error.what());
        return nullptr;
    }
}

int run(const Options& options) {
    const std::unique_ptr<agent::hosts::OwnedFolder> scratch = makeScratchFolder();
    const std::filesystem::path scratch_path = scratch ? scratch->path() : std::filesystem::path();
    const app::EndSignals end_signals([&scratch_path] {
        std::error_code ignored;
        if (!scratch_path.empty()) std::filesystem::remove_all(scratch_path, ignored);
    });
    const QString scratch_dir = QString::fromStdString(scratch_path.string());
    QSettings settings;
    ui::theme::ThemeController themes(scratch_dir);
    themes.setChoice(options.theme.value_or(
        static_cast<ui::theme::Choice>(settings.value("theme", static_cast<int>(ui::theme::Choice::kDesktop)).toInt())));
    ui::session::Session session(
        {.connect = [] { return agent::client::connectLocalAgent({}, kConnectDeadline); },
         .share_dir = {},
         .history_file = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/tandem/studio.sqlite",
         .settings = &settings,
         .recovery_dir =
             options.chart_export ? QString() : QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/tandem/recovery",
         .scratch_dir = scratch_dir,
         .far_hosts = ui::session::sshHostBackend({.version = TANDEM_VERSION, .share_dir = {}})});
    if (options.chart_export) {
        ui::views::StudioTranslator translator;
        themes.setLanguage(translator.setLanguage(options.language.isEmpty() ? ui::views::startLanguage(&settings) : options.language));
        return ui::views::exportCharts(session, themes, *options.chart_export, std::cout, std::cerr);
    }
    ui::views::MainWindow window(session, themes);
    window.fitScreen();
    if (!options.language.isEmpty()) window.setLanguage(options.language);
    window.show();
    const bool comes_back = session.project().isOpen();  // open in a studio that was killed
    if (comes_back) window.showMode(ui::views::Mode::kModel);
    if (!options.project.isEmpty()) window.openFile(options.project);
    if (comes_back) {
        QObject::connect(
            &session.runs(), &ui::session::Runs::currentChanged, &window,
            [&] {
                if (session.runs().hasActive()) window.showMode(ui::views::Mode::kMonitor);
            },
            Qt::SingleShotConnection);
    }
    if (!session.project().isOpen() && options.project.isEmpty()) window.greet();  // who names a project wants to see it
    constexpr std::chrono::milliseconds kFramed{300};                              // the window manager's frame is round the window by then
    QTimer::singleShot(kFramed, &window, &ui::views::MainWindow::fitScreen);
    return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
    if (agent::hosts::isAskpassCall()) return agent::hosts::answerSsh(argc > 1 ? argv[1] : "");
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
        if (options.chart_export && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
        const QApplication app(argc, argv);
        QGuiApplication::setDesktopFileName("tandem");  // names window and icon to the desktop
        QGuiApplication::setWindowIcon(QIcon::fromTheme("tandem"));
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tandem: %s\n", error.what());
        return 1;
    }
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/chart_export.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <algorithm>
#include <functional>
#include <ostream>

#include "engine/launch/tf_config_files.h"
#include "ui/charts/chart_card.h"
#include "ui/export/report_pdf.h"
#include "ui/export/report_words.h"
#include "ui/monitor/monitor_charts.h"
#include "ui/session/event_list.h"
#include "ui/session/host/host.h"
#include "ui/session/project/exported_files.h"
#include "ui/session/runs/run_data.h"
#include "ui/session/runs/run_facts.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/values.h"

namespace ui::views {
namespace {

constexpr int kAgentMs = 12'000, kRunMs = 5'000, kPointsMs = 60'000, kQuietMs = 600;
constexpr int kFailed = 1, kNoAgent = 3;

bool waitFor(int deadline_ms, const std::function<bool()>& fact) {
    const QDeadlineTimer deadline(deadline_ms);
    while (!fact()) {
        if (deadline.hasExpired()) return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
    }
    return true;
}

// Waits for everything that the run has told: until nothing more comes for a moment.
bool waitForPoints(const session::RunRecord& run) {
    std::uint64_t seen = 0;
    QElapsedTimer quiet;
    quiet.start();
    return waitFor(kPointsMs, [&] {
        if (run.lastSequence() != seen) {
            seen = run.lastSequence();
            quiet.restart();
        }
        return quiet.elapsed() > kQuietMs;
    });
}

const char* endingOf(charts::PictureFormat format) {
    switch (format) {
        case charts::PictureFormat::kPng:
            return "png";
        case charts::PictureFormat::kSvg:
            return "svg";
        case charts::PictureFormat::kPdf:
            break;
    }
    return "pdf";
}

}  // namespace

int exportCharts(session::Session& session, const theme::ThemeController& themes, const ChartExportOptions& options, std::ostream& out,
                 std::ostream& err) {
    session.host().connectAgent();
    if (!waitFor(kAgentMs, [&] { return session.host().agentState() == session::AgentState::kReady; })) {
        err << "tandem: the agent of this computer does not answer: " << session.host().agentProblem().toStdString() << '\n';
        return kNoAgent;
    }
    waitFor(kRunMs, [&] { return !session.runs().list().empty(); });
    const auto& runs = session.runs().list();
    auto chosen = std::find_if(runs.begin(), runs.end(), [&](const auto& run) { return run.id.startsWith(options.run); });
    if (options.run.isEmpty()) chosen = std::min_element(runs.begin(), runs.end(), session::isLater);
    if (chosen == runs.end()) {
        err << "tandem: --run: no run's id begins with \"" << options.run.toStdString() << "\" (tandem-cli runs lists them)\n";
        return kFailed;
    }
    session.runs().show(chosen->id);
    session::RunRecord* run = session.runs().current();
    if (run == nullptr || !waitForPoints(*run)) {
        err << "tandem: run " << options.run.toStdString() << ": its points did not arrive within " << kPointsMs / 1000 << " s\n";
        return kFailed;
    }
    run->flush();
    MonitorCharts charts(themes);
    charts.setRun(run);
    std::vector<const charts::ChartCard*> cards;
    for (const charts::ChartCard* card : charts.order()) {
        if (!card->isEmpty()) cards.push_back(card);
    }
    std::vector<engine::launch::LaunchFile> files;
    const std::string id = run->id().toStdString();
    if (options.what == ChartExportOptions::What::kReport) {
        auto data = session::runData(*run);
        data.facts.file_stem.clear();  // on the command line runs go by their ids
        if (options.html) {
            const auto page = engine::report::htmlReport(data, reportLanguage());
            files.push_back({page.file_name, page.text});
        } else {
            files.push_back({id + ".pdf", reportPdf(data, cards).toStdString()});
        }
    } else if (cards.empty()) {
        err << "tandem: run " << id << ": expected at least one point to draw, it told none so far\n";
        return kFailed;
    } else if (options.split) {
        for (const charts::ChartCard* card : cards) {
            const std::string word = card->objectName().remove(0, 5).toLower().toStdString();
            files.push_back({id + '-' + word + '.' + endingOf(options.picture.format),
                             charts::chartPicture({card}, themes, options.picture).toStdString()});
        }
    } else {
        files.push_back(
            {id + "-charts." + endingOf(options.picture.format), charts::chartPicture(cards, themes, options.picture).toStdString()});
    }
    const QString folder = QDir(options.folder).absolutePath();
    const session::ErrorInfo problem = session::writeFiles(session.events(), folder, files);
    if (!problem.detail.isEmpty()) {
        err << "tandem: " << problem.detail.toStdString() << '\n';
        return kFailed;
    }
    for (const auto& file : files) out << folder.toStdString() << '/' << file.file_name << '\n';
    return 0;
}

}  // namespace ui::views

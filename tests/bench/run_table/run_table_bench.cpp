// SPDX-License-Identifier: GPL-3.0-or-later
// How long the table of runs takes with many of them: reading, filtering as one types, sorting, grouping. Prints a line an action, median
// of five, in milliseconds, and the slowest filter as JSON.
#include <QCoreApplication>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

#include "ui/models/run_table_model.h"
#include "ui/session/values.h"

namespace {

using ui::models::RunFilter;
using ui::models::RunTableModel;
using ui::session::RunSummary;

constexpr int kRuns = 10'000, kRounds = 5;

std::vector<RunSummary> manyRuns() {
    const QStringList models{"mnist-cnn", "lenet", "vgg", "mlp"}, optimizers{"Adam", "SGD", "RMSprop"}, tags{"paper", "old", "sweep"};
    std::vector<RunSummary> runs;
    for (int i = 0; i < kRuns; ++i) {
        RunSummary run;
        run.id = QStringLiteral("20261121-%1").arg(i, 6, 10, QLatin1Char('0'));
        run.facts = {.strategy = i % 3 == 0 ? "MultiWorkerMirrored" : "Mirrored",
                     .dataset = i % 5 == 0 ? "cifar10" : "mnist",
                     .optimizer = optimizers[i % 3],
                     .learning_rate = 1e-4 * (1 + i % 20),
                     .workers = 1 + i % 4,
                     .global_batch = 64 * (1 + i % 4),
                     .epochs = 10,
                     .seed = i % 7,
                     .twin_key = QString::number(i / 7),
                     .scaling_key = QString::number(i % 4)};
        run.name = QStringLiteral("%1 \u00D7%2 %3").arg(models[i % 4]).arg(run.facts.workers).arg(run.facts.optimizer);
        run.state = i % 11 == 0 ? ui::session::RunState::kFailed : ui::session::RunState::kDone;
        run.created_unix_ns = 1'700'000'000'000'000'000 + i * 60'000'000'000LL;
        run.finished_unix_ns = run.created_unix_ns + 30'000'000'000;
        run.results = {
            {"best_val_accuracy", 0.9 + 0.0001 * (i % 997)}, {"val_loss", 0.5 - 0.0001 * (i % 991)}, {"images_per_s", 4000.0 + i % 3000}};
        if (i % 6 == 0) run.tags = {tags[i % 3]};
        runs.push_back(std::move(run));
    }
    return runs;
}

double median(const std::function<void()>& action) {
    std::vector<double> times;
    for (int round = 0; round < kRounds; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        action();
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    std::sort(times.begin(), times.end());
    return times[kRounds / 2];
}

}  // namespace

int main(int argc, char** argv) {
    const QCoreApplication app(argc, argv);
    RunTableModel model;
    const std::vector<RunSummary> runs = manyRuns();
    const auto tell = [](const char* what, double ms) { std::printf("%-34s %8.2f ms\n", what, ms); };
    tell("reading 10,000 runs", median([&] {
             model.setRuns({});
             model.setRuns(runs);
         }));
    double worst = 0;
    for (const char* text : {"sgd", "/sgd$/", "cnn tag:pap", "accuracy:>0.95 -sgd", "state:failed workers:2", "nothing at all"}) {
        const double ms = median([&] {
            model.setFilter(RunFilter());
            model.setFilter(RunFilter(QLatin1String(text)));
        });
        worst = std::max(worst, ms);
        tell((QByteArray("filter ") + text + " and back").constData(), ms);
    }
    model.setFilter(RunFilter());
    bool falling = false;
    tell("sort by name",
         median([&] { model.sort(RunTableModel::kName, (falling = !falling) ? Qt::DescendingOrder : Qt::AscendingOrder); }));
    tell("sort by accuracy",
         median([&] { model.sort(RunTableModel::kBestAccuracy, (falling = !falling) ? Qt::DescendingOrder : Qt::AscendingOrder); }));
    tell("group by seeds, and back", median([&] {
             model.setGroupBy(RunTableModel::GroupBy::kSeeds);
             model.setGroupBy(RunTableModel::GroupBy::kNone);
         }));
    std::printf("{\"bench\": \"run_table\", \"runs\": %d, \"filter_ms\": %.2f}\n", kRuns, worst);
    return 0;
}

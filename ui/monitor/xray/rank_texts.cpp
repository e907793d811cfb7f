// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/xray/rank_texts.h"

#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "ui/models/numbers.h"

namespace ui::views {

using engine::run::ExchangeCulprit;
using engine::run::ExchangeRank;

namespace {

const QString kDash(models::kMissing);

QString taskText(const engine::spec::TaskId& task) {
    return QString::fromStdString(toString(task));
}

}  // namespace

QString RankTexts::name(const ExchangeRank& rank) {
    const QString task = taskText(rank.task);
    return rank.host.empty() ? task : tr("%1 on %2").arg(task, QString::fromStdString(rank.host));
}

QString RankTexts::seconds(double seconds) {
    if (seconds < 0.9995) return tr("%1 ms").arg(std::lround(seconds * 1000));
    return tr("%1 s").arg(QLocale().toString(seconds, 'f', 1));
}

QString RankTexts::operation(const ExchangeRank& rank) {
    if (!rank.state || rank.state->sequence == 0) return kDash;
    return models::formatCount(static_cast<std::int64_t>(rank.state->sequence));
}

QString RankTexts::bucket(const ExchangeRank& rank) {
    if (!rank.state || rank.state->bucket == 0) return kDash;
    return QStringLiteral("%1/%2").arg(rank.state->bucket).arg(rank.state->buckets);
}

QString RankTexts::bytes(const ExchangeRank& rank) {
    return rank.state && rank.state->bytes > 0 ? models::formatBytes(rank.state->bytes) : kDash;
}

QString RankTexts::wait(const ExchangeRank& rank) {
    return rank.state && rank.state->wait_s > 0 ? seconds(rank.state->wait_s) : kDash;
}

QString RankTexts::awaited(const ExchangeRank& rank) {
    return rank.state && rank.state->awaited ? taskText(*rank.state->awaited) : kDash;
}

QString RankTexts::stepWait(const ExchangeRank& rank) {
    return rank.state && rank.state->step_wait_s ? seconds(*rank.state->step_wait_s) : kDash;
}

QString RankTexts::lastWord(const ExchangeRank& rank) {
    return rank.state ? tr("%1 ago").arg(seconds(rank.state->age_s)) : kDash;
}

QString RankTexts::details(const ExchangeRank& rank) {
    QStringList lines{name(rank)};
    if (!rank.state) return (lines << tr("It has exchanged nothing yet")).join(QLatin1Char('\n'));
    QStringList where{tr("operation %1").arg(operation(rank))};
    if (rank.state->bucket > 0) where << tr("bucket %1").arg(bucket(rank));
    if (rank.state->bytes > 0) where << bytes(rank);
    lines << where.join(QStringLiteral(" \u00b7 "));
    if (rank.state->wait_s > 0) {
        lines << (rank.state->awaited ? tr("waits for %1: %2").arg(awaited(rank), wait(rank)) : tr("waits: %1").arg(wait(rank)));
    }
    if (rank.state->step_wait_s) lines << tr("mean wait of a step: %1").arg(stepWait(rank));
    lines << tr("last word %1").arg(lastWord(rank));
    return lines.join(QLatin1Char('\n'));
}

QString RankTexts::sentence(std::span<const ExchangeRank> ranks, const std::optional<ExchangeCulprit>& culprit) {
    if (culprit) {
        const ExchangeRank& rank = ranks[culprit->rank];
        const QString waiting =
            tr("%n task(s) wait for it, the longest for %1", nullptr, static_cast<int>(culprit->waiting)).arg(seconds(culprit->longest_s));
        if (!rank.state) return tr("%1 has exchanged nothing yet: %2").arg(name(rank), waiting);
        if (culprit->why == ExchangeCulprit::Why::kSilent) {
            return tr("%1 has said nothing for %2: %3").arg(name(rank), seconds(rank.state->age_s), waiting);
        }
        if (rank.task.type == "ps") return tr("%1 has not answered yet: %2").arg(name(rank), waiting);
        return tr("%1 is still at operation %2: %3").arg(name(rank), operation(rank), waiting);
    }
    double longest_s = 0;
    bool told = false;
    for (const ExchangeRank& rank : ranks) {
        told = told || rank.state;
        if (rank.state) longest_s = std::max(longest_s, rank.state->wait_s);
    }
    if (!told) return tr("Appears with the first exchange");
    return longest_s > 0 ? tr("No task is late; the longest wait now: %1").arg(seconds(longest_s)) : tr("No task is late");
}

}  // namespace ui::views

// SPDX-License-Identifier: GPL-3.0-or-later
// What Monitor's X-ray says of a task and of the run, in the language of the window.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <optional>
#include <span>

#include "engine/run/exchange_culprit.h"

namespace ui::views {

// Pure functions, GUI thread only because of the translator.
class RankTexts {
    Q_DECLARE_TR_FUNCTIONS(RankTexts)
public:
    // Returns "worker 3 on node2", or the task alone when its host is not known.
    static QString name(const engine::run::ExchangeRank& rank);
    static QString seconds(double seconds);  // "12 ms", "3.2 s"
    // These return the number of the operation, "2/5" of its buckets, its bytes, and how long it waits: a dash when there is none.
    static QString operation(const engine::run::ExchangeRank& rank);
    static QString bucket(const engine::run::ExchangeRank& rank);
    static QString bytes(const engine::run::ExchangeRank& rank);
    static QString wait(const engine::run::ExchangeRank& rank);
    static QString awaited(const engine::run::ExchangeRank& rank);
    static QString stepWait(const engine::run::ExchangeRank& rank);
    static QString lastWord(const engine::run::ExchangeRank& rank);
    // Returns all that is known of the task, one fact on each line.
    static QString details(const engine::run::ExchangeRank& rank);
    // Returns a sentence on the task that is late and on those that wait for it, or one that says that no task is late.
    static QString sentence(std::span<const engine::run::ExchangeRank> ranks, const std::optional<engine::run::ExchangeCulprit>& culprit);
};

}  // namespace ui::views

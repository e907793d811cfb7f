// SPDX-License-Identifier: GPL-3.0-or-later
// What is typed above the table of runs, as a test of one run. Plain value.
//
//   mnist lr            both words in name, tags, notes or id, in any case
//   "two words"         the same with blanks
//   /sgd$/              a regular expression on the name or on a tag
//   state:done          a field that begins with the text; tag:, strategy:, optimizer:, loss:, dataset:, name:, notes:, id:
//   accuracy:>0.98      a number: > >= < <= = or nothing; workers, batch, lr, epochs, seed, val_accuracy, val_loss, test_accuracy, ...
//   is:pinned           pinned, archived, running, done, failed
//   -tag:old            not that
#pragma once

#include <QRegularExpression>
#include <QString>
#include <QStringList>
#include <vector>

#include "ui/session/values.h"

namespace ui::models {

class RunFilter {
public:
    RunFilter() = default;
    explicit RunFilter(const QString& text);

    // Says why a part of the text was not understood: "/sgd(/: missing closing parenthesis"; empty: all of it was. Such a part lets all
    // runs by.
    const QString& problem() const { return problem_; }
    bool isEmpty() const { return terms_.empty(); }
    // True when the text speaks of archived runs, which are hidden otherwise.
    bool asksForArchived() const { return asks_for_archived_; }
    bool accepts(const session::RunSummary& run) const;

    // Returns the names of fields for hints and completion.
    static QStringList fields();

private:
    enum class Kind { kText, kExpression, kField, kNumber, kIs };
    enum class Relation { kEqual, kBelow, kAtMost, kAbove, kAtLeast };
    struct Term {
        Kind kind = Kind::kText;
        bool negated = false;
        QString field, text;
        QRegularExpression expression{};
        Relation relation = Relation::kEqual;
        double number = 0;
    };
    void add(QString word);
    bool addField(Term& term, const QString& word);
    bool matches(const Term& term, const session::RunSummary& run) const;

    std::vector<Term> terms_;
    QString problem_;
    bool asks_for_archived_ = false;
};

// Returns a number of the run by the names of the filter; NaN when it has none.
double runNumber(const session::RunSummary& run, const QString& field);

}  // namespace ui::models

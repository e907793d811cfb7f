// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_filter.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace ui::models {

using session::RunState;
using session::RunSummary;

namespace {

constexpr double kEqualWithin = 1e-9;

QString stateOf(const RunSummary& run) {
    switch (run.state) {
        case RunState::kStarting:
            return QStringLiteral("starting");
        case RunState::kTraining:
            return QStringLiteral("training");
        case RunState::kPaused:
            return QStringLiteral("paused");
        case RunState::kDone:
            return QStringLiteral("done");
        case RunState::kStopped:
            return QStringLiteral("stopped");
        case RunState::kFailed:
            return QStringLiteral("failed");
        case RunState::kNone:
            break;
    }
    return {};
}

using TextField = QString (*)(const RunSummary&);
constexpr std::array<std::pair<const char*, TextField>, 8> kTextFields{{
    {"name", [](const RunSummary& run) { return run.name; }},
    {"id", [](const RunSummary& run) { return run.id; }},
    {"state", &stateOf},
    {"strategy", [](const RunSummary& run) { return run.facts.strategy; }},
    {"optimizer", [](const RunSummary& run) { return run.facts.optimizer; }},
    {"loss", [](const RunSummary& run) { return run.facts.loss; }},
    {"dataset", [](const RunSummary& run) { return run.facts.dataset; }},
    {"notes", [](const RunSummary& run) { return run.notes; }},
}};

TextField textField(const QString& field) {
    for (const auto& [name, read] : kTextFields) {
        if (field == QLatin1String(name)) return read;
    }
    return nullptr;
}

const QStringList& numberFields() {
    static const QStringList fields{"workers",   "batch",        "lr",           "epochs",   "seed",
                                    "layers",    "accuracy",     "val_accuracy", "val_loss", "test_accuracy",
                                    "test_loss", "images_per_s", "best_epoch",   "duration"};
    return fields;
}

}  // namespace

double runNumber(const RunSummary& run, const QString& field) {
    if (field == "workers") return run.facts.workers;
    if (field == "batch") return static_cast<double>(run.facts.global_batch);
    if (field == "lr") return run.facts.learning_rate > 0 ? run.facts.learning_rate : std::numeric_limits<double>::quiet_NaN();
    if (field == "epochs") return static_cast<double>(run.facts.epochs);
    if (field == "seed") return static_cast<double>(run.facts.seed);
    if (field == "layers") return run.facts.layers;
    if (field == "val_accuracy") return run.result("best_val_accuracy");
    if (field == "accuracy") {
        const double validated = run.result("best_val_accuracy");
        return std::isfinite(validated) ? validated : run.result("test_accuracy");
    }
    if (field == "duration") return run.finished_unix_ns > 0 ? run.secondsTaken(0) : NAN;
    return run.result(field);
}

QStringList RunFilter::fields() {
    QStringList all = numberFields();
    for (const auto& [name, read] : kTextFields) all << QLatin1String(name);
    all << "tag"
        << "is";
    all.sort();
    return all;
}

// Splits the text into words at blanks; quotes hold blanks together, and so does a regular expression between slashes.
RunFilter::RunFilter(const QString& text) {
    QString word;
    QChar open;
    const auto finish = [&] {
        if (!word.isEmpty()) add(word);
        word.clear();
    };
    for (const QChar character : text) {
        const bool at_start = word.isEmpty() || word == "-" || word.endsWith(':');
        if (open.isNull() && character == '"') {
            open = character;
        } else if (open.isNull() && character == '/' && at_start) {
            open = character;
            word += character;
        } else if (!open.isNull() && character == open) {
            if (open == '/') word += character;
            open = {};
        } else if (open.isNull() && character.isSpace()) {
            finish();
        } else {
            word += character;
        }
    }
    finish();
}

void RunFilter::add(QString word) {
    Term term;
    if (word.size() > 1 && word.startsWith('-')) {
        term.negated = true;
        word.remove(0, 1);
    }
    if (word.size() > 1 && word.startsWith('/')) {
        if (word.endsWith('/')) word.chop(1);  // one that is being typed has no end yet
        term.kind = Kind::kExpression;
        term.text = word.mid(1);
        term.expression = QRegularExpression(term.text, QRegularExpression::CaseInsensitiveOption);
        if (!term.expression.isValid()) {
            problem_ = QStringLiteral("/%1/: %2").arg(term.text, term.expression.errorString());
            return;
        }
        term.expression.optimize();
    } else if (!word.contains(':') || !addField(term, word)) {
        if (term.kind == Kind::kNumber) return;  // not understood: problem() says so
        term = {.negated = term.negated, .text = word};
    }
    terms_.push_back(std::move(term));
}

// False when `word` names no field and is a text with a colon.
bool RunFilter::addField(Term& term, const QString& word) {
    const qsizetype colon = word.indexOf(':');
    term.field = word.left(colon).toLower();
    QString value = word.mid(colon + 1);
    if (term.field == "is") {
        term.kind = Kind::kIs;
        term.text = value.toLower();
        asks_for_archived_ |= term.text == "archived";
        return true;
    }
    if (term.field == "tag" || textField(term.field)) {
        term.kind = Kind::kField;
        term.text = value;
        return true;
    }
    if (!numberFields().contains(term.field)) return false;
    term.kind = Kind::kNumber;
    for (const auto& [mark, relation] :
         {std::pair{">=", Relation::kAtLeast}, std::pair{"<=", Relation::kAtMost}, std::pair{">", Relation::kAbove},
          std::pair{"<", Relation::kBelow}, std::pair{"=", Relation::kEqual}}) {
        if (!value.startsWith(QLatin1String(mark))) continue;
        term.relation = relation;
        value.remove(0, static_cast<int>(qstrlen(mark)));
        break;
    }
    bool is_number = false;
    term.number = value.toDouble(&is_number);
    if (!is_number) problem_ = QCoreApplication::translate("RunFilter", "%1: expected a number").arg(word);
    return is_number;
}

bool RunFilter::matches(const Term& term, const RunSummary& run) const {
    const auto holds = [&](const QString& text) { return text.contains(term.text, Qt::CaseInsensitive); };
    switch (term.kind) {
        case Kind::kText:
            return holds(run.name) || holds(run.id) || holds(run.notes) || std::any_of(run.tags.begin(), run.tags.end(), holds);
        case Kind::kExpression:
            return term.expression.match(run.name).hasMatch() ||
                   std::any_of(run.tags.begin(), run.tags.end(), [&](const QString& tag) { return term.expression.match(tag).hasMatch(); });
        case Kind::kField:
            if (term.field == "tag") {
                return std::any_of(run.tags.begin(), run.tags.end(),
                                   [&](const QString& tag) { return tag.startsWith(term.text, Qt::CaseInsensitive); });
            }
            if (term.field == "name" || term.field == "notes") return holds(textField(term.field)(run));
            return textField(term.field)(run).startsWith(term.text, Qt::CaseInsensitive);
        case Kind::kNumber: {
            const double value = runNumber(run, term.field);
            if (!std::isfinite(value)) return false;
            switch (term.relation) {
                case Relation::kEqual:
                    return std::abs(value - term.number) <= kEqualWithin * std::max(1.0, std::abs(term.number));
                case Relation::kBelow:
                    return value < term.number;
                case Relation::kAtMost:
                    return value <= term.number;
                case Relation::kAbove:
                    return value > term.number;
                case Relation::kAtLeast:
                    return value >= term.number;
            }
            return false;
        }
        case Kind::kIs:
            if (term.text == "pinned") return run.pinned;
            if (term.text == "archived") return run.archived;
            if (term.text == "running") return isActive(run.state);
            return stateOf(run) == term.text;
    }
    return true;
}

bool RunFilter::accepts(const RunSummary& run) const {
    return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) { return matches(term, run) != term.negated; });
}

}  // namespace ui::models

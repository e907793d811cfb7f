// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/run_facts.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <algorithm>
#include <tuple>

#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/error.h"
#include "engine/spec/project/schedule.h"

namespace ui::session {
namespace {

using namespace engine::spec;

constexpr auto kStrategyEnd = "Strategy";

QString keyOf(const RunSpec& run) {
    const QByteArray text = QByteArray::fromStdString(toProjectJson(run));
    return QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Md5).toHex());
}

// Returns a key that is equal for two projects when they differ by seed, name, code and addresses alone.
QString twinKey(RunSpec run) {
    run.name.clear();
    run.code.clear();
    run.fit.seed = 0;
    for (Job& job : run.cluster.spec.jobs) {
        for (auto& [index, address] : job.tasks) address.clear();  // ports differ from launch to launch
    }
    return keyOf(run);
}

// Returns a key of the same work for each worker, whatever their number: scaling is measured between runs of one key.
QString scalingKey(RunSpec run) {
    RunSpec work;
    work.model = std::move(run.model);
    work.data.dataset = run.data.dataset;
    work.data.batch_size_per_replica = run.data.batch_size_per_replica;
    work.cluster.threads_per_task = run.cluster.threads_per_task;
    return keyOf(work);
}

QString scalarText(const QJsonValue& value) {
    switch (value.type()) {
        case QJsonValue::Bool:
            return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
        case QJsonValue::Double:
            return QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest);
        case QJsonValue::String:
            return value.toString();
        case QJsonValue::Null:
            return QStringLiteral("null");
        default:
            return {};
    }
}

bool isFlat(const QJsonArray& array) {
    return std::none_of(array.begin(), array.end(), [](const QJsonValue& entry) { return entry.isObject() || entry.isArray(); });
}

void flatten(const QString& path, const QJsonValue& value, std::vector<std::pair<QString, QString>>& into) {
    if (value.isObject()) {
        const QJsonObject object = value.toObject();
        for (auto entry = object.begin(); entry != object.end(); ++entry) {
            flatten(path.isEmpty() ? entry.key() : path + '.' + entry.key(), entry.value(), into);
        }
        return;
    }
    if (!value.isArray()) {
        into.emplace_back(path, scalarText(value));
        return;
    }
    const QJsonArray array = value.toArray();
    if (isFlat(array)) {
        QStringList texts;
        for (const QJsonValue& entry : array) texts << scalarText(entry);
        into.emplace_back(path, '[' + texts.join(QStringLiteral(", ")) + ']');
        return;
    }
    for (qsizetype i = 0; i < array.size(); ++i) flatten(QStringLiteral("%1[%2]").arg(path).arg(i), array[i], into);
}

}  // namespace

RunFacts factsOf(const QString& project_json) {
    RunFacts facts;
    const ProjectReport report = parseProject(project_json.toStdString());
    if (project_json.isEmpty() || hasErrors(report.diagnostics)) return facts;
    const RunSpec& run = report.run;
    facts.strategy = QString::fromStdString(run.strategy.name);
    if (facts.strategy.endsWith(QLatin1String(kStrategyEnd))) facts.strategy.chop(static_cast<int>(qstrlen(kStrategyEnd)));
    facts.dataset = QString::fromStdString(run.data.dataset);
    facts.optimizer = QString::fromStdString(run.compile.optimizer.class_name);
    facts.loss = QString::fromStdString(run.compile.loss.class_name);
    facts.workers = std::max<int>(1, static_cast<int>(run.cluster.spec.trainingTasks().size()));
    facts.epochs = run.fit.epochs;
    facts.seed = run.fit.seed;
    facts.layers = static_cast<int>(run.model.layers.size());
    facts.global_batch = run.data.batch_size_per_replica * facts.workers;
    try {
        facts.learning_rate = learningRateAt(run, 0, run.fit.initial_epoch);
        if (const ObjectSpec* schedule = run.compile.optimizer.config.getObject("learning_rate")) {
            facts.rate_schedule = QString::fromStdString(schedule->class_name);
        }
        const std::vector<TaskPlan> plans = planTasks(run);
        if (!plans.empty()) facts.global_batch = plans.front().global_batch_size;
    } catch (const engine::Error&) {
        // A project that this version finds fault with: what could be read stays.
    }
    for (const ObjectSpec& callback : run.callbacks) {
        if (callback.class_name == "LearningRateScheduler" || callback.class_name == "ReduceLROnPlateau") {
            facts.rate_schedule = QString::fromStdString(callback.class_name);
        }
    }
    facts.twin_key = twinKey(run);
    facts.scaling_key = scalingKey(run);
    return facts;
}

std::vector<std::pair<QString, QString>> settingsOf(const QString& project_json) {
    std::vector<std::pair<QString, QString>> settings;
    QJsonObject project = QJsonDocument::fromJson(project_json.toUtf8()).object();
    project.remove(QStringLiteral("code"));  // says again what the fields say
    flatten({}, project, settings);
    return settings;
}

bool isLater(const RunSummary& a, const RunSummary& b) {
    const auto lately = [](const RunSummary& run) {
        return std::tuple(isActive(run.state), std::max(run.finished_unix_ns, run.created_unix_ns), run.created_unix_ns);
    };
    return lately(a) > lately(b);
}

}  // namespace ui::session

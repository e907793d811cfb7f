// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_problems.h"

#include <QRegularExpression>
#include <algorithm>
#include <utility>

#include "ui/session/project/project.h"

namespace ui::views {

using engine::spec::Diagnostic;

std::optional<ModelPlace> modelPlaceOf(const std::string& path, int layers) {
    static const QRegularExpression kPath(QStringLiteral(
        "^(model|compile|fit|callbacks)(?:\\.layers\\[(\\d+)\\](?:\\.config)?)?(?:\\.(\\w+)(?:\\[\\d+\\])?(?:\\.(\\w+))?)?"));
    const auto match = kPath.match(QString::fromStdString(path));
    static const QRegularExpression kColumn(QStringLiteral("^data\\.(feature_columns.*)$"));
    if (const auto column = kColumn.match(QString::fromStdString(path)); column.hasMatch()) return ModelPlace{0, column.captured(1)};
    if (!match.hasMatch()) return std::nullopt;
    if (!match.captured(2).isEmpty()) {
        const int layer = match.captured(2).toInt();
        return layer < layers ? std::optional(ModelPlace{layer + 1, match.captured(3)}) : std::nullopt;
    }
    const bool model = match.captured(1) == QLatin1String("model");
    // Problems of all layers together keep the model from being compiled; when there are no layers, the chain itself asks for the first.
    if (!model || match.captured(3) == QLatin1String("layers")) {
        if (model && layers == 0) return std::nullopt;
        // Settings of callbacks bear their callback's name: several have a field "monitor".
        if (match.captured(1) == QLatin1String("callbacks")) {
            const QStringList names{match.captured(3), match.captured(4)};
            return ModelPlace{layers + 1, names[1].isEmpty() ? (names[0].isEmpty() ? match.captured(1) : names[0]) : names.join('.')};
        }
        const bool inner = match.captured(1) != QLatin1String("fit") && !match.captured(4).isEmpty();
        return ModelPlace{layers + 1, inner ? match.captured(4) : match.captured(3)};
    }
    return ModelPlace{0, match.captured(3)};
}

std::vector<std::vector<const Diagnostic*>> problemsByNode(const session::Project& project) {
    const int layers = static_cast<int>(project.spec().model.layers.size());
    std::vector<std::vector<const Diagnostic*>> problems(static_cast<std::size_t>(layers) + 2);
    for (const Diagnostic& found : project.diagnostics()) {
        if (found.severity == engine::spec::Severity::kInfo) continue;
        if (const auto place = modelPlaceOf(found.path, layers)) problems[static_cast<std::size_t>(place->node)].push_back(&found);
    }
    for (auto& of_node : problems) {
        std::stable_partition(of_node.begin(), of_node.end(),
                              [](const Diagnostic* one) { return one->severity == engine::spec::Severity::kError; });
    }
    return problems;
}

std::vector<const Diagnostic*> problemsOf(const session::Project& project, int node) {
    auto problems = problemsByNode(project);
    const bool known = node >= 0 && node < static_cast<int>(problems.size());
    return known ? std::move(problems[static_cast<std::size_t>(node)]) : std::vector<const Diagnostic*>();
}

}  // namespace ui::views

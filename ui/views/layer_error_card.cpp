// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/spec/shape_inference.h"
#include "ui/session/session.h"
#include "ui/views/model_properties.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

using engine::spec::LayerInfo;
using engine::spec::LayerSpec;
using engine::spec::ModelSpec;
using engine::spec::RunSpec;
using theme::TextRole;
using widgets::Ink;
using widgets::TextLabel;

namespace {

constexpr std::size_t kMostFixes = 3;

// How many layers fit before the first that does not.
std::size_t fitting(const ModelSpec& model) {
    const auto infos = engine::spec::inferShapes(model);
    return static_cast<std::size_t>(std::find_if(infos.begin(), infos.end(), [](const LayerInfo& info) { return !info.known; }) - infos.begin());
}

bool fits(const ModelSpec& model) { return fitting(model) == model.layers.size(); }

}  // namespace

LayerErrorCard::LayerErrorCard(session::Session& session, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), session_(session), themes_(themes) {
    setObjectName(QStringLiteral("layerError"));
    title_ = new TextLabel(themes, TextRole::kStrong, Ink::kError, this);
    text_ = new TextLabel(themes, TextRole::kSmall, Ink::kText, this);
    text_->setObjectName(QStringLiteral("layerErrorText"));
    text_->setWordWrap(true);
    buttons_ = new QVBoxLayout;
    buttons_->setSpacing(theme::kSpace2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::kSpace4, theme::kSpace4, theme::kSpace4, theme::kSpace4);
    layout->setSpacing(theme::kSpace2);
    title_->setIndent(28);
    layout->addWidget(title_);
    layout->addWidget(text_);
    layout->addLayout(buttons_);
    hide();
}

// Tries the small edits a person would try and keeps those after which more layers fit; the ones that mend everything come first.
std::vector<LayerErrorCard::Fix> LayerErrorCard::findFixes(int layer) const {
    const ModelSpec& model = session_.project().model;
    const auto at = static_cast<std::ptrdiff_t>(layer);
    const std::size_t before = fitting(model);
    std::vector<std::pair<bool, Fix>> found;
    const auto consider = [&](const QString& text, int node, std::size_t added, const std::function<void(ModelSpec&)>& edit) {
        ModelSpec changed = model;
        edit(changed);
        const bool all = fits(changed);
        if (!all && fitting(changed) <= before + added) return;
        found.emplace_back(all, Fix{text, node, [edit](RunSpec& run) { edit(run.model); }});
    };
    for (int up = 1; up <= layer; ++up) {
        const QString above = QString::fromStdString(model.layers[static_cast<std::size_t>(layer - up)].class_name);
        const std::size_t known = found.size();
        consider(tr("Move above %1").arg(above), layer - up + 1, 0,
                 [at, up](ModelSpec& m) { std::rotate(m.layers.begin() + at - up, m.layers.begin() + at, m.layers.begin() + at + 1); });
        if (found.size() > known) break;
    }
    if (engine::spec::findLayerSchema("Flatten") != nullptr) {
        consider(tr("Insert Flatten before it"), layer + 1, 1, [at](ModelSpec& m) {
            std::vector<std::string> taken;
            for (const LayerSpec& one : m.layers) taken.push_back(one.name);
            m.layers.insert(m.layers.begin() + at, LayerSpec{"Flatten", engine::spec::automaticLayerName("Flatten", taken), {}});
        });
    }
    consider(tr("Delete layer"), std::max(1, layer), 0, [at](ModelSpec& m) { m.layers.erase(m.layers.begin() + at); });
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first && !b.first; });
    std::vector<Fix> fixes;
    for (auto& [all, fix] : found) fixes.push_back(std::move(fix));
    if (fixes.size() > kMostFixes) fixes.resize(kMostFixes);
    return fixes;
}

void LayerErrorCard::setLayer(int layer) {
    const auto& infos = session_.layerInfos();
    const bool wrong = layer >= 0 && layer < static_cast<int>(infos.size()) && !infos[static_cast<std::size_t>(layer)].error.empty();
    setVisible(wrong);
    if (!wrong) return;
    const LayerInfo& info = infos[static_cast<std::size_t>(layer)];
    title_->setText(info.error_field >= 0 ? tr("Wrong setting") : tr("Wrong input"));
    QString text = QString::fromStdString(info.error);
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    text_->setText(text);
    while (QLayoutItem* item = buttons_->takeAt(0)) {
        if (item->widget() != nullptr) item->widget()->deleteLater();
        delete item;
    }
    bool first = true;
    for (Fix& fix : findFixes(layer)) {
        auto* button = widgets::makeButton(themes_, {.object_name = first ? QStringLiteral("layerFix") : QString(),
                                                     .icon = {},
                                                     .kind = first ? widgets::ButtonKind::kPrimary : widgets::ButtonKind::kPlain,
                                                     .compact = true},
                                           this);
        button->setText(fix.text);
        buttons_->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, fix = std::move(fix)] {
            const Fix chosen = fix;  // the button goes with the change
            emit nodeWanted(-1);
            session_.change(chosen.text, chosen.edit);
            emit nodeWanted(chosen.node);
        });
        first = false;
    }
    updateGeometry();
}

void LayerErrorCard::paintEvent(QPaintEvent*) {
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    widgets::paintBox(painter, rect(), theme::kRadiusCard, t.err_tint, t.err);
    themes_.paintIcon(painter, QStringLiteral("error"), QRectF(12, title_->geometry().center().y() - 8, 18, 18), t.err);
}

}  // namespace ui::views

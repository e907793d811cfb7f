// SPDX-License-Identifier: GPL-3.0-or-later
// The page Model over a project of two workers.
#pragma once

#include "ui/model/model_page.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QTest>

#include "made_up_run.h"
#include "ui/canvas/model_canvas.h"
#include "ui/session/project/project.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {

class ModelPageTest : public testing::Test {
protected:
    void SetUp() override {
        themes_.setChoice(theme::Choice::kLight);
        ASSERT_TRUE(studio_.openTwoWorkers());
        page_ = std::make_unique<ModelPage>(studio_.session(), themes_);
        page_->resize(1364, 832);
        page_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(page_.get(), 180'000));
        QApplication::setActiveWindow(page_.get());  // a display without a window manager activates none
    }

    template <typename Widget = QWidget>
    Widget* find(const QString& name) {
        // A form that was just replaced goes with the next event.
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        auto* found = page_->findChild<Widget*>(name);
        EXPECT_NE(found, nullptr) << name.toStdString();
        return found;
    }
    // The model as text: "Conv2D 26×26×32 | …", a wrong layer with "!", later ones with "?".
    std::string printed() {
        QStringList parts;
        for (const auto& node : page_->canvas().content().nodes) parts << node.type + (node.wrong ? "!" : (node.dimmed ? "?" : ""));
        return parts.join(" ").toStdString();
    }
    widgets::DockSplitter& splitter() { return *page_->findChild<widgets::DockSplitter*>("modelSplitter"); }
    // Texts have their height, and no two children lie on each other or outside.
    static void expectNothingCut(const QWidget& card, int dock_width) {
        QList<QWidget*> shown;
        for (auto* child : card.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
            if (child->isVisibleTo(&card)) shown << child;
        }
        EXPECT_GE(shown.size(), 7) << "title, two facts with names, a fix, delete, link";
        for (int i = 0; i < shown.size(); ++i) {
            const QWidget* child = shown[i];
            const std::string name = child->objectName().toStdString() + " at " + std::to_string(dock_width);
            EXPECT_TRUE(card.rect().contains(child->geometry())) << name;
            const auto* label = qobject_cast<const QLabel*>(child);
            const int height = label == nullptr    ? child->minimumSizeHint().height()
                               : label->wordWrap() ? label->heightForWidth(child->width())
                                                   : label->sizeHint().height();
            EXPECT_GE(child->height(), height) << name;
            for (int j = i + 1; j < shown.size(); ++j)
                EXPECT_FALSE(child->geometry().intersects(shown[j]->geometry())) << name << " and " << shown[j]->objectName().toStdString();
        }
    }
    QLineEdit* text(const QString& field) { return find("field_" + field)->findChild<QLineEdit*>(); }
    const engine::spec::LayerSpec& layer(std::size_t index) { return studio_.session().project().spec().model.layers.at(index); }
    void shoot(const QString& name) {
        const QString folder = qEnvironmentVariable("TANDEM_SHOTS");
        if (folder.isEmpty()) return;
        for (const auto choice : {theme::Choice::kLight, theme::Choice::kDark}) {
            themes_.setChoice(choice);
            QCoreApplication::processEvents();
            page_->grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name, choice == theme::Choice::kLight ? "light" : "dark"));
        }
        themes_.setChoice(theme::Choice::kLight);
    }

    theme::ThemeController themes_;
    tests::MadeUpStudio studio_;
    std::unique_ptr<ModelPage> page_;
};

}  // namespace ui::views

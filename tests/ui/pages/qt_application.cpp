// SPDX-License-Identifier: GPL-3.0-or-later
// The one QApplication of this program's tests; without a display it runs offscreen.
#include <gtest/gtest.h>

#include <QApplication>
#include <QLocale>
#include <memory>

namespace {

class Application : public testing::Environment {
public:
    void SetUp() override {
        if (qEnvironmentVariableIsEmpty("DISPLAY")) qputenv("QT_QPA_PLATFORM", "offscreen");
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        application_ = std::make_unique<QApplication>(argc_, argv_);
    }
    void TearDown() override { application_.reset(); }

private:
    int argc_ = 1;
    char name_[8] = "ui_test";
    char* argv_[2] = {name_, nullptr};
    std::unique_ptr<QApplication> application_;
};

const auto* const kApplication = testing::AddGlobalTestEnvironment(new Application);

}  // namespace

// SPDX-License-Identifier: GPL-3.0-or-later
// A session over an agent with memory.
#pragma once

#include "ui/session/session.h"

#include <gtest/gtest.h>

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "tests/support/fake_agent_client.h"
#include "tests/support/fake_host.h"
#include "tests/support/fake_host_backend.h"
#include "tests/support/real_engine.h"
#include "ui/session/host/host.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/launcher.h"

namespace ui::session {

class SessionTest : public testing::Test {
protected:
    static constexpr int kDeadlineMs = 180'000;
    static constexpr auto kTwoWorkers = "mnist_multi_worker";

    SessionTest() : settings_(folder_.filePath("settings.ini"), QSettings::IniFormat) {
        world_->host = tests::sampleHost();
        world_->engine = tests::askRealEngine;
    }

    std::unique_ptr<Session> make(std::shared_ptr<tests::FakeHostBackend> hosts = nullptr) {
        return std::make_unique<Session>(
            SessionOptions{.connect = [world = world_] { return std::make_unique<tests::FakeAgentClient>(world); },
                           .share_dir = QStringLiteral(TANDEM_RESOURCES),
                           .history_file = folder_.filePath("history/studio.sqlite"),
                           .settings = &settings_,
                           .reconnect_ms = 50,
                           .far_hosts = std::move(hosts)});
    }
    static void waitReady(Session& session) {
        ASSERT_TRUE(QTest::qWaitFor([&] { return session.host().agentState() == AgentState::kReady && session.host().info().has_value(); },
                                    kDeadlineMs));
    }
    // A run's ports must be free for Launch; which are is not this test's matter.
    static void openTwoWorkers(Session& session) {
        ASSERT_TRUE(session.project().openStarter(kTwoWorkers));
        ui::session::chooseFreePorts(session.project());
    }

    QTemporaryDir folder_;
    QSettings settings_;
    std::shared_ptr<tests::FakeAgentWorld> world_ = std::make_shared<tests::FakeAgentWorld>();
};

}  // namespace ui::session

// SPDX-License-Identifier: GPL-3.0-or-later
// The starter projects that come with the studio: read once, from templates/ in its share folder. GUI thread only.
#pragma once

#include <QString>
#include <vector>

#include "ui/session/values.h"

namespace ui::session {

// The scheme of a starter project that was never saved, in place of a path: "starter:mnist_mlp".
inline constexpr auto kStarterScheme = "starter:";
bool isStarterPlace(const QString& place);

class Starters {
public:
    explicit Starters(const QString& share_dir);

    const std::vector<Template>& all() const { return all_; }
    const Template* find(const QString& id) const;  // null for an unknown one
    // Returns the place of the starter that has these values unchanged; empty when none has.
    QString placeOf(const engine::spec::RunSpec& spec) const;

private:
    std::vector<Template> all_;
};

}  // namespace ui::session

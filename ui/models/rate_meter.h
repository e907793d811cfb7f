// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/report/rate_meter.h"

namespace ui::models {

using engine::report::RateMeter;

}  // namespace ui::models

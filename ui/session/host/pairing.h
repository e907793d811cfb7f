// SPDX-License-Identifier: GPL-3.0-or-later
// Where the destination of a new host may be the line of tandem-agent invite in the place of what ssh takes: HostBackend::add() pairs the
// two computers then, and the list has HOST:PORT and the fingerprint of the line.
#pragma once

#include <QString>

namespace ui::session {

// True when the first letters are those of a pairing line. The line may still be wrong, which findingsOf() says. hostOfDestination()
// returns HOST of a correct one.
inline bool isPairingLine(const QString& destination) {
    return destination.startsWith(QLatin1String("tandem:"));
}

}  // namespace ui::session

// SPDX-License-Identifier: GPL-3.0-or-later
// A window's picture with at most 256 colours: a third of the bytes, and nothing that the eye misses.
#pragma once

#include <QImage>

namespace tests {

// The commonest colours, then those that are not neighbours of a commoner one; every other pixel takes the nearest of them. No dithering:
// text stays clean.
QImage withSmallPalette(const QImage& picture);

}  // namespace tests

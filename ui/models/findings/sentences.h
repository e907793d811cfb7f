// SPDX-License-Identifier: GPL-3.0-or-later
// What engine and agent say of a project, in their words with places (%1) for what varies: data for finding_text.cpp, a file for what it
// speaks of. The first that fits is taken, so that one stands before those that fit more.
#pragma once

#include <span>

namespace ui::models::findings {

using Sentences = std::span<const char* const>;

// Context "FindingTexts". A rule of engine/spec/validate or engine/spec/catalog has its messages and what mends them here.
Sentences ofModel();
Sentences ofTraining();
Sentences ofData();
Sentences ofStrategy();
Sentences ofCluster();
Sentences ofPasted();
Sentences ofGeneral();
Sentences wholes();   // "expected %1, got %2": most findings of fields and layers
Sentences phrases();  // what was expected or is there: "an integer of at least 1"
// Context "DoctorTexts".
Sentences ofDoctor();
// Context "HostTexts": what agents say of other computers, and why they refuse a launch.
Sentences ofHosts();
// Context "FileTexts": what engine/data says that it finds in files.
Sentences ofFiles();
// Context "CodeTexts": notes of engine/spec/keras about code, with their line and column, and of engine/script about programs.
Sentences ofCode();

}  // namespace ui::models::findings

// Brings projects of older versions to the present one. Only files of this folder and tests include it.
#pragma once

#include <span>

#include "engine/spec/json_text.h"

namespace engine::spec {

// Changes a project of one version into the next; its "version" is set by migrateProject.
using ProjectMigration = void (*)(Json& project);

// The steps of the present version: entry i leads from version i + 1 to i + 2.
std::span<const ProjectMigration> projectMigrations();

// Applies what is missing from `version` (from 1) on. Returns the version reached.
int migrateProject(Json& project, int version, std::span<const ProjectMigration> steps);

}  // namespace engine::spec

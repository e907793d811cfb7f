#include "engine/spec/project/project_migration.h"

#include "engine/spec/project/run_spec.h"

namespace engine::spec {

std::span<const ProjectMigration> projectMigrations() {
    static_assert(kProjectVersion == 1, "a new version needs its migration here");
    return {};
}

int migrateProject(Json& project, int version, std::span<const ProjectMigration> steps) {
    for (auto i = static_cast<std::size_t>(version - 1); i < steps.size(); ++i) {
        steps[i](project);
        project["version"] = ++version;
    }
    return version;
}

}  // namespace engine::spec

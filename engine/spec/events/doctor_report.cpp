#include "engine/spec/events/doctor_report.h"

#include <algorithm>

namespace engine::spec {

std::string_view toString(DoctorState state) {
    switch (state) {
        case DoctorState::kOk:
            return "ok";
        case DoctorState::kInfo:
            return "info";
        case DoctorState::kWarning:
            return "warning";
        case DoctorState::kError:
            return "error";
    }
    return "unknown";
}

bool hasErrors(const DoctorReport& report) {
    return std::any_of(report.rows.begin(), report.rows.end(), [](const DoctorRow& row) { return row.state == DoctorState::kError; });
}

}  // namespace engine::spec

// What most sources that speak gRPC include, with the messages of agent/proto, read once (tandem_precompiled).
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <google/protobuf/message.h>
#include <grpcpp/grpcpp.h>

#include "agent/proto/agent.grpc.pb.h"
#include "agent/proto/question.pb.h"
#include "agent/proto/task_event.pb.h"

// The engine for a fake agent (FakeAgentWorld::engine): answers in this process what a tandem-worker would, question and answer carried
// over the wire.
#pragma once

#include "agent/client/agent_client.h"
#include "agent/inspect/engine_answers.h"
#include "agent/proto/question.pb.h"
#include "agent/wire/question_convert.h"
#include "engine/data/dataset_catalog.h"

namespace tests {

// Safe from any thread.
inline engine::spec::EngineAnswer askRealEngine(const engine::spec::EngineQuestion& question, const agent::client::AskOptions& options) {
    const auto answer = agent::worker::answer(agent::convert::fromProto(agent::convert::toProto(question)),
                                              {.dataset_folders = engine::data::datasetFolders(),
                                               .download_folder = engine::data::downloadFolder(),
                                               .is_cancelled = options.is_cancelled,
                                               .note = options.note,
                                               .progress = options.progress});
    agent::proto::Answer whole;
    for (const agent::proto::Answer& piece : agent::convert::toProto(answer)) {
        whole.MergeFrom(piece);
    }
    return agent::convert::fromProto(whole, question);
}

}  // namespace tests

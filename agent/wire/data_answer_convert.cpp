// The answers on data sets, on their shards, on model files and on what a run begins with.
#include <string>
#include <utility>

#include "agent/proto/question.pb.h"
#include "agent/proto/task_event.pb.h"
#include "agent/wire/answer_convert.h"
#include "agent/wire/answer_pieces.h"
#include "agent/wire/question_convert.h"
#include "agent/wire/task_event_convert.h"

namespace agent::convert {

namespace spec = engine::spec;

namespace {

constexpr std::size_t kGroupPart = 256u << 10;  // bytes of samples of a group that go together

proto::Finding::Severity severityMessage(spec::Severity severity) {
    return severity == spec::Severity::kError     ? proto::Finding::SEVERITY_ERROR
           : severity == spec::Severity::kWarning ? proto::Finding::SEVERITY_WARNING
                                                  : proto::Finding::SEVERITY_INFO;
}

spec::Severity severityIn(proto::Finding::Severity severity) {
    return severity == proto::Finding::SEVERITY_ERROR     ? spec::Severity::kError
           : severity == proto::Finding::SEVERITY_WARNING ? spec::Severity::kWarning
                                                          : spec::Severity::kInfo;
}

using FindingList = google::protobuf::RepeatedPtrField<proto::Finding>;

void addFindings(const spec::Diagnostics& findings, FindingList& list) {
    for (const spec::Diagnostic& one : findings) {
        proto::Finding& finding = *list.Add();
        finding.set_severity(severityMessage(one.severity));
        finding.set_path(validUtf8(one.path));
        finding.set_message(validUtf8(one.message));
        finding.set_fix(validUtf8(one.fix));
    }
}

spec::Diagnostics findingsIn(const FindingList& list) {
    spec::Diagnostics findings;
    for (const proto::Finding& finding : list) {
        findings.push_back({severityIn(finding.severity()), finding.path(), finding.message(), finding.fix()});
    }
    return findings;
}

template <class List>
void addTexts(const std::vector<std::string>& texts, List& list) {
    for (const std::string& text : texts) {
        list.Add(validUtf8(text));
    }
}

proto::SampleFacts sampleMessage(const spec::SampleFacts& sample) {
    proto::SampleFacts message;
    message.set_index(sample.index);
    message.set_rows(sample.rows);
    message.set_columns(sample.columns);
    message.set_channels(sample.channels);
    message.set_pixels(bytesOf(sample.pixels));
    message.set_text(validUtf8(sample.text));
    return message;
}

spec::SampleFacts sampleIn(const proto::SampleFacts& message) {
    spec::SampleFacts sample{.index = message.index(),
                             .rows = message.rows(),
                             .columns = message.columns(),
                             .channels = message.channels(),
                             .pixels = valuesOf(message.pixels()),
                             .text = message.text()};
    constexpr std::int64_t kMostSide = 1 << 15;
    const auto isSide = [](std::int64_t size) { return size > 0 && size <= kMostSide; };
    require(sample.pixels.empty() || (isSide(sample.rows) && isSide(sample.columns) && (sample.channels == 1 || sample.channels == 3) &&
                                      static_cast<std::int64_t>(sample.pixels.size()) == sample.rows * sample.columns * sample.channels));
    return sample;
}

void appendGroup(const spec::GroupFacts& group, std::int64_t index, PieceWriter& writer) {
    proto::GroupFacts part;
    part.set_index(index);
    part.set_name(validUtf8(group.name));
    part.set_train(group.train);
    part.set_test(group.test);
    const auto flush = [&] {
        *writer.pieceFor(part.ByteSizeLong()).mutable_data()->add_groups() = part;
        part.Clear();
        part.set_index(index);
    };
    std::size_t bytes = 0;
    for (const spec::SampleFacts& sample : group.samples) {
        if (bytes >= kGroupPart) {
            flush();
            bytes = 0;
        }
        *part.add_samples() = sampleMessage(sample);
        bytes += sample.pixels.size() + sample.text.size();
    }
    flush();
}

}  // namespace

void append(const spec::ImportedModel& answer, std::vector<proto::Answer>& pieces) {
    proto::ImportedModel& message = *pieces.emplace_back().mutable_imported();
    if (!hasErrors(answer.findings)) {
        message.set_project_json(validUtf8(spec::toProjectJson(answer.run)));
    }
    message.set_is_compiled(answer.is_compiled);
    addFindings(answer.findings, *message.mutable_findings());
}

spec::ImportedModel read(const proto::Answer& whole, std::type_identity<spec::ImportedModel>) {
    require(whole.has_imported());
    const proto::ImportedModel& message = whole.imported();
    spec::ImportedModel answer{.run = {}, .is_compiled = message.is_compiled(), .findings = findingsIn(message.findings())};
    if (hasErrors(answer.findings)) {
        return answer;
    }
    spec::ProjectReport report = spec::parseProject(message.project_json());
    if (hasErrors(report.diagnostics)) {
        answer.findings.insert(answer.findings.end(), report.diagnostics.begin(), report.diagnostics.end());
    } else {
        answer.run = std::move(report.run);
    }
    return answer;
}

void append(const spec::InputFindings& answer, std::vector<proto::Answer>& pieces) {
    addFindings(answer.errors, *pieces.emplace_back().mutable_inputs()->mutable_errors());
}

spec::InputFindings read(const proto::Answer& whole, std::type_identity<spec::InputFindings>) {
    require(whole.has_inputs());
    return {findingsIn(whole.inputs().errors())};
}

void append(const spec::WrittenFile& answer, std::vector<proto::Answer>& pieces) {
    pieces.emplace_back().mutable_written()->set_bytes(answer.bytes);
}

spec::WrittenFile read(const proto::Answer& whole, std::type_identity<spec::WrittenFile>) {
    require(whole.has_written());
    return {whole.written().bytes()};
}

void append(const spec::DataFacts& answer, std::vector<proto::Answer>& pieces) {
    PieceWriter writer(pieces, [](proto::Answer& piece) { piece.mutable_data(); });
    proto::DataFacts& first = *pieces.back().mutable_data();
    if (answer.problem) {
        first.mutable_problem()->set_code(static_cast<int>(answer.problem->code));
        first.mutable_problem()->set_message(validUtf8(answer.problem->message));
        first.mutable_problem()->set_can_fetch(answer.problem->can_fetch);
        return;
    }
    first.set_dataset(validUtf8(answer.dataset));
    first.set_train_samples(answer.train_samples);
    first.set_test_samples(answer.test_samples);
    first.mutable_sample_shape()->Add(answer.sample_shape.begin(), answer.sample_shape.end());
    first.set_sample_dtype(answer.sample_dtype);
    first.set_label_dtype(answer.label_dtype);
    first.set_smallest(answer.smallest);
    first.set_largest(answer.largest);
    first.set_bytes(answer.bytes);
    first.set_is_checked(answer.is_checked);
    first.set_bad(answer.bad);
    addTexts(answer.first_bad, *first.mutable_first_bad());
    first.set_not_finite(answer.not_finite);
    first.set_first_not_finite(validUtf8(answer.first_not_finite));
    addTexts(answer.refusals, *first.mutable_refusals());
    first.set_has_classes(answer.has_classes);
    first.set_groups_left_out(answer.groups_left_out);
    writer.spread(answer.train_files, [](proto::Answer& piece, std::span<const std::int64_t> part) {
        piece.mutable_data()->mutable_train_files()->Add(part.begin(), part.end());
    });
    for (const spec::ColumnFacts& column : answer.columns) {
        proto::ColumnFacts message;
        message.set_name(validUtf8(column.name));
        message.set_type(column.type);
        message.set_is_label(column.is_label);
        message.set_categories(column.categories);
        *writer.pieceFor(message.ByteSizeLong()).mutable_data()->add_columns() = std::move(message);
    }
    for (std::size_t i = 0; i < answer.groups.size(); ++i) {
        appendGroup(answer.groups[i], static_cast<std::int64_t>(i), writer);
    }
}

spec::DataFacts read(const proto::Answer& whole, std::type_identity<spec::DataFacts>) {
    require(whole.has_data());
    const proto::DataFacts& message = whole.data();
    spec::DataFacts answer;
    if (message.has_problem()) {
        answer.problem = {errorCodeOf(message.problem().code()), message.problem().message(), message.problem().can_fetch()};
        return answer;
    }
    answer = {.problem = {},
              .dataset = message.dataset(),
              .train_samples = message.train_samples(),
              .test_samples = message.test_samples(),
              .train_files = numbersOf(message.train_files()),
              .sample_shape = numbersOf(message.sample_shape()),
              .sample_dtype = message.sample_dtype(),
              .label_dtype = message.label_dtype(),
              .smallest = message.smallest(),
              .largest = message.largest(),
              .bytes = message.bytes(),
              .is_checked = message.is_checked(),
              .bad = message.bad(),
              .first_bad = numbersOf(message.first_bad()),
              .not_finite = message.not_finite(),
              .first_not_finite = message.first_not_finite(),
              .refusals = numbersOf(message.refusals()),
              .columns = {},
              .has_classes = message.has_classes(),
              .groups_left_out = message.groups_left_out(),
              .groups = {}};
    for (const proto::ColumnFacts& column : message.columns()) {
        answer.columns.push_back({column.name(), column.type(), column.is_label(), column.categories()});
    }
    for (const proto::GroupFacts& part : message.groups()) {
        const auto known = static_cast<std::int64_t>(answer.groups.size());
        require(part.index() == known || (known > 0 && part.index() == known - 1));
        if (part.index() == known) {
            answer.groups.push_back({part.name(), part.train(), part.test(), {}});
        }
        for (const proto::SampleFacts& sample : part.samples()) {
            answer.groups.back().samples.push_back(sampleIn(sample));
        }
    }
    return answer;
}

void append(const spec::Datasets& answer, std::vector<proto::Answer>& pieces) {
    addTexts(answer.names, *pieces.emplace_back().mutable_datasets()->mutable_names());
}

spec::Datasets read(const proto::Answer& whole, std::type_identity<spec::Datasets>) {
    require(whole.has_datasets());
    return {numbersOf(whole.datasets().names())};
}

void append(const spec::ShardPreview& answer, std::vector<proto::Answer>& pieces) {
    PieceWriter writer(pieces, [](proto::Answer& piece) { piece.mutable_shards(); });
    proto::ShardPreview& first = *pieces.back().mutable_shards();
    first.set_dataset(validUtf8(answer.dataset));
    first.set_training_samples(answer.training_samples);
    first.set_policy(answer.policy);
    first.set_reason(validUtf8(answer.reason));
    first.set_chain(validUtf8(answer.chain));
    addTexts(answer.meanings, *first.mutable_meanings());
    addTexts(answer.advice, *first.mutable_advice());
    for (const spec::TaskId& task : answer.tasks) {
        *first.add_tasks() = toProto(task);
    }
    first.set_global_batch_size(answer.global_batch_size);
    first.set_steps_per_epoch(answer.steps_per_epoch);
    for (const spec::ShardStep& step : answer.steps) {
        for (std::size_t task = 0; task < step.elements.size(); ++task) {
            const auto begin = [&](proto::Answer& piece) -> proto::ShardPart& {
                proto::ShardPart& part = *piece.mutable_shards()->add_steps();
                part.set_step(step.step);
                part.set_epoch(step.epoch);
                part.set_task(static_cast<std::int64_t>(task));
                return part;
            };
            proto::ShardPart& head = begin(writer.pieceFor(3 * kVarintBytes));
            if (!step.parts.empty()) {
                head.mutable_parts()->Add(step.parts[task].begin(), step.parts[task].end());
            }
            writer.spread(step.elements[task], [&](proto::Answer& piece, std::span<const std::uint32_t> elements) {
                begin(piece).mutable_elements()->Add(elements.begin(), elements.end());
            });
        }
    }
}

spec::ShardPreview read(const proto::Answer& whole, std::type_identity<spec::ShardPreview>) {
    require(whole.has_shards());
    const proto::ShardPreview& message = whole.shards();
    spec::ShardPreview answer{.dataset = message.dataset(),
                              .training_samples = message.training_samples(),
                              .policy = message.policy(),
                              .reason = message.reason(),
                              .chain = message.chain(),
                              .meanings = numbersOf(message.meanings()),
                              .advice = numbersOf(message.advice()),
                              .tasks = {},
                              .global_batch_size = message.global_batch_size(),
                              .steps_per_epoch = message.steps_per_epoch(),
                              .steps = {}};
    for (const proto::TaskId& task : message.tasks()) {
        answer.tasks.push_back(fromProto(task));
    }
    for (const proto::ShardPart& part : message.steps()) {
        if (answer.steps.empty() || answer.steps.back().step != part.step()) {
            answer.steps.push_back({part.step(), part.epoch(), std::vector<std::vector<std::uint32_t>>(answer.tasks.size()), {}});
        }
        spec::ShardStep& step = answer.steps.back();
        const auto task = static_cast<std::size_t>(part.task());
        require(part.task() >= 0 && task < answer.tasks.size());
        if (part.parts_size() > 0) {
            step.parts.resize(answer.tasks.size());
            step.parts[task].assign(part.parts().begin(), part.parts().end());
        }
        step.elements[task].insert(step.elements[task].end(), part.elements().begin(), part.elements().end());
    }
    for (const spec::ShardStep& step : answer.steps) {
        for (std::size_t task = 0; task < step.parts.size(); ++task) {
            std::size_t sum = 0;
            for (const std::uint32_t count : step.parts[task]) {
                sum += count;
            }
            require(sum == step.elements[task].size());
        }
    }
    return answer;
}

}  // namespace agent::convert

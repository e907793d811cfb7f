#include "agent/wire/answer_convert.h"

#include <cstdint>
#include <span>
#include <string>

#include "agent/proto/question.pb.h"
#include "agent/wire/answer_pieces.h"
#include "agent/wire/task_event_convert.h"

namespace agent::convert {

namespace spec = engine::spec;

namespace {

spec::Classification classificationIn(const proto::Classification& message) {
    spec::Classification answer{.classes = message.classes(),
                                .class_names = numbersOf(message.class_names()),
                                .sample_shape = numbersOf(message.sample_shape()),
                                .samples = message.samples(),
                                .confusion = numbersOf(message.confusion()),
                                .mistakes = {}};
    const std::size_t classes = answer.class_names.size();
    require(classes > 0 && answer.classes == static_cast<std::int64_t>(classes) && answer.confusion.size() == classes * classes);
    for (const proto::Mistake& one : message.mistakes()) {
        const auto isClass = [&](std::int64_t index) { return index >= 0 && index < answer.classes; };
        require(isClass(one.label()) && isClass(one.predicted()));
        answer.mistakes.push_back({one.sample(), one.label(), one.predicted(), one.confidence(), valuesOf(one.pixels())});
    }
    return answer;
}

}  // namespace

void append(const spec::Prediction& answer, std::vector<proto::Answer>& pieces) {
    proto::Prediction& prediction = *pieces.emplace_back().mutable_prediction();
    prediction.mutable_shape()->Add(answer.shape.begin(), answer.shape.end());
}

spec::Prediction read(const proto::Answer& whole, std::type_identity<spec::Prediction>) {
    require(whole.has_prediction());
    return {numbersOf(whole.prediction().shape())};
}

void append(const spec::Placement& answer, std::vector<proto::Answer>& pieces) {
    PieceWriter writer(pieces, [](proto::Answer& piece) { piece.mutable_placement(); });
    for (const spec::PlacedOp& op : answer.ops) {
        proto::PlacedOp message;
        message.set_name(validUtf8(op.name));
        message.set_kind(op.kind);
        message.set_device(op.device);
        message.set_task(op.task);
        message.set_replica(op.replica);
        *writer.pieceFor(message.ByteSizeLong()).mutable_placement()->add_ops() = std::move(message);
    }
}

spec::Placement read(const proto::Answer& whole, std::type_identity<spec::Placement>) {
    require(whole.has_placement());
    spec::Placement placement;
    for (const proto::PlacedOp& op : whole.placement().ops()) {
        placement.ops.push_back({op.name(), op.kind(), op.device(), op.task(), op.replica()});
    }
    return placement;
}

void append(const spec::Evaluation& answer, std::vector<proto::Answer>& pieces) {
    PieceWriter writer(pieces, [](proto::Answer& piece) { piece.mutable_evaluation(); });
    proto::Evaluation& first = *pieces.back().mutable_evaluation();
    first.set_accuracy(answer.accuracy);
    first.set_loss(answer.loss);
    first.set_samples(answer.samples);
    if (!answer.classification) {
        return;
    }
    const spec::Classification& told = *answer.classification;
    proto::Classification& classification = *first.mutable_classification();
    classification.set_classes(told.classes);
    classification.set_samples(told.samples);
    classification.mutable_sample_shape()->Add(told.sample_shape.begin(), told.sample_shape.end());
    for (const std::string& name : told.class_names) {
        const std::string text = validUtf8(name);
        writer.pieceFor(text.size()).mutable_evaluation()->mutable_classification()->add_class_names(text);
    }
    writer.spread(told.confusion, [](proto::Answer& piece, std::span<const std::int64_t> part) {
        piece.mutable_evaluation()->mutable_classification()->mutable_confusion()->Add(part.begin(), part.end());
    });
    for (const spec::Mistake& mistake : told.mistakes) {
        proto::Mistake message;
        message.set_sample(mistake.sample);
        message.set_label(mistake.label);
        message.set_predicted(mistake.predicted);
        message.set_confidence(mistake.confidence);
        message.set_pixels(bytesOf(mistake.pixels));
        *writer.pieceFor(message.ByteSizeLong()).mutable_evaluation()->mutable_classification()->add_mistakes() = std::move(message);
    }
}

spec::Evaluation read(const proto::Answer& whole, std::type_identity<spec::Evaluation>) {
    require(whole.has_evaluation());
    const proto::Evaluation& message = whole.evaluation();
    spec::Evaluation answer{.accuracy = message.accuracy(), .loss = message.loss(), .samples = message.samples(), .classification = {}};
    if (message.has_classification()) {
        answer.classification = classificationIn(message.classification());
    }
    return answer;
}

void append(const spec::Inspection& answer, std::vector<proto::Answer>& pieces) {
    PieceWriter writer(pieces, [](proto::Answer& piece) { piece.mutable_inspection(); });
    proto::Inspection& first = *pieces.back().mutable_inspection();
    first.mutable_sample_shape()->Add(answer.sample_shape.begin(), answer.sample_shape.end());
    first.set_pixels(bytesOf(answer.pixels));
    for (const spec::ClassScore& score : answer.top) {
        proto::ClassScore& message = *first.add_top();
        message.set_name(validUtf8(score.name));
        message.set_index(score.index);
        message.set_probability(score.probability);
    }
    for (const spec::LayerMaps& layer : answer.layers) {
        proto::LayerMaps message;
        message.set_name(validUtf8(layer.name));
        message.set_class_name(validUtf8(layer.class_name));
        message.mutable_shape()->Add(layer.shape.begin(), layer.shape.end());
        message.set_least(layer.least);
        message.set_greatest(layer.greatest);
        message.set_shown(layer.shown);
        message.set_maps(bytesOf(layer.maps));
        *writer.pieceFor(message.ByteSizeLong()).mutable_inspection()->add_layers() = std::move(message);
    }
}

spec::Inspection read(const proto::Answer& whole, std::type_identity<spec::Inspection>) {
    require(whole.has_inspection());
    const proto::Inspection& message = whole.inspection();
    spec::Inspection answer{
        .sample_shape = numbersOf(message.sample_shape()), .pixels = valuesOf(message.pixels()), .top = {}, .layers = {}};
    for (const proto::ClassScore& score : message.top()) {
        answer.top.push_back({score.name(), score.index(), score.probability()});
    }
    for (const proto::LayerMaps& layer : message.layers()) {
        require(layer.shown() >= 1 && static_cast<std::int64_t>(layer.maps().size()) % layer.shown() == 0);
        answer.layers.push_back({.name = layer.name(),
                                 .class_name = layer.class_name(),
                                 .shape = numbersOf(layer.shape()),
                                 .least = layer.least(),
                                 .greatest = layer.greatest(),
                                 .shown = layer.shown(),
                                 .maps = valuesOf(layer.maps())});
    }
    require(!answer.layers.empty());  // a sequence that was read may have no class
    return answer;
}

void append(const spec::StepTraffic& answer, std::vector<proto::Answer>& pieces) {
    pieces.emplace_back().mutable_traffic()->set_bytes(answer.bytes);
}

spec::StepTraffic read(const proto::Answer& whole, std::type_identity<spec::StepTraffic>) {
    require(whole.has_traffic() && whole.traffic().bytes() >= 0);
    return {whole.traffic().bytes()};
}

void append(const spec::WeightDifference& answer, std::vector<proto::Answer>& pieces) {
    proto::WeightDifference& message = *pieces.emplace_back().mutable_weights();
    message.set_largest(answer.largest);
    message.set_variable(validUtf8(answer.variable));
    message.set_distance(answer.distance);
    message.set_norm(answer.norm);
    message.set_not_finite(answer.not_finite);
    message.set_values(answer.values);
}

spec::WeightDifference read(const proto::Answer& whole, std::type_identity<spec::WeightDifference>) {
    require(whole.has_weights());
    const proto::WeightDifference& message = whole.weights();
    require(message.not_finite() >= 0 && message.values() >= message.not_finite());
    return {.largest = message.largest(),
            .variable = message.variable(),
            .distance = message.distance(),
            .norm = message.norm(),
            .not_finite = message.not_finite(),
            .values = message.values()};
}

}  // namespace agent::convert

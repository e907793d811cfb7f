// Functions of each value, dropouts and noise. The order of axes is the same to most of them.
#include "engine/script/python_text.h"
#include "engine/script/torch/layer_rows.h"
#include "engine/script/torch/model_writer.h"

namespace engine::script::torch {
namespace {

void writeActivation(ModelWriter& writer, const Place& place) {
    const std::string call = activationCall(writer, place.settings.getString("activation"), "x", writer.axes());
    if (!call.empty()) writer.say("x = " + call);
}

void writeSoftmax(ModelWriter& writer, const Place& place) {
    writer.say("x = " + activationCall(writer, "softmax", "x", place.info.input_shape.size() > 1 ? writer.axes() : Axes::kChannelsLast));
}

void writeRelu(ModelWriter& writer, const Place& place) {
    const double slope = place.settings.getDouble("negative_slope"), threshold = place.settings.getDouble("threshold");
    const std::optional<double> most = place.settings.findDouble("max_value");
    if (slope != 0 && threshold == 0 && !most) return writer.say("x = F.leaky_relu(x, " + pyNumber(slope) + ")");
    // As Keras puts it together, so that values at the threshold and at the limit have its derivatives.
    const bool is_relu6 = threshold == 0 && most == 6;
    const std::string edge = pyNumber(threshold);
    std::string y = is_relu6 ? "F.relu6(x)" : threshold == 0 ? "F.relu(x)" : "torch.where(x > " + edge + ", x, torch.zeros_like(x))";
    if (most && !is_relu6) y += ".clamp(max=" + pyNumber(*most) + ")";
    if (slope != 0) y += " - " + pyNumber(slope) + " * F.relu(" + edge + " - x)";
    writer.say("x = " + y);
}

void writeLeakyRelu(ModelWriter& writer, const Place& place) {
    writer.say("x = F.leaky_relu(x, " + pyNumber(place.settings.getDouble("negative_slope")) + ")");
}

void writeElu(ModelWriter& writer, const Place& place) {
    writer.say("x = F.elu(x, " + pyNumber(place.settings.getDouble("alpha")) + ")");
}

void writePrelu(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsLast, place.info.input_shape.size());
    const std::string name = place.name + "_alpha";
    writer.declare("self." + name + " = nn.Parameter(torch.zeros(" + pyTuple(place.info.variables.front().shape) + "))");
    writer.addVariable(place, "alpha", name);
    writer.say("x = F.relu(x) - self." + name + " * F.relu(-x)");
}

void writeRescaling(ModelWriter& writer, const Place& place) {
    writer.say("x = x * " + pyNumber(place.settings.getDouble("scale")) + " + " + pyNumber(place.settings.getDouble("offset")));
}

void writeDropout(ModelWriter& writer, const Place& place) {
    const std::string rate = pyNumber(place.settings.getDouble("rate"));
    if (!place.settings.has("noise_shape") || place.settings.getInts("noise_shape").empty()) {
        writer.say("x = F.dropout(x, " + rate + ", self.training)");
        return;
    }
    writer.turn(Axes::kChannelsLast, place.info.input_shape.size());
    std::string sizes;
    const std::vector<std::int64_t> shape = place.settings.getInts("noise_shape");
    for (std::size_t i = 0; i < shape.size(); ++i) {
        sizes += (i == 0 ? "" : ", ") + (shape[i] == -1 ? "x.shape[" + std::to_string(i) + "]" : std::to_string(shape[i]));
    }
    writer.say("x = x * F.dropout(torch.ones(" + sizes + ", device=x.device), " + rate + ", self.training)");
}

// A channel is dropped as a whole.
void writeSpatialDropout(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsLast, place.info.input_shape.size());
    const char* const first[] = {"x[:, :1]", "x[:, :1, :1]", "x[:, :1, :1, :1]"};
    writer.say(std::string("x = x * F.dropout(torch.ones_like(") + first[place.info.input_shape.size() - 2] + "), " +
               pyNumber(place.settings.getDouble("rate")) + ", self.training)");
}

// As Keras', it sets values to what scaled exponential units end at.
void writeAlphaDropout(ModelWriter& writer, const Place& place) {
    if (!place.settings.getInts("noise_shape").empty()) {
        return writer.refuse(place, "expected no noise_shape, which PyTorch's alpha_dropout lacks, got one");
    }
    writer.say("x = F.alpha_dropout(x, " + pyNumber(place.settings.getDouble("rate")) + ", self.training)");
}

void writeIdentity(ModelWriter&, const Place&) {}

void writeActivityRegularization(ModelWriter& writer, const Place& place) {
    writer.penaliseOutput(place.settings);
}

void writeGaussianNoise(ModelWriter& writer, const Place& place) {
    writer.say("x = x + torch.randn_like(x) * " + pyNumber(place.settings.getDouble("stddev")) + " if self.training else x");
}

void writeGaussianDropout(ModelWriter& writer, const Place& place) {
    const std::string rate = pyNumber(place.settings.getDouble("rate"));
    writer.say("x = x * (1 + torch.randn_like(x) * (" + rate + " / (1 - " + rate + ")) ** 0.5) if self.training else x");
}

void writeFlip(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsLast, 3);
    const std::string mode = place.settings.getString("mode");
    const auto flip = [&](const char* axis) {
        writer.say(std::string("x = torch.where(torch.rand(len(x), 1, 1, 1, device=x.device) < 0.5, x.flip(") + axis +
                   "), x) if self.training else x");
    };
    if (mode.find("horizontal") != std::string::npos) flip("2");
    if (mode.find("vertical") != std::string::npos) flip("1");
}

}  // namespace

std::vector<LayerRow> elementRows() {
    return {{"Activation", writeActivation},
            {"Softmax", writeSoftmax},
            {"ReLU", writeRelu},
            {"LeakyReLU", writeLeakyRelu},
            {"ELU", writeElu},
            {"PReLU", writePrelu},
            {"Rescaling", writeRescaling},
            {"Dropout", writeDropout},
            {"SpatialDropout1D", writeSpatialDropout},
            {"SpatialDropout2D", writeSpatialDropout},
            {"SpatialDropout3D", writeSpatialDropout},
            {"AlphaDropout", writeAlphaDropout},
            {"Identity", writeIdentity},
            {"ActivityRegularization", writeActivityRegularization},
            {"GaussianNoise", writeGaussianNoise},
            {"GaussianDropout", writeGaussianDropout},
            {"RandomFlip", writeFlip}};
}

}  // namespace engine::script::torch

// Keras' callbacks as statements of the loop.
#include <functional>

#include "engine/script/python_text.h"
#include "engine/script/torch/training_rows.h"
#include "engine/spec/catalog/monitor_direction.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/keras/python/python_literal.h"

namespace engine::script::torch {
namespace {

using spec::ObjectSpec;
using spec::Settings;

struct Writing {
    const ObjectSpec& callback;
    Settings settings;
    Hooks& hooks;
    spec::Diagnostics& findings;

    std::string text(const char* field) const { return spec::pythonText(settings.getString(field)); }
    // "min" or "max" of the monitored value.
    bool rises() const {
        const std::string mode = settings.getString("mode");
        if (mode != "auto") return mode == "max";
        return spec::betterDirection(settings.getString("monitor")) == spec::Direction::kRising;
    }
    std::string best() const { return rises() ? "-math.inf" : "math.inf"; }
    // The condition that the monitored value is better than `best` by `delta`.
    std::string isBetter(const std::string& best, double delta) const {
        const std::string edge = delta == 0 ? best : best + (rises() ? " + " : " - ") + pyNumber(delta);
        return "value is not None and value " + std::string(rises() ? "> " : "< ") + edge;
    }
};

void writeCheckpoint(const Writing& w) {
    const std::string file = "str(" + w.text("filepath") + ").format(epoch=epoch + 1, **logs)";
    const spec::FieldValue* every = w.settings.find("save_freq");
    if (every != nullptr && std::holds_alternative<std::int64_t>(*every)) {
        w.hooks.step_end += "if step % " + std::to_string(std::get<std::int64_t>(*every)) + " == 0 and rank == 0:  # ModelCheckpoint\n" +
                            "    save_weights(model, str(" + w.text("filepath") + ").format(epoch=epoch + 1, batch=step) + '.npz')\n";
        return;
    }
    if (!w.settings.getBool("save_best_only")) {
        w.hooks.epoch_end += "if rank == 0:  # ModelCheckpoint\n    save_weights(model, " + file + " + '.npz')\n";
        return;
    }
    const std::optional<double> first = w.settings.findDouble("initial_value_threshold");
    w.hooks.begin += "best_checkpoint = " + (first ? pyNumber(*first) : w.best()) + "\n";
    w.hooks.epoch_end +=
        "value = logs.get(" + w.text("monitor") + ")  # ModelCheckpoint\nif value is None or (" + w.isBetter("best_checkpoint", 0) +
        "):\n    best_checkpoint = best_checkpoint if value is None else value\n    if rank == 0:\n        save_weights(model, " + file +
        " + '.npz')\n";
}

void writeBackup(const Writing& w) {
    const spec::FieldValue* every = w.settings.find("save_freq");
    const bool steps = every != nullptr && std::holds_alternative<std::int64_t>(*every);
    const std::string file = "pathlib.Path(" + w.text("backup_dir") + ") / 'latest.pt'";
    w.hooks.classes += R"py(def save_backup(file, model, optimizer, step, epoch, rate):
    """All that training goes on from; the file is there as a whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    state = {'model': model.state_dict(), 'slots': optimizer.slots, 'iterations': optimizer.iterations, 'step': step, 'epoch': epoch, 'rate': rate}
    torch.save(state, file.with_suffix('.new'))
    os.replace(file.with_suffix('.new'), file)


)py";
    w.hooks.begin += "backup = " + file + "  # BackupAndRestore\n" +
                     "if backup.exists():\n"
                     "    state = torch.load(backup, map_location=device, weights_only=False)\n"
                     "    model.load_state_dict(state['model'])\n"
                     "    optimizer.slots, optimizer.iterations = state['slots'], state['iterations']\n"
                     "    step, first_epoch, rate = state['step'], state['epoch'], state['rate']\n";
    if (steps) {
        w.hooks.step_end += "if step % " + std::to_string(std::get<std::int64_t>(*every)) +
                            " == 0 and rank == 0:\n    save_backup(backup, model, optimizer, step, epoch, rate)\n";
    }
    w.hooks.epoch_end += "if rank == 0:\n    save_backup(backup, model, optimizer, step, epoch + 1, rate)\n";
    if (w.settings.getBool("delete_checkpoint")) w.hooks.end += "if rank == 0:\n    backup.unlink(missing_ok=True)\n";
}

void writeEarlyStopping(const Writing& w) {
    const std::optional<double> baseline = w.settings.findDouble("baseline");
    const bool restores = w.settings.getBool("restore_best_weights");
    const std::int64_t from = w.settings.getInt("start_from_epoch");
    w.hooks.begin += "best_value, waited, best_weights = " + w.best() + ", 0, None\n";
    std::string body = "value = logs.get(" + w.text("monitor") + ")  # EarlyStopping\n";
    if (from > 0) body += "value = value if epoch >= " + std::to_string(from) + " else None\n";
    const std::string patience = std::to_string(std::max<std::int64_t>(w.settings.getInt("patience"), 1));
    body += "waited += value is not None\n";
    body += "if " + w.isBetter("best_value", w.settings.getDouble("min_delta")) + ":\n    best_value" +
            (baseline ? " = value\n    waited = 0 if value " + std::string(w.rises() ? "> " : "< ") + pyNumber(*baseline) + " else waited\n"
                      : ", waited = value, 0\n");
    if (restores) body += "    best_weights = {name: values.clone() for name, values in model.state_dict().items()}\n";
    body += "elif waited >= " + patience + " and epoch > 0:\n    stops = True\n";
    w.hooks.epoch_end += body;
    if (restores) w.hooks.end += "if best_weights is not None:\n    model.load_state_dict(best_weights)\n";
}

void writePlateau(const Writing& w) {
    w.hooks.begin += "plateau_best, plateau_waited, cooldown = " + w.best() + ", 0, 0\n";
    w.hooks.epoch_end += "value = logs.get(" + w.text("monitor") +
                         ")  # ReduceLROnPlateau\n"
                         "if cooldown > 0:\n    cooldown, plateau_waited = cooldown - 1, 0\n"
                         "if " +
                         w.isBetter("plateau_best", w.settings.getDouble("min_delta")) +
                         ":\n    plateau_best, plateau_waited = value, 0\n"
                         "elif value is not None and cooldown == 0:\n"
                         "    plateau_waited += 1\n"
                         "    if plateau_waited >= " +
                         std::to_string(w.settings.getInt("patience")) + " and rate > " + pyNumber(w.settings.getDouble("min_lr")) +
                         ":\n        rate, cooldown, plateau_waited = max(rate * " + pyNumber(w.settings.getDouble("factor")) + ", " +
                         pyNumber(w.settings.getDouble("min_lr")) + "), " + std::to_string(w.settings.getInt("cooldown")) + ", 0\n";
}

void writeScheduler(const Writing& w) {
    const std::vector<std::int64_t> epochs = w.settings.getInts("epochs");
    const std::vector<double> rates = w.settings.getDoubles("rates");
    std::string table;
    for (std::size_t i = 0; i < std::min(epochs.size(), rates.size()); ++i) {
        table += (table.empty() ? "(" : ", (") + std::to_string(epochs[i]) + ", " + pyNumber(rates[i]) + ")";
    }
    w.hooks.epoch_begin += "for begin, value in [" + table + "]:  # LearningRateScheduler\n    rate = value if epoch >= begin else rate\n";
}

void writeCsv(const Writing& w) {
    const std::string separator = w.text("separator"), file = "pathlib.Path(" + w.text("filename") + ")";
    const bool appends = w.settings.getBool("append");
    w.hooks.begin += std::string("csv_names, csv_header = None, ") + (appends ? "not " + file + ".exists()" : "True") + "\n";
    w.hooks.epoch_end +=
        "if rank == 0:  # CSVLogger\n    with open(" + w.text("filename") + ", " + (appends ? "'a'" : "'a' if csv_names else 'w'") +
        ") as file:\n"
        "        if csv_names is None:\n            csv_names = sorted(logs)\n"
        "            if csv_header:\n                print('epoch', *csv_names, sep=" +
        separator + ", file=file)\n        print(epoch, *(logs.get(name, 'NA') for name in csv_names), sep=" + separator + ", file=file)\n";
}

void writeNan(const Writing& w) {
    w.hooks.step_end += "if not math.isfinite(loss_value):  # TerminateOnNaN\n    " +
                        std::string(w.settings.getBool("raise_error")
                                        ? "raise SystemExit(f'step {step}: the loss is {loss_value}')"
                                        : "print(f'step {step}: the loss is {loss_value}: training ends')\n    stops = True\n    break") +
                        "\n";
}

void writeTensorBoard(const Writing& w) {
    w.hooks.imports.insert("from torch.utils.tensorboard import SummaryWriter  # pip install tensorboard");
    w.hooks.begin += "writer = SummaryWriter(" + w.text("log_dir") + ") if rank == 0 else None  # TensorBoard\n";
    const spec::FieldValue* every = w.settings.find("update_freq");
    const bool steps =
        every != nullptr && (std::holds_alternative<std::int64_t>(*every) || *every == spec::FieldValue(std::string("batch")));
    if (steps) {
        const std::int64_t count = std::holds_alternative<std::int64_t>(*every) ? std::get<std::int64_t>(*every) : 1;
        w.hooks.step_end +=
            "if writer and step % " + std::to_string(count) + " == 0:\n    writer.add_scalar('batch_loss', loss_value, step)\n";
    }
    std::string body = "if writer:\n    for name, value in logs.items():\n        writer.add_scalar('epoch_' + name, value, epoch)\n";
    if (const std::int64_t freq = w.settings.getInt("histogram_freq"); freq > 0) {
        body +=
            "    if epoch % " + std::to_string(freq) +
            " == 0:\n        for name, parameter in model.named_parameters():\n            writer.add_histogram(name, parameter, epoch)\n";
    }
    w.hooks.epoch_end += body + "    writer.flush()\n";
}

void writePrintLr(const Writing& w) {
    w.hooks.epoch_end += "if rank == 0:  # PrintLR\n    print(" + w.text("text") + ".format(epoch=epoch + 1, index=epoch, rate=rate))\n";
}

void leaveOut(const Writing& w) {
    w.findings.push_back(
        {spec::Severity::kWarning, "callbacks", w.callback.class_name + ": left out, the program in PyTorch has no equal for it", ""});
}

struct CallbackRow {
    std::string_view class_name;
    std::function<void(const Writing&)> write;
};
const std::vector<CallbackRow>& callbackRows() {
    static const std::vector<CallbackRow> table{
        {"ModelCheckpoint", writeCheckpoint}, {"BackupAndRestore", writeBackup},         {"EarlyStopping", writeEarlyStopping},
        {"ReduceLROnPlateau", writePlateau},  {"LearningRateScheduler", writeScheduler}, {"CSVLogger", writeCsv},
        {"TerminateOnNaN", writeNan},         {"TensorBoard", writeTensorBoard},         {"PrintLR", writePrintLr},
        {"SwapEMAWeights", leaveOut}};
    return table;
}

}  // namespace

Hooks writeHooks(const spec::RunSpec& run, spec::Diagnostics& findings) {
    Hooks hooks;
    // The backup comes last: what the others changed at an epoch's end is in it, and what it restores is theirs to begin with.
    for (const bool backups : {false, true}) {
        for (const ObjectSpec& callback : run.callbacks) {
            if ((callback.class_name == "BackupAndRestore") != backups) continue;
            for (const CallbackRow& row : callbackRows()) {
                if (row.class_name == callback.class_name) row.write({callback, spec::callbackSettings(callback), hooks, findings});
            }
        }
    }
    return hooks;
}

}  // namespace engine::script::torch

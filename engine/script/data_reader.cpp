#include "engine/script/data_reader.h"

#include <algorithm>
#include <array>
#include <functional>

#include "engine/script/python_text.h"
#include "engine/spec/catalog/dataset_names.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/keras/python/python_literal.h"
#include "engine/spec/project/data_order.h"
#include "engine/spec/project/logged_metrics.h"

namespace engine::script {
namespace {

using spec::DataSpec;

// ---- what Python reads -----------------------------------------------------------------------------------------------

constexpr std::string_view kFiles = R"py(def files_of(folder, patterns):
    """Files by their names below the folder; the last part of one may hold *."""
    found = []
    for pattern in patterns:
        some = sorted(folder.glob(pattern)) if '*' in pattern else [folder / pattern]
        assert some, f'{folder / pattern}: expected files of this pattern, found none'
        found += some
    return found


)py";

constexpr std::string_view kIdx = R"py(def read_idx(path):
    """An IDX file: two zeros, the type, the number of axes; the axes' sizes; the values. With gzip around it or without."""
    data = path.read_bytes()
    if data[:2] == b'\x1f\x8b':
        data = gzip.decompress(data)
    kind = {0x08: 'u1', 0x09: 'i1', 0x0B: '>i2', 0x0C: '>i4', 0x0D: '>f4', 0x0E: '>f8'}[data[2]]
    sizes = np.frombuffer(data, '>u4', data[3], 4)
    values = np.frombuffer(data, kind, offset=4 + 4 * data[3]).reshape(sizes)
    return values.astype(values.dtype.newbyteorder('='))


)py";

constexpr std::string_view kPlaces = R"py(def places_of(folder):
    """Where a set that has a name may lie: in the folder that is given; else, as Tandem looks for it, in TANDEM_DATA_DIR, beside its programs
    and in the cache."""
    program, own = shutil.which('tandem-cli'), os.environ.get('TANDEM_DATA_DIR')
    roots = [pathlib.Path(program).resolve().parent.parent / 'share'] if program else []
    roots += [pathlib.Path('/usr/share'), pathlib.Path(os.environ.get('XDG_CACHE_HOME') or pathlib.Path.home() / '.cache')]
    folders = [folder] if folder else [pathlib.Path(own)] * bool(own) + [root / 'tandem/datasets' for root in roots]
    return [place for folder in folders for place in (folder, {{PLACES}})]


)py";

constexpr std::string_view kNamedIdx = R"py(def read_data(folder):
    def read(name):
        for place in places_of(folder):
            for file in (place / name, place / (name + '.gz')):
                if file.exists():
                    return read_idx(file)
        raise SystemExit(f'{places_of(folder)[0]}: expected {name} or {name}.gz, found neither; name the folder by --data')

    x_train, y_train = read('train-images-idx3-ubyte'), read('train-labels-idx1-ubyte')
    x_test, y_test = read('t10k-images-idx3-ubyte'), read('t10k-labels-idx1-ubyte')
)py";

constexpr std::string_view kCifar = R"py(def read_cifar(paths, labels, label):
    """CIFAR's binary form: `labels` bytes of labels, then 32 x 32 pixels a colour."""
    records = np.concatenate([np.fromfile(path, np.uint8) for path in paths]).reshape(-1, labels + 3072)
    images = records[:, labels:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
    return np.ascontiguousarray(images), records[:, label].astype(np.int32)


)py";

constexpr std::string_view kNamedCifar = R"py(def read_data(folder):
    def read(names):
        for place in places_of(folder):
            if (place / names[0]).exists():
                return read_cifar([place / name for name in names], {{LABELS}}, {{LABEL}})
        raise SystemExit(f'{places_of(folder)[0]}: expected {names[0]}, found none; name the folder by --data')

    x_train, y_train = read({{TRAIN}})
    x_test, y_test = read({{TEST}})
)py";

constexpr std::string_view kCifarFiles = R"py(def read_data(folder):
    x_train, y_train = read_cifar(files_of(folder, {{TRAIN}}), {{LABELS}}, {{LABEL}})
    x_test, y_test = {{TEST}}
)py";

constexpr std::string_view kOnes = R"py(def read_data(folder):
    x_train = y_train = x_test = y_test = np.ones((100, 1), np.float32)
)py";

constexpr std::string_view kPairs = R"py(def read_data(folder):
    x_train, y_train = {{READ}}(folder / {{TRAIN_SAMPLES}}), {{READ}}(folder / {{TRAIN_LABELS}})
    x_test, y_test = {{TEST}}
)py";

constexpr std::string_view kNpz = R"py(def read_data(folder):
    stored = np.load(files_of(folder, {{TRAIN}})[0])
    x_train, y_train = stored[{{TRAIN_SAMPLES}}], stored[{{TRAIN_LABELS}}]
    {{OTHER}}x_test = stored[{{TEST_SAMPLES}}] if {{TEST_LABELS}} in stored else None
    y_test = stored[{{TEST_LABELS}}] if {{TEST_LABELS}} in stored else None
)py";

constexpr std::string_view kCsv = R"py(def rows_of(folder, patterns):
    """The lines of tables with a name for each column."""
    names, rows = None, []
    for path in files_of(folder, patterns):
        with open(path, newline='', encoding='utf-8-sig') as file:
            lines = [line for line in csv.reader(file, delimiter={{DELIMITER}}, quoting={{QUOTING}}) if line]
        names = lines[0] if {{HEADER}} else [f'column {i}' for i in range(len(lines[0]))]
        rows += lines[1 if {{HEADER}} else 0:]
    return names, rows


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def place_of(names, column):
    """A column by its name, or by its number from 0; -1 is the last."""
    return names.index(column) if column in names else range(len(names))[int(column)]


def read_data(folder):
    names, rows = rows_of(folder, {{TRAIN}})
    label = place_of(names, {{LABEL}})
    columns = {{FEATURES}}
    missing = {{MISSING_VALUE}}

    # A column of numbers stays as it is; texts become the numbers of their sorted values.
    codes = {}
    for column in columns + [label]:
        cells = [row[column] for row in rows if row[column] != missing]
        if sum(number(cell) is None for cell in cells) * 20 >= len(cells) > 0 and any(number(cell) is None for cell in cells):
            codes[column] = {text: code for code, text in enumerate(sorted(set(cells), key=str.encode))}

    def value(row, column):
        if row[column] == missing:
            return np.nan
        return codes[column][row[column]] if column in codes else float(row[column])

    def table(rows):
        x = np.array([[value(row, column) for column in columns] for row in rows], np.float64)
        y = np.array([value(row, label) for row in rows], np.float64)
        return x, y

    x_train, y_train = table(rows)
    means = np.nanmean(x_train, axis=0)

    def filled(x, y):
        absent = np.isnan(x)
        {{FILL}}
        y = y.astype(np.int32 if np.all(y == np.round(y)) else np.float32)
        return x.astype(np.float32), y

    x_train, y_train = filled(x_train, y_train)
    x_test, y_test = {{TEST}}
)py";

constexpr std::string_view kWords = R"py(def words_of(text):
    """Runs of letters, digits, ' and bytes beyond ASCII, in small letters."""
    return re.findall(rb"[a-z0-9'\x80-\xff]+", text.translate(bytes.maketrans(bytes(range(65, 91)), bytes(range(97, 123)))))


)py";

constexpr std::string_view kLines = R"py(def lines_of(folder, patterns):
    for path in files_of(folder, patterns):
        for line in path.read_bytes().split(b'\n'):
            label, tab, text = line.rstrip(b'\r').partition(b'\t')
            if tab:
                yield label, text


def codes_of(folder, patterns):
    """The numbers of labels: their own, or those of their sorted texts."""
    labels = sorted({label for label, _ in lines_of(folder, patterns)})
    if all(label.lstrip(b'-').isdigit() for label in labels):
        return {label: int(label) for label in labels}
    return {label: i for i, label in enumerate(labels)}


)py";

constexpr std::string_view kTexts = R"py(def read_data(folder):
    code = codes_of(folder, {{TRAIN}})

    def read(patterns):
        lines = list(lines_of(folder, patterns))
        return np.array([text.decode() for _, text in lines], object), np.array([code[label] for label, _ in lines], np.int32)

    x_train, y_train = read({{TRAIN}})
    x_test, y_test = {{TEST}}
)py";

constexpr std::string_view kText = R"py(def read_data(folder):
    # 0 pads, 1 is an unknown word, then come the words of the training texts, the most frequent first.
    counts = collections.Counter(word for _, text in lines_of(folder, {{TRAIN}}) for word in words_of(text))
    words = sorted(counts, key=lambda word: (-counts[word], word))[:{{VOCABULARY}} - 2]
    place = {word: i + 2 for i, word in enumerate(words)}
    code = codes_of(folder, {{TRAIN}})

    def read(patterns):
        x, y = [], []
        for label, text in lines_of(folder, patterns):
            sequence = [place.get(word, 1) for word in words_of(text)][-{{LENGTH}}:]
            x.append([0] * ({{LENGTH}} - len(sequence)) + sequence)
            y.append(code[label])
        return np.array(x, np.int32), np.array(y, np.int32)

    x_train, y_train = read({{TRAIN}})
    x_test, y_test = {{TEST}}
)py";

// Of folders that are read as Keras' functions *_dataset_from_directory do.
constexpr std::string_view kClassFiles = R"py(def files_of_classes(folder, endings):
    """One folder a class, in the order of their names: every file below with the number of its class."""
    classes = sorted(entry.name for entry in folder.iterdir() if entry.is_dir() and not entry.name.startswith('.'))
    for label, name in enumerate(classes):
        for root, _, names in sorted(os.walk(folder / name, followlinks=True)):
            for file in sorted(names):
                if file.lower().endswith(endings):
                    yield pathlib.Path(root) / file, label


)py";

constexpr std::string_view kTextFolder = R"py(def read_data(folder):
    def read(patterns):
        found = list(files_of_classes(files_of(folder, patterns)[0], ('.txt',)))
        return np.array([path.read_bytes().decode() for path, _ in found], object), np.array([label for _, label in found], np.int32)

    x_train, y_train = read({{TRAIN}})
    x_test, y_test = {{TEST}}
)py";

constexpr std::string_view kWordFolder = R"py(def read_data(folder):
    # 0 pads, 1 is an unknown word, then come the words of the training texts, the most frequent first.
    def texts_of(patterns):
        return [(path.read_bytes(), label) for path, label in files_of_classes(files_of(folder, patterns)[0], ('.txt',))]

    counts = collections.Counter(word for text, _ in texts_of({{TRAIN}}) for word in words_of(text))
    words = sorted(counts, key=lambda word: (-counts[word], word))[:{{VOCABULARY}} - 2]
    place = {word: i + 2 for i, word in enumerate(words)}

    def read(patterns):
        x, y = [], []
        for text, label in texts_of(patterns):
            sequence = [place.get(word, 1) for word in words_of(text)][-{{LENGTH}}:]
            x.append([0] * ({{LENGTH}} - len(sequence)) + sequence)
            y.append(label)
        return np.array(x, np.int32), np.array(y, np.int32)

    x_train, y_train = read({{TRAIN}})
    x_test, y_test = {{TEST}}
)py";

// Resizing as tf.image.resize does it: pixel centres at half coordinates, nothing smoothed first.
constexpr std::string_view kImages = R"py(def resized(image, rows, columns):
    """Pixel centres lie at half coordinates and nothing is smoothed first, as tf.image.resize does it."""
    def places(size, wanted):
        at = (np.arange(wanted, dtype=np.float32) + np.float32(0.5)) * (np.float32(size) / np.float32(wanted)){{SHIFT}}
        low = np.maximum(at, 0).astype(int)
        return np.minimum(low, size - 1), np.minimum(low + 1, size - 1), np.maximum(at, 0) - low.astype(np.float32)

    (top, bottom, down), (left, right, across) = places(image.shape[0], rows), places(image.shape[1], columns)
    {{RESIZE}}


def read_folder(folder):
    x, y = [], []
    for path, label in files_of_classes(folder, ('.png', '.jpg', '.jpeg')):
        image = np.asarray(Image.open(path).convert({{MODE}})).reshape(*Image.open(path).size[::-1], -1)
        x.append(resized(image, {{ROWS}}, {{COLUMNS}}))
        y.append(label)
    return np.stack(x), np.array(y, np.int32)


def read_data(folder):
    x_train, y_train = read_folder(files_of(folder, {{TRAIN}})[0])
    x_test, y_test = {{TEST}}
)py";

// ---- by the project's data -------------------------------------------------------------------------------------------

std::string testOr(const DataSpec& data, const std::string& reading) {
    return data.test_files.empty() ? "None, None" : reading;
}

std::string placesOf(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + std::string("folder / ") + spec::pythonText(name);
    return text;
}

struct CifarPart {
    int labels = 1, label = 0;
};
CifarPart cifarOf(const DataSpec& data) {
    if (data.dataset == "cifar10" || data.dataset == "cifar10_files") return {};
    return {.labels = 2, .label = data.cifar_labels == "coarse" ? 0 : 1};
}

DataReader namedIdx(const DataSpec& data) {
    const std::string torchvision = data.dataset == "mnist" ? "MNIST" : data.dataset == "kmnist" ? "KMNIST" : "FashionMNIST";
    return {
        .imports = {"gzip", "shutil"},
        .text = std::string(kIdx) + filled(kPlaces, {{"PLACES", placesOf({data.dataset, torchvision + "/raw"})}}) + std::string(kNamedIdx)};
}

DataReader namedCifar(const DataSpec& data) {
    const CifarPart part = cifarOf(data);
    const bool ten = data.dataset == "cifar10";
    const std::vector<std::string> folders =
        ten ? std::vector<std::string>{"cifar10", "cifar-10-batches-bin", "cifar10/cifar-10-batches-bin"}
            : std::vector<std::string>{"cifar100", "cifar-100-binary", "cifar100/cifar-100-binary"};
    return {.imports = {"shutil"},
            .text = std::string(kCifar) + filled(kPlaces, {{"PLACES", placesOf(folders)}}) +
                    filled(kNamedCifar, {{"LABELS", std::to_string(part.labels)},
                                         {"LABEL", std::to_string(part.label)},
                                         {"TRAIN", ten ? "[f'data_batch_{i}.bin' for i in range(1, 6)]" : "['train.bin']"},
                                         {"TEST", ten ? "['test_batch.bin']" : "['test.bin']"}})};
}

DataReader cifarFiles(const DataSpec& data) {
    const CifarPart part = cifarOf(data);
    const std::string labels = std::to_string(part.labels), label = std::to_string(part.label);
    const std::string test = "read_cifar(files_of(folder, " + pyTexts(data.test_files) + "), " + labels + ", " + label + ")";
    return {.text = std::string(kFiles) + std::string(kCifar) +
                    filled(kCifarFiles,
                           {{"TRAIN", pyTexts(data.train_files)}, {"LABELS", labels}, {"LABEL", label}, {"TEST", testOr(data, test)}})};
}

DataReader pairs(const DataSpec& data) {
    const bool idx = data.dataset == "idx";
    const std::string read = idx ? "read_idx" : "np.load";
    const std::string test = data.test_images.empty() ? "None, None"
                                                      : read + "(folder / " + spec::pythonText(data.test_images) + "), " + read +
                                                            "(folder / " + spec::pythonText(data.test_labels) + ")";
    return {.imports = idx ? std::vector<std::string>{"gzip"} : std::vector<std::string>{},
            .text = (idx ? std::string(kIdx) : std::string()) + filled(kPairs, {{"READ", read},
                                                                                {"TRAIN_SAMPLES", spec::pythonText(data.train_images)},
                                                                                {"TRAIN_LABELS", spec::pythonText(data.train_labels)},
                                                                                {"TEST", test}})};
}

DataReader npz(const DataSpec& data) {
    const std::string other =
        data.test_files.empty() ? "" : "stored = np.load(files_of(folder, " + pyTexts(data.test_files) + ")[0])\n    ";
    return {.text = std::string(kFiles) + filled(kNpz, {{"TRAIN", pyTexts(data.train_files)},
                                                        {"OTHER", other},
                                                        {"TRAIN_SAMPLES", spec::pythonText(data.npz.train_samples)},
                                                        {"TRAIN_LABELS", spec::pythonText(data.npz.train_labels)},
                                                        {"TEST_SAMPLES", spec::pythonText(data.npz.test_samples)},
                                                        {"TEST_LABELS", spec::pythonText(data.npz.test_labels)}})};
}

DataReader csv(const DataSpec& data) {
    const spec::CsvFormat& format = data.csv;
    std::string fill = "assert not absent.any(), 'a cell is missing'";
    if (format.missing == "zero") fill = "x = np.where(absent, 0, x)";
    if (format.missing == "mean") fill = "x = np.where(absent, means, x)";
    if (format.missing == "skip") fill = "x, y = x[~absent.any(axis=1)], y[~absent.any(axis=1)]";
    const std::string features = format.features.empty() ? "[column for column in range(len(names)) if column != label]"
                                                         : "[place_of(names, column) for column in " + pyTexts(format.features) + "]";
    return {.imports = {"csv"},
            .text = std::string(kFiles) +
                    filled(kCsv, {{"DELIMITER", spec::pythonText(format.delimiter)},
                                  {"QUOTING", format.quotes ? "csv.QUOTE_MINIMAL" : "csv.QUOTE_NONE"},
                                  {"HEADER", pyBool(format.header)},
                                  {"TRAIN", pyTexts(data.train_files)},
                                  {"LABEL", spec::pythonText(format.label)},
                                  {"FEATURES", features},
                                  {"MISSING_VALUE", spec::pythonText(format.missing_value)},
                                  {"FILL", fill},
                                  {"TEST", testOr(data, "filled(*table(rows_of(folder, " + pyTexts(data.test_files) + ")[1]))")}})};
}

DataReader text(const DataSpec& data) {
    return {.imports = {"collections", "re"},
            .text = std::string(kFiles) + std::string(kWords) + std::string(kLines) +
                    filled(kText, {{"TRAIN", pyTexts(data.train_files)},
                                   {"VOCABULARY", std::to_string(data.text.vocabulary)},
                                   {"LENGTH", std::to_string(data.text.length)},
                                   {"TEST", testOr(data, "read(" + pyTexts(data.test_files) + ")")}})};
}

DataReader wordFolder(const DataSpec& data) {
    return {.imports = {"collections", "re"},
            .text = std::string(kFiles) + std::string(kWords) + std::string(kClassFiles) +
                    filled(kWordFolder, {{"TRAIN", pyTexts(data.train_files)},
                                         {"VOCABULARY", std::to_string(data.text.vocabulary)},
                                         {"LENGTH", std::to_string(data.text.length)},
                                         {"TEST", testOr(data, "read(" + pyTexts(data.test_files) + ")")}})};
}

// For a model that takes the texts as they are.
DataReader plainTexts(const DataSpec& data) {
    if (spec::isFolder(data.dataset)) {
        return {.imports = {},
                .text = std::string(kFiles) + std::string(kClassFiles) +
                        filled(kTextFolder,
                               {{"TRAIN", pyTexts(data.train_files)}, {"TEST", testOr(data, "read(" + pyTexts(data.test_files) + ")")}})};
    }
    return {
        .imports = {},
        .text = std::string(kFiles) + std::string(kLines) +
                filled(kTexts, {{"TRAIN", pyTexts(data.train_files)}, {"TEST", testOr(data, "read(" + pyTexts(data.test_files) + ")")}})};
}

DataReader images(const DataSpec& data) {
    const bool smooth = data.images.interpolation == "bilinear";
    const std::string resize = smooth ? R"py(pixels, across, down = image.astype(np.float32), across[:, None], down[:, None, None]
    over = pixels[top][:, left] + (pixels[top][:, right] - pixels[top][:, left]) * across
    under = pixels[bottom][:, left] + (pixels[bottom][:, right] - pixels[bottom][:, left]) * across
    return np.floor(over + (under - over) * down + np.float32(0.5)).astype(np.uint8))py"
                                      : "return image[top][:, left]";
    return {.imports = {"PIL"},
            .text = std::string(kFiles) + std::string(kClassFiles) +
                    filled(kImages, {{"SHIFT", smooth ? " - np.float32(0.5)" : ""},
                                     {"RESIZE", resize},
                                     {"MODE", spec::pythonText(data.images.color_mode == "grayscale" ? "L" : "RGB")},
                                     {"ROWS", std::to_string(data.images.size.front())},
                                     {"COLUMNS", std::to_string(data.images.size.back())},
                                     {"TRAIN", pyTexts(data.train_files)},
                                     {"TEST", testOr(data, "read_folder(files_of(folder, " + pyTexts(data.test_files) + ")[0])")}})};
}

struct FormatRow {
    std::string_view dataset;
    std::function<DataReader(const DataSpec&)> write;
};
const std::vector<FormatRow>& formatRows() {
    static const std::vector<FormatRow> table{{"mnist", namedIdx},
                                              {"fashion_mnist", namedIdx},
                                              {"kmnist", namedIdx},
                                              {"cifar10", namedCifar},
                                              {"cifar100", namedCifar},
                                              {"cifar10_files", cifarFiles},
                                              {"cifar100_files", cifarFiles},
                                              {"ones", [](const DataSpec&) { return DataReader{.text = std::string(kOnes)}; }},
                                              {"idx", pairs},
                                              {"npy", pairs},
                                              {"npz", npz},
                                              {"csv", csv},
                                              {"text", text},
                                              {"text_folder", wordFolder},
                                              {"image_folder", images}};
    return table;
}

// What is done with the arrays once they are read.
std::string writeShapes(const spec::RunSpec& run) {
    const DataSpec& data = run.data;
    std::string text;
    const auto say = [&](const std::string& line) { text += "    " + line + "\n"; };
    if (data.split_seed >= 0) {
        say("# Tandem mixes the samples by a generator of its own: here they come in another order.");
        say("mixed = np.random.default_rng(" + std::to_string(data.split_seed) + ").permutation(len(x_train))");
        say("x_train, y_train = x_train[mixed], y_train[mixed]");
    }
    const spec::OrderMeaning meaning = spec::meaningOf(data, spec::passesOf(run));
    const bool first = data.take > 0 && meaning.take_is_first;
    if (first) say("x_train, y_train = x_train[:" + std::to_string(data.take) + "], y_train[:" + std::to_string(data.take) + "]");
    if (data.validation_split > 0) {
        const std::string share = pyNumber(data.validation_split);
        say("border = " +
            (spec::isFolder(data.dataset) ? "len(x_train) - int(len(x_train) * " + share + ")"
                                          : "int(len(x_train) * (1 - " + share + "))") +
            "  # the rest is kept for validation");
        say("x_test, y_test = x_train[border:], y_train[border:]");
        say("x_train, y_train = x_train[:border], y_train[:border]");
    } else if (!data.validate_on_test) {
        say("x_test = y_test = None");
    }
    const std::string shape = pyTuple(spec::kerasInputShape(run.model));
    say("x_train = x_train.reshape((-1,) + " + shape + ")");
    if (hasValidation(run)) say("x_test = x_test if x_test is None else x_test.reshape((-1,) + " + shape + ")");
    if (data.one_hot > 0) {
        const std::string eye = "np.eye(" + std::to_string(data.one_hot) + ", dtype=np.float32)";
        say("y_train = " + eye + "[y_train.reshape(-1)]");
        if (hasValidation(run)) say("y_test = y_test if y_test is None else " + eye + "[y_test.reshape(-1)]");
    }
    // Keras compares these metrics' labels with the outputs by both axes.
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(run.model);
    const auto takesTwoAxes = [](const spec::LoggedMetric& one) {
        const std::string& name = one.metric.name;
        return name == "F1Score" || name == "FBetaScore" || name == "R2Score";
    };
    const std::vector<spec::LoggedMetric> metrics = spec::loggedMetrics(run.compile);
    if (std::any_of(metrics.begin(), metrics.end(), takesTwoAxes) && !infos.empty() && infos.back().output_shape == spec::Shape{1}) {
        say("y_train = y_train.reshape(-1, 1)");
        if (hasValidation(run)) say("y_test = y_test if y_test is None else y_test.reshape(-1, 1)");
    }
    say("return x_train, y_train, x_test, y_test");
    return text;
}

}  // namespace

bool hasValidation(const spec::RunSpec& run) {
    return run.data.validation_split > 0 || run.data.validate_on_test;
}

std::string initialWeights(const spec::RunSpec& run, const std::vector<std::string>& endings, spec::Diagnostics& findings) {
    const std::string& file = run.fit.initial_weights;
    if (file.empty()) return "None";
    std::string expected;
    for (const std::string& ending : endings) {
        if (file.ends_with(ending)) return spec::pythonText(file);
        expected += (expected.empty() ? "" : " or ") + ending;
    }
    findings.push_back({spec::Severity::kWarning, "fit.initial_weights",
                        "expected a file that the program reads (" + expected + "), got " + file +
                            ": it begins with random values; tandem-cli export keras --out FILE.npz writes one for its --weights",
                        ""});
    return "None";
}

std::string validatesText(const spec::FitSpec& fit) {
    if (!fit.validation_epochs.empty()) return "epoch + 1 in " + pyTuple(fit.validation_epochs);
    return fit.validation_freq == 1 ? "True" : "(epoch + 1) % " + std::to_string(fit.validation_freq) + " == 0";
}

DataReader writeDataReader(const spec::RunSpec& run, spec::Diagnostics& findings) {
    const DataSpec& data = run.data;
    for (const FormatRow& row : formatRows()) {
        if (row.dataset != data.dataset) continue;
        if (!data.feature_columns.empty()) {
            findings.push_back({spec::Severity::kError, "data.feature_columns",
                                "expected none, which a program of numpy reads, got " + std::to_string(data.feature_columns.size()), ""});
            return {};
        }
        DataReader reader = run.model.input_dtype == spec::kTextInput ? plainTexts(data) : row.write(data);
        reader.text += writeShapes(run);
        const bool named = spec::findNamedDataset(data.dataset) != nullptr;
        reader.folder = named ? "None" : "pathlib.Path(__file__).parent";
        return reader;
    }
    findings.push_back({spec::Severity::kError, "data.dataset",
                        "expected a set or a format that numpy reads (all but tfrecord), got \"" + data.dataset + "\"", ""});
    return {};
}

}  // namespace engine::script

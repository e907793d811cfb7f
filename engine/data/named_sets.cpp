#include "engine/data/named_sets.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "engine/data/unpack.h"
#include "engine/spec/error.h"

namespace engine::data {
namespace {

namespace fs = std::filesystem;

constexpr std::array kIdxFiles{"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", "t10k-images-idx3-ubyte.gz",
                               "t10k-labels-idx1-ubyte.gz"};

NamedSet idxSet(std::string name, std::string torchvision, const std::array<std::int64_t, 4>& bytes,
                const std::array<const char*, 4>& hashes, const std::vector<std::string>& mirrors) {
    NamedSet set{.name = std::move(name), .format = NamedFormat::kIdx};
    set.folders = {set.name, torchvision + "/raw"};
    for (std::size_t i = 0; i < kIdxFiles.size(); ++i) {
        set.files.push_back({kIdxFiles[i], bytes[i], hashes[i], mirrors});
    }
    return set;
}

std::vector<NamedSet> makeSets() {
    const std::vector<std::string> toronto{"https://www.cs.toronto.edu/~kriz/"};
    return {
        idxSet("mnist", "MNIST", {9912422, 28881, 1648877, 4542},
               {"440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
                "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
                "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
                "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"},
               {"https://storage.googleapis.com/cvdf-datasets/mnist/", "https://ossci-datasets.s3.amazonaws.com/mnist/",
                "http://yann.lecun.com/exdb/mnist/"}),
        idxSet("fashion_mnist", "FashionMNIST", {26421880, 29515, 4422102, 5148},
               {"3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
                "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
                "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
                "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5"},
               {"https://storage.googleapis.com/tensorflow/tf-keras-datasets/",
                "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"}),
        idxSet("kmnist", "KMNIST", {0, 0, 0, 0},
               {"bdb82020997e1d708af4cf47b453dcf7", "e144d726b3acfaa3e44228e80efcd344", "5c965bf0a639b31b8f53240b1b52f4d7",
                "7320c461ea6c1c855c0b718fb2a4b134"},
               {"http://codh.rois.ac.jp/kmnist/dataset/kmnist/"}),
        {.name = "cifar10",
         .format = NamedFormat::kCifar10,
         .folders = {"cifar10", "cifar-10-batches-bin", "cifar10/cifar-10-batches-bin"},
         .files = {{"cifar-10-binary.tar.gz", 170052171, "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd", toronto}},
         .members = {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin", "test_batch.bin"}},
        {.name = "cifar100",
         .format = NamedFormat::kCifar100,
         .folders = {"cifar100", "cifar-100-binary", "cifar100/cifar-100-binary"},
         .files = {{"cifar-100-binary.tar.gz", 168513733, "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec", toronto}},
         .members = {"train.bin", "test.bin"}},
    };
}

std::optional<fs::path> existing(const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) ? std::optional(file) : std::nullopt;
}

// "train-images-idx3-ubyte.gz", unpacked, or with a dot as some archives have it.
std::optional<fs::path> findIdx(const fs::path& folder, std::string name) {
    const std::string unpacked = name.substr(0, name.size() - 3);
    std::string dotted = unpacked;
    dotted[dotted.find("-idx")] = '.';
    for (const std::string& candidate : {unpacked, name, dotted, dotted + ".gz"}) {
        if (auto found = existing(folder / candidate)) {
            return found;
        }
    }
    return std::nullopt;
}

std::optional<SetFiles> findIn(const NamedSet& set, const fs::path& folder) {
    SetFiles files;
    if (set.format == NamedFormat::kIdx) {
        std::array<std::optional<fs::path>, 4> found;
        for (std::size_t i = 0; i < found.size(); ++i) {
            found[i] = findIdx(folder, kIdxFiles[i]);
        }
        if (!found[0] || !found[1]) {
            return std::nullopt;
        }
        files.train = {*found[0], *found[1]};
        if (found[2] && found[3]) {
            files.test = {*found[2], *found[3]};
        }
        return files;
    }
    for (const std::string& member : set.members) {
        const auto found = existing(folder / member);
        if (!found) {
            return std::nullopt;
        }
        (member.starts_with("test") ? files.test : files.train).push_back(*found);
    }
    return files;
}

}  // namespace

const NamedSet* findNamedSet(const std::string& name) {
    static const std::vector<NamedSet> sets = makeSets();
    const auto found = std::find_if(sets.begin(), sets.end(), [&](const NamedSet& set) { return set.name == name; });
    return found == sets.end() ? nullptr : &*found;
}

std::optional<SetFiles> findFiles(const NamedSet& set, const std::vector<fs::path>& folders) {
    for (const fs::path& folder : folders) {
        for (const std::string& below : set.folders) {
            if (auto files = findIn(set, folder / below)) {
                return files;
            }
        }
    }
    return std::nullopt;
}

void fetchNamedSet(const NamedSet& set, const fs::path& folder, const DownloadHooks& hooks) {
    const fs::path own = folder / set.name;
    std::vector<RemoteFile> files = set.files;
    if (const char* mirror = std::getenv("TANDEM_DATA_MIRROR"); mirror != nullptr && *mirror != 0) {
        for (RemoteFile& file : files) {
            file.mirrors.insert(file.mirrors.begin(), std::string(mirror) + "/" + set.name + "/");
        }
    }
    FetchSteps steps;
    steps.is_there = [&] { return findIn(set, own).has_value(); };
    if (!set.members.empty()) {
        steps.then = [&] {
            const fs::path archive = own / files.front().name;
            unpackMembers(archive, set.members, own);
            std::error_code ignored;
            fs::remove(archive, ignored);
        };
    }
    fetchFiles(files, own, hooks, steps);
}

}  // namespace engine::data

#include "engine/export/hdf5_tree.h"

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/export/isolated_call.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace engine::exporter {
namespace {

constexpr int kDeepest = 32;  // groups within groups; hard links may form circles
constexpr std::size_t kMostObjects = 200000;
constexpr std::uint64_t kLargestAttribute = std::uint64_t{64} << 20;  // bytes
constexpr std::uint64_t kFreeBytes = std::uint64_t{64} << 20;         // a data set of so much needs no justification
constexpr std::uint64_t kLargestRatio = 1000;                         // values to stored bytes, of packed ones
constexpr std::size_t kBytesPerSecond = std::size_t{4} << 20;         // that are read even on a machine that is busy with other work
constexpr std::uint64_t kReadingBytes = std::uint64_t{256} << 20;     // of memory, and for each byte of the file:
constexpr std::uint64_t kReadingBytesPerByte = 32;                    // two images of it, its values as wider ones twice, packed values
constexpr std::size_t kFirstImageBytes = std::size_t{1} << 16;        // of a file in memory, and what it grows by

Mutex& libraryLock() {
    static Mutex mutex;
    return mutex;
}

// Closes what an id stands for.
class Handle {
public:
    using Close = herr_t (*)(hid_t);
    Handle(hid_t id, Close close) : id_(id), close_(close) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
    Handle& operator=(Handle&&) = delete;
    ~Handle() {
        if (id_ >= 0) {
            close_(id_);
        }
    }
    hid_t get() const { return id_; }
    explicit operator bool() const { return id_ >= 0; }

private:
    hid_t id_;
    Close close_;
};

// The library prints its errors unless told not to, and loads plug-ins from the environment's folders.
void prepareLibrary() {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5PLset_loading_state(0);
}

std::uint64_t sizeProduct(const std::vector<hsize_t>& sizes) {
    std::uint64_t product = 1;
    for (const hsize_t size : sizes) {
        if (size != 0 && product > std::numeric_limits<std::uint64_t>::max() / 8 / size) {
            return std::numeric_limits<std::uint64_t>::max() / 8;
        }
        product *= size;
    }
    return product;
}

class Reader {
public:
    Reader(std::string_view bytes, std::string_view name) : bytes_(bytes), name_(name) {}

    Hdf5Node read() {
        const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
        H5Pset_fapl_core(access.get(), kFirstImageBytes, 0);
        // The library copies the image.
        H5Pset_file_image(access.get(), const_cast<char*>(bytes_.data()), bytes_.size());
        const Handle file(bytes_.empty() ? H5I_INVALID_HID : H5Fopen("image", H5F_ACC_RDONLY, access.get()), &H5Fclose);
        if (!file) {
            damaged("", "expected an HDF5 file, got one that is none, truncated or damaged");
        }
        const Handle root(H5Gopen2(file.get(), "/", H5P_DEFAULT), &H5Gclose);
        if (!root) {
            damaged("", "expected a root group, got none");
        }
        return readGroup(root.get(), "", 0);
    }

private:
    [[noreturn]] void damaged(const std::string& path, const std::string& what) const {
        throw Error(ErrorCode::kDataLoss, name_ + ": " + (path.empty() ? "" : path + ": ") + what);
    }

    Hdf5Node readGroup(hid_t group, const std::string& path, int depth) {
        if (depth > kDeepest || ++objects_ > kMostObjects) {
            damaged(path,
                    "expected at most " + std::to_string(kDeepest) + " levels and " + std::to_string(kMostObjects) + " objects, got more");
        }
        Hdf5Node node;
        readAttributes(group, path, node);
        std::vector<std::pair<std::string, H5L_type_t>> links;
        const auto collect = [](hid_t /*group*/, const char* name, const H5L_info_t* info, void* list) -> herr_t {
            auto& found = *static_cast<std::vector<std::pair<std::string, H5L_type_t>>*>(list);
            found.emplace_back(name, info->type);
            return found.size() > kMostObjects ? -1 : 0;
        };
        hsize_t at = 0;
        if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &at, collect, &links) < 0) {
            damaged(path, "its members can't be listed");
        }
        for (const auto& [name, type] : links) {
            const std::string below = path.empty() ? name : path + "/" + name;
            if (type != H5L_TYPE_HARD) {
                node.children[name] = {.kind = Hdf5Node::Kind::kOther, .other = "a link to another place"};
                continue;
            }
            const Handle object(H5Oopen(group, name.c_str(), H5P_DEFAULT), &H5Oclose);
            if (!object) {
                damaged(below, "can't be opened");
            }
            const H5I_type_t kind = H5Iget_type(object.get());
            if (kind == H5I_GROUP) {
                node.children[name] = readGroup(object.get(), below, depth + 1);
            } else if (kind == H5I_DATASET) {
                node.children[name] = readDataset(object.get(), below);
            } else {
                node.children[name] = {.kind = Hdf5Node::Kind::kOther, .other = "a named type"};
            }
        }
        return node;
    }

    Hdf5Node readDataset(hid_t dataset, const std::string& path) {
        ++objects_;
        Hdf5Node node;
        const Handle layout(H5Dget_create_plist(dataset), &H5Pclose);
        const Handle type(H5Dget_type(dataset), &H5Tclose);
        const Handle space(H5Dget_space(dataset), &H5Sclose);
        if (!layout || !type || !space) {
            damaged(path, "expected a data set with type and shape, got a damaged one");
        }
        readAttributes(dataset, path, node);
        node.kind = Hdf5Node::Kind::kOther;
        if (H5Pget_external_count(layout.get()) > 0 || H5Pget_layout(layout.get()) == H5D_VIRTUAL) {
            node.other = "a data set that is kept in another file";
            return node;
        }
        const H5T_class_t type_class = H5Tget_class(type.get());
        if ((type_class != H5T_FLOAT && type_class != H5T_INTEGER) || H5Sget_simple_extent_type(space.get()) == H5S_NULL) {
            node.other = "a data set without numbers";
            return node;
        }
        const int rank = H5Sget_simple_extent_ndims(space.get());
        std::vector<hsize_t> sizes(static_cast<std::size_t>(std::max(rank, 0)));
        if (rank < 0 || H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr) < 0) {
            damaged(path, "its shape can't be read");
        }
        const std::uint64_t count = sizeProduct(sizes);
        expectPlausible(dataset, path, count, H5Tget_size(type.get()));
        node.shape.assign(sizes.begin(), sizes.end());
        herr_t done = 0;
        if (type_class == H5T_FLOAT) {
            node.kind = Hdf5Node::Kind::kFloats;
            node.floats.resize(count);
            done = count == 0 ? 0 : H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, node.floats.data());
        } else {
            node.kind = Hdf5Node::Kind::kIntegers;
            node.integers.resize(count);
            done = count == 0 ? 0 : H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, node.integers.data());
        }
        if (done < 0) {
            damaged(path, "its values can't be read: truncated, damaged or packed by an unknown filter");
        }
        return node;
    }

    // Called before memory is taken for a data set. Values that were never written take no room in a file; the zeros of a packed one take
    // little.
    void expectPlausible(hid_t dataset, const std::string& path, std::uint64_t count, std::size_t element_bytes) {
        const std::uint64_t stored = std::min<std::uint64_t>(H5Dget_storage_size(dataset), bytes_.size());
        const std::uint64_t needed = count * std::max<std::size_t>(element_bytes, sizeof(std::int64_t));
        total_ += needed;
        if (total_ > kFreeBytes + bytes_.size() * kLargestRatio || (needed > kFreeBytes && needed / kLargestRatio > stored)) {
            damaged(path, "expected values that the file's " + std::to_string(bytes_.size()) + " bytes can hold, got a claim of " +
                              std::to_string(count) + " of them");
        }
    }

    void readAttributes(hid_t object, const std::string& path, Hdf5Node& node) {
        std::vector<std::string> names;
        const auto collect = [](hid_t /*object*/, const char* name, const H5A_info_t* /*info*/, void* list) -> herr_t {
            static_cast<std::vector<std::string>*>(list)->emplace_back(name);
            return 0;
        };
        hsize_t at = 0;
        if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &at, collect, &names) < 0) {
            damaged(path, "its attributes can't be listed");
        }
        for (const std::string& name : names) {
            const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), &H5Aclose);
            if (!attribute || !readTexts(attribute.get(), node.attributes[name])) {
                damaged(path, "its attribute " + name + " can't be read");
            }
            if (node.attributes[name].empty()) {
                node.attributes.erase(name);
            }
        }
    }

    // False when the attribute is damaged; no texts when it holds something else.
    static bool readTexts(hid_t attribute, std::vector<std::string>& texts) {
        const Handle type(H5Aget_type(attribute), &H5Tclose);
        const Handle space(H5Aget_space(attribute), &H5Sclose);
        if (!type || !space) {
            return false;
        }
        if (H5Tget_class(type.get()) != H5T_STRING) {
            return true;
        }
        const hssize_t points = H5Sget_simple_extent_npoints(space.get());
        const std::size_t size = H5Tget_size(type.get());
        if (points < 0 || size == 0 || static_cast<std::uint64_t>(points) > kLargestAttribute / size) {
            return false;
        }
        const auto count = static_cast<std::size_t>(points);
        if (H5Tis_variable_str(type.get()) > 0) {
            std::vector<char*> pointers(count, nullptr);
            if (count > 0 && H5Aread(attribute, type.get(), pointers.data()) < 0) {
                return false;
            }
            for (const char* text : pointers) {
                texts.emplace_back(text == nullptr ? "" : text);
            }
            if (count > 0) {
                H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, pointers.data());
            }
            return true;
        }
        std::string bytes(count * size, '\0');
        if (count > 0 && H5Aread(attribute, type.get(), bytes.data()) < 0) {
            return false;
        }
        for (std::size_t i = 0; i < count; ++i) {
            const std::string_view padded = std::string_view(bytes).substr(i * size, size);
            texts.emplace_back(padded.substr(0, padded.find('\0')));
        }
        return true;
    }

    const std::string_view bytes_;
    const std::string name_;
    std::size_t objects_ = 0;
    std::uint64_t total_ = 0;  // bytes of all values so far
};

// A tree as bytes, from the process that read it: kind, shape, values, `other`, attributes, children; counts and sizes as uint64.
class Packer {
public:
    std::string pack(const Hdf5Node& node) {
        add(node);
        return std::move(bytes_);
    }

private:
    void number(std::uint64_t value) { raw(&value, sizeof value); }
    void raw(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }
    void text(const std::string& value) {
        number(value.size());
        bytes_ += value;
    }
    template <class T>
    void values(const std::vector<T>& list) {
        number(list.size());
        raw(list.data(), list.size() * sizeof(T));
    }
    void add(const Hdf5Node& node) {
        number(static_cast<std::uint64_t>(node.kind));
        values(node.shape);
        values(node.floats);
        values(node.integers);
        text(node.other);
        number(node.attributes.size());
        for (const auto& [name, texts] : node.attributes) {
            text(name);
            number(texts.size());
            for (const std::string& one : texts) {
                text(one);
            }
        }
        number(node.children.size());
        for (const auto& [name, child] : node.children) {
            text(name);
            add(child);
        }
    }

    std::string bytes_;
};

class Unpacker {
public:
    explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

    Hdf5Node unpack() {
        Hdf5Node node;
        node.kind = static_cast<Hdf5Node::Kind>(std::min<std::uint64_t>(number(), static_cast<std::uint64_t>(Hdf5Node::Kind::kOther)));
        values(node.shape);
        values(node.floats);
        values(node.integers);
        node.other = text();
        for (std::uint64_t left = number(); left > 0; --left) {
            std::vector<std::string>& texts = node.attributes[text()];
            for (std::uint64_t more = number(); more > 0; --more) {
                texts.push_back(text());
            }
        }
        for (std::uint64_t left = number(); left > 0; --left) {
            const std::string name = text();
            node.children[name] = unpack();
        }
        return node;
    }

private:
    std::string_view take(std::uint64_t size) {
        if (size > bytes_.size()) {
            throw Error(ErrorCode::kDataLoss, "HDF5: the reading process gave an incomplete answer");
        }
        const std::string_view taken = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return taken;
    }
    std::uint64_t number() {
        std::uint64_t value = 0;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::string text() { return std::string(take(number())); }
    template <class T>
    void values(std::vector<T>& list) {
        const std::uint64_t count = number();
        const std::string_view raw = take(count > bytes_.size() ? count : count * sizeof(T));
        list.resize(count);
        if (count > 0) {
            std::memcpy(list.data(), raw.data(), raw.size());
        }
    }

    std::string_view bytes_;
};

void check(bool good, const std::string& path) {
    if (!good) {
        throw Error(ErrorCode::kInternal, "HDF5: " + path + " could not be written");
    }
}

void writeTexts(hid_t object, const std::string& name, const std::vector<std::string>& texts, const std::string& path) {
    const Handle type(H5Tcopy(H5T_C_S1), &H5Tclose);
    H5Tset_size(type.get(), H5T_VARIABLE);
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    // One text is a scalar, as h5py writes it; names ending in "names" are lists whatever their length.
    const hsize_t count = texts.size();
    const bool scalar = count == 1 && !name.ends_with("names");
    const Handle space(scalar ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr), &H5Sclose);
    const Handle attribute(
        H5Acreate2(object, name.c_str(), count == 0 ? H5T_NATIVE_DOUBLE : type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), &H5Aclose);
    check(static_cast<bool>(attribute), path + "." + name);
    std::vector<const char*> pointers;
    for (const std::string& text : texts) {
        pointers.push_back(text.c_str());
    }
    check(count == 0 || H5Awrite(attribute.get(), type.get(), pointers.data()) >= 0, path + "." + name);
}

void writeDataset(hid_t parent, const std::string& name, const Hdf5Node& node, const std::string& path) {
    const bool floats = node.kind == Hdf5Node::Kind::kFloats;
    const std::vector<hsize_t> sizes(node.shape.begin(), node.shape.end());
    ENGINE_CHECK(sizeProduct(sizes) == (floats ? node.floats.size() : node.integers.size()));
    const Handle space(sizes.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
                       &H5Sclose);
    const Handle layout(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose);
    H5Pset_obj_track_times(layout.get(), false);
    const Handle dataset(
        H5Dcreate2(parent, name.c_str(), floats ? H5T_IEEE_F32LE : H5T_STD_I64LE, space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT),
        &H5Dclose);
    check(static_cast<bool>(dataset), path);
    const void* values = floats ? static_cast<const void*>(node.floats.data()) : node.integers.data();
    check(H5Dwrite(dataset.get(), floats ? H5T_NATIVE_FLOAT : H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0, path);
    for (const auto& [attribute, texts] : node.attributes) {
        writeTexts(dataset.get(), attribute, texts, path);
    }
}

void writeMembers(hid_t group, const Hdf5Node& node, const std::string& path) {
    for (const auto& [name, texts] : node.attributes) {
        writeTexts(group, name, texts, path);
    }
    for (const auto& [name, child] : node.children) {
        ENGINE_CHECK(child.kind != Hdf5Node::Kind::kOther);
        const std::string below = path + "/" + name;
        if (child.kind != Hdf5Node::Kind::kGroup) {
            writeDataset(group, name, child, below);
            continue;
        }
        const Handle made(H5Gcreate2(group, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), &H5Gclose);
        check(static_cast<bool>(made), below);
        writeMembers(made.get(), child, below);
    }
}

}  // namespace

const Hdf5Node* Hdf5Node::find(std::string_view path) const {
    const Hdf5Node* node = this;
    while (!path.empty()) {
        const std::string step(path.substr(0, path.find('/')));
        path.remove_prefix(std::min(path.size(), step.size() + 1));
        const auto child = node->children.find(step);
        if (child == node->children.end()) {
            return nullptr;
        }
        node = &child->second;
    }
    return node;
}

Hdf5Node& Hdf5Node::group(std::string_view path) {
    Hdf5Node* node = this;
    while (!path.empty()) {
        const std::string step(path.substr(0, path.find('/')));
        path.remove_prefix(std::min(path.size(), step.size() + 1));
        node = &node->children[step];
    }
    return *node;
}

Hdf5Node readHdf5(std::string_view bytes, std::string_view name) {
    const MutexLock lock(libraryLock());
    const std::chrono::seconds more(bytes.size() / kBytesPerSecond);
    IsolatedLimits limits;
    limits.deadline += more;
    limits.processor_time += more;
    limits.memory_bytes = kReadingBytes + kReadingBytesPerByte * bytes.size();
    // Damaged structures make version 1.10 of the library crash, follow them for ever or ask for gigabytes.
    const std::string packed = callIsolated(
        [&] {
            prepareLibrary();
            return Packer().pack(Reader(bytes, name).read());
        },
        std::string(name), limits);
    return Unpacker(packed).unpack();
}

std::string writeHdf5(const Hdf5Node& root) {
    const MutexLock lock(libraryLock());
    prepareLibrary();
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
    check(H5Pset_fapl_core(access.get(), kFirstImageBytes, 0) >= 0, "/");
    const Handle file(H5Fcreate("image", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), &H5Fclose);
    check(static_cast<bool>(file), "/");
    {
        const Handle top(H5Gopen2(file.get(), "/", H5P_DEFAULT), &H5Gclose);
        check(static_cast<bool>(top), "/");
        writeMembers(top.get(), root, "");
    }
    check(H5Fflush(file.get(), H5F_SCOPE_GLOBAL) >= 0, "/");
    const ssize_t size = H5Fget_file_image(file.get(), nullptr, 0);
    check(size > 0, "/");
    std::string bytes(static_cast<std::size_t>(size), '\0');
    check(H5Fget_file_image(file.get(), bytes.data(), bytes.size()) == size, "/");
    return bytes;
}

}  // namespace engine::exporter

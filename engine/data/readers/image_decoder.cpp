#include "engine/data/readers/image_decoder.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include <jerror.h>
#include <jpeglib.h>
#include <png.h>

#include "engine/spec/error.h"

namespace engine::data {
namespace {

constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 28;
// Neither deflate (PNG, a bit a pixel at least) nor Huffman codes (JPEG, a bit for 64 pixels at least) shrink further than that: memory is
// taken only for what the file can hold.
constexpr std::uint64_t kMostPixelsPerByte = std::uint64_t{8} * 1032;
constexpr std::uint64_t kFreePixels = std::uint64_t{1} << 20;

[[noreturn]] void damagedImage(const std::string& what) {
    throw Error(ErrorCode::kDataLoss, what);
}

void checkSize(std::uint64_t rows, std::uint64_t columns, std::size_t file_bytes) {
    if (rows == 0 || columns == 0 || rows > kMostPixels / columns) {
        damagedImage("expected a picture of at most 268435456 pixels, got " + std::to_string(rows) + " × " + std::to_string(columns));
    }
    if (rows * columns > kFreePixels && rows * columns / kMostPixelsPerByte > file_bytes) {
        damagedImage("cut short or damagedImage: a file of " + std::to_string(file_bytes) + " bytes cannot hold a picture of " +
                     std::to_string(rows) + " × " + std::to_string(columns) + " pixels");
    }
}

// Both libraries leave by longjmp: the functions that call setjmp hold nothing with a destructor.
struct Failure {
    std::jmp_buf back;
    char text[JMSG_LENGTH_MAX] = "";
};

struct JpegErrors {
    jpeg_error_mgr manager;  // first: the library hands it back
    Failure failure;
    bool is_damaged = false;  // a warning that means missing data
};

void jpegFailed(j_common_ptr decoder) {
    auto* errors = reinterpret_cast<JpegErrors*>(decoder->err);
    errors->manager.format_message(decoder, errors->failure.text);
    std::longjmp(errors->failure.back, 1);
}

void jpegMessage(j_common_ptr decoder, int level) {
    auto* errors = reinterpret_cast<JpegErrors*>(decoder->err);
    const int code = errors->manager.msg_code;
    if (level < 0 && (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE || code == JWRN_MUST_RESYNC)) {
        if (!errors->is_damaged) {
            errors->manager.format_message(decoder, errors->failure.text);
        }
        errors->is_damaged = true;
    }
}

bool beginJpeg(jpeg_decompress_struct& decoder, JpegErrors& errors, std::span<const std::byte> bytes, int channels) {
    if (setjmp(errors.failure.back) != 0) {
        return false;
    }
    jpeg_create_decompress(&decoder);
    jpeg_mem_src(&decoder, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&decoder, TRUE);
    const bool has_inks = decoder.jpeg_color_space == JCS_CMYK || decoder.jpeg_color_space == JCS_YCCK;
    decoder.out_color_space = has_inks ? JCS_CMYK : channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_calc_output_dimensions(&decoder);
    return true;
}

bool readJpeg(jpeg_decompress_struct& decoder, JpegErrors& errors, std::byte* pixels, std::size_t row_bytes) {
    if (setjmp(errors.failure.back) != 0) {
        return false;
    }
    jpeg_start_decompress(&decoder);
    while (decoder.output_scanline < decoder.output_height) {
        auto* row = reinterpret_cast<JSAMPROW>(pixels + decoder.output_scanline * row_bytes);
        jpeg_read_scanlines(&decoder, &row, 1);
    }
    jpeg_finish_decompress(&decoder);
    return true;
}

// Computes gray from the bytes as they are: libpng's own way would first undo the picture's gamma.
void makeGray(Image& image) {
    const auto pixels = static_cast<std::size_t>(image.rows * image.columns);
    for (std::size_t p = 0; p < pixels; ++p) {
        const auto part = [&](std::size_t k) { return std::to_integer<unsigned>(image.pixels[3 * p + k]); };
        image.pixels[p] = static_cast<std::byte>((299 * part(0) + 587 * part(1) + 114 * part(2) + 500) / 1000);
    }
    image.pixels.resize(pixels);
    image.channels = 1;
}

// CMYK to RGB, (255 - ink) * (255 - black) / 255 each; Adobe's programs store the inks inverted.
void mixInks(Image& image, bool inverted) {
    const auto pixels = static_cast<std::size_t>(image.rows * image.columns);
    for (std::size_t p = 0; p < pixels; ++p) {
        const auto light = [&](std::size_t k) {
            const unsigned stored = std::to_integer<unsigned>(image.pixels[4 * p + k]);
            return inverted ? stored : 255 - stored;
        };
        const unsigned paper = light(3);
        for (std::size_t k = 0; k < 3; ++k) {
            image.pixels[3 * p + k] = static_cast<std::byte>((light(k) * paper + 127) / 255);
        }
    }
    image.pixels.resize(3 * pixels);
    image.channels = 3;
}

class JpegDecoder {
public:
    JpegDecoder() {
        decoder_.err = jpeg_std_error(&errors_.manager);
        errors_.manager.error_exit = &jpegFailed;
        errors_.manager.emit_message = &jpegMessage;
    }
    JpegDecoder(const JpegDecoder&) = delete;
    JpegDecoder& operator=(const JpegDecoder&) = delete;
    ~JpegDecoder() { jpeg_destroy_decompress(&decoder_); }

    void decode(std::span<const std::byte> bytes, int channels, Image& image) {
        if (!beginJpeg(decoder_, errors_, bytes, channels)) {
            damagedImage(std::string("damaged JPEG: ") + errors_.failure.text);
        }
        checkSize(decoder_.output_height, decoder_.output_width, bytes.size());
        image.rows = decoder_.output_height;
        image.columns = decoder_.output_width;
        const bool has_inks = decoder_.out_color_space == JCS_CMYK;
        image.channels = has_inks ? 4 : channels;
        const auto row_bytes = static_cast<std::size_t>(image.columns * image.channels);
        image.pixels.resize(static_cast<std::size_t>(image.rows) * row_bytes);
        if (!readJpeg(decoder_, errors_, image.pixels.data(), row_bytes) || errors_.is_damaged) {
            damagedImage(std::string("damaged JPEG: ") + errors_.failure.text);
        }
        if (has_inks) {
            mixInks(image, decoder_.saw_Adobe_marker != FALSE);
            if (channels == 1) {
                makeGray(image);
            }
        }
    }

private:
    jpeg_decompress_struct decoder_{};
    JpegErrors errors_{};
};

struct PngSource {
    std::span<const std::byte> rest;
    Failure failure;
};

void pngFailed(png_structp decoder, png_const_charp text) {
    auto* source = static_cast<PngSource*>(png_get_error_ptr(decoder));
    std::snprintf(source->failure.text, sizeof(source->failure.text), "%s", text);
    std::longjmp(source->failure.back, 1);
}

void pngWarned(png_structp /*decoder*/, png_const_charp /*text*/) {}

void pngRead(png_structp decoder, png_bytep into, std::size_t size) {
    auto* source = static_cast<PngSource*>(png_get_io_ptr(decoder));
    if (size > source->rest.size()) {
        png_error(decoder, "cut short");
    }
    std::memcpy(into, source->rest.data(), size);
    source->rest = source->rest.subspan(size);
}

bool beginPng(png_structp decoder, png_infop info, PngSource& source, int channels) {
    if (setjmp(source.failure.back) != 0) {
        return false;
    }
    png_set_read_fn(decoder, &source, &pngRead);
    png_read_info(decoder, info);
    png_set_expand(decoder);
    png_set_strip_16(decoder);
    png_set_strip_alpha(decoder);
    const bool is_gray = (png_get_color_type(decoder, info) & PNG_COLOR_MASK_COLOR) == 0;
    if (channels == 3 && is_gray) {
        png_set_gray_to_rgb(decoder);
    }
    png_set_interlace_handling(decoder);
    png_read_update_info(decoder, info);
    return true;
}

bool readPng(png_structp decoder, PngSource& source, png_bytepp rows) {
    if (setjmp(source.failure.back) != 0) {
        return false;
    }
    png_read_image(decoder, rows);
    png_read_end(decoder, nullptr);
    return true;
}

class PngDecoder {
public:
    PngDecoder() : decoder_(png_create_read_struct(PNG_LIBPNG_VER_STRING, &source_, &pngFailed, &pngWarned)) {
        ENGINE_CHECK(decoder_ != nullptr);
        info_ = png_create_info_struct(decoder_);
        ENGINE_CHECK(info_ != nullptr);
    }
    PngDecoder(const PngDecoder&) = delete;
    PngDecoder& operator=(const PngDecoder&) = delete;
    ~PngDecoder() { png_destroy_read_struct(&decoder_, &info_, nullptr); }

    void decode(std::span<const std::byte> bytes, int channels, Image& image) {
        source_.rest = bytes;
        if (!beginPng(decoder_, info_, source_, channels)) {
            damagedImage(std::string("damaged PNG: ") + source_.failure.text);
        }
        image.rows = png_get_image_height(decoder_, info_);
        image.columns = png_get_image_width(decoder_, info_);
        image.channels = png_get_channels(decoder_, info_);
        checkSize(static_cast<std::uint64_t>(image.rows), static_cast<std::uint64_t>(image.columns), bytes.size());
        const std::size_t row_bytes = png_get_rowbytes(decoder_, info_);
        ENGINE_CHECK(row_bytes == static_cast<std::size_t>(image.columns * image.channels));
        image.pixels.resize(static_cast<std::size_t>(image.rows) * row_bytes);
        std::vector<png_bytep> rows(static_cast<std::size_t>(image.rows));
        for (std::size_t r = 0; r < rows.size(); ++r) {
            rows[r] = reinterpret_cast<png_bytep>(image.pixels.data() + r * row_bytes);
        }
        if (!readPng(decoder_, source_, rows.data())) {
            damagedImage(std::string("damaged PNG: ") + source_.failure.text);
        }
        if (image.channels > channels) {
            makeGray(image);
        }
    }

private:
    PngSource source_{};
    png_structp decoder_;
    png_infop info_ = nullptr;
};

bool beginsWith(std::span<const std::byte> bytes, std::string_view magic) {
    return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

// The place of a row or column of the result between two of the source.
struct Between {
    std::int64_t low = 0, high = 0;
    float share = 0;  // of high
};

std::vector<Between> bilinearAxis(std::int64_t from, std::int64_t to) {
    std::vector<Between> axis(static_cast<std::size_t>(to));
    const float step = static_cast<float>(from) / static_cast<float>(to);
    for (std::int64_t i = 0; i < to; ++i) {
        const float at = (static_cast<float>(i) + 0.5F) * step - 0.5F;
        const auto low = static_cast<std::int64_t>(std::max(at, 0.0F));
        axis[static_cast<std::size_t>(i)] = {low, std::min(low + 1, from - 1), std::max(at, 0.0F) - static_cast<float>(low)};
    }
    return axis;
}

// Makes a row of a picture as long as `across`. `channels`: what the compiler knows, or 0.
template <int known>
void stretchPixels(const std::byte* row, std::int64_t channels, const std::vector<Between>& across, float* into) {
    const std::int64_t count = known > 0 ? known : channels;
    const auto number = [](std::byte byte) { return static_cast<float>(std::to_integer<int>(byte)); };
    for (const Between& c : across) {
        const std::byte *left = row + c.low * count, *right = row + c.high * count;
        for (std::int64_t k = 0; k < count; ++k, ++into) *into = number(left[k]) + (number(right[k]) - number(left[k])) * c.share;
    }
}
void stretchRow(const std::byte* row, std::int64_t channels, const std::vector<Between>& across, float* into) {
    switch (channels) {
        case 1:
            return stretchPixels<1>(row, channels, across, into);
        case 3:
            return stretchPixels<3>(row, channels, across, into);
        default:
            return stretchPixels<0>(row, channels, across, into);
    }
}

std::int64_t nearest(std::int64_t i, std::int64_t from, std::int64_t to) {
    const float step = static_cast<float>(from) / static_cast<float>(to);
    return std::min(static_cast<std::int64_t>((static_cast<float>(i) + 0.5F) * step), from - 1);
}

}  // namespace

void decodeImage(std::span<const std::byte> bytes, int channels, Image& image) {
    if (beginsWith(bytes, "\xFF\xD8\xFF")) {
        JpegDecoder().decode(bytes, channels, image);
    } else if (beginsWith(bytes, "\x89PNG\r\n\x1A\n")) {
        PngDecoder().decode(bytes, channels, image);
    } else {
        damagedImage(bytes.empty() ? "is empty, expected a PNG or JPEG picture" : "is neither a PNG nor a JPEG picture");
    }
}

void resizeImage(const Image& image, std::int64_t rows, std::int64_t columns, Interpolation interpolation, std::byte* into) {
    const std::int64_t channels = image.channels;
    const auto pixel = [&](std::int64_t r, std::int64_t c) { return image.pixels.data() + (r * image.columns + c) * channels; };
    if (image.rows == rows && image.columns == columns) {
        std::memcpy(into, image.pixels.data(), static_cast<std::size_t>(rows * columns * channels));
        return;
    }
    if (interpolation == Interpolation::kNearest) {
        for (std::int64_t r = 0; r < rows; ++r) {
            for (std::int64_t c = 0; c < columns; ++c, into += channels) {
                std::memcpy(into, pixel(nearest(r, image.rows, rows), nearest(c, image.columns, columns)),
                            static_cast<std::size_t>(channels));
            }
        }
        return;
    }
    const std::vector<Between> down = bilinearAxis(image.rows, rows);
    const std::vector<Between> across = bilinearAxis(image.columns, columns);
    // Two neighbouring rows of the picture, each as wide as the result: most rows of the result share them with the row before.
    const auto width = static_cast<std::size_t>(columns * channels);
    std::vector<float> top(width), low(width);
    std::int64_t top_row = -1, low_row = -1;
    for (const Between& r : down) {
        if (r.low == low_row) {
            std::swap(top, low);
            std::swap(top_row, low_row);
        }
        if (r.low != top_row) stretchRow(pixel(r.low, 0), channels, across, top.data());
        if (r.high != low_row) stretchRow(pixel(r.high, 0), channels, across, low.data());
        top_row = r.low;
        low_row = r.high;
        for (std::size_t i = 0; i < width; ++i)
            into[i] = static_cast<std::byte>(static_cast<std::uint8_t>(top[i] + (low[i] - top[i]) * r.share + 0.5F));
        into += width;
    }
}

}  // namespace engine::data

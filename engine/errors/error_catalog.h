// Every kind of error that Tandem tells, as one table: tandem-cli explain, the window and the manual's chapter "Errors" are made from it.
// Programs write sentences; the kind is found again in their words where they are shown, so that no error of a later version, of a plug-in
// or of an older run lacks its code. All functions may be called from any thread and throw nothing but std::bad_alloc.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/errors/error_kind.h"

namespace engine::errors {

enum class Language { kEnglish, kKorean, kChinese };

// "en", "ko" or "zh_CN", and what LANG holds, such as "ko_KR.UTF-8"; English for everything else.
Language languageOf(std::string_view name);
std::string_view textOf(const Texts& texts, Language language);

// A letter's kinds stand together, in the order of their numbers.
const std::vector<const ErrorKind*>& errorKinds();

// Finds the kind of "TDM-C012", in upper or lower case, or of "C012" alone; null where there is none.
const ErrorKind* findKind(std::string_view code);

// The kind whose pattern fits `sentence` ("path: message", also behind "error: ") with the most characters of its own; null where none
// fits.
const ErrorKind* kindOf(std::string_view sentence);
// What a finding's path and message say together.
const ErrorKind* kindOf(std::string_view path, std::string_view message);

// The kind of a sentence that is known to be an error: TDM-U004 where no other fits.
const ErrorKind& kindOrOther(std::string_view sentence);

// `line` with " (TDM-C012)" behind it. An error ("error: …") that no kind fits gets TDM-U004; other lines that none fits, and those where a
// code stands already, stay as they are. A line has no newline.
std::string withCode(std::string_view line);

// True when the whole of `text` is like `pattern`, in which a * stands for any text, an empty one too. It takes time in the order of the
// product of their lengths.
bool fits(std::string_view pattern, std::string_view text);

}  // namespace engine::errors

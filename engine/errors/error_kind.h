// One kind of error: what it is called, by which sentences it is recognised, why it happens, what mends it and where to read on.
#pragma once

#include <string_view>

namespace engine::errors {

// The same sentence in the languages of the studio. UTF-8.
struct Texts {
    std::string_view english, korean, chinese;
};

// A heading of the user manual: the file of a chapter without ".md", and the heading's English text. The chapters of all languages have
// the same headings in the same order. Empty where there is none.
struct Section {
    std::string_view chapter, heading;
};

// Texts live as long as the program.
struct ErrorKind {
    std::string_view code;  // "TDM-C012"; it never changes its meaning, and is not given again once its kind is gone
    // Patterns, one a line, of "path: message" as diagnostics and errors are printed, without "error: ". A * stands for any text.
    std::string_view sentences;
    Texts title, cause, fix;
    Section manual;
    Section tutorial;  // where one of the tutorials is about it
};

}  // namespace engine::errors

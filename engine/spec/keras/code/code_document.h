// Code inside of a document: Markdown, a notebook's text, a page that was copied with its prose and its outputs, in any language.
//
//   fences          ``` and ~~~, with python or nothing behind them; a last one without a pair ends or begins the code
//   no fences       the statements that are Python, with the comments right above them; what they printed is prose
//   prompts         ">>> ", "... ", "In [3]: " in front of code are taken off, lines behind "$ " are a shell's
//   indentation     that all lines of a block have is taken off
//
// A text without a line of prose is code as a whole. Only files of this folder, those below it and tests include it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/keras/python/python_tokens.h"

namespace engine::spec::code {

struct DocumentLine {
    bool code = false;
    int column = 0;  // where the code begins, from 0: behind a prompt and the block's indentation
    int block = 0;   // of lines that stand together, from 1
};

// One entry a line of `text`.
std::vector<DocumentLine> linesOfDocument(std::string_view text);

// The logical lines of the code in a document, or of a text that is code as a whole; their lines and columns are the document's. A text
// larger than kLargestText is one line with a fault.
std::vector<LogicalLine> splitLines(std::string_view text);

}  // namespace engine::spec::code

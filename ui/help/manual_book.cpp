// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/manual_book.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <algorithm>

namespace ui::models {
namespace {

constexpr auto kIndex = "index.md";

// Reads a chapter's title, sections and anchors; lines of fenced code are no headings.
ManualChapter chapterOf(const QString& file, const QString& text) {
    ManualChapter chapter{.file = file, .text = text};
    bool in_code = false;
    for (const QString& line : text.split('\n')) {
        if (line.startsWith("```")) in_code = !in_code;
        if (in_code) continue;
        if (chapter.title.isEmpty() && line.startsWith("# ")) chapter.title = line.mid(2).trimmed();
        if (line.startsWith("### ")) chapter.anchors << manualAnchor(line.mid(4).trimmed());
        if (!line.startsWith("## ")) continue;
        const QString title = line.mid(3).trimmed();
        chapter.sections.push_back({title, manualAnchor(title)});
        chapter.anchors << chapter.sections.back().anchor;
    }
    return chapter;
}

}  // namespace

ManualBook::ManualBook(const QString& folder, const QString& language) : folder_(folder + '/' + language) {
    if (!QFile::exists(folder_ + '/' + kIndex)) folder_ = folder + QStringLiteral("/en");
    read(kIndex);
    if (isEmpty()) return;
    static const QRegularExpression link(R"(\]\(([a-z_]+\.md)\))");
    const QString index = chapters_.front().text;
    for (auto match = link.globalMatch(index); match.hasNext();) {
        const QString file = match.next().captured(1);
        if (find(file) < 0) read(file);
    }
}

void ManualBook::read(const QString& file) {
    QFile source(folder_ + '/' + file);
    if (source.open(QIODevice::ReadOnly)) chapters_.push_back(chapterOf(file, QString::fromUtf8(source.readAll())));
}

int ManualBook::find(const QString& file) const {
    const auto at = std::find_if(chapters_.begin(), chapters_.end(), [&](const ManualChapter& chapter) { return chapter.file == file; });
    return at == chapters_.end() ? -1 : static_cast<int>(at - chapters_.begin());
}

QString manualAnchor(const QString& heading) {
    QString anchor;
    for (const QChar letter : heading.toLower()) {
        if (letter.isLetterOrNumber() || letter == '-' || letter == '_') anchor += letter;
        if (letter == ' ') anchor += '-';
    }
    return anchor;
}

}  // namespace ui::models

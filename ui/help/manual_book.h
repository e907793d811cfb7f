// SPDX-License-Identifier: GPL-3.0-or-later
// The user manual as its files hold it: a folder a language, whose index.md links the chapters in their order.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace ui::models {

struct ManualSection {
    QString title, anchor;
};

struct ManualChapter {
    QString file;  // "data.md"
    QString title;
    QString text;                         // Markdown, title included
    std::vector<ManualSection> sections;  // headings of the second level
    QStringList anchors;                  // what links may lead to: those of the second and the third
};

// Value. Making one reads a dozen files of some kilobytes.
class ManualBook {
public:
    ManualBook() = default;
    // Reads `folder`/`language`; English where that is missing. Empty without either.
    ManualBook(const QString& folder, const QString& language);

    bool isEmpty() const { return chapters_.empty(); }
    const QString& folder() const { return folder_; }                         // what was read; pictures lie below
    const std::vector<ManualChapter>& chapters() const { return chapters_; }  // index.md first
    // Returns the place of a chapter by its file; -1 when there is none.
    int find(const QString& file) const;

private:
    void read(const QString& file);

    QString folder_;
    std::vector<ManualChapter> chapters_;
};

// Returns what a link to the heading has after '#', as on the web: lower case, hyphens for spaces, no punctuation.
QString manualAnchor(const QString& heading);

}  // namespace ui::models

// SPDX-License-Identifier: GPL-3.0-or-later
// A splitter whose handle is the gap between its parts: nothing but room to take hold of.
#pragma once

#include <QSplitter>

namespace ui::views {

class GapSplitter : public QSplitter {
public:
    using QSplitter::QSplitter;

protected:
    QSplitterHandle* createHandle() override {
        class Gap : public QSplitterHandle {
        public:
            using QSplitterHandle::QSplitterHandle;

        protected:
            void paintEvent(QPaintEvent* /*event*/) override {}
        };
        return new Gap(orientation(), this);
    }
};

}  // namespace ui::views

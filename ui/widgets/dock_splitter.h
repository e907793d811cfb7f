// SPDX-License-Identifier: GPL-3.0-or-later
// A splitter some of whose parts are docks: they keep the size that was designed or dragged while the rest takes what the window gives.
#pragma once

#include <QSplitter>
#include <QString>
#include <map>

namespace ui::widgets {

// Two sizes are kept of a dock, one for the narrow window. Parts are added with addWidget() before setDock(). GUI thread only.
class DockSplitter : public QSplitter {
    Q_OBJECT
public:
    struct Sizes {
        int wide = 0, narrow = 0;  // as designed; pixels along the splitter
        int least = 0;
        int most = QWIDGETSIZE_MAX;
        double most_share = 1;  // of the splitter's length
    };

    DockSplitter(Qt::Orientation orientation, const QString& name, QWidget* parent);

    // True when somebody has hidden the part, and not only because nothing is shown yet.
    static bool isPutAway(const QWidget* part) { return part->isHidden() && part->testAttribute(Qt::WA_WState_ExplicitShowHide); }

    void setDock(int part, const Sizes& sizes);
    void setNarrow(bool narrow);
    // Gives every shown dock its size. The splitter calls it when it is resized; call it after a part was shown or hidden.
    void arrange();

    // Returns the sizes that the user dragged, as text for a settings file: "1:340,0 2:400,380" is part, wide, narrow; 0: as designed.
    // Empty: none.
    QString chosen() const;
    // Sets the sizes; a text that is none, or sizes out of bounds, count as designed.
    void setChosen(const QString& text);
    void reset() { setChosen({}); }

signals:
    void chosenChanged();  // by a drag, or by the keys on a handle

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Dock {
        Sizes sizes;
        int wide = 0, narrow = 0;  // dragged; 0: as designed
    };
    int target(const Dock& dock) const;
    int bound(const Dock& dock) const;
    int restPart() const;
    int length() const;
    void takeDrag();

    std::map<int, Dock> docks_;  // by part
    bool narrow_ = false;
};

}  // namespace ui::widgets

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/code_work.h"

namespace ui::views {

CodeWork::~CodeWork() {
    for (auto& [asked, thread] : threads_) asked->stop.request_stop();
    threads_.clear();  // joins them
}

void CodeWork::start(Work work) {
    cancel();
    std::erase_if(threads_, [](const auto& one) { return one.first->done.load(); });
    asked_ = std::make_shared<Asked>();
    threads_.emplace_back(asked_, std::jthread([this, asked = asked_, work = std::move(work)] {
                              std::function<void()> then = work(asked->stop.get_token());
                              QMetaObject::invokeMethod(
                                  this,
                                  [this, asked, then = std::move(then)] {
                                      if (asked != asked_) return;
                                      asked_.reset();
                                      then();
                                  },
                                  Qt::QueuedConnection);
                              asked->done = true;
                          }));
}

void CodeWork::cancel() {
    if (asked_ == nullptr) return;
    asked_->stop.request_stop();
    asked_.reset();
}

}  // namespace ui::views

#include "moc_code_work.cpp"

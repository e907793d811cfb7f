// A mutex whose rules are written into the code: which members it guards, which functions want it held. clang checks them
// (-Wthread-safety; tests/app/style_test.py); other compilers see a std::mutex and nothing more.
//
//   class Inbox {
//       void push(int value) { const MutexLock lock(mutex_); values_.push_back(value); changed_.notify_one(); }
//       int size() const TANDEM_REQUIRES(mutex_) { return values_.size(); }
//       mutable Mutex mutex_;
//       std::condition_variable_any changed_;      // waited for with a MutexLock; a predicate says TANDEM_REQUIRES(mutex_) behind its ()
//       std::vector<int> values_ TANDEM_GUARDED_BY(mutex_);
//   };
#pragma once

#include <mutex>

#if defined(__clang__)
#define TANDEM_THREAD_ATTRIBUTE(name) __attribute__((name))
#else
#define TANDEM_THREAD_ATTRIBUTE(name)
#endif

// Marks a member: it is read and written with this mutex held.
#define TANDEM_GUARDED_BY(mutex) TANDEM_THREAD_ATTRIBUTE(guarded_by(mutex))
// Marks a function: it is called with these mutexes held.
#define TANDEM_REQUIRES(...) TANDEM_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
// Marks a function whose rule the analysis can't follow: a comment says what the rule is.
#define TANDEM_UNCHECKED_LOCKS TANDEM_THREAD_ATTRIBUTE(no_thread_safety_analysis)

namespace engine {

class TANDEM_THREAD_ATTRIBUTE(capability("mutex")) Mutex {
public:
    Mutex() = default;
    Mutex(const Mutex&) = delete;
    Mutex& operator=(const Mutex&) = delete;

    void lock() TANDEM_THREAD_ATTRIBUTE(acquire_capability()) { mutex_.lock(); }
    void unlock() TANDEM_THREAD_ATTRIBUTE(release_capability()) { mutex_.unlock(); }
    bool try_lock() TANDEM_THREAD_ATTRIBUTE(try_acquire_capability(true)) { return mutex_.try_lock(); }

private:
    std::mutex mutex_;
};

// Holds a mutex until the end of its scope, or until it is given back before.
class TANDEM_THREAD_ATTRIBUTE(scoped_lockable) MutexLock {
public:
    explicit MutexLock(Mutex& mutex) TANDEM_THREAD_ATTRIBUTE(acquire_capability(mutex)) : mutex_(mutex) { mutex_.lock(); }
    // One that is held already, such as by try_lock().
    MutexLock(Mutex& mutex, std::adopt_lock_t) TANDEM_THREAD_ATTRIBUTE(requires_capability(mutex)) : mutex_(mutex) {}
    ~MutexLock() TANDEM_THREAD_ATTRIBUTE(release_capability()) {
        if (held_) mutex_.unlock();
    }
    MutexLock(const MutexLock&) = delete;
    MutexLock& operator=(const MutexLock&) = delete;

    void lock() TANDEM_THREAD_ATTRIBUTE(acquire_capability()) {
        mutex_.lock();
        held_ = true;
    }
    void unlock() TANDEM_THREAD_ATTRIBUTE(release_capability()) {
        held_ = false;
        mutex_.unlock();
    }

private:
    Mutex& mutex_;
    bool held_ = true;
};

}  // namespace engine

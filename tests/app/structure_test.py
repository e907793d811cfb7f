#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the tree is built: which file may lead to which, and how large a folder may grow. TANDEM_SOURCE names the tree."""

import collections
import os
import pathlib
import re
import unittest

import class_sizes

ROOT = pathlib.Path(os.environ["TANDEM_SOURCE"])
PRODUCT = ("app", "agent", "engine", "ui")
LARGEST_FOLDER = 39
MOST_FIELDS, MOST_METHODS = 25, 30
# Classes that are still larger, with what they have: a row may only shrink, and goes when its class is cut.
LARGER = {
}
CODE = re.compile(r"\.(h|cpp|cu)$")


def idea(path):
    """A header and the sources that implement it are one idea: agent/server/rpc/local_door for local_door.h and local_door_posix.cpp."""
    return re.sub(r"(_posix)?\.(h|cpp|cu)$", "", path)


def code_files():
    return sorted(str(path.relative_to(ROOT)) for top in PRODUCT for path in (ROOT / top).rglob("*") if CODE.search(path.name))


def circles(graph):
    """Tarjan's strongly connected components with more than one member, without recursion."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []
    for root in sorted(graph):
        if root in index:
            continue
        work = [(root, iter(sorted(graph[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(sorted(graph.get(target, ())))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    members = []
                    while not members or members[-1] != node:
                        members.append(stack.pop())
                        on_stack.discard(members[-1])
                    if len(members) > 1:
                        found.append(sorted(members))
    return found


class Structure(unittest.TestCase):
    def test_no_file_leads_back_to_itself(self):
        files = code_files()
        known = set(files)
        graph = collections.defaultdict(set)
        for name in files:
            for included in re.findall(r'^#include "([^"]+)"', (ROOT / name).read_text(), re.MULTILINE):
                if included not in known:  # beside the file
                    included = os.path.normpath(os.path.join(os.path.dirname(name), included))
                if included in known and idea(included) != idea(name):
                    graph[idea(name)].add(idea(included))
        self.assertGreater(len(graph), 100, "the tree was not found")
        self.assertEqual(circles(graph), [])

    def test_no_folder_is_a_heap(self):
        sizes = collections.Counter(os.path.dirname(name) for name in code_files())
        self.assertEqual({folder: size for folder, size in sizes.items() if size > LARGEST_FOLDER}, {})

    def test_no_class_does_everything(self):
        """Structs are left out: a project's settings or a theme's colours are as many as they are."""
        found = {}
        for name in code_files():
            for of_class, size in class_sizes.sizes((ROOT / name).read_text()).items():
                if size.is_class and (size.fields > MOST_FIELDS or size.methods > MOST_METHODS):
                    found[of_class] = (size.fields, size.methods)
        self.assertEqual(found, LARGER)

    def test_fields_and_methods_are_counted(self):
        text = """
            namespace a {
            class Forward;
            class B final : public C<int, D> {
                Q_OBJECT
            public:
                explicit B(int x, std::function<void(int)> f = {}) : C(x), f_(std::move(f)) {}
                ~B() override;
                int one() const { return 1; }
                template <typename T>
                void two(T value) const;
                static B make(const char* name = "(;");
                B& operator=(const B&) = delete;
            signals:
                void changed();
            private:
                struct Inner { int p = 0, q = 0; };
                enum class E { kOne, kTwo };
                void three();
                std::map<int, std::pair<int, int>> g_;  // int no_field;
                Mutex mutex_;
                int h_ TANDEM_GUARDED_BY(mutex_) = 0;
                double i_{1}, j_{2};
                std::function<void(int, int)> f_;
                struct { bool k = false; int l; } unnamed_;
                const struct {
                    int m;
                } other_;
                static constexpr int kNone = 0;
            };
            }"""
        self.assertEqual(class_sizes.sizes(text), {"B": (8, 3, True), "Inner": (2, 0, False)})

    def test_a_circle_is_found(self):
        self.assertEqual(circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}), [["b", "c"]])


if __name__ == "__main__":
    unittest.main()

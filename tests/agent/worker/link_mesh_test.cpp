#include "agent/transport/link_mesh.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using agent::worker::LinkMesh;
using engine::distribute::Edges;
using engine::distribute::TaskName;

// So many tasks on each of so many hosts, host by host.
std::vector<TaskName> tasksOn(int hosts, int each) {
    std::vector<TaskName> tasks;
    for (int host = 0; host < hosts; ++host) {
        for (int i = 0; i < each; ++i) {
            tasks.push_back({"worker " + std::to_string(tasks.size()), "node" + std::to_string(host) + ":" + std::to_string(2222 + i)});
        }
    }
    return tasks;
}

int linksOf(const LinkMesh& mesh, int rank, int size) {
    int count = 0;
    for (int other = 0; other < size; ++other) count += mesh.links(rank, other) ? 1 : 0;
    return count;
}

TEST(LinkMesh, AFewTasksOfOneHostAreLinkedAllWithAll) {
    const LinkMesh mesh(tasksOn(1, 16), Edges::ring(16));
    EXPECT_TRUE(mesh.isWhole());
    EXPECT_FALSE(mesh.links(3, 3));
    EXPECT_TRUE(mesh.links(3, 9));
}

TEST(LinkMesh, ThreeTasksAnywhereAreARing) {
    EXPECT_TRUE(LinkMesh(tasksOn(3, 1), Edges::ring(3)).isWhole());
}

TEST(LinkMesh, OtherHostsAreReachedByNeighboursAndTheHub) {
    const LinkMesh mesh(tasksOn(4, 2), Edges::ring(8));
    EXPECT_FALSE(mesh.isWhole());
    EXPECT_TRUE(mesh.links(4, 5)) << "one host";
    EXPECT_TRUE(mesh.links(3, 4)) << "neighbours";
    EXPECT_TRUE(mesh.links(7, 0)) << "neighbours around the end";
    EXPECT_TRUE(mesh.links(5, 0)) << "the hub";
    EXPECT_FALSE(mesh.links(3, 5));
    for (int a = 0; a < 8; ++a) {
        for (int b = 0; b < 8; ++b) EXPECT_EQ(mesh.links(a, b), mesh.links(b, a));
    }
}

TEST(LinkMesh, ConnectionsGrowWithTheTasksAndNotWithTheirSquare) {
    const int size = 256;
    const LinkMesh mesh(tasksOn(1, size), Edges::ring(size));
    int links = 0;
    for (int rank = 0; rank < size; ++rank) links += linksOf(mesh, rank, size);
    EXPECT_LT(links / 2, 2 * size);
    EXPECT_EQ(linksOf(mesh, 100, size), 3) << "two neighbours and the hub";
}

TEST(LinkMesh, NamesOfLoopbackAreOneHost) {
    const std::vector<TaskName> tasks{
        {"worker 0", "localhost:1"}, {"worker 1", "127.0.0.1:2"}, {"worker 2", ":3"}, {"worker 3", "localhost:4"}};
    EXPECT_TRUE(LinkMesh(tasks, Edges::ring(4)).isWhole());
}

}  // namespace

#include "engine/spec/cluster/kubernetes_task.h"

#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace engine::spec {
namespace {

std::vector<std::string> pod(const std::string& index, const std::string& pods = "3", const std::string& host = "mnist-{index}.mnist") {
    return {"PATH=/bin", "JOB_COMPLETION_INDEX=" + index, "TANDEM_PODS=" + pods, "TANDEM_POD_HOST=" + host};
}

std::string refusal(const std::vector<std::string>& variables) {
    try {
        kubernetesTask(variables, 0);
        return "no refusal";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        return error.what();
    }
}

TEST(KubernetesTask, IsAWorkerOfTheJob) {
    EXPECT_EQ(
        tfConfigOf(kubernetesTask(pod("1"), 0), {}),
        R"({"cluster": {"worker": ["mnist-0.mnist:2222", "mnist-1.mnist:2222", "mnist-2.mnist:2222"]}, "task": {"type": "worker", "index": 1}})");
    EXPECT_EQ(tfConfigOf(kubernetesTask(pod("0", "1", "a{index}b"), 5000), {}),
              R"({"cluster": {"worker": ["a0b:5000"]}, "task": {"type": "worker", "index": 0}})");
}

TEST(KubernetesTask, TakesTheJobsOfAProjectOfAsManyTasks) {
    const ClusterSpec projects{{{"ps", {{0, "localhost:1"}}}, {"chief", {{0, "localhost:2"}}}, {"worker", {{0, "localhost:3"}}}}};
    EXPECT_EQ(tfConfigOf(kubernetesTask(pod("2"), 0), projects),
              R"({"cluster": {"ps": ["mnist-0.mnist:2222"], "chief": ["mnist-1.mnist:2222"], "worker": ["mnist-2.mnist:2222"]}, )"
              R"("task": {"type": "worker", "index": 0}})");
}

TEST(KubernetesTask, WhatTheFileDoesNotSayIsNamed) {
    EXPECT_EQ(refusal({"TANDEM_PODS=2", "TANDEM_POD_HOST=a-{index}"}),
              "JOB_COMPLETION_INDEX: expected what Kubernetes sets for the pods of a Job, got none; the Job needs completionMode: Indexed");
    EXPECT_EQ(refusal(pod("0", "")), "TANDEM_PODS: expected how many pods the Job has, from 1 to 4096, got none");
    for (const char* pods : {"0", "-1", "4097", "2x", " 2", "99999999999"}) {
        EXPECT_EQ(refusal(pod("0", pods)), std::string("TANDEM_PODS: expected how many pods the Job has, from 1 to 4096, got ") + pods);
    }
    EXPECT_EQ(refusal(pod("0", "2", "")),
              "TANDEM_POD_HOST: expected the name of a pod with {index} in it, such as mnist-{index}.mnist, got none");
    EXPECT_EQ(refusal(pod("0", "2", "mnist")),
              "TANDEM_POD_HOST: expected the name of a pod with {index} in it, such as mnist-{index}.mnist, got mnist");
    for (const char* index : {"2", "-1", "x"}) {
        EXPECT_EQ(refusal(pod(index, "2")), std::string("JOB_COMPLETION_INDEX: expected an index below TANDEM_PODS (2), got ") + index);
    }
}

}  // namespace
}  // namespace engine::spec

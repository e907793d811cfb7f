// Verbs over files alone: projects, code, clusters.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/small_disk.h"
#include "tests/support/temp_dir.h"
#include "verbs_fixture.h"

namespace app::cli {
namespace {

TEST_F(Verbs, ExplainsAnErrorByItsCodeOrItsWords) {
    EXPECT_EQ(run({"explain", "TDM-C001", "--language", "en"}), kDone) << err.str();
    EXPECT_NE(out.str().find("TDM-C001  Two tasks have one address"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("Manual: cluster, TF_CONFIG\nTutorial: "), std::string::npos) << out.str();
    out.str("");
    EXPECT_EQ(run({"explain", "error: cluster.worker[1]: expected an address of its own, got a:1 as in worker 0", "--language", "ko"}),
              kDone);
    EXPECT_NE(out.str().find("TDM-C001  두 태스크의 주소가 같음"), std::string::npos) << out.str();
    out.str("");
    EXPECT_EQ(run({"explain", "c001", "--json", "--language", "zh_CN"}), kDone);
    EXPECT_EQ(nlohmann::json::parse(out.str()).at("title"), "两个任务地址相同");
    for (const char* printed :
         {"(TDM-W003)", "TDM-W003,", "TDM-W003: foo", "\n  tdm-w003 \n", "Epoch 1/2\nerror: no such thing (TDM-W003)\n"}) {
        out.str("");
        EXPECT_EQ(run({"explain", printed, "--language", "en"}), kDone) << printed;
        EXPECT_EQ(out.str().substr(0, 8), "TDM-W003") << printed;
    }
    err.str("");
    EXPECT_EQ(run({"explain", ""}), kUsage);
    EXPECT_EQ(err.str(),
              "error: CODE: expected a code such as TDM-C001, or an error as it was printed (tandem-cli explain lists the codes), "
              "got an empty text\n");
    err.str("");
    EXPECT_EQ(run({"explain", "nonsense\n"}), kUsage);
    EXPECT_EQ(err.str().find('\n'), err.str().size() - 1) << "one line, behind which its code stands: " << err.str();
    EXPECT_EQ(run({"explain", "TDM-C999"}), kUsage);
    EXPECT_NE(err.str().find("TDM-C999: expected a code such as TDM-C001"), std::string::npos) << err.str();
}

TEST_F(Verbs, ChecksOnlyWhatIsThere) {
    EXPECT_EQ(run({"check", "nosuch.tandem"}), kUsage);
    EXPECT_NE(err.str().find("nosuch.tandem: expected a file or a starter project"), std::string::npos) << err.str();
    EXPECT_NE(err.str().find("found neither"), std::string::npos) << err.str();
    EXPECT_EQ(out.str(), "");
}

TEST_F(Verbs, AFullDiskLeavesTheEarlierFile) {
    const tests::support::TempDir folder;
    const auto path = folder.path() / "train.py";
    std::ofstream(path) << "earlier";
    {
        const tests::support::SmallDisk disk(100);
        EXPECT_EQ(run({"export", "code", "mnist_mirrored", "--out", path.string()}), kFailed);
    }
    EXPECT_NE(err.str().find(path.string() + ": could not be written: File too large"), std::string::npos) << err.str();
    std::string text;
    std::getline(std::ifstream(path), text);
    EXPECT_EQ(text, "earlier");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "nothing is left behind";
    EXPECT_EQ(run({"export", "code", "mnist_mirrored", "--out", path.string()}), kDone) << err.str();
    EXPECT_GT(std::filesystem::file_size(path), 1000u);
    const auto link = folder.path() / "link.py";
    std::filesystem::create_symlink(path, link);
    std::ofstream(path) << "earlier";
    EXPECT_EQ(run({"export", "code", "mnist_mirrored", "--out", link.string()}), kDone) << err.str();
    EXPECT_TRUE(std::filesystem::is_symlink(link)) << "what it points to is written";
    EXPECT_GT(std::filesystem::file_size(path), 1000u);
}

TEST_F(Verbs, DrawsTheLayersOfAProjectForGraphviz) {
    const tests::support::TempDir folder;
    const std::string file = folder.path() / "model.dot";
    EXPECT_EQ(run({"export", "diagram", "mnist_mirrored", "--out", file}), kDone) << err.str();
    EXPECT_EQ(out.str(), file + "\n");
    EXPECT_EQ(run({"export", "diagram", "mnist_mirrored", "--rankdir", "LR", "--no-shapes", "--no-activations", "--no-params"}), kDone);
    EXPECT_NE(out.str().find("rankdir=LR;"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("layer0 [label=\"conv2d (Conv2D)\"];"), std::string::npos) << out.str();
    EXPECT_EQ(run({"export", "diagram", "mnist_mirrored", "--rankdir", "BT"}), kUsage);
    EXPECT_EQ(run({"export", "diagram", "no_such_project"}), kUsage);
    EXPECT_EQ(run({"export", "diagram", "mnist_mirrored", "--out", folder.path().string()}), kFailed);
}

TEST_F(Verbs, WritesAProjectAsCodeAndReadsItBack) {
    EXPECT_EQ(run({"export", "code", "mnist_mirrored", "--set", "fit.epochs=3"}), kDone) << err.str();
    EXPECT_NE(out.str().find("keras.Sequential(["), std::string::npos);
    EXPECT_NE(out.str().find("epochs=3"), std::string::npos);
    const tests::support::TempDir folder;
    const std::string code = folder.path() / "model.py", project = folder.path() / "model.tandem";
    std::ofstream(code) << out.str();
    EXPECT_EQ(run({"import", code, "--out", project}), kDone) << err.str();
    std::ifstream file(project);
    const auto report = spec::parseProject(std::string{std::istreambuf_iterator<char>(file), {}});
    EXPECT_EQ(report.diagnostics, spec::Diagnostics());
    EXPECT_EQ(report.run.model.layers.size(), 5U);
    EXPECT_EQ(report.run.fit.epochs, 3);
    EXPECT_EQ(run({"import", code, "--out", project}), kFailed) << "nothing is overwritten";
    std::ofstream(code) << "model = keras.Sequential([\n  layers.Dense(3\n";
    EXPECT_EQ(run({"import", code, "--out", (folder.path() / "other.tandem").string()}), kFailed);
    EXPECT_NE(err.str().find("line 2, column 15: expected a bracket"), std::string::npos) << err.str();
}

TEST_F(Verbs, WritesAProjectOfCodeWithErrorsAndEndsWithOne) {
    const tests::support::TempDir folder;
    const std::string code = folder.path() / "model.py", project = folder.path() / "model.tandem";
    std::ofstream(code) << "(x, y), _ = keras.datasets.nosuch.load_data()\n"
                           "model = keras.Sequential([keras.layers.Dense(10, input_shape=(4,))])\n";
    EXPECT_EQ(run({"import", code, "--out", project}), kFailed);
    EXPECT_NE(err.str().find("got nosuch"), std::string::npos) << err.str();
    EXPECT_NE(err.str().find(project + ": is written, and does not train before its errors are mended"), std::string::npos) << err.str();
    EXPECT_TRUE(std::filesystem::exists(project));
}

TEST_F(Verbs, ImportsTheCodeOfADocumentAndSaysTheRest) {
    const tests::support::TempDir folder;
    const std::string page = folder.path() / "page.md", project = folder.path() / "page.tandem";
    const std::string code = "model = keras.Sequential([layers.Dense(3, input_shape=(4,))])\nmodel.compile('sgd', 'mse')\nprint(history)\n";
    std::ofstream(page) << "# A model\n\nIt has one layer.\n\n```python\n" << code << "```\n";
    EXPECT_EQ(run({"import", page, "--out", project}), kDone) << err.str();
    EXPECT_EQ(err.str(), "note: " + page + ": 1 block of code: lines 6-8; the 4 other lines are left\n" +  //
                             "note: " + page + ": kept as text, no part of the model: lines 8\n" +         //
                             "warning: " + page +
                             ": expected a data set that is known here, got none: the project has mnist, shuffle 10000, " +
                             "batches of 64 per replica\n" +  //
                             "warning: " + page + ": expected fit(), got none: the project has 1 epoch\n" +
                             err.str().substr(std::min(err.str().find("error: "), err.str().size())));
    EXPECT_EQ(run({"export", "code", project}), kDone);
    EXPECT_NE(out.str().find(code), std::string::npos) << out.str();
    EXPECT_EQ(out.str().find("```"), std::string::npos);
    EXPECT_EQ(out.str().find("one layer"), std::string::npos);
    // Of a notebook cells are named.
    const std::string notebook = folder.path() / "page.ipynb";
    std::ofstream(notebook) << R"json({"cells": [{"cell_type": "markdown", "source": "x"}, {"cell_type": "code", "source": ["a = 1\n",
        "model = keras.Sequential([layers.Nothing(3)])"]}]})json";
    EXPECT_EQ(run({"import", notebook, "--out", (folder.path() / "other.tandem").string()}), kFailed);
    EXPECT_NE(err.str().find(notebook + ": cell 2, line 2, column 27: expected a layer of class"), std::string::npos) << err.str();
}

TEST_F(Verbs, SummarizesAProject) {
    EXPECT_EQ(run({"summary", "mnist_mirrored"}), kDone) << err.str();
    EXPECT_NE(out.str().find("Total params: 347,146 (1.32 MB)"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("541,440"), std::string::npos) << out.str();
}

TEST_F(Verbs, ChecksATfConfig) {
    const tests::support::TempDir folder;
    const auto check = [&](const std::string& text) {
        const std::string path = (folder.path() / "tf_config.json").string();
        std::ofstream(path) << text;
        return run({"check", path});
    };
    EXPECT_EQ(check(R"({"cluster": {"worker": ["localhost:12345", "localhost:23456"]}, "task": {"type": "worker", "index": 0}})"), kDone)
        << out.str();
    EXPECT_EQ(check(R"({"cluster": {"worker": ["localhost:12345"]}, "task": {"type": "worker", "index": 1}})"), kFailed);
    EXPECT_EQ(check(""), kUsage);
    EXPECT_EQ(check("[]"), kUsage);
}

TEST_F(Verbs, ChecksAProjectWithItsValuesChanged) {
    const tests::support::TempDir folder;
    const std::string project = (folder.path() / "p.tandem").string();
    std::filesystem::copy_file(TANDEM_RESOURCES "/templates/mnist_mirrored.tandem", project);
    EXPECT_EQ(run({"check", project}), kDone) << out.str();
    EXPECT_EQ(run({"check", project, "--set", "fit.epochs=0"}), kFailed);
    EXPECT_NE(out.str().find("fit.epochs: expected at least 1"), std::string::npos) << out.str();
    EXPECT_EQ(run({"check", project, "--set", "data.dataset=cifar10"}), kFailed);
    EXPECT_NE(out.str().find("model.input_shape: expected as many values as a sample of cifar10 has, (32, 32, 3), got (28, 28, 1)"),
              std::string::npos)
        << out.str();
    EXPECT_EQ(run({"check", project, "--set", "fit.epoch=1"}), kFailed);
    for (const char* verb : {"check", "train"}) {
        for (const char* malformed : {"fit.epochs", "=3", "fit..epochs=3", "model.layers[x].units=3"}) {
            err.str({});
            out.str({});
            EXPECT_EQ(run({verb, project, "--set", malformed}), kUsage) << verb << ' ' << malformed;
            EXPECT_NE((out.str() + err.str()).find("expected a "), std::string::npos) << out.str() << err.str();
        }
    }
    EXPECT_TRUE(agent.submitted.empty());
    const std::string hosts = (folder.path() / "hosts").string();
    std::ofstream(hosts) << "node1\n";
    EXPECT_EQ(run({"check", hosts, "--set", "fit.epochs=1"}), kUsage);
    EXPECT_NE(err.str().find("--set: expected a project"), std::string::npos) << err.str();
}

TEST_F(Verbs, ChecksAHostfileAndMendsATfConfig) {
    const tests::support::TempDir folder;
    const auto write = [&](const char* name, const std::string& text) {
        std::ofstream(folder.path() / name) << text;
        return (folder.path() / name).string();
    };
    EXPECT_EQ(run({"check", write("hosts", "node1 slots=2\nnode2\n")}), kDone) << out.str();
    EXPECT_NE(out.str().find(R"("worker": ["node1:12345", "node1:12346", "node2:12345"])"), std::string::npos) << out.str();
    EXPECT_EQ(run({"check", write("wrong", "node1 slots=0\n")}), kFailed);
    EXPECT_EQ(run({"check", write("slurm", "SLURM_JOB_NODELIST=n[1-2]\n"), "--port", "2222"}), kDone);
    EXPECT_NE(out.str().find(R"("worker": ["n1:2222", "n2:2222"])"), std::string::npos) << out.str();
    EXPECT_EQ(run({"check", "--fix", write("c.json", R"({"cluster": {"worker": ["a:1"]}, "task": {"type": "worker", "index": 3}})")}),
              kFailed);
    EXPECT_NE(out.str().find(R"({"cluster": {"worker": ["a:1"]}, "task": {"type": "worker", "index": 0}})"), std::string::npos)
        << out.str();
}

TEST_F(Verbs, ExportsTheTfConfigOfAHostfile) {
    const tests::support::TempDir folder;
    const std::string hosts = (folder.path() / "hosts").string(), to = (folder.path() / "out").string();
    std::ofstream(hosts) << "node1\nnode2\n";
    EXPECT_EQ(run({"export", "tf-config", "--cluster", hosts, "--port", "2222", "--out", to}), kDone) << err.str();
    std::stringstream text;
    text << std::ifstream(folder.path() / "out" / "worker-1.json").rdbuf();
    EXPECT_EQ(text.str(),
              "{\n  \"cluster\": {\n    \"worker\": [\n      \"node1:2222\",\n      \"node2:2222\"\n    ]\n  },\n"
              "  \"task\": {\"type\": \"worker\", \"index\": 1}\n}\n");
    EXPECT_EQ(run({"export", "tf-config"}), kUsage);
    std::ofstream(hosts) << "node@1\n";
    EXPECT_EQ(run({"export", "tf-config", "--cluster", hosts, "--out", to}), kFailed);
}

TEST_F(Verbs, ListsWhatWorksWithWhat) {
    EXPECT_EQ(run({"strategies"}), kDone);
    EXPECT_NE(out.str().find("tf.estimator was removed"), std::string::npos);
    EXPECT_EQ(run({"strategies", "mnist_multi_worker"}), kDone);
    EXPECT_NE(out.str().find("* MultiWorkerMirroredStrategy"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("- ParameterServerStrategy: needs a ps task"), std::string::npos) << out.str();
    const std::string tpu =
        "  TPUStrategy: One process; removes the 2 tasks. A TPU is trained on by the exported script, since no PJRT plug-in runs a project "
        "in this version.\n";
    EXPECT_NE(out.str().find(tpu), std::string::npos) << out.str();
}

TEST_F(Verbs, APipeADeviceOrAFolderIsNoTextAndIsNotWaitedFor) {
    const tests::support::TempDir folder;
    const std::string pipe = (folder.path() / "pipe").string(), code = (folder.path() / "pipe.py").string(),
                      project = (folder.path() / "pipe.tandem").string();
    for (const std::string& one : {pipe, code, project}) {
        ASSERT_EQ(::mkfifo(one.c_str(), 0600), 0);
    }
    const auto refused = [&](const std::vector<std::string>& arguments, const std::string& message) {
        err.str("");
        EXPECT_EQ(run(arguments), kUsage) << message;
        EXPECT_NE(err.str().find("error: " + message), std::string::npos) << err.str();
    };
    refused({"check", pipe}, pipe + ": expected a file, got a pipe");
    refused({"check", project}, project + ": expected a file, got a pipe");
    refused({"check", "/dev/zero"}, "/dev/zero: expected a file, got a device");
    refused({"check", folder.path().string()}, folder.path().string() + ": expected a file, got a folder");
    refused({"export", "tf-config", "--cluster", pipe, "--out", folder.path().string()}, pipe + ": expected a file, got a pipe");
    refused({"import", code, "--out", (folder.path() / "new.tandem").string()}, code + ": expected a file, got a pipe");
    refused({"summary", project}, project + ": expected a project file");
}

}  // namespace
}  // namespace app::cli

// SPDX-License-Identifier: GPL-3.0-or-later
// How smooth Monitor stays: the time of a frame while twenty series of a million points are panned and zoomed, and of a turn of the
// window's thread while 64 tasks send a hundred events a second each, through the session's own link to the agent, onto the real page.
//   monitor_bench frames --series 20 --points 1000000 --frames 300
//   monitor_bench ingest --tasks 64 --rate 100 --seconds 60 [--each]
//   monitor_bench events --series 20 --points 1000000 [--tensorflow-2]      (event files of another program, opened and panned)
// Prints JSON objects, one a measurement. Needs a display or QT_QPA_PLATFORM=offscreen.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "frames.h"
#include "ingest.h"
#include "open_events.h"
#include "turn_times.h"

int main(int argc, char** argv) {
    tests::bench::TimedApplication application(argc, argv);
    CLI::App app("Monitor's charts and records under load");
    app.require_subcommand(1);
    tests::bench::FrameOptions frames;
    tests::bench::IngestOptions ingest;
    CLI::App* draw = app.add_subcommand("frames", "pan and zoom");
    draw->add_option("--series", frames.series)->capture_default_str();
    draw->add_option("--points", frames.points, "of each series")->capture_default_str();
    draw->add_option("--frames", frames.frames)->capture_default_str();
    CLI::App* take = app.add_subcommand("ingest", "events of many tasks");
    take->add_option("--tasks", ingest.tasks)->capture_default_str();
    take->add_option("--rate", ingest.rate, "events a second of each task")->capture_default_str();
    take->add_option("--seconds", ingest.seconds)->capture_default_str();
    take->add_flag("--each", ingest.each, "a curve for each worker");
    tests::bench::OpenEventsOptions events;
    CLI::App* open = app.add_subcommand("events", "a folder of event files, opened");
    open->add_option("--series", events.series)->capture_default_str();
    open->add_option("--points", events.points, "of each series")->capture_default_str();
    open->add_option("--frames", events.frames)->capture_default_str();
    open->add_flag("--tensorflow-2", events.of_tensorflow_2, "as tf.summary writes them; else as PyTorch");
    CLI11_PARSE(app, argc, argv);
    if (open->parsed()) return measureOpenEvents(events);
    return draw->parsed() ? measureFrames(frames) : measureIngest(application, ingest);
}

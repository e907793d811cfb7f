#!/usr/bin/python3
"""systemctl, loginctl and systemd-run of a systemd that is none, by the name under which it is called. MADE_UP_MANAGER, MADE_UP_LINGER and
MADE_UP_RUN say what they answer; each call's words are a line of JSON in MADE_UP_NOTES."""
import json
import os
import socket
import subprocess
import sys
import tempfile

name = os.path.basename(sys.argv[0])
with open(os.environ["MADE_UP_NOTES"], "a", encoding="utf-8") as notes:
    notes.write(json.dumps([name, *sys.argv[1:]]) + "\n")
if name == "systemctl":
    sys.exit(0 if os.environ.get("MADE_UP_MANAGER", "here") == "here" else "Failed to connect to bus: No medium found")
if name == "loginctl":
    print(os.environ.get("MADE_UP_LINGER", "yes"))
    sys.exit(0)
if os.environ.get("MADE_UP_RUN", "starts") != "starts":
    sys.exit("Failed to start transient service unit")

# A service of the type "notify": the call ends when the program has said that it is ready, or has ended.
words = sys.argv[1:sys.argv.index("--")]
values = dict(word.removeprefix("--property=").split("=", 1) for word in words if word.startswith("--property="))
names = {word.removeprefix("--setenv=") for word in words if word.startswith("--setenv=")}
with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
    told.bind(f"{folder}/notify")
    told.settimeout(0.2)
    log = open(values["StandardError"].removeprefix("append:"), "a", encoding="utf-8")
    environment = {key: value for key, value in os.environ.items() if key in names}
    service = subprocess.Popen(sys.argv[sys.argv.index("--") + 1:], env={**environment, "NOTIFY_SOCKET": f"{folder}/notify", "MADE_UP_UNIT": "yes"}, cwd="/",
                               stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    while service.poll() is None:
        try:
            if told.recv(100) == b"READY=1":
                sys.exit(0)  # the service goes on
        except TimeoutError:
            pass
sys.exit("Job for the service failed")

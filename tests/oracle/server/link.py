"""link.py - the two that are compared: llama-server and replay, as children

SPDX-License-Identifier: MIT
"""
import http.client
import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
START_SECONDS = 60


class Server:
    """llama-server on a model; ended with the block it is used in."""

    def __init__(self, model, log):
        self.log = open(log, "w")
        self.child = subprocess.Popen(
            [sys.executable, "-B", os.path.join(HERE, "serve.py"), model],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
            text=True)

    def __enter__(self):
        address = self.child.stdout.readline().strip()
        if not address:
            sys.exit(f"oracle/server: no server came up, see {self.log.name}")
        self.http = http.client.HTTPConnection(address.split("//")[-1],
                                               timeout=120)
        until = time.monotonic() + START_SECONDS
        while self.get("/health")[0] != 200:
            if time.monotonic() > until:
                sys.exit(f"oracle/server: not ready, see {self.log.name}")
            time.sleep(0.05)
        return self

    def __exit__(self, *_):
        self.child.stdin.close()
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.child.kill()
        self.log.close()

    def answer(self):
        response = self.http.getresponse()
        text = response.read()
        if response.headers["Content-Type"] == "text/event-stream":
            text = [line for line in text.splitlines()  # the last has it all
                    if line.startswith(b"data: {")][-1][len("data: "):]
            self.http.close()
        return response.status, json.loads(text)

    def get(self, path):
        try:
            self.http.request("GET", path)
            return self.answer()
        except (OSError, http.client.HTTPException):
            self.http.close()
            return 0, None

    def post(self, path, text):
        """text: the body as it is sent; its status and its JSON."""
        for attempt in range(2):
            try:
                self.http.request("POST", path, text.encode(),
                                  {"Content-Type": "application/json"})
                return self.answer()
            except (OSError, http.client.HTTPException) as error:
                self.http.close()  # it closes connections after some answers
                if self.child.poll() is not None or attempt > 0:
                    sys.exit(f"oracle/server: llama-server ended ({error}) "
                             f"at {text}")


class Replay:
    """replay.c: a line in, a line out."""

    def __init__(self, program, model, rows):
        self.child = subprocess.Popen([program, model, rows],
                                      stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.child.stdin.close()
        if self.child.wait() != 0 and kind is None:
            sys.exit(f"oracle/server: replay ended with "
                     f"{self.child.returncode}")

    def ask(self, line):
        assert "\n" not in line
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()
        answer = self.child.stdout.readline()
        if not answer:
            sys.exit(f"oracle/server: replay ended at: {line[:2000]}")
        return answer.rstrip("\n")

    def done(self, line):
        """Asks; what was refused, or None."""
        answer = self.ask(line)
        return None if answer == "ok" else answer

    def get(self, name):
        answer = self.ask("get " + name)
        return json.loads(answer) if not answer.startswith("no ") else None

"""A cable between two network devices, with a length, a width and losses, for kernels without netem:

    link_shaper.py NEAR FAR DELAY_S BYTES_PER_S LOSS     every frame that comes in at one device leaves at the other; 0 bytes a second: any number
    link_shaper.py DEVICE whole|large                    whether the kernel sends whole frames of the device's MTU, with their checksums

It prints "ready" once it passes frames on, and runs until it is killed. A frame waits its turn, then its delay; one that would wait longer
than BUFFER_S for its turn is dropped, as a switch drops it. Both devices have to get whole frames: else the kernel hands over what it would leave
to a network card, up to 64 KiB at once and without checksums.
"""
import collections
import ctypes
import fcntl
import random
import select
import socket
import struct
import sys
import time

BUFFER_S = 0.25
MOST_BYTES = (1 << 16) + 64
AT_ONCE = 64
ALL_PROTOCOLS = 3
SOL_PACKET = 263
PACKET_IGNORE_OUTGOING = 23
SO_RCVBUFFORCE = 33
RECEIVE_BUFFER_BYTES = 1 << 25
SIOCETHTOOL = 0x8946
ETHTOOL_STXCSUM = 0x17  # What has no checksums can't be left to be cut, either: TSO goes with it.


def open_device(name):
    device = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    device.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    device.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, RECEIVE_BUFFER_BYTES)
    device.setblocking(False)
    device.bind((name, ALL_PROTOCOLS))
    return device


class Direction:
    """Frames on their way from one device to the other."""

    def __init__(self, source, sink, delay_s, bytes_per_s, loss):
        self.source, self.sink = source, sink
        self.delay_s, self.bytes_per_s, self.loss = delay_s, bytes_per_s, loss
        self.waiting = collections.deque()  # each with the time at which it arrives
        self.free_at = 0.0  # when the last one will have left

    def take(self):
        for _ in range(AT_ONCE):
            try:
                frame = self.source.recv(MOST_BYTES)
            except OSError:  # Nothing is left, or the device is down.
                return
            now = time.monotonic()
            leaves_at = max(now, self.free_at) + (len(frame) / self.bytes_per_s if self.bytes_per_s else 0.0)
            if random.random() >= self.loss and leaves_at - now <= BUFFER_S:
                self.free_at = leaves_at
                self.waiting.append((leaves_at + self.delay_s, frame))

    def give(self):
        while self.waiting and self.waiting[0][0] <= time.monotonic():
            try:
                self.sink.send(self.waiting.popleft()[1])
            except OSError:  # The device is down: the frame is lost, as in a cable that was pulled out.
                pass


def pass_on(near, far, *shape):
    near, far = open_device(near), open_device(far)
    directions = [Direction(near, far, *shape), Direction(far, near, *shape)]
    print("ready", flush=True)
    while True:
        next_due = min((direction.waiting[0][0] for direction in directions if direction.waiting), default=None)
        readable, _, _ = select.select([near, far], [], [], None if next_due is None else max(0.0, next_due - time.monotonic()))
        for direction in directions:
            if direction.source in readable:
                direction.take()
            direction.give()


def send_whole_frames(device, whole):
    value = ctypes.create_string_buffer(struct.pack("II", ETHTOOL_STXCSUM, 0 if whole else 1))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCETHTOOL, struct.pack("16sP", device.encode(), ctypes.addressof(value)))


if __name__ == "__main__":
    if sys.argv[2] in ("whole", "large"):
        send_whole_frames(sys.argv[1], sys.argv[2] == "whole")
    else:
        pass_on(sys.argv[1], sys.argv[2], *map(float, sys.argv[3:]))

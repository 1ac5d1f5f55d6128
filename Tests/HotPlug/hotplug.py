"""Plugs every supported USB device into a mock machine and out again, one after the other.

Run by HotPlugTests under umockdev-wrapper:

    umockdev-wrapper /usr/bin/python3 hotplug.py NFC-SESSION ID[:KIND]...

KIND is the tty that an adapter gets ("ttyUSB0"), "closed" for a reader whose node is then closed to everybody, and
nothing for others. Prints what `readers --watch --json` says, one line for each line of the tool, and "--" after
the events of a device. What a device does not make the tool say within ten seconds is not waited for.
"""

import os
import queue
import shutil
import subprocess
import sys
import threading

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402

BUS = "/devices/pci0000:00/0000:00:14.0/usb1"


def descriptors(vendor, product):
    """A device descriptor, and a configuration of one interface of the vendor's own class (USB 2.0, 9.6)."""
    device = bytes([18, 1, 0, 2, 0, 0, 0, 64]) + vendor.to_bytes(2, "little") + product.to_bytes(2, "little")
    device += bytes([0, 1, 0, 0, 0, 1])
    return device + bytes([9, 2, 18, 0, 1, 1, 0, 0x80, 50, 9, 4, 0, 0, 0, 0xFF, 0, 0, 0])


def plug(testbed, identifier, tty, number):
    """Plugs the device into the socket `1-NUMBER`, with its interface and serial port."""
    vendor, product = (int(half, 16) for half in identifier.split(":"))
    address = 10 + number
    path = f"{BUS}/1-{number}"
    testbed.add_from_string(
        f"P: {path}\n"
        f"N: bus/usb/001/{address:03}\n"
        "E: SUBSYSTEM=usb\n"
        "E: DEVTYPE=usb_device\n"
        f"E: DEVNAME=/dev/bus/usb/001/{address:03}\n"
        "E: BUSNUM=001\n"
        f"E: DEVNUM={address:03}\n"
        f"E: PRODUCT={vendor:x}/{product:x}/100\n"
        f"A: idVendor={vendor:04x}\n"
        f"A: idProduct={product:04x}\n"
        "A: busnum=1\n"
        f"A: devnum={address}\n"
        "A: bConfigurationValue=1\n"
        "A: speed=12\n"
        f"H: descriptors={descriptors(vendor, product).hex().upper()}\n"
    )
    if tty:
        interface = f"{path}/1-{number}:1.0"
        testbed.add_from_string(
            f"P: {interface}\nE: SUBSYSTEM=usb\nE: DEVTYPE=usb_interface\n"
            "A: bInterfaceNumber=00\nL: driver=../../../../../../bus/usb/drivers/mock\n"
        )
        testbed.add_from_string(
            f"P: {interface}/tty/{tty}\nN: {tty}\nE: SUBSYSTEM=tty\nE: DEVNAME=/dev/{tty}\n"
            f"A: dev=188:{number}\nL: device=../../../" + f"1-{number}:1.0\n"
        )
    return path


def main():
    tool, devices = sys.argv[1], sys.argv[2:]
    testbed = UMockdev.Testbed.new()
    os.umask(0)
    # A hub to plug into, so that the machine has USB before the tool starts.
    testbed.add_from_string(
        f"P: {BUS}\nN: bus/usb/001/001\nE: SUBSYSTEM=usb\nE: DEVTYPE=usb_device\nE: DEVNAME=/dev/bus/usb/001/001\n"
        "E: BUSNUM=001\nE: DEVNUM=001\nA: idVendor=1d6b\nA: idProduct=0002\nA: busnum=1\nA: devnum=1\n"
        f"A: bConfigurationValue=1\nA: speed=480\nH: descriptors={descriptors(0x1D6B, 2).hex().upper()}\n"
    )
    stranger = {}
    if os.geteuid() == 0:
        # To root every node is open; so the tool runs as nobody, in a mock machine that nobody can reach, and put
        # its sockets for events into.
        stranger = {"user": 65534, "group": 65534, "extra_groups": []}
        os.chmod(testbed.get_root_dir(), 0o777)
        tool = shutil.copy(tool, testbed.get_root_dir())
    process = subprocess.Popen(
        [tool, "readers", "--watch", "--json"],
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
        **stranger,
    )
    lines = queue.Queue()
    threading.Thread(
        target=lambda: [lines.put(line.strip()) for line in process.stdout], daemon=True
    ).start()

    def say(event):
        """Prints the tool's lines up to the one about `event`."""
        try:
            while True:
                line = lines.get(timeout=10)
                print(line, flush=True)
                if f'"event":"{event}"' in line:
                    return
        except queue.Empty:
            print(f"nothing {event}", flush=True)

    # The first device is there before the tool looks, or just after: both must be told.
    for number, device in enumerate(devices, start=1):
        identifier, kind = device[:9], device[10:]
        path = plug(testbed, identifier, kind if kind.startswith("tty") else "", number)
        say("appeared")
        if kind == "closed":
            os.chmod(f"{testbed.get_root_dir()}/dev/bus/usb/001/{10 + number:03}", 0)
            testbed.uevent(f"/sys{path}", "remove")
            testbed.uevent(f"/sys{path}", "add")
            say("changed")
        testbed.uevent(f"/sys{path}", "remove")
        testbed.remove_device(f"/sys{path}")
        # The kernel tells after it has taken the device from sysfs, the mock before; so the tool may have looked too
        # early, and is made to look again.
        with open(f"{testbed.get_root_dir()}/dev/removed-{number}", "w", encoding="ascii"):
            pass
        say("vanished")
        print("--", flush=True)
    process.terminate()
    return 0 if process.wait(timeout=10) == 130 else 1


sys.exit(main())

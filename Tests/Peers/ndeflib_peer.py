"""ndeflib as a judge of the module NDEF: it describes messages, or makes some.

describe: for each line, a message in hexadecimal, writes its records as they are, what they mean, and the message that
ndeflib makes of them. make SEED COUNT: writes messages of its own, what is in them, and what that means.
"""

import random
import sys

import ndef


def text(value):
    return value.encode("utf-8").hex()


def plain(record):
    tnf, kind = ndef.Record._encode_type(record.type)
    return ":".join([str(tnf), kind.hex(), record.name.encode("latin").hex(), bytes(record.data).hex()])


def carrier(entry):
    words = [entry.carrier_power_state, text(entry.carrier_data_reference)]
    return ",".join(words + [text(other) for other in entry.auxiliary_data_reference])


def meaning(record):
    kind = type(record).__name__
    if kind == "UriRecord":
        return "U:" + text(record.iri)
    if kind == "TextRecord":
        return "T:%s:%s" % (record.language, text(record.text))
    if kind == "SmartposterRecord":
        titles = sorted(language + "=" + text(title) for language, title in record.titles.items())
        return ":".join([
            "Sp", text(record.resource.iri), ",".join(titles), str(record.action),
            str(record.resource_size), str(record.resource_type),
            ",".join(text(icon.type) + "=" + bytes(icon.data).hex() for icon in record.icon_records),
        ])
    if kind in ("HandoverSelectRecord", "HandoverRequestRecord"):
        extra = (
            str(record.error and record.error.error_reason) if kind == "HandoverSelectRecord"
            else str(record.collision_resolution_number)
        )
        return ":".join([kind[8:10], "%02x" % record.hexversion,
                         ";".join(map(carrier, record.alternative_carriers)), extra])
    if kind == "BluetoothEasyPairingRecord":
        return "ep:%s:%s" % (text(record.device_address.addr), text(record.device_name))
    if kind == "BluetoothLowEnergyRecord":
        address = record.device_address
        return "le:%s:%s:%s:%s:%s" % (text(address.addr), address.type, record.role_capabilities,
                                      text(record.device_name), record.appearance and record.appearance[0])
    return "-"


def typed(record):
    """The record decoded by its type, as if it stood alone: inside a handover message ndeflib knows fewer types."""
    return next(ndef.message_decoder(b"".join(ndef.message_encoder([record]))))


def joined(records):
    """ndeflib hands out chunks as they come: put them together (NDEF 1.0, 2.3.3)."""
    whole = []
    for record in records:
        if record.type == "unchanged" and whole:
            whole[-1].data.extend(record.data)
        else:
            whole.append(record)
    return whole


def describe():
    for line in sys.stdin:
        try:
            records = joined(ndef.message_decoder(bytes.fromhex(line), "strict", {}))
            print(" ".join(map(plain, records)), " ".join(meaning(typed(r)) for r in records),
                  b"".join(ndef.message_encoder(records)).hex(), sep="|")
        except Exception as error:
            print("error", repr(error))


def make(seed, count):
    rng = random.Random(seed)

    def some(limit):
        return bytes(rng.randrange(256) for _ in range(rng.choice([0, 1, 8, limit])))

    def words():
        return "".join(rng.choice("abc déß鍵 /:?=&.😀") for _ in range(rng.randrange(1, 20)))

    def name():
        return "".join(rng.choice("abcdefgh01") for _ in range(rng.choice([0, 0, 1, 5])))

    def uri():
        return rng.choice(ndef.UriRecord._prefix_strings + ("x:", "HTTP://")) + words()

    def carriers():
        states = ["inactive", "active", "activating", "unknown"]
        return [(rng.choice(states), "a" + name(), *("b" + name() for _ in range(rng.randrange(3))))
                for _ in range(rng.randrange(1, 4))]

    def address():
        return ":".join("%02X" % rng.randrange(256) for _ in range(6))

    def low_energy():
        record = ndef.BluetoothLowEnergyRecord()
        record.device_address = (address(), rng.choice(["public", "random"]))
        record.role_capabilities = rng.choice(record._le_role_table)
        if rng.random() < 0.5:
            record.device_name = words()
        if rng.random() < 0.5:
            record.appearance = rng.randrange(0x10000)
        return record

    def easy_pairing():
        record = ndef.BluetoothEasyPairingRecord(address())
        if rng.random() < 0.5:
            record.device_name = words()
        return record

    def poster():
        languages = rng.sample(["en", "de", "fr-CA", "ja"], rng.randrange(4))
        return ndef.SmartposterRecord(
            uri(), dict((language, words()) for language in languages),
            rng.choice([None, "exec", "save", "edit"]), rng.choice([None, {"image/png": some(300)}]),
            rng.choice([None, rng.randrange(1 << 32)]), rng.choice([None, "text/html"]))

    kinds = [
        lambda: ndef.Record(),
        lambda: ndef.Record("unknown", name(), some(600)),
        lambda: ndef.Record("urn:nfc:wkt:" + rng.choice(["x", "Zz", "Sig"]), name(), some(600)),
        lambda: ndef.Record(rng.choice(["text/plain", "image/svg+xml"]), name(), some(600)),
        lambda: ndef.Record("http://example.com/" + name(), name(), some(600)),
        lambda: ndef.Record("urn:nfc:ext:example.com:" + rng.choice(["a", "Thing"]), name(), some(600)),
        lambda: ndef.UriRecord(uri()),
        lambda: ndef.TextRecord(words(), rng.choice(["en", "fr-CA"]), rng.choice(["UTF-8", "UTF-16"])),
        poster, easy_pairing, low_energy,
        lambda: ndef.HandoverSelectRecord("1.%d" % rng.randrange(2, 6),
                                          rng.choice([None, (2, 77)]), *carriers()),
        lambda: ndef.HandoverRequestRecord("1.%d" % rng.randrange(2, 6), rng.randrange(0x10000), *carriers()),
    ]
    for _ in range(count):
        records = [rng.choice(kinds)() for _ in range(rng.randrange(1, 5))]
        print(b"".join(ndef.message_encoder(records)).hex(), " ".join(map(plain, records)),
              " ".join(map(meaning, records)), sep="|")


if __name__ == "__main__":
    describe() if sys.argv[1] == "describe" else make(int(sys.argv[2]), int(sys.argv[3]))

"""A second implementation of the canonical encoding, to check the vectors with.

Usage: python3 check_encoding.py encoding.json
"""
import hashlib
import json
import sys
import unicodedata


def u32(number):
    return number.to_bytes(4, "big")


def sized(content):
    return u32(len(content)) + content


def encode(shape, value):
    kind = shape["kind"]
    if kind == "bytes":
        return b"\x01" + sized(bytes.fromhex(value))
    if kind == "text":
        if unicodedata.normalize("NFC", value) != value:
            raise ValueError("text is not in NFC")
        return b"\x02" + sized(value.encode("utf-8"))
    if kind == "uint":
        number = int(value)
        return b"\x03" + sized(number.to_bytes((number.bit_length() + 7) // 8, "big"))
    if kind == "bool":
        return b"\x05" if value else b"\x04"
    if kind == "optional":
        return b"\x06" if value is None else encode(shape["inner"], value)
    if kind == "list":
        return b"\x07" + u32(len(value)) + b"".join(encode(shape["item"], each) for each in value)
    if kind == "struct":
        return encode_struct(shape, value)
    if kind == "union":
        return encode_struct(shape["variants"][value["kind"]], value)
    raise ValueError("unknown kind " + kind)


def encode_struct(shape, value):
    body = b"".join(encode(field, value[name]) for name, field in shape["fields"])
    return b"\x08" + sized(shape["tag"].encode("utf-8")) + u32(len(shape["fields"])) + body


def main(path):
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)["vectors"]
    for vector in vectors:
        encoded = encode(vector["shape"], vector["value"])
        if encoded.hex() != vector["encoded"]:
            sys.exit(f"{vector['name']}: {encoded.hex()} is not {vector['encoded']}")
        if "sha256" in vector and hashlib.sha256(encoded).hexdigest() != vector["sha256"]:
            sys.exit(f"{vector['name']}: the digest differs")
    print(f"{len(vectors)} vectors agree")


main(sys.argv[1])

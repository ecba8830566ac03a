"""A second implementation of what recovers a key: it opens nothing that is sealed, but from the plain share packages of a kit it rebuilds the secret, the public key and the addresses.

Usage: python3 check_recovery.py recovery.json

Only the standard library. Sources: docs/protocol.md, SEC 2 (secp256k1), RFC 8032 (edwards25519), BIP32, BIP341, EIP-55, Keccak (FIPS 202 with the original padding), Shamir 1979.
"""
import hashlib
import hmac
import itertools
import json
import sys


# The canonical encoding, decoded: a struct becomes its tag and the list of its values.
def decode(data):
    value, rest = decode_one(data)
    if rest:
        raise ValueError("bytes left over")
    return value


def decode_one(data):
    kind, data = data[0], data[1:]
    if kind in (4, 5):
        return kind == 5, data
    if kind == 6:
        return None, data
    size, data = int.from_bytes(data[:4], "big"), data[4:]
    if kind in (1, 2, 3):
        content, data = data[:size], data[size:]
        if len(content) != size:
            raise ValueError("cut short")
        return (content, content.decode("utf-8") if kind == 2 else None, int.from_bytes(content, "big"))[kind - 1], data
    if kind == 7:
        return decode_many(size, data)
    if kind == 8:
        tag, data = data[:size].decode("utf-8"), data[size:]
        values, data = decode_many(int.from_bytes(data[:4], "big"), data[4:])
        return (tag, values), data
    raise ValueError("unknown type %d" % kind)


def decode_many(count, data):
    values = []
    for _ in range(count):
        value, data = decode_one(data)
        values.append(value)
    return values, data


def fields(value, tag, names):
    if value[0] != tag or len(value[1]) != len(names):
        raise ValueError("not a " + tag)
    return dict(zip(names, value[1]))


SHARE = "protocol curve genesis keyId parties threshold publicKey verifyingShares commitments chainCode epoch party secretShare".split()
PACKAGE = "genesis party name operator signKey share".split()
PART = "genesis keyId epoch party sealing x y".split()


class Secp256k1:
    """y^2 = x^3 + 7; points are pairs, None is infinity."""

    P = 2**256 - 2**32 - 977
    ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
    G = (
        0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
        0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
    )
    ZERO = None

    @classmethod
    def add(cls, a, b):
        if a is None or b is None:
            return a or b
        if a[0] == b[0]:
            if (a[1] + b[1]) % cls.P == 0:
                return None
            slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, cls.P)
        else:
            slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, cls.P)
        x = (slope * slope - a[0] - b[0]) % cls.P
        return x, (slope * (a[0] - x) - a[1]) % cls.P

    @classmethod
    def pack(cls, point):
        return bytes([2 + point[1] % 2]) + point[0].to_bytes(32, "big")

    @classmethod
    def unpack(cls, data):
        x = int.from_bytes(data[1:], "big")
        y = pow(x**3 + 7, (cls.P + 1) // 4, cls.P)
        if len(data) != 33 or data[0] not in (2, 3) or y * y % cls.P != (x**3 + 7) % cls.P:
            raise ValueError("no point")
        return x, y if y % 2 == data[0] % 2 else cls.P - y

    scalar = staticmethod(lambda data: int.from_bytes(data, "big"))


class Ed25519:
    """-x^2 + y^2 = 1 + d x^2 y^2."""

    P = 2**255 - 19
    ORDER = 2**252 + 27742317777372353535851937790883648493
    D = -121665 * pow(121666, -1, P) % P
    ZERO = (0, 1)

    @classmethod
    def add(cls, a, b):
        (x1, y1), (x2, y2) = a, b
        product = cls.D * x1 * x2 * y1 * y2 % cls.P
        x = (x1 * y2 + x2 * y1) * pow(1 + product, -1, cls.P) % cls.P
        return x, (y1 * y2 + x1 * x2) * pow(1 - product, -1, cls.P) % cls.P

    @classmethod
    def pack(cls, point):
        return (point[1] | (point[0] % 2) << 255).to_bytes(32, "little")

    @classmethod
    def unpack(cls, data):
        whole = int.from_bytes(data, "little")
        y, sign = whole % 2**255, whole >> 255
        square = (y * y - 1) * pow(cls.D * y * y + 1, -1, cls.P) % cls.P
        x = pow(square, (cls.P + 3) // 8, cls.P)
        if (x * x - square) % cls.P != 0:
            x = x * pow(2, (cls.P - 1) // 4, cls.P) % cls.P
        if (x * x - square) % cls.P != 0:
            raise ValueError("no point")
        return x if x % 2 == sign else cls.P - x, y

    scalar = staticmethod(lambda data: int.from_bytes(data, "little"))


Ed25519.G = Ed25519.unpack(((4 * pow(5, -1, Ed25519.P)) % Ed25519.P).to_bytes(32, "little"))


def multiply(curve, point, scalar):
    total = curve.ZERO
    while scalar:
        if scalar & 1:
            total = curve.add(total, point)
        point = curve.add(point, point)
        scalar >>= 1
    return total


def rebuild(curve, shares):
    """Shamir at 0 of shares (party, secret)."""
    total = 0
    for i, share in shares:
        weight = 1
        for j, _ in shares:
            if j != i:
                weight = weight * j * pow(j - i, -1, curve.ORDER) % curve.ORDER
        total += weight * share
    return total % curve.ORDER


def hmac512(key, data):
    return hmac.new(key, data, hashlib.sha512).digest()


# Children, each as (secret, public key as it is verified).
def bip32_child(secret, chain_code, path):
    curve = Secp256k1
    for index in path:
        digest = hmac512(chain_code, curve.pack(multiply(curve, curve.G, secret)) + index.to_bytes(4, "big"))
        secret, chain_code = (secret + int.from_bytes(digest[:32], "big")) % curve.ORDER, digest[32:]
    return secret, curve.pack(multiply(curve, curve.G, secret))


def taproot_child(secret, chain_code, path):
    curve = Secp256k1
    secret, internal = bip32_child(secret, chain_code, path)
    if internal[0] == 3:
        secret = curve.ORDER - secret
    tag = hashlib.sha256(b"TapTweak").digest()
    secret = (secret + int.from_bytes(hashlib.sha256(tag + tag + internal[1:]).digest(), "big")) % curve.ORDER
    return secret, curve.pack(multiply(curve, curve.G, secret))[1:]


def sized(content):
    return len(content).to_bytes(4, "big") + content


def ed25519_child(secret, chain_code, path):
    curve = Ed25519
    for index in path:
        public = curve.pack(multiply(curve, curve.G, secret))
        number = index.to_bytes((index.bit_length() + 7) // 8, "big")

        def keyed(part):
            head = b"\x08" + sized(b"holdfast/mpc/ed25519-child/v1") + (3).to_bytes(4, "big")
            return hmac512(chain_code, head + b"\x02" + sized(part) + b"\x01" + sized(public) + b"\x03" + sized(number))

        secret = (secret + int.from_bytes(keyed(b"tweak"), "little")) % curve.ORDER
        chain_code = keyed(b"chain code")[:32]
    return secret, curve.pack(multiply(curve, curve.G, secret))


SCHEMES = {
    "dkls23/v1": (Secp256k1, bip32_child),
    "frost-ed25519/v1": (Ed25519, ed25519_child),
    "frost-taproot/v1": (Secp256k1, taproot_child),
}


def keccak256(data):
    """Keccak-f[1600] with rate 136 and the padding from before FIPS 202, which hashlib does not have."""
    mask = 2**64 - 1
    turn = lambda word, by: (word << by | word >> (64 - by)) & mask if by else word
    state = [[0] * 5 for _ in range(5)]
    pad = 136 - len(data) % 136
    data += b"\x81" if pad == 1 else b"\x01" + bytes(pad - 2) + b"\x80"
    for start in range(0, len(data), 136):
        for i in range(17):
            state[i % 5][i // 5] ^= int.from_bytes(data[start + 8 * i : start + 8 * i + 8], "little")
        register = 1
        for _ in range(24):
            parity = [state[x][0] ^ state[x][1] ^ state[x][2] ^ state[x][3] ^ state[x][4] for x in range(5)]
            for x, y in itertools.product(range(5), range(5)):
                state[x][y] ^= parity[x - 1] ^ turn(parity[(x + 1) % 5], 1)
            x, y, current = 1, 0, state[1][0]
            for t in range(24):
                x, y = y, (2 * x + 3 * y) % 5
                current, state[x][y] = state[x][y], turn(current, (t + 1) * (t + 2) // 2 % 64)
            for y in range(5):
                row = [state[x][y] for x in range(5)]
                for x in range(5):
                    state[x][y] = row[x] ^ (~row[(x + 1) % 5] & mask & row[(x + 2) % 5])
            for j in range(7):
                if register & 1:
                    state[0][0] ^= 1 << (2**j - 1)
                register = register << 1 ^ (0x171 if register & 0x80 else 0)
    return b"".join(state[i % 5][i // 5].to_bytes(8, "little") for i in range(4))


def evm_address(public):
    x, y = Secp256k1.unpack(public)
    digits = keccak256(x.to_bytes(32, "big") + y.to_bytes(32, "big"))[12:].hex()
    marks = keccak256(digits.encode()).hex()
    return "0x" + "".join(d.upper() if m >= "8" else d for d, m in zip(digits, marks))


def gf_multiply(a, b):
    product = 0
    for bit in range(8):
        if b >> bit & 1:
            product ^= a << bit
    for bit in range(14, 7, -1):
        if product >> bit & 1:
            product ^= 0x11B << (bit - 8)
    return product


def gf_combine(parts):
    out = bytearray(len(parts[0][1]))
    for x, y in parts:
        weight = 1
        for other, _ in parts:
            if other != x:
                inverse = next(i for i in range(1, 256) if gf_multiply(i, other ^ x) == 1)
                weight = gf_multiply(weight, gf_multiply(other, inverse))
        for i, byte in enumerate(y):
            out[i] ^= gf_multiply(weight, byte)
    return bytes(out)


def check(condition, what):
    if not condition:
        sys.exit(what)


def check_key(key):
    curve, child = SCHEMES[key["protocol"]]
    shares = []
    for encoded in key["packages"]:
        package = fields(decode(bytes.fromhex(encoded)), "holdfast/share-package/v1", PACKAGE)
        share = fields(decode(package["share"]), "holdfast/mpc/key-share/v1", SHARE)
        check(share["keyId"].hex() == key["keyId"] and str(share["epoch"]) == key["epoch"] and share["party"] == package["party"], "a share of another key")
        secret = curve.scalar(share["secretShare"])
        verifying = share["verifyingShares"][share["parties"].index(share["party"])]
        check(curve.pack(multiply(curve, curve.G, secret)) == verifying, "a share does not fit its verifying share")
        shares.append((share["party"], secret))
    secrets = {rebuild(curve, pair) for pair in itertools.combinations(shares, 2)} | {rebuild(curve, shares)}
    check(len(secrets) == 1, "pairs of shares rebuild different secrets")
    secret = secrets.pop()
    check(curve.pack(multiply(curve, curve.G, secret)).hex() == key["publicKey"], key["protocol"] + ": another public key")
    for each in key["children"]:
        _, public = child(secret, bytes.fromhex(key["chainCode"]), each["path"])
        check(public.hex() == each["publicKey"], "%s %s: %s is not %s" % (key["protocol"], each["path"], public.hex(), each["publicKey"]))
        check(each["address"] is None or evm_address(public) == each["address"], "%s: another address" % each["path"])
    return len(key["children"])


def check_split(split):
    parts = []
    for encoded in split["parts"]:
        part = fields(decode(bytes.fromhex(encoded)), "holdfast/recovery-part/v1", PART)
        parts.append((part["x"], part["y"]))
    choices = list(itertools.combinations(parts, split["threshold"]))
    for choice in choices:
        check(gf_combine(choice).decode() == split["text"], "parts give another text")
    return len(choices)


def main(path):
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)
    check(keccak256(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470", "keccak")
    children = sum(check_key(key) for key in vectors["keys"])
    choices = sum(check_split(split) for split in vectors["split"])
    print("%d keys rebuilt, %d children and %d choices of officers agree" % (len(vectors["keys"]), children, choices))


if __name__ == "__main__":
    main(sys.argv[1])

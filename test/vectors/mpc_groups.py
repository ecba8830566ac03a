"""The groups of the threshold protocols, for replay_mpc.py. Only the standard library, and nothing here is constant time: it is for vectors, never for a key.

Sources: SEC 1 and SEC 2 (secp256k1), SP 800-186 (P-256), RFC 9380 (hashing to P-256 and to scalars), RFC 8032 and RFC 7748 (the two forms of curve25519).
"""
import hashlib

from check_recovery import Ed25519 as Edwards, Secp256k1 as Secp


class Bad(Exception):
    """Bytes, a check or a result are not what they should be."""


def check(condition, what):
    if not condition:
        raise Bad(what)


class Weierstrass:
    """y^2 = x^3 + A x + B. Points are pairs, None is infinity; inside, (X, Y, Z) with x = X / Z^2 and y = Y / Z^3."""

    little = False
    byte_order = "big"
    point_bytes = 33

    def __init__(self, curve, p, a, b, order, generator):
        self.curve, self.p, self.a, self.b, self.order, self.generator = curve, p, a, b, order, generator
        self.tables = {}

    def double(self, point):
        p = self.p
        x, y, z = point
        yy = y * y % p
        s = 4 * x * yy % p
        m = (3 * x * x + self.a * pow(z, 4, p)) % p
        x3 = (m * m - 2 * s) % p
        return x3, (m * (s - x3) - 8 * yy * yy) % p, 2 * y * z % p

    def join(self, left, right):
        p = self.p
        if left[2] == 0 or right[2] == 0:
            return right if left[2] == 0 else left
        (x1, y1, z1), (x2, y2, z2) = left, right
        z1z1, z2z2 = z1 * z1 % p, z2 * z2 % p
        u1, s1 = x1 * z2z2 % p, y1 * z2 * z2z2 % p
        h, r = (x2 * z1z1 - u1) % p, (y2 * z1 * z1z1 - s1) % p
        if h == 0:
            return self.double(left) if r == 0 else (1, 1, 0)
        hh = h * h % p
        hhh, v = h * hh % p, u1 * hh % p
        x3 = (r * r - hhh - 2 * v) % p
        return x3, (r * (v - x3) - s1 * hhh) % p, z1 * z2 * h % p

    def affine(self, point):
        x, y, z = point
        if z == 0:
            return None
        inverse = pow(z, -1, self.p)
        square = inverse * inverse % self.p
        return x * square % self.p, y * square * inverse % self.p

    def lift(self, point):
        return (1, 1, 0) if point is None else (point[0], point[1], 1)

    def add(self, left, right):
        return self.affine(self.join(self.lift(left), self.lift(right)))

    def negate(self, point):
        return None if point is None else (point[0], -point[1] % self.p)

    def multiply(self, point, scalar):
        table = [(1, 1, 0), self.lift(point)]
        for _ in range(14):
            table.append(self.join(table[-1], table[1]))
        total = (1, 1, 0)
        for shift in range(252, -4, -4):
            for _ in range(4):
                total = self.double(total)
            total = self.join(total, table[scalar >> shift & 15])
        return self.affine(total)

    def multiply_fixed(self, point, scalar):
        """The same for a point that is multiplied often."""
        if point not in self.tables:
            windows, base = [], self.lift(point)
            for _ in range(64):
                row = [(1, 1, 0), base]
                for _ in range(14):
                    row.append(self.join(row[-1], base))
                windows.append([self.lift(self.affine(each)) for each in row])
                base = self.lift(self.affine(self.join(row[-1], base)))
            self.tables[point] = windows
        total = (1, 1, 0)
        for window, row in enumerate(self.tables[point]):
            total = self.join(total, row[scalar >> 4 * window & 15])
        return self.affine(total)

    def base(self, scalar):
        return self.multiply_fixed(self.generator, scalar % self.order)

    def pack(self, point):
        return bytes([2 + point[1] % 2]) + point[0].to_bytes(32, "big")

    def unpack(self, data):
        point = self.point_at(data) if len(data) == 33 and data[0] in (2, 3) else None
        check(point is not None, "no finite point of " + self.curve)
        return point

    def point_at(self, data):
        """The point of a sign byte and x, or None: half of all x have none."""
        x = int.from_bytes(data[1:], "big")
        square = (x * x * x + self.a * x + self.b) % self.p
        y = pow(square, (self.p + 1) // 4, self.p)
        if x >= self.p or y * y % self.p != square:
            return None
        return x, y if y % 2 == data[0] % 2 else self.p - y


class Edwards25519:
    """The subgroup of prime order. Points are pairs; inside, (X, Y, Z, T) with x = X / Z, y = Y / Z and T = X Y / Z."""

    little = True
    byte_order = "little"
    point_bytes = 32
    curve, p, order, generator = "ed25519", Edwards.P, Edwards.ORDER, Edwards.G

    def join(self, left, right):
        p = self.p
        (x1, y1, z1, t1), (x2, y2, z2, t2) = left, right
        a, b = (y1 - x1) * (y2 - x2) % p, (y1 + x1) * (y2 + x2) % p
        c, d = 2 * t1 * t2 * Edwards.D % p, 2 * z1 * z2 % p
        e, f, g, h = b - a, d - c, d + c, b + a
        return e * f % p, g * h % p, f * g % p, e * h % p

    def lift(self, point):
        return (0, 1, 1, 0) if point is None else (point[0], point[1], 1, point[0] * point[1] % self.p)

    def affine(self, point):
        inverse = pow(point[2], -1, self.p)
        x, y = point[0] * inverse % self.p, point[1] * inverse % self.p
        return None if (x, y) == (0, 1) else (x, y)

    def add(self, left, right):
        return self.affine(self.join(self.lift(left), self.lift(right)))

    def multiply(self, point, scalar):
        total, power = self.lift(None), self.lift(point)
        while scalar:
            if scalar & 1:
                total = self.join(total, power)
            power = self.join(power, power)
            scalar >>= 1
        return self.affine(total)

    def base(self, scalar):
        return self.multiply(self.generator, scalar % self.order)

    def pack(self, point):
        return (point[1] | point[0] % 2 << 255).to_bytes(32, "little")

    def decode(self, data):
        """RFC 8032, section 5.1.3, strictly: y below p, and no sign for x = 0."""
        whole = int.from_bytes(data, "little")
        y, sign = whole % 2**255, whole >> 255
        check(len(data) == 32 and y < self.p, "no point of ed25519")
        try:
            point = Edwards.unpack(data)
        except ValueError:
            raise Bad("no point of ed25519") from None
        check(point[0] < self.p and not (point[0] == 0 and sign), "no point of ed25519")
        return point

    def unpack(self, data):
        point = self.decode(data)
        check(point != (0, 1) and self.multiply(point, self.order) is None, "a point outside the prime-order subgroup")
        return point


SECP256K1 = Weierstrass("secp256k1", Secp.P, 0, 7, Secp.ORDER, Secp.G)
P256 = Weierstrass(
    "P-256",
    0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF,
    -3,
    0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    (
        0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    ),
)
ED25519 = Edwards25519()


def scalar_bytes(group, scalar):
    return (scalar % group.order).to_bytes(32, group.byte_order)


def parse_scalar(group, data):
    scalar = int.from_bytes(data, group.byte_order)
    check(len(data) == 32 and 0 < scalar < group.order, "a scalar that is zero or not below the order")
    return scalar


def expand_xmd(message, domain, length):
    """RFC 9380, section 5.3.1, with SHA-256."""
    tag = domain + bytes([len(domain)])
    first = hashlib.sha256(bytes(64) + message + length.to_bytes(2, "big") + b"\0" + tag).digest()
    block = hashlib.sha256(first + b"\x01" + tag).digest()
    out = block
    for i in range(2, -(-length // 32) + 1):
        block = hashlib.sha256(bytes(a ^ b for a, b in zip(first, block)) + bytes([i]) + tag).digest()
        out += block
    return out[:length]


def map_to_p256(u):
    """RFC 9380, section 6.6.2, simplified SWU with Z = -10."""
    p, a, b = P256.p, P256.a, P256.b
    zuu = -10 * u * u % p
    denominator = (zuu * zuu + zuu) % p
    x = (-b * pow(a, -1, p) * (1 + pow(denominator, -1, p)) if denominator else b * pow(-10 * a, -1, p)) % p
    square = (x * x * x + a * x + b) % p
    y = pow(square, (p + 1) // 4, p)
    if y * y % p != square:
        x = zuu * x % p
        y = pow((x * x * x + a * x + b) % p, (p + 1) // 4, p)
    return x, y if y % 2 == u % 2 else p - y


def hash_to_p256(message, domain):
    """P256_XMD:SHA-256_SSWU_RO_, RFC 9380 section 8.2."""
    uniform = expand_xmd(message, domain, 96)
    first, second = (map_to_p256(int.from_bytes(part, "big") % P256.p) for part in (uniform[:48], uniform[48:]))
    return P256.add(first, second)


def lagrange(party, others, order):
    weight = 1
    for other in others:
        weight = weight * other * pow(other - party, -1, order) % order
    return weight

"""What all threshold protocols have in common, for replay_mpc.py: canonical bytes, sessions, messages, hashes, streams, key shares and children. docs/protocol.md, sections 1 and 7."""
import hashlib

from check_recovery import decode, hmac512
from mpc_groups import ED25519, SECP256K1, Bad, check, parse_scalar


def sized(content):
    return len(content).to_bytes(4, "big") + content


def encode(value):
    """Structs are (tag, [fields]), as `decode` gives them; None is an absent optional."""
    if value is None:
        return b"\x06"
    if isinstance(value, bytes):
        return b"\x01" + sized(value)
    if isinstance(value, str):
        return b"\x02" + sized(value.encode())
    if isinstance(value, bool):
        return b"\x05" if value else b"\x04"
    if isinstance(value, int):
        return b"\x03" + sized(value.to_bytes((value.bit_length() + 7) // 8, "big"))
    tag, items = (None, value) if isinstance(value, list) else value
    head = b"\x07" if tag is None else b"\x08" + sized(tag.encode())
    return head + len(items).to_bytes(4, "big") + b"".join(map(encode, items))


def digest(tag, *fields):
    return hashlib.sha256(encode((tag, list(fields)))).digest()


def opened(data, tag, count):
    """The fields of a struct's canonical bytes."""
    try:
        found, values = decode(data)
    except (ValueError, IndexError, TypeError) as error:
        raise Bad("malformed: %s" % error) from None
    check(found == tag and len(values) == count and encode((found, values)) == data, "not canonical bytes of " + tag)
    return values


def xof(length, *parts):
    return hashlib.shake_256(b"".join(parts)).digest(length)


class Context:
    """One session as one party sees it, before the protocol is known. `draws` are the bytes it drew."""

    def __init__(self, given, me, draws):
        self.protocol, self.epoch, self.parties = given["protocol"], int(given["epoch"]), sorted(given["parties"])
        self.genesis, self.key_id, self.session = (bytes.fromhex(given[name]) for name in ("genesis", "keyId", "session"))
        self.me, self.draws = me, draws

    def part(self, name):
        """A session of its own within this one."""
        other = Context.__new__(Context)
        other.__dict__.update(self.__dict__, session=digest("holdfast/mpc/part/v1", self.session, name))
        return other

    def draw(self, length):
        check(self.draws and len(self.draws[0]) == length, "the random bytes are not drawn in this order")
        return self.draws.pop(0)


class Session:
    """A context bound to what the protocol is about."""

    def __init__(self, context, name, statement):
        self.context, self.me, self.parties = context, context.me, context.parties
        self.peers = [party for party in self.parties if party != self.me]
        binding = digest("holdfast/mpc/binding/v1", name, self.parties, statement)
        self.fields = [context.protocol, 1, context.genesis, context.key_id, context.epoch, context.session, binding]
        self.id = digest("holdfast/mpc/session/v1", *self.fields)

    def message(self, number, to, payload, sender=None):
        header = ("holdfast/mpc/header/v1", self.fields + [number, sender or self.me, to])
        return to, encode(("holdfast/mpc/message/v1", [header, encode(payload)]))

    def read(self, number, to, sender, body, tag, count):
        """The fields of a message's payload, after its header was compared whole."""
        payload = opened(body, "holdfast/mpc/message/v1", 2)[1]
        values = opened(payload, tag, count)
        check(self.message(number, to, (tag, values), sender)[1] == body, "a message that is bound to something else")
        return values

    def prefix(self, use, sender, to, data=bytes(32)):
        return digest("holdfast/mpc/prefix/v1", self.id, use, sender, to, data)


class Hedged:
    """The stream from which nonces and masks are drawn, keyed by 64 drawn bytes."""

    def __init__(self, context, session, secret):
        self.key = hashlib.sha512(encode(("holdfast/mpc/hedged-random/v1", [secret, session.id, context.draw(64)]))).digest()
        self.counter = 0

    def draw(self, length):
        block = encode(("holdfast/mpc/hedged-random-block/v1", [self.key, self.counter, length]))
        self.counter += 1
        return xof(length, block)


KEY = "protocol curve genesis keyId parties threshold publicKey verifyingShares commitments chainCode".split()


def key_digest(key):
    return digest("holdfast/mpc/key-public/v1", *[key[name] for name in KEY])


def read_key(text):
    return dict(zip(KEY, opened(bytes.fromhex(text), "holdfast/mpc/key-public/v1", len(KEY))))


def read_share(text, context, epoch):
    """A key share that is of this party, key and epoch, and fits its verifying share."""
    names, group = KEY + ["epoch", "party", "secretShare"], GROUPS[context.protocol]
    share = dict(zip(names, opened(bytes.fromhex(text), "holdfast/mpc/key-share/v1", len(names))))
    found = [share[name] for name in ("protocol", "curve", "genesis", "keyId", "epoch", "party")]
    check(found == [context.protocol, group.curve, context.genesis, context.key_id, epoch, context.me], "a share of something else")
    point = group.base(parse_scalar(group, share["secretShare"]))
    check(group.pack(point) == share["verifyingShares"][share["parties"].index(context.me)], "a share that does not fit its verifying share")
    return share


def pack_share(key, epoch, party, secret):
    return encode(("holdfast/mpc/key-share/v1", [key[name] for name in KEY] + [epoch, party, secret])).hex()


# Children of a public key: (factor, tweak, point, chain code).
def bip32_child(public, chain_code, path):
    group, tweak, point = SECP256K1, 0, SECP256K1.unpack(public)
    for index in path:
        hashed = hmac512(chain_code, group.pack(point) + index.to_bytes(4, "big"))
        left, chain_code = int.from_bytes(hashed[:32], "big"), hashed[32:]
        check(left < group.order, "no child at this index")
        tweak, point = (tweak + left) % group.order, group.add(point, group.base(left))
    return 1, tweak, point, chain_code


def tagged(tag, *parts):
    name = hashlib.sha256(tag.encode()).digest()
    return int.from_bytes(hashlib.sha256(name + name + b"".join(parts)).digest(), "big")


def taproot_child(public, chain_code, path):
    group = SECP256K1
    _, inner, point, chain_code = bip32_child(public, chain_code, path)
    factor = 1 if point[1] % 2 == 0 else -1
    tweak = tagged("TapTweak", group.pack(point)[1:])
    check(tweak < group.order, "no child at this path")
    even = point if factor == 1 else group.negate(point)
    return factor, (factor * inner + tweak) % group.order, group.add(even, group.base(tweak)), chain_code


def ed25519_child(public, chain_code, path):
    group, tweak, point = ED25519, 0, ED25519.unpack(public)
    for index in path:
        keyed = [hmac512(chain_code, encode(("holdfast/mpc/ed25519-child/v1", [part, group.pack(point), index]))) for part in ("tweak", "chain code")]
        added, chain_code = int.from_bytes(keyed[0], "little") % group.order, keyed[1][:32]
        tweak, point = (tweak + added) % group.order, group.add(point, group.base(added))
    return 1, tweak, point, chain_code


GROUPS = {"dkls23/v1": SECP256K1, "frost-ed25519/v1": ED25519, "frost-taproot/v1": SECP256K1}
CHILDREN = {"dkls23/v1": bip32_child, "frost-ed25519/v1": ed25519_child, "frost-taproot/v1": taproot_child}


def combine(group, commitments, party):
    """G times the polynomial's value, from the commitments to its two coefficients."""
    return group.add(commitments[0], group.multiply(commitments[1], party))


def moved(group, point, factor, tweak):
    """factor * point + tweak * G"""
    return group.add(group.multiply(point, factor % group.order), group.base(tweak) if tweak else None)


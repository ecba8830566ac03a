"""The session layer, for replay_mpc.py: requests, joins, the session id, and messages as they travel. docs/protocol.md, section 1.

Sources: RFC 8032 (Ed25519), RFC 7748 (X25519), RFC 5869 (HKDF), RFC 8439 (ChaCha20-Poly1305).
"""
import hashlib
import hmac

from mpc_groups import ED25519, check
from mpc_wire import digest, encode


def clamped(data):
    return int.from_bytes(data, "little") & (1 << 254) - 8 | 1 << 254


def public_key(secret):
    return ED25519.pack(ED25519.base(clamped(hashlib.sha512(secret).digest()[:32])))


def sign(secret, message):
    hashed, public = hashlib.sha512(secret).digest(), public_key(secret)

    def scalar(*parts):
        return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ED25519.order

    r = scalar(hashed[32:], message)
    nonce = ED25519.pack(ED25519.base(r))
    s = (r + scalar(nonce, public, message) * clamped(hashed[:32])) % ED25519.order
    return nonce + s.to_bytes(32, "little")


def x25519(secret, u):
    """RFC 7748, section 5."""
    p, k = ED25519.p, clamped(secret)
    x1 = int.from_bytes(u, "little") % 2**255
    x2, z2, x3, z3, swap = 1, 0, x1, 1, 0
    for t in range(254, -1, -1):
        if swap ^ (k >> t & 1):
            x2, z2, x3, z3 = x3, z3, x2, z2
        swap = k >> t & 1
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % p, b * b % p, d * a % p, c * b % p
        x3, z3 = (da + cb) ** 2 % p, x1 * (da - cb) ** 2 % p
        x2, z2 = aa * bb % p, (aa - bb) * (aa + 121665 * (aa - bb)) % p
    if swap:
        x2, z2 = x3, z3
    return (x2 * pow(z2, -1, p) % p).to_bytes(32, "little")


def chacha20_block(key, counter, nonce):
    words = [int.from_bytes(part[i : i + 4], "little") for part in (b"expand 32-byte k", key, counter.to_bytes(4, "little"), nonce) for i in range(0, len(part), 4)]
    state = list(words)
    for i in range(80):
        column = i % 8
        a, b, c, d = (column, column + 4, column + 8, column + 12) if column < 4 else (column - 4, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4)
        for x, y, z, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[x] = (state[x] + state[y]) % 2**32
            turned = state[z] ^ state[x]
            state[z] = (turned << by | turned >> 32 - by) % 2**32
    return b"".join(((a + b) % 2**32).to_bytes(4, "little") for a, b in zip(state, words))


def seal(key, nonce, plain, associated):
    stream = b"".join(chacha20_block(key, 1 + i, nonce) for i in range(-(-len(plain) // 64)))
    cipher = bytes(a ^ b for a, b in zip(plain, stream))
    one_time = chacha20_block(key, 0, nonce)
    r, s = int.from_bytes(one_time[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF, int.from_bytes(one_time[16:32], "little")
    padded = b"".join(part + bytes(-len(part) % 16) for part in (associated, cipher)) + b"".join(len(part).to_bytes(8, "little") for part in (associated, cipher))
    total = 0
    for i in range(0, len(padded), 16):
        total = (total + int.from_bytes(padded[i : i + 16] + b"\x01", "little")) * r % (2**130 - 5)
    return cipher + ((total + s) % 2**128).to_bytes(16, "little")


def hkdf(secret, salt, info):
    """32 bytes: one block."""
    extracted = hmac.new(salt, secret, hashlib.sha256).digest()
    return hmac.new(extracted, info + b"\x01", hashlib.sha256).digest()


def signed(tag, values, party, secret):
    """The canonical bytes of a signed message, and of what was signed."""
    message = encode((tag, values))
    return encode(("holdfast/signed/v1", [message, party, sign(secret, message)])), message


def raw(given, *names):
    return [bytes.fromhex(given[name]) for name in names]


def numbers(given):
    return [int(each) for each in given]


def request_of(given):
    genesis, key_id, nonce = raw(given, "genesis", "keyId", "nonce")
    epoch, parties = int(given["epoch"]), numbers(given["parties"])
    if given["kind"] == "generateKey":
        return "holdfast/request/generate-key/v2", [genesis, key_id, given["protocol"], epoch, parties, given["purpose"], nonce]
    logged_of = lambda each: ("holdfast/logged/v1", [bytes.fromhex(each["entry"]), int(each["index"]), [bytes.fromhex(hash) for hash in each["proof"]]])
    logged = [logged_of(each) for each in given["logged"]]
    intent, unsigned = raw(given, "intent", "unsigned")
    approvals = [bytes.fromhex(each) for each in given["approvals"]]
    place = lambda each: [bytes.fromhex(each["keyId"]), numbers(each["path"])]
    own = [("holdfast/request/own-address/v1", [each["address"], *place(each)]) for each in given["own"]]
    paid = [("holdfast/request/earlier-payment/v1", [each["address"], *place(each), bytes.fromhex(each["raw"])]) for each in given["paid"]]
    standing = None if given["standingOrder"] is None else bytes.fromhex(given["standingOrder"])
    batch = None if given["batch"] is None else ("holdfast/batch-order/v1", [bytes.fromhex(given["batch"]["intent"]), logged_of(given["batch"]["logged"])])
    return "holdfast/request/sign/v5", [genesis, key_id, epoch, parties, intent, approvals, unsigned, given["checkpoint"], logged, nonce, given["rule"], own, paid, standing, batch]


def asks_of(given):
    if given is None:
        return None
    counts = [("holdfast/asks/count/v1", [each["rule"], each["asset"], each["each"], each["of"], int(each["sinceMs"])]) for each in given["counts"]]
    standing = None if given["standingOrder"] is None else bytes.fromhex(given["standingOrder"])
    return "holdfast/asks/v3", [[bytes.fromhex(order) for order in given["orders"]], counts, standing]


def join_of(run, party, request_hash):
    random, secret, ephemeral = raw(party, "random", "signSecret", "ephemeralSecret")
    state = [int(party[name]) for name in ("policyVersion", "logSize", "journal")]
    seen = [("holdfast/seen/v1", [int(each["party"]), int(each["journal"])]) for each in party["seen"]]
    values = [bytes.fromhex(run["genesis"]), request_hash, int(party["party"]), random, x25519(ephemeral, (9).to_bytes(32, "little"))] + state + [seen, asks_of(run["asks"])]
    return signed("holdfast/join/v3", values, int(party["party"]), secret)


def replay(run):
    """Makes the joins and all envelopes anew. How many there were."""
    genesis = bytes.fromhex(run["genesis"])
    request = encode(request_of(run["request"]))
    check(request.hex() == run["encodedRequest"], "another request")
    request_hash = hashlib.sha256(request).digest()
    check(request_hash.hex() == run["requestHash"], "another hash of the request")
    joins = [join_of(run, party, request_hash) for party in run["parties"]]
    check([join.hex() for join, _ in joins] == run["joins"], "another join")
    session = digest("holdfast/session-id/v1", genesis, request_hash, [message for _, message in joins])
    check(session.hex() == run["session"], "another session id")
    parties = {int(party["party"]): party for party in run["parties"]}
    base = (9).to_bytes(32, "little")
    public = {number: x25519(bytes.fromhex(party["ephemeralSecret"]), base) for number, party in parties.items()}
    shared = {(i, j): x25519(bytes.fromhex(parties[i]["ephemeralSecret"]), public[j]) for i in parties for j in parties if i != j}
    for each in run["secrets"]:
        check(all(shared[each["party"], peer["party"]].hex() == peer["sharedSecret"] for peer in each["with"]), "another shared secret")
    for each in run["envelopes"]:
        sender, receiver, body = each["from"], each["to"], bytes.fromhex(each["body"])
        place = [genesis, session, each["round"], sender, receiver]
        if receiver != 0:
            bound = encode(("holdfast/envelope-place/v1", place))
            body = seal(hkdf(shared[sender, receiver], session, bound), bytes(12), body, bound)
        made, _ = signed("holdfast/envelope/v1", place + [body], sender, bytes.fromhex(parties[sender]["signSecret"]))
        check(made.hex() == each["signed"], "another envelope of party %d to %d" % (sender, receiver))
    return len(run["joins"]) + len(run["envelopes"])

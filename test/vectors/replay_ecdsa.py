"""Pair set-up and ECDSA signing, for replay_mpc.py: endemic base OTs in P-256, SoftSpokenOT, and DKLs23 protocols 5.2 and 3.6. docs/protocol.md, sections 3 and 4.

Strings of bits are integers here whose bit i is bit i & 7 of byte i >> 3: little-endian.
"""
from mpc_groups import P256, SECP256K1, check, hash_to_p256, lagrange, parse_scalar, scalar_bytes
from mpc_wire import Hedged, Session, bip32_child, digest, encode, key_digest, opened, read_share, xof

ORDER = SECP256K1.order
OTS, BASE_OTS, CHECKS = 416, 128, 160
COLUMN, ROW = (OTS + CHECKS) // 8, BASE_OTS // 8
SEEDS = "protocol curve genesis keyId epoch party peer setupId bothKeys delta chosenKeys jointSeed".split()
SETUP, SIGN = "holdfast/mpc/pair-setup/%s", "holdfast/mpc/sign/%s"


def bits(data):
    return int.from_bytes(data, "little")


def label(i, b):
    return i.to_bytes(2, "big") + bytes([b])


def oracle(prefix, i, b, point):
    return hash_to_p256(prefix + label(i, b) + point, b"holdfast/mpc/base-ot/v2/P256_XMD:SHA-256_SSWU_RO_")


def x_of(point):
    return point[0].to_bytes(32, "big")


def p256_scalar(drawn):
    scalar = int.from_bytes(drawn, "big") % P256.order
    check(scalar != 0, "a zero scalar")
    return scalar


def drawn_point(draw):
    """Draws of 49 bytes, until one has a point: 48 for x, and the lowest bit of the last for the parity of y."""
    while True:
        drawn = draw(49)
        point = bytes([2 + (drawn[48] & 1)]) + (int.from_bytes(drawn[:48], "big") % P256.p).to_bytes(32, "big")
        if P256.point_at(point) is not None:
            return point


def choose(prefix, delta, draw):
    exponents, message = [], b""
    for i in range(BASE_OTS):
        c = bits(delta) >> i & 1
        exponents.append(p256_scalar(draw(48)))
        other = drawn_point(draw)
        mine = P256.pack(P256.add(P256.base(exponents[i]), P256.negate(oracle(prefix, i, c, other))))
        message += other + mine if c else mine + other
    return exponents, message


def key_prefix(prefix, points, answer):
    return digest("holdfast/mpc/base-ot/keys/v2", prefix, points, answer)


def answer_base_ots(prefix, points, secret):
    """The 128 pairs of keys."""
    derived, keys = key_prefix(prefix, points, P256.pack(P256.base(secret))), b""
    for i in range(BASE_OTS):
        pair = [points[66 * i : 66 * i + 33], points[66 * i + 33 : 66 * i + 66]]
        for b in (0, 1):
            total = P256.add(P256.unpack(pair[b]), oracle(prefix, i, b, pair[1 - b]))
            check(total is not None, "a base OT that gives infinity")
            keys += xof(32, derived, label(i, b), x_of(P256.multiply(total, secret)))
    return keys


def open_base_ots(prefix, delta, exponents, points, answer):
    derived, point = key_prefix(prefix, points, answer), P256.unpack(answer)
    shared = [x_of(P256.multiply_fixed(point, exponent)) for exponent in exponents]
    return b"".join(xof(32, derived, label(i, bits(delta) >> i & 1), x) for i, x in enumerate(shared))


def set_up(context, _inputs, _own):
    statement = digest(SETUP % "statement/v3", "secp256k1", "P-256", BASE_OTS, OTS, 2)
    session = Session(context, "pair-setup", statement)
    me, peer = session.me, session.peers[0]
    seed, salt, delta = context.draw(32), context.draw(32), context.draw(ROW)
    mine, theirs = (session.prefix("base-ot", *direction) for direction in ((me, peer), (peer, me)))
    exponents, points = choose(mine, delta, context.draw)

    def commitment(party, *opening):
        return digest(SETUP % "opening/v1", session.id, party, *opening)

    chosen = session.message(1, peer, (SETUP % "choose/v2", [commitment(me, seed, salt), points]))
    received = yield [chosen]
    bodies = {"choose": received[peer]}
    committed, peer_points = session.read(1, me, peer, received[peer], SETUP % "choose/v2", 2)
    secret = p256_scalar(context.draw(48))
    keys = answer_base_ots(theirs, peer_points, secret)
    answered = session.message(2, peer, (SETUP % "answer/v2", [P256.pack(P256.base(secret)), seed, salt]))
    received = yield [answered]
    answer, peer_seed, peer_salt = session.read(2, me, peer, received[peer], SETUP % "answer/v2", 3)
    check(commitment(peer, peer_seed, peer_salt) == committed, "another seed than was committed to")
    parts = [digest(SETUP % "part/v1", *bodies) for bodies in ((chosen[1], answered[1]), (bodies["choose"], received[peer]))]
    seeds = [seed, peer_seed]
    if me > peer:
        parts.reverse(), seeds.reverse()
    setup_id = digest(SETUP % "id/v1", session.id, *parts)
    joint = digest(SETUP % "joint-seed/v1", session.id, *seeds)
    received = yield [session.message(3, peer, (SETUP % "confirm/v1", [setup_id]))]
    check(session.read(3, me, peer, received[peer], SETUP % "confirm/v1", 1) == [setup_id], "another set-up")
    chosen_keys = open_base_ots(mine, delta, exponents, points, answer)
    named = [context.protocol, "secp256k1", context.genesis, context.key_id, context.epoch, me, peer, setup_id, keys, delta, chosen_keys, joint]
    return encode(("holdfast/mpc/pair-seeds/v1", named)).hex()


class Extension:
    """One OT extension: of the party that chooses, and of the other."""

    def __init__(self, session, receiver, sender, nonce):
        self.column, self.challenge, self.check = (session.prefix("ot-extension/" + use, receiver, sender, nonce) for use in ("column", "challenge", "check"))

    def expand(self, i, key):
        return bits(xof(COLUMN, self.column, i.to_bytes(2, "big"), key))

    def matrix(self, columns):
        challenge = xof(CHECKS * OTS // 8, self.challenge, columns)
        return [bits(challenge[OTS // 8 * k : OTS // 8 * (k + 1)]) for k in range(CHECKS)]

    @staticmethod
    def hash(matrix, column):
        """M x[0..416) + x[416..576), bit by bit."""
        folded = sum((bin(row & column).count("1") & 1) << k for k, row in enumerate(matrix))
        return folded ^ column >> OTS

    def hash_of_hashes(self, hashes):
        """The hashes of the columns, turned: 160 rows of 128 bits."""
        return xof(32, self.check, b"".join(sum((each >> k & 1) << i for i, each in enumerate(hashes)).to_bytes(ROW, "little") for k in range(CHECKS)))

    def choose(self, both_keys, choices):
        pairs = [(self.expand(i, both_keys[64 * i : 64 * i + 32]), self.expand(i, both_keys[64 * i + 32 : 64 * i + 64])) for i in range(BASE_OTS)]
        columns = b"".join((zero ^ one ^ choices).to_bytes(COLUMN, "little") for zero, one in pairs)
        matrix = self.matrix(columns)
        hashes = [self.hash(matrix, zero) for zero, _ in pairs]
        message = [columns, self.hash(matrix, choices).to_bytes(CHECKS // 8, "little"), self.hash_of_hashes(hashes)]
        return rows_of([zero for zero, _ in pairs]), message

    def take(self, delta, chosen_keys, columns, choice_hash, column_check):
        own = []
        for i in range(BASE_OTS):
            masked = bits(columns[COLUMN * i : COLUMN * (i + 1)]) if delta >> i & 1 else 0
            own.append(self.expand(i, chosen_keys[32 * i : 32 * i + 32]) ^ masked)
        matrix = self.matrix(columns)
        hashes = [self.hash(matrix, column) ^ (bits(choice_hash) if delta >> i & 1 else 0) for i, column in enumerate(own)]
        check(self.hash_of_hashes(hashes) == column_check, "OT extension consistency")
        return rows_of(own)


def rows_of(columns):
    return [sum((column >> j & 1) << i for i, column in enumerate(columns)) for j in range(OTS)]


class Multiplication:
    """Protocol 5.2, from Alice, who puts in two values, to Bob, who chooses."""

    def __init__(self, session, bob, alice, nonces):
        data = digest("holdfast/mpc/rvole/nonces/v1", nonces[bob], nonces[alice])
        self.pad, self.theta, self.row_check = (session.prefix("rvole/" + use, bob, alice, data) for use in ("pad", "theta", "row-check"))

    def pads(self, j, row):
        drawn = xof(128, self.pad, j.to_bytes(2, "big"), row.to_bytes(ROW, "little"))
        return [int.from_bytes(drawn[32 * i : 32 * i + 32], "big") for i in range(4)]

    def thetas(self, corrections):
        """theta of input i and check k at 2 i + k."""
        drawn = xof(192, self.theta, corrections)
        return [int.from_bytes(drawn[48 * i : 48 * i + 48], "big") % ORDER for i in range(4)]

    def hash_of_mu(self, mu):
        return xof(32, self.row_check, b"".join(scalar_bytes(SECP256K1, each) for each in mu))


def mu_of(theta, pad):
    return [pad[2 + k] + theta[k] * pad[0] + theta[2 + k] * pad[1] for k in (0, 1)]


def multiply_as_alice(vole, gadget, rows, delta, inputs, draws):
    checks = [wide(draws.draw(48)) for _ in range(2)]
    zeros = [vole.pads(j, row) for j, row in enumerate(rows)]
    ones = [vole.pads(j, row ^ delta) for j, row in enumerate(rows)]
    corrections = b"".join(scalar_bytes(SECP256K1, zero[i] - one[i] + (inputs + checks)[i]) for zero, one in zip(zeros, ones) for i in range(4))
    theta = vole.thetas(corrections)
    eta = [scalar_bytes(SECP256K1, checks[k] + theta[k] * inputs[0] + theta[2 + k] * inputs[1]) for k in (0, 1)]
    mu = [each for zero in zeros for each in mu_of(theta, zero)]
    shares = [-sum(g * zero[i] for g, zero in zip(gadget, zeros)) % ORDER for i in (0, 1)]
    return shares, [corrections] + eta + [vole.hash_of_mu(mu)]


def multiply_as_bob(vole, gadget, choices, rows, corrections, eta0, eta1, row_check):
    theta, eta, mu, shares = vole.thetas(corrections), [parse_scalar(SECP256K1, each) for each in (eta0, eta1)], [], [0, 0]
    for j, row in enumerate(rows):
        chosen, pad = choices >> j & 1, vole.pads(j, row)
        if chosen:
            sent = [int.from_bytes(corrections[128 * j + 32 * i : 128 * j + 32 * i + 32], "big") for i in range(4)]
            check(max(sent) < ORDER, "a correction that is not below the order")
            pad = [own + each for own, each in zip(pad, sent)]
        shares = [total + gadget[j] * pad[i] for i, total in enumerate(shares)]
        mu += [each - chosen * eta[k] for k, each in enumerate(mu_of(theta, pad))]
    check(vole.hash_of_mu(mu) == row_check, "multiplication consistency")
    return [each % ORDER for each in shares]


def wide(drawn):
    return int.from_bytes(drawn, "big") % ORDER


def gadget_of(joint_seed):
    drawn = xof(48 * OTS, digest("holdfast/mpc/rvole/gadget/v2", joint_seed))
    return [wide(drawn[48 * j : 48 * j + 48]) for j in range(OTS)]


def sign(context, inputs, own, message=None):
    group, share = SECP256K1, read_share(own["share"], context, context.epoch)
    seeds = dict(zip(SEEDS, opened(bytes.fromhex(own["seeds"]), "holdfast/mpc/pair-seeds/v1", len(SEEDS))))
    owned = ["dkls23/v1", "secp256k1", context.genesis, context.key_id, context.epoch, context.me]
    check([seeds[name] for name in SEEDS[:6]] == owned and seeds["peer"] in context.parties, "seeds of something else")
    message = bytes.fromhex(inputs["digest"] if message is None else message)
    _, tweak, public, _ = bip32_child(share["publicKey"], share["chainCode"], inputs["path"])
    child = group.pack(public)
    session = Session(context, "sign", digest(SIGN % "statement/v2", "secp256k1", key_digest(share), seeds["setupId"], inputs["path"], child, message))
    me, peer = session.me, session.peers[0]
    draws, gadget, delta = Hedged(context, session, share["secretShare"]), gadget_of(seeds["jointSeed"]), bits(seeds["delta"])

    def commitment(party, *opening):
        return digest(SIGN % "commitment/v1", session.id, party, *opening)

    r, phi, salt = wide(draws.draw(48)), wide(draws.draw(48)), draws.draw(32)
    draws.draw(0)  # The blind of a multiplication: it changes no result, and its length no other draw.
    nonce = group.pack(group.base(r))
    nonces = {me: commitment(me, nonce, salt)}
    choices = bits(draws.draw(COLUMN))
    rows, extension = Extension(session, me, peer, nonces[me]).choose(seeds["bothKeys"], choices)
    chi = sum(g for j, g in enumerate(gadget) if choices >> j & 1) % ORDER
    received = yield [session.message(1, peer, (SIGN % "first/v2", [nonces[me]] + extension))]

    nonces[peer], *extension = session.read(1, me, peer, received[peer], SIGN % "first/v2", 4)
    zero = wide(xof(48, session.prefix("zero-share", 0, 0, seeds["jointSeed"])))
    key = lagrange(me, [peer], ORDER) * (parse_scalar(group, share["secretShare"]) + tweak) + (zero if me < peer else -zero)
    taken = Extension(session, peer, me, nonces[peer]).take(delta, seeds["chosenKeys"], *extension)
    key %= ORDER
    (c_nonce, c_key), answer = multiply_as_alice(Multiplication(session, peer, me, nonces), gadget, taken, delta, [r, key], draws)
    points = [group.pack(group.base(each)) for each in (key, c_nonce, c_key)]
    second = [nonce, salt] + points + [scalar_bytes(group, phi - chi)] + answer
    received = yield [session.message(2, peer, (SIGN % "second/v1", second))]

    their_nonce, their_salt, their_key, gamma_nonce, gamma_key, psi, *answer = session.read(2, me, peer, received[peer], SIGN % "second/v1", 10)
    check(commitment(peer, their_nonce, their_salt) == nonces[peer], "another nonce than was committed to")
    d_nonce, d_key = multiply_as_bob(Multiplication(session, me, peer, nonces), gadget, choices, rows, *answer)
    for point, gamma, d in ((their_nonce, gamma_nonce, d_nonce), (their_key, gamma_key, d_key)):
        expected = group.add(group.multiply(group.unpack(point), chi), group.negate(group.unpack(gamma)))
        check(expected == group.base(d), "nonce or key share consistency")
    check(group.add(group.unpack(points[0]), group.unpack(their_key)) == public, "sum of the key points")
    x, y = group.add(group.unpack(nonce), group.unpack(their_nonce))
    mask = phi + parse_scalar(group, psi)
    u, v = r * mask + c_nonce + d_nonce, key * mask + c_key + d_key
    w = int.from_bytes(message, "big") * phi + x * v
    received = yield [session.message(3, peer, (SIGN % "third/v1", [scalar_bytes(group, w), scalar_bytes(group, u)]))]
    their_w, their_u = (parse_scalar(group, each) for each in session.read(3, me, peer, received[peer], SIGN % "third/v1", 2))
    return signature(message, child, (x, y), (w + their_w) * pow(u + their_u, -1, ORDER) % ORDER)


def signature(message, child, nonce, s):
    """Made low, and checked: the nonce point of its recovery id is the one that verification gives (SEC 1, sections 4.1.4 and 4.1.6)."""
    group, (x, y) = SECP256K1, nonce
    recovery = y % 2 + (2 if x >= ORDER else 0)
    if s > ORDER // 2:
        s, recovery = ORDER - s, recovery ^ 1
    inverse = pow(s, -1, ORDER)
    point = group.add(group.base(int.from_bytes(message, "big") * inverse), group.multiply(group.unpack(child), x % ORDER * inverse % ORDER))
    check(point[0] == x and point[1] % 2 == recovery % 2, "a signature that does not verify")
    return {"r": scalar_bytes(group, x).hex(), "s": scalar_bytes(group, s).hex(), "recovery": recovery, "publicKey": child.hex()}


def sign_fresh(context, inputs, own):
    seeds = yield from set_up(context.part("pair-setup"), inputs, own)
    results = []
    for i, message in enumerate(inputs["digests"]):
        results.append((yield from sign(context.part(str(i)), inputs, {**own, "seeds": seeds}, message)))
    return results


PROTOCOLS = {"pair-setup": set_up, "sign": sign, "sign-fresh": sign_fresh}


def header_of(body):
    return opened(body, "holdfast/mpc/message/v1", 2)[0][1]


def check_values(run):
    """The values that both parties of a signature compute, from its messages alone."""
    by_sender = {(each["round"], each["from"]): bytes.fromhex(each["body"]) for each in run["messages"]}
    fields = header_of(by_sender[1, run["parties"][0]["party"]])

    class Known(Session):
        def __init__(self):
            self.id = digest("holdfast/mpc/session/v1", *fields[:7])

    def payload(number, party, tag, count):
        return opened(opened(by_sender[number, party], "holdfast/mpc/message/v1", 2)[1], SIGN % tag, count)

    nonces = {party["party"]: payload(1, party["party"], "first/v2", 4)[0] for party in run["parties"]}
    for each in run["values"]["multiplications"]:
        bob, alice = int(each["bob"]), int(each["alice"])
        extension, vole = Extension(Known(), bob, alice, nonces[bob]), Multiplication(Known(), bob, alice, nonces)
        found = {"column": extension.column, "challenge": extension.challenge, "check": extension.check}
        found.update({"pad": vole.pad, "theta": vole.theta, "rowCheck": vole.row_check})
        check(all(each[use + "Prefix"] == prefix.hex() for use, prefix in found.items()), "another prefix")
        thetas = vole.thetas(payload(2, alice, "second/v1", 10)[6])
        check(each["thetas"] == [scalar_bytes(SECP256K1, theta).hex() for theta in thetas], "another theta")
    seeds = opened(bytes.fromhex(run["parties"][0]["inputs"]["seeds"]), "holdfast/mpc/pair-seeds/v1", len(SEEDS))
    check(run["values"]["gadget0"] == scalar_bytes(SECP256K1, gadget_of(seeds[-1])[0]).hex(), "another gadget")

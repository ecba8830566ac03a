"""A second implementation of the threshold protocols. From the random bytes, the inputs and the peers' messages of each transcript it makes every message of
every party anew, byte for byte, then the results.

Usage: python3 replay_mpc.py mpc/*.json

Only the standard library. Written from docs/protocol.md; RFC 9591 (FROST), BIP32, BIP340, BIP341. Never use it for a key: nothing here is constant time.
"""
import hashlib
import json
import sys

import replay_ecdsa
import replay_session
from mpc_groups import ED25519, SECP256K1, Bad, check, expand_xmd, lagrange, parse_scalar, scalar_bytes
from mpc_wire import CHILDREN, GROUPS, KEY, Context, Hedged, Session, combine, digest, encode, key_digest, moved, pack_share, read_key, read_share, tagged, xof


class Suite:
    """FROST's hashes for one group: RFC 9591 section 6.1 and 6.5, and the taproot variant, which differs in its name, the challenge and the even Y."""

    def __init__(self, name, group):
        self.name, self.group, self.is_taproot = name.encode(), group, "TR" in name

    def scalar(self, use, message):
        domain = self.name + use
        if self.group.little:
            return int.from_bytes(hashlib.sha512(domain + message).digest(), "little") % self.group.order
        return int.from_bytes(expand_xmd(message, domain, 48), "big") % self.group.order

    def hash(self, use, message):
        return (hashlib.sha512 if self.group.little else hashlib.sha256)(self.name + use + message).digest()

    def challenge(self, nonce, public, message):
        packed = [self.group.pack(point) for point in (nonce, public)]
        if self.is_taproot:
            return tagged("BIP0340/challenge", packed[0][1:], packed[1][1:], message) % self.group.order
        return int.from_bytes(hashlib.sha512(packed[0] + packed[1] + message).digest(), "little") % self.group.order

    def is_odd(self, point):
        return self.is_taproot and point[1] % 2 == 1

    def random_scalar(self, drawn):
        """1 to q - 1, of 48 bytes in the group's byte order."""
        return int.from_bytes(drawn, self.group.byte_order) % (self.group.order - 1) + 1

    def proof_challenge(self, party, public, nonce):
        return self.scalar(b"dkg", scalar_bytes(self.group, party) + public + nonce)


ED25519_SUITE = Suite("FROST-ED25519-SHA512-v1", ED25519)
# Keys of both protocols over secp256k1 are generated alike; only signing has a taproot variant.
GENERATION = {"dkls23/v1": Suite("FROST-secp256k1-SHA256-v1", SECP256K1), "frost-ed25519/v1": ED25519_SUITE}
GENERATION["frost-taproot/v1"] = GENERATION["dkls23/v1"]
SIGNING = {"frost-ed25519/v1": ED25519_SUITE, "frost-taproot/v1": Suite("FROST-secp256k1-SHA256-TR-v1", SECP256K1)}


# Each protocol is a generator of one party: it yields the messages of a round, (receiver, bytes), is given the peers' by sender, and returns its result.
def confirm(session, seen, key):
    """Round 4 of generation and resharing: the echo."""
    own = [[("holdfast/mpc/echo/seen/v1", [party, seen[party]]) for party in sorted(seen)], key_digest(key)]
    received = yield [session.message(4, 0, ("holdfast/mpc/echo/confirm/v1", own))]
    for party in session.peers:
        check(session.read(4, 0, party, received[party], "holdfast/mpc/echo/confirm/v1", 2) == own, "another echo")


def transcript_of(commit, reveal):
    return digest("holdfast/mpc/echo/transcript/v1", commit, reveal)


def generate(context, _inputs, _own):
    suite, group = GENERATION[context.protocol], GROUPS[context.protocol]
    session = Session(context, "key-generation", digest("holdfast/mpc/key-generation/statement/v1", group.curve, 2))
    constant, slope, nonce = (suite.random_scalar(context.draw(48)) for _ in range(3))
    points = [group.pack(group.base(each)) for each in (constant, slope, nonce)]
    response = nonce + constant * suite.proof_challenge(session.me, points[0], points[2])
    tag = "holdfast/mpc/key-generation/%s/v1"
    reveals = {session.me: [points[0], points[1], points[2] + scalar_bytes(group, response), context.draw(32), context.draw(32)]}

    def commitment(party):
        return digest(tag % "opening", session.id, party, (tag % "reveal", reveals[party]))

    commit = session.message(1, 0, (tag % "commit", [commitment(session.me)]))
    commits = yield [commit]
    reveal = session.message(2, 0, (tag % "reveal", reveals[session.me]))
    received = yield [reveal]
    seen = {session.me: transcript_of(commit[1], reveal[1])}
    for party in session.peers:
        reveals[party] = session.read(2, 0, party, received[party], tag % "reveal", 5)
        committed = session.read(1, 0, party, commits[party], tag % "commit", 1)
        check(committed == [commitment(party)], "another commitment")
        first, proof = reveals[party][0], reveals[party][2]
        answered = group.base(parse_scalar(group, proof[group.point_bytes :]))
        proven = group.multiply(group.unpack(first), suite.proof_challenge(party, first, proof[: group.point_bytes]))
        check(group.add(group.unpack(proof[: group.point_bytes]), proven) == answered, "a proof of knowledge that fails")
        seen[party] = transcript_of(commits[party], received[party])
    dealt = {party: scalar_bytes(group, constant + slope * party) for party in session.parties}
    received = yield [session.message(3, party, (tag % "share", [dealt[party]])) for party in session.peers]
    secret = parse_scalar(group, dealt[session.me])
    for party in session.peers:
        share = parse_scalar(group, session.read(3, session.me, party, received[party], tag % "share", 1)[0])
        check(group.base(share) == combine(group, [group.unpack(each) for each in reveals[party][:2]], session.me), "a share that does not fit")
        secret += share
    commitments = [None, None]
    for party in session.parties:
        commitments = [group.add(total, group.unpack(each)) for total, each in zip(commitments, reveals[party])]
    verifying = [group.pack(combine(group, commitments, party)) for party in session.parties]
    chain_code = digest(tag % "chain-code", session.id, [reveals[party][3] for party in session.parties])
    packed = [group.pack(each) for each in commitments]
    named = [context.protocol, group.curve, context.genesis, context.key_id, session.parties, 2, packed[0], verifying, packed, chain_code]
    key = dict(zip(KEY, named))
    yield from confirm(session, seen, key)
    return pack_share(key, context.epoch, session.me, scalar_bytes(group, secret))


def reshare(context, inputs, own):
    group, key = GROUPS[context.protocol], read_key(inputs["key"])
    dealers, receivers = sorted(inputs["dealers"]), sorted(inputs["receivers"])
    statement = digest("holdfast/mpc/reshare/statement/v1", ("holdfast/mpc/key-public/v1", [key[name] for name in KEY]), dealers, receivers)
    session = Session(context, "reshare", statement)
    tag = "holdfast/mpc/reshare/%s/v1"
    weight = {party: lagrange(party, [other for other in dealers if other != party], group.order) for party in dealers}
    commit, reveal, reveals, seen = [], [], {}, {}

    def commitment(party):
        return digest(tag % "opening", session.id, party, (tag % "reveal", reveals[party]))

    if session.me in dealers:
        share = read_share(own["share"], context, context.epoch - 1)
        check(key_digest(share) == key_digest(key), "a share of another key")
        draws = Hedged(context, session, share["secretShare"])
        constant = weight[session.me] * parse_scalar(group, share["secretShare"])
        slope = int.from_bytes(draws.draw(48), "big") % group.order
        reveals[session.me] = [group.pack(group.base(slope)), draws.draw(32)]
        commit = [session.message(1, 0, (tag % "commit", [commitment(session.me)]))]
        reveal = [session.message(2, 0, (tag % "reveal", reveals[session.me]))]
        seen[session.me] = transcript_of(commit[0][1], reveal[0][1])
    commits = yield commit
    received = yield reveal
    others = [party for party in dealers if party != session.me]
    for party in others:
        reveals[party] = session.read(2, 0, party, received[party], tag % "reveal", 2)
        check(session.read(1, 0, party, commits[party], tag % "commit", 1) == [commitment(party)], "another commitment")
        seen[party] = transcript_of(commits[party], received[party])
    dealt = {party: scalar_bytes(group, constant + slope * party) for party in receivers} if session.me in dealers else {}
    received = yield [session.message(3, party, (tag % "share", [dealt[party]])) for party in receivers if party in dealt and party != session.me]
    slopes = {party: group.unpack(reveals[party][0]) for party in dealers}
    verifying = {party: group.unpack(each) for party, each in zip(key["parties"], key["verifyingShares"])}
    constants = {party: group.multiply(verifying[party], weight[party]) for party in dealers}
    commitments = [None, None]
    for party in dealers:
        commitments = [group.add(commitments[0], constants[party]), group.add(commitments[1], slopes[party])]
    check(group.pack(commitments[0]) == key["publicKey"], "another public key")
    secret = parse_scalar(group, dealt[session.me]) if session.me in dealt else 0
    for party in others if session.me in receivers else []:
        share = parse_scalar(group, session.read(3, session.me, party, received[party], tag % "share", 1)[0])
        check(group.base(share) == combine(group, [constants[party], slopes[party]], session.me), "a share that does not fit")
        secret += share
    points = [group.pack(combine(group, commitments, party)) for party in receivers]
    key = {**key, "parties": receivers, "commitments": [group.pack(each) for each in commitments], "verifyingShares": points}
    yield from confirm(session, seen, key)
    return pack_share(key, context.epoch, session.me, scalar_bytes(group, secret)) if session.me in receivers else None


def check_shares(context, _inputs, own):
    group, share = GROUPS[context.protocol], read_share(own["share"], context, context.epoch)
    key, tag = key_digest(share), "holdfast/mpc/share-check/proof/v1"
    session = Session(context, "share-check", digest("holdfast/mpc/share-check/statement/v1", key, share["epoch"]))
    verifying = dict(zip(share["parties"], share["verifyingShares"]))

    def challenge(party, nonce):
        data = digest("holdfast/mpc/share-check/challenge/v1", verifying[party], nonce)
        return int.from_bytes(xof(48, session.prefix("share-check", party, 0, data)), "big") % group.order

    k = int.from_bytes(Hedged(context, session, share["secretShare"]).draw(48), "big") % (group.order - 1) + 1
    nonce = group.pack(group.base(k))
    response = k + challenge(session.me, nonce) * parse_scalar(group, share["secretShare"])
    received = yield [session.message(1, 0, (tag, [nonce, scalar_bytes(group, response)]))]
    for party in session.peers:
        nonce, response = session.read(1, 0, party, received[party], tag, 2)
        expected = group.add(group.unpack(nonce), group.multiply(group.unpack(verifying[party]), challenge(party, nonce)))
        check(group.base(parse_scalar(group, response)) == expected, "a proof that fails")
    return key.hex()


def sign_frost(context, inputs, own, message=None):
    suite, group, share = SIGNING[context.protocol], GROUPS[context.protocol], read_share(own["share"], context, context.epoch)
    message = bytes.fromhex(inputs["message"] if message is None else message)
    factor, tweak, public, _ = CHILDREN[context.protocol](share["publicKey"], share["chainCode"], inputs["path"])
    child = group.pack(public)[1:] if suite.is_taproot else group.pack(public)
    statement = digest("holdfast/mpc/frost/statement/v1", context.protocol, key_digest(share), inputs["path"], child, message)
    session = Session(context, "frost-sign", statement)
    secret = (factor * parse_scalar(group, share["secretShare"]) + tweak) % group.order
    draws, peer = Hedged(context, session, share["secretShare"]), session.peers[0]
    nonces = [suite.scalar(b"nonce", draws.draw(32) + scalar_bytes(group, secret)) for _ in range(2)]
    points = {session.me: [group.pack(group.base(each)) for each in nonces]}
    received = yield [session.message(1, peer, ("holdfast/mpc/frost/nonce/v1", points[session.me]))]
    points[peer] = session.read(1, session.me, peer, received[peer], "holdfast/mpc/frost/nonce/v1", 2)
    # RFC 9591 sections 4.4 to 5.2; of an odd key or nonce point the taproot variant takes the opposite.
    even = group.negate(public) if suite.is_odd(public) else public
    listed = b"".join(scalar_bytes(group, party) + points[party][0] + points[party][1] for party in session.parties)
    bound = group.pack(even) + suite.hash(b"msg", message) + suite.hash(b"com", listed)
    factors = {party: suite.scalar(b"rho", bound + scalar_bytes(group, party)) for party in session.parties}
    shares_of_nonce = {party: moved_sum(group, points[party], factors[party]) for party in session.parties}
    total = group.add(*shares_of_nonce.values())
    sign_of_nonce, sign_of_key = (-1 if suite.is_odd(each) else 1 for each in (total, public))
    challenge = suite.challenge(total, even, message)
    weights = {party: lagrange(party, [other for other in session.parties if other != party], group.order) for party in session.parties}
    answer = sign_of_nonce * (nonces[0] + nonces[1] * factors[session.me]) + sign_of_key * weights[session.me] * secret * challenge
    received = yield [session.message(2, peer, ("holdfast/mpc/frost/share/v1", [scalar_bytes(group, answer)]))]
    theirs = parse_scalar(group, session.read(2, session.me, peer, received[peer], "holdfast/mpc/frost/share/v1", 1)[0])
    verifying = group.unpack(share["verifyingShares"][share["parties"].index(peer)])
    part = group.multiply(moved(group, verifying, factor, tweak), sign_of_key * weights[peer] * challenge % group.order)
    check(group.base(theirs) == group.add(group.multiply(shares_of_nonce[peer], sign_of_nonce % group.order), part), "a signature share that does not fit")
    z = (answer + theirs) % group.order
    right = group.add(group.multiply(total, sign_of_nonce % group.order), group.multiply(even, challenge))
    check(group.base(z) == right, "a signature that does not verify")
    nonce = group.pack(total)[1:] if suite.is_taproot else group.pack(total)
    return {"signature": (nonce + scalar_bytes(group, z)).hex(), "publicKey": child.hex()}


def moved_sum(group, pair, factor):
    return group.add(group.unpack(pair[0]), group.multiply(group.unpack(pair[1]), factor))


def sign_frost_in_sequence(context, inputs, own):
    results = []
    for i, message in enumerate(inputs["messages"]):
        results.append((yield from sign_frost(context.part(str(i)), inputs, own, message)))
    return results


PROTOCOLS = {
    "key-generation": generate,
    "reshare": reshare,
    "share-check": check_shares,
    "frost-sign": sign_frost,
    "frost-sequence": sign_frost_in_sequence,
    **replay_ecdsa.PROTOCOLS,
}


def replay_party(run, party):
    """One party against the recorded messages of the others. How many messages it made."""
    me, made = party["party"], 0
    draws = [bytes.fromhex(each) for each in party["random"]]
    protocol = PROTOCOLS[run["protocol"]](Context(run["context"], me, draws), run["inputs"], party["inputs"])
    rounds = {}
    for message in run["messages"]:
        rounds.setdefault(message["round"], []).append(message)
    outgoing = next(protocol)
    for number in sorted(rounds):
        sent = [(message["to"], bytes.fromhex(message["body"])) for message in rounds[number] if message["from"] == me]
        check(outgoing == sent, "party %d sends something else in round %d" % (me, number))
        made += len(sent)
        heard = {message["from"]: bytes.fromhex(message["body"]) for message in rounds[number] if message["from"] != me and message["to"] in (0, me)}
        try:
            outgoing = protocol.send(heard)
        except StopIteration as end:
            check(number == max(rounds) and not draws, "party %d ends in round %d" % (me, number))
            check(end.value == party["result"], "party %d has another result" % me)
            return made
    raise Bad("party %d does not end" % me)


def replay(run):
    made = sum(replay_party(run, party) for party in run["parties"])
    check(made == len(run["messages"]), "a message of nobody")
    return made


def check_values(run):
    """What the transcript says of its sessions follows from its messages."""
    headers = {}
    for message in run["messages"]:
        fields = replay_ecdsa.header_of(bytes.fromhex(message["body"]))[:7]
        headers[fields[5].hex()] = {"session": fields[5].hex(), "binding": fields[6].hex(), "id": digest("holdfast/mpc/session/v1", *fields).hex()}
    check(run["values"]["parts"] == list(headers.values()), "other parts")
    if "multiplications" in run["values"]:
        replay_ecdsa.check_values(run)


def main(paths):
    runs = made = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            vectors = json.load(file)
        for run in vectors["runs"]:
            try:
                if "protocol" in run:
                    made += replay(run)
                    check_values(run)
                else:
                    made += replay_session.replay(run)
            except (Bad, ValueError, KeyError, IndexError, TypeError) as error:
                sys.exit("%s: %s" % (run["title"], error))
            runs += 1
    print("%d runs replayed, %d messages made alike" % (runs, made))


if __name__ == "__main__":
    main(sys.argv[1:])

import { encode, toHex } from '@holdfast/encoding'
import { PROTOCOL } from '@holdfast/mpc'
import { type Asks, joinShape, requestHash, sessionId, type SessionRequest, sessionRequestShape, signedShape, signMessage } from '@holdfast/protocol'
import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import { agreeOnSecret, openEnvelope, sealEnvelope } from '../../apps/signer/src/sessions/envelopes.ts'
import { hash32 } from './record-run.ts'

const genesis = hash32('genesis of the vectors')
const keyId = hash32('key of the sessions')

/** JSON for any value that has bytes and integers in it: bytes as hexadecimal text, integers as decimal text. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each instanceof Uint8Array ? toHex(each) : each)))

/** Joins, the session id that follows from them, and messages as they travel. */
function sessionOf(title: string, request: SessionRequest, asks: Asks | null): unknown {
  const parties = request.parties.map((party) => ({
    party,
    signSecret: hash32(`${title}: signing key of ${party}`),
    ephemeralSecret: hash32(`${title}: session key of ${party}`),
    random: hash32(`${title}: random of ${party}`),
  }))
  const hash = requestHash(request)
  const states = parties.map(({ party }) => ({
    policyVersion: 3n,
    logSize: 1000n + party,
    journal: party === 1n ? 0n : 77n * party,
    seen: request.parties.filter((other) => other !== party).map((other) => ({ party: other, journal: 70n * other })),
  }))
  const joins = parties.map(({ party, signSecret, ephemeralSecret, random }, i) =>
    signMessage(
      joinShape,
      { genesis, requestHash: hash, party, random, ephemeralKey: x25519.getPublicKey(ephemeralSecret), ...states[i]!, asks },
      party,
      signSecret,
    ),
  )
  const session = sessionId(
    genesis,
    hash,
    joins.map(({ message }) => message),
  )
  const channels = parties.map((own) => ({
    genesis,
    session,
    me: Number(own.party),
    signSecret: own.signSecret,
    peers: new Map(
      parties
        .filter(({ party }) => party !== own.party)
        .map((peer) => [
          Number(peer.party),
          { signKey: ed25519.getPublicKey(peer.signSecret), sharedSecret: agreeOnSecret(own.ephemeralSecret, x25519.getPublicKey(peer.ephemeralSecret)) },
        ]),
    ),
  }))
  const envelopes = channels.flatMap((channel) =>
    [0, ...channel.peers.keys()].map((to, round) => {
      const message = { round: round + 1, from: channel.me, to, body: new TextEncoder().encode(`${title}: ${channel.me} to ${to}`.repeat(to + 1)) }
      const envelope = sealEnvelope(channel, message)
      const reader = channels.find(({ me }) => (to === 0 ? me !== channel.me : me === to))!
      if (toHex(openEnvelope(reader, envelope).body) !== toHex(message.body)) throw new Error('an envelope does not open')
      return { ...message, signed: encode(signedShape, envelope) }
    }),
  )
  return plain({
    title,
    genesis,
    request,
    encodedRequest: encode(sessionRequestShape, request),
    requestHash: hash,
    asks,
    parties: parties.map((each, i) => ({ ...each, ...states[i]! })),
    joins: joins.map((join) => encode(signedShape, join)),
    session,
    secrets: channels.map(({ me, peers }) => ({ party: me, with: [...peers].map(([party, { sharedSecret }]) => ({ party, sharedSecret })) })),
    envelopes,
  })
}

/** The session layer: one session of three parties and one of two that asks for words. */
export function sessionTranscripts(): unknown[] {
  const nonce = hash32('nonce of a request')
  return [
    sessionOf(
      'a session that makes a key',
      { kind: 'generateKey', genesis, keyId, protocol: PROTOCOL, epoch: 0n, parties: [1n, 2n, 3n], purpose: 'treasury', nonce },
      null,
    ),
    sessionOf(
      'a session that signs',
      {
        kind: 'sign',
        genesis,
        keyId,
        epoch: 2n,
        parties: [1n, 3n],
        intent: new TextEncoder().encode('an order'),
        approvals: [Uint8Array.of(1), Uint8Array.of(2, 3)],
        unsigned: new TextEncoder().encode('bytes to sign'),
        checkpoint: 'log\n7\n',
        logged: [{ entry: Uint8Array.of(9), index: 300n, proof: [hash32('a'), hash32('b')] }],
        rule: 'daily',
        own: [{ address: '0xown', keyId, path: [0n, 7n] }],
        paid: [{ address: '0xpayee', keyId, path: [0n, 0n], raw: Uint8Array.of(4, 5) }],
        standingOrder: hash32('a standing order'),
        batch: { intent: new TextEncoder().encode('a batch'), logged: { entry: Uint8Array.of(8), index: 301n, proof: [hash32('c')] } },
        nonce,
      },
      {
        orders: [hash32('an order')],
        counts: [{ rule: 'daily', asset: 'eip155:1/slip44:60', each: 'destination', of: '0xpayee', sinceMs: 1_700_000_000_000n }],
        standingOrder: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16),
      },
    ),
  ]
}

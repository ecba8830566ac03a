import { decode, toHex } from '@holdfast/encoding'
import { nodePorts } from '@holdfast/ports/node'
import { envelopeShape, joinShape, type Signed } from '@holdfast/protocol'
import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import { createCalls } from '../calls/calls.ts'
import { agreeOnSecret, type Channel, openEnvelope, sealEnvelope } from '../sessions/envelopes.ts'
import { type Cluster, openSigner, type Relay, TestTime } from './cluster.ts'

/** What a rogue sends in place of its message: `heard` is what the honest party sends in the same round, where the rogue waited for it. */
export type Lie = (body: Uint8Array, heard: Uint8Array | null) => Uint8Array

const flipLastBit: Lie = (body) => body.map((byte, i) => (i === body.length - 1 ? byte ^ 1 : byte))

/**
 * Makes one party of a cluster leave the protocol: it keeps a copy of what its generator gave, so that the test can open
 * the messages it sends, change what is in them, and seal and sign them again as that party.
 */
export async function turnRogue(cluster: Cluster, party: number): Promise<{ relay(cheatInRound: number, lie?: Lie): Relay }> {
  const drawn: Uint8Array[] = []
  const time = new TestTime()
  Object.defineProperty(time, 'ports', {
    value: { ...time.ports, random: { bytes: (length: number) => (drawn.push(nodePorts.random.bytes(length)), Uint8Array.from(drawn.at(-1)!)) } },
  })
  await cluster.signers.get(party)!.close()
  const signer = await openSigner(cluster.root, party, time)
  cluster.signers.set(party, signer)
  cluster.calls.set(party, createCalls(signer))
  const { secretKey } = signer.options.identity
  const publicKey = ed25519.getPublicKey(secretKey)

  const relay = (cheatInRound: number, lie: Lie = flipLastBit): Relay => {
    let joins: Signed[] = []
    let heard: Signed | null = null
    const spoil = (signed: Signed): Signed => {
      const ephemeralKeys = new Map(joins.map((join) => decode(joinShape, join.message)).map((join) => [Number(join.party), join.ephemeralKey]))
      const ephemeralSecret = drawn.find((draw) => draw.length === 32 && toHex(x25519.getPublicKey(draw)) === toHex(ephemeralKeys.get(party)!))!
      const { session, genesis } = decode(envelopeShape, signed.message)
      const [victim] = [...ephemeralKeys.keys()].filter((each) => each !== party) as [number]
      const victimKey = ephemeralKeys.get(victim)!
      const base = { genesis, session, signSecret: secretKey }
      const peer = { signKey: publicKey, sharedSecret: agreeOnSecret(ephemeralSecret, victimKey) }
      // The shared secret is the same from both ends, so the rogue can read what it sealed as if it were the victim.
      const asVictim: Channel = { ...base, me: victim, peers: new Map([[party, peer]]) }
      const asSelf: Channel = { ...base, me: party, peers: new Map([[victim, peer]]) }
      const message = openEnvelope(asVictim, signed)
      const victims = { signKey: cluster.signers.get(victim)!.options.identity.publicKey, sharedSecret: peer.sharedSecret }
      const said = heard && openEnvelope({ ...asSelf, peers: new Map([[victim, victims]]) }, heard)
      return sealEnvelope(asSelf, { ...message, body: lie(message.body, said?.body ?? null) })
    }
    return {
      joins: (given) => (joins = given),
      deliver: (envelopes, to, round) => {
        if (round === cheatInRound && to === party) heard = envelopes[0] ?? null
        return envelopes.map((each) => (round === cheatInRound && to !== party && Number(each.party) === party ? spoil(each) : each))
      },
    }
  }
  return { relay }
}

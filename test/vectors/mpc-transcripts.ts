import { decode, encode, toHex } from '@holdfast/encoding'
import {
  FROST_ED25519,
  FROST_TAPROOT,
  type KeyShare,
  keyPublicOf,
  keyPublicShape,
  keyShareShape,
  type EcdsaSignature,
  type Message,
  type PairSeeds,
  pairSeedsShape,
  PROTOCOL,
  type SchnorrSignature,
  startFreshSigning,
  startFrostSigning,
  startInSequence,
  startKeyGeneration,
  startPairSetup,
  startResharing,
  startShareCheck,
  startSigning,
} from '@holdfast/mpc'
import { extensionPrefixes } from '../../packages/mpc/src/transfer/ot-extension.ts'
import { INPUTS, RHO, WIDE_BYTES } from '../../packages/mpc/src/round/parameters.ts'
import { gadgetVector, openVole } from '../../packages/mpc/src/transfer/rvole.ts'
import { bytesToInteger, ORDER, scalarBytes } from '../../packages/mpc/src/group/group.ts'
import { firstShape, secondShape } from '../../packages/mpc/src/sign/sign.ts'
import { hashWithPrefix, messageShape, type Session } from '../../packages/mpc/src/round/transcript.ts'
import { hash32, recordRun, type Transcript } from './record-run.ts'

const ALL = [1, 2, 3]
const PAIR = [1, 3]
const MESSAGE = hash32('what is signed')

type Shares = Map<number, KeyShare>
const contextOf = (title: string, protocol: string, parties: number[], epoch = 0n) => ({
  protocol,
  genesis: hash32('genesis of the vectors'),
  keyId: hash32(`key of ${protocol}`),
  epoch,
  session: hash32(`session of ${title}`),
  parties,
})
const shareHex = (share: KeyShare | null): string | null => share && toHex(encode(keyShareShape, share))
const ecdsa = ({ r, s, recovery, publicKey }: EcdsaSignature) => ({ r: toHex(r), s: toHex(s), recovery, publicKey: toHex(publicKey) })
const schnorr = ({ signature, publicKey }: SchnorrSignature) => ({ signature: toHex(signature), publicKey: toHex(publicKey) })
const ownShare =
  (shares: Shares) =>
  (party: number): Record<string, string> => ({ share: shareHex(shares.get(party)!)! })

function generation(protocol: string): { transcript: Transcript; results: Shares } {
  const title = `key generation, ${protocol}`
  return recordRun<KeyShare>({
    title,
    protocol: 'key-generation',
    context: contextOf(title, protocol, ALL),
    start: startKeyGeneration,
    resultOf: shareHex,
  })
}

function resharing(shares: Shares, what: string, dealers: number[], receivers: number[]): Transcript {
  const held = shares.get(dealers[0]!)!
  const key = keyPublicOf(held)
  const title = `${what}, ${held.protocol}`
  const parties = [...new Set([...dealers, ...receivers])].sort((a, b) => a - b)
  return recordRun({
    title,
    protocol: 'reshare',
    context: contextOf(title, held.protocol, parties, 1n),
    inputs: { key: toHex(encode(keyPublicShape, key)), dealers, receivers },
    inputsOf: (party) => (dealers.includes(party) ? ownShare(shares)(party) : {}),
    start: (context, random) =>
      startResharing({ context, key, dealers, receivers, share: dealers.includes(context.me) ? shares.get(context.me)! : null }, random),
    resultOf: shareHex,
  }).transcript
}

function shareCheck(shares: Shares): Transcript {
  const { protocol } = shares.get(1)!
  const title = `share check, ${protocol}`
  return recordRun({
    title,
    protocol: 'share-check',
    context: contextOf(title, protocol, ALL),
    inputsOf: ownShare(shares),
    start: (context, random) => startShareCheck({ context, share: shares.get(context.me)! }, random),
    resultOf: toHex,
  }).transcript
}

function frost(shares: Shares, path: number[], message: Uint8Array): Transcript {
  const { protocol } = shares.get(1)!
  const title = `FROST signature, ${protocol}, path ${path.join('/')}`
  return recordRun({
    title,
    protocol: 'frost-sign',
    context: contextOf(title, protocol, PAIR),
    inputs: { path, message: toHex(message) },
    inputsOf: ownShare(shares),
    start: (context, random) => startFrostSigning({ context, share: shares.get(context.me)!, path, message }, random),
    resultOf: schnorr,
  }).transcript
}

function frostSequence(shares: Shares, path: number[], messages: Uint8Array[]): Transcript {
  const { protocol } = shares.get(1)!
  const title = `several FROST signatures in one session, ${protocol}`
  return recordRun({
    title,
    protocol: 'frost-sequence',
    context: contextOf(title, protocol, [2, 3]),
    inputs: { path, messages: messages.map(toHex) },
    inputsOf: ownShare(shares),
    start: (whole, random) =>
      startInSequence(
        whole,
        messages.map((message) => (context) => startFrostSigning({ context, share: shares.get(context.me)!, path, message }, random)),
      ),
    resultOf: (signatures) => signatures.map(schnorr),
  }).transcript
}

function pairSetup(): { transcript: Transcript; results: Map<number, PairSeeds> } {
  const title = 'pair set-up'
  return recordRun({
    title,
    protocol: 'pair-setup',
    context: contextOf(title, PROTOCOL, PAIR),
    start: startPairSetup,
    resultOf: (seeds) => toHex(encode(pairSeedsShape, seeds)),
  })
}

/** What both parties compute of the multiplications of one signature: prefixes, and the challenges on the corrections. */
function multiplications(sent: readonly Message[], session: Session): Record<string, string | string[]>[] {
  const payload = (from: number, round: number) => decode(messageShape, sent.find((message) => message.from === from && message.round === round)!.body).payload
  return [PAIR, PAIR.toReversed()].map(([bob, alice]) => {
    const [nonceOfBob, nonceOfAlice] = [bob!, alice!].map((party) => decode(firstShape, payload(party, 1)).commitment) as [Uint8Array, Uint8Array]
    const { column, challenge, check } = extensionPrefixes(session, bob!, alice!, nonceOfBob)
    const vole = openVole(session, bob!, alice!, { bob: nonceOfBob, alice: nonceOfAlice })
    const uniform = hashWithPrefix(INPUTS * RHO * WIDE_BYTES, vole.theta, decode(secondShape, payload(alice!, 2)).corrections)
    const theta = Array.from({ length: INPUTS * RHO }, (_, i) => bytesToInteger(uniform.subarray(i * WIDE_BYTES, (i + 1) * WIDE_BYTES)) % ORDER)
    const prefixes = { column, challenge, check, pad: vole.pad, theta: vole.theta, rowCheck: vole.rowCheck }
    return {
      bob: String(bob),
      alice: String(alice),
      ...Object.fromEntries(Object.entries(prefixes).map(([use, prefix]) => [`${use}Prefix`, toHex(prefix)])),
      thetas: theta.map((each) => toHex(scalarBytes(each))),
    }
  })
}

function signing(shares: Shares, seeds: Map<number, PairSeeds>): Transcript {
  const title = 'ECDSA signature with stored seeds'
  const path = [7, 0, 2147483647]
  const { transcript, sent } = recordRun({
    title,
    protocol: 'sign',
    context: contextOf(title, PROTOCOL, PAIR),
    inputs: { path, digest: toHex(MESSAGE) },
    inputsOf: (party) => ({ ...ownShare(shares)(party), seeds: toHex(encode(pairSeedsShape, seeds.get(party)!)) }),
    start: (context, random) => startSigning({ context, share: shares.get(context.me)!, seeds: seeds.get(context.me)!, path, digest: MESSAGE }, random),
    resultOf: ecdsa,
  })
  const id = Uint8Array.from(Buffer.from(transcript.values.parts[0]!.id, 'hex'))
  const [first] = gadgetVector(seeds.get(PAIR[0]!)!.jointSeed)
  const values = { ...transcript.values, gadget0: toHex(scalarBytes(first!)), multiplications: multiplications(sent, { id } as Session) }
  return { ...transcript, values }
}

function freshSigning(shares: Shares): Transcript {
  const title = 'fresh ECDSA signatures, two in one session'
  const digests = [MESSAGE, hash32('what else is signed')]
  const path = [1]
  return recordRun({
    title,
    protocol: 'sign-fresh',
    context: contextOf(title, PROTOCOL, [2, 3]),
    inputs: { path, digests: digests.map(toHex) },
    inputsOf: ownShare(shares),
    start: (context, random) => startFreshSigning({ context, share: shares.get(context.me)!, path, digests }, random),
    resultOf: (signatures) => signatures.map(ecdsa),
  }).transcript
}

/** All transcripts, by the name of the file that keeps them. */
export function mpcTranscripts(): Record<string, Transcript[]> {
  const [secp, edwards, taproot] = [PROTOCOL, FROST_ED25519, FROST_TAPROOT].map(generation)
  const setup = pairSetup()
  const everybody = [secp!, edwards!, taproot!]
  // Paths whose children have odd and even Y, for the adjustments of taproot.
  const tapPaths = [[0, 0], [0, 1], [0, 2], [86]]
  return {
    'key-generation': everybody.map(({ transcript }) => transcript),
    'share-check': everybody.map(({ results }) => shareCheck(results)),
    reshare: everybody.flatMap(({ results }) => [
      resharing(results, 'refresh', ALL, ALL),
      resharing(results, 'repair', [1, 2], ALL),
      resharing(results, 'handing over', [2, 3], [1, 3, 4]),
    ]),
    'frost-ed25519': [frost(edwards!.results, [], new Uint8Array()), frost(edwards!.results, [5, 2], new TextEncoder().encode('a message'))],
    'frost-taproot': [
      ...tapPaths.map((path) => frost(taproot!.results, path, MESSAGE)),
      frostSequence(taproot!.results, [86], ['one', 'two', 'three', 'four', 'five'].map(hash32)),
    ],
    'pair-setup': [setup.transcript],
    sign: [signing(secp!.results, setup.results)],
    'sign-fresh': [freshSigning(secp!.results)],
  }
}

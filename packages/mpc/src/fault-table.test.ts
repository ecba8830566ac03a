import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { toHex } from '@holdfast/encoding'
import { ed25519 } from '@noble/curves/ed25519.js'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import * as echo from './round/echo.ts'
import * as frost from './sign/frost-sign.ts'
import {
  checkKeyShare,
  type EcdsaSignature,
  FROST_ED25519,
  FROST_TAPROOT,
  type KeyShare,
  PROTOCOL,
  type SchnorrSignature,
  startFreshSigning,
  startFrostSigning,
  startKeyGeneration,
  startPairSetup,
  startResharing,
  startShareCheck,
  startSigning,
} from './index.ts'
import * as generation from './key/key-generation.ts'
import * as pairSetup from './sign/pair-setup.ts'
import * as resharing from './key/reshare.ts'
import { schemeOf } from './key/scheme.ts'
import * as shareCheck from './key/share-check.ts'
import * as signing from './sign/sign.ts'
import { baseOtGroup, cellsOf, type FaultScenario, recordRun, tryCell } from './testing/fault-table.ts'
import { ALL, contextOf, generateKey, hash32, type Pair, seededRandom, setUpPair } from './testing/run-parties.ts'

// Every (round, field, fault) cell of every protocol. HOLDFAST_FAULT_REPEAT=20 tries each of them so many times, each time at another place of the field.
// Without it each is tried once, and of the protocols that take long, or share their code with one that is tried whole, a sample is.

const REPEAT = Number(process.env.HOLDFAST_FAULT_REPEAT ?? 1)
const sampleOf = (cells: number) => (process.env.HOLDFAST_FAULT_REPEAT ? Infinity : cells)

const keys = new Map([PROTOCOL, FROST_ED25519, FROST_TAPROOT].map((protocol) => [protocol, generateKey(`table/${protocol}`, protocol)]))
const pair: Pair = { parties: [1, 2], shares: keys.get(PROTOCOL)!, seeds: setUpPair([1, 2], 'table') }
const message = hash32('what is signed')
const path = [0, 3]
const randomOf = (session: string, me: number) => seededRandom(`${session}/${me}`)
const context = (me: number, parties: number[], session: string, protocol: string, epoch = 0n) => contextOf(me, parties, session, { protocol, epoch })
const ecdsaInput = (me: number, session: string) => ({ context: contextOf(me, [1, 2], session), share: pair.shares.get(me)!, path, digest: message })
const freshInput = (me: number, session: string) => ({ context: contextOf(me, [1, 2], session), share: pair.shares.get(me)!, path, digests: [message] })
const same = (result: unknown, honest: unknown) => {
  assert.deepEqual(result, honest)
  return true
}
const isEcdsa = (result: unknown) => {
  const { r, s, recovery, publicKey } = result as EcdsaSignature
  const isValid = secp256k1.verify(new Uint8Array([...r, ...s]), message, publicKey, { prehash: false, lowS: true })
  // Networks find who pays by the recovery id, so a wrong one makes the signature worthless.
  return isValid && toHex(secp256k1.recoverPublicKey(new Uint8Array([recovery, ...r, ...s]), message, { prehash: false })) === toHex(publicKey)
}
const isShare = (result: unknown, honest: unknown) => {
  checkKeyShare(result as KeyShare)
  return same(result, honest)
}
const SETUP_ROUNDS = [pairSetup.chooseShape, pairSetup.answerShape, pairSetup.confirmShape]
const SIGN_ROUNDS = [signing.firstShape, signing.secondShape, signing.thirdShape]

type Row = FaultScenario & { sample: number }
const group = (protocol: string) => () => schemeOf(protocol).group

const rows: Row[] = [PROTOCOL, FROST_ED25519, FROST_TAPROOT].flatMap((protocol) => [
  {
    name: `key generation ${protocol}`,
    group: group(protocol),
    parties: ALL,
    rounds: [generation.commitShape, generation.revealShape, generation.shareShape, echo.confirmShape],
    start: (me, session) => startKeyGeneration(context(me, ALL, session, protocol), randomOf(session, me)),
    isRight: isShare,
    sample: sampleOf(protocol === PROTOCOL ? 30 : 12),
  },
  ...[
    { name: 'refresh', dealers: ALL, parties: ALL, receivers: ALL },
    { name: 'repair', dealers: [1, 2], parties: ALL, receivers: ALL },
    { name: 'handing over', dealers: [2, 3], parties: [1, 2, 3, 4], receivers: [1, 3, 4] },
  ].map(
    ({ name, dealers, parties, receivers }): Row => ({
      name: `${name} ${protocol}`,
      group: group(protocol),
      parties,
      rounds: [resharing.commitShape, resharing.revealShape, resharing.shareShape, echo.confirmShape],
      start: (me, session) => {
        const shares = keys.get(protocol)!
        const share = dealers.includes(me) ? shares.get(me)! : null
        return startResharing({ context: context(me, parties, session, protocol, 1n), key: shares.get(2)!, dealers, receivers, share }, randomOf(session, me))
      },
      isRight: (result, honest) => (result ? isShare(result, honest) : same(result, honest)),
      sample: sampleOf(protocol === PROTOCOL && name === 'refresh' ? 30 : 12),
    }),
  ),
  {
    name: `share check ${protocol}`,
    group: group(protocol),
    parties: ALL,
    rounds: [shareCheck.proofShape],
    start: (me, session) => startShareCheck({ context: context(me, ALL, session, protocol), share: keys.get(protocol)!.get(me)! }, randomOf(session, me)),
    isRight: same,
    sample: sampleOf(12),
  },
])

for (const protocol of [FROST_ED25519, FROST_TAPROOT]) {
  rows.push({
    name: `signing ${protocol}`,
    group: group(protocol),
    parties: [1, 2],
    rounds: [frost.nonceShape, frost.signatureShareShape],
    start: (me, session) =>
      startFrostSigning({ context: context(me, [1, 2], session, protocol), share: keys.get(protocol)!.get(me)!, path, message }, randomOf(session, me)),
    isRight: (result) => {
      const { signature, publicKey } = result as SchnorrSignature
      return protocol === FROST_TAPROOT ? schnorr.verify(signature, message, publicKey) : ed25519.verify(signature, message, publicKey, { zip215: false })
    },
    sample: Infinity,
  })
}
rows.push(
  {
    name: `signing ${PROTOCOL}`,
    group: group(PROTOCOL),
    parties: [1, 2],
    rounds: SIGN_ROUNDS,
    start: (me, session) => startSigning({ ...ecdsaInput(me, session), seeds: pair.seeds.get(me)! }, randomOf(session, me)),
    isRight: isEcdsa,
    sample: Infinity,
  },
  {
    name: `pair set-up ${PROTOCOL}`,
    group: () => baseOtGroup,
    parties: [1, 2],
    rounds: SETUP_ROUNDS,
    start: (me, session) => startPairSetup(contextOf(me, [1, 2], session), randomOf(session, me)),
    isRight: same,
    sample: sampleOf(3),
  },
  {
    name: `signing with fresh base OTs ${PROTOCOL}`,
    group: (round) => (round <= SETUP_ROUNDS.length ? baseOtGroup : group(PROTOCOL)()),
    parties: [1, 2],
    rounds: [...SETUP_ROUNDS, ...SIGN_ROUNDS],
    start: (me, session) => startFreshSigning(freshInput(me, session), randomOf(session, me)),
    isRight: (result) => (result as unknown[]).length === 1 && isEcdsa((result as unknown[])[0]),
    sample: sampleOf(3),
  },
)

/** A fault ends a session and burns nothing, so it may tell nothing: it is about the form of a message, or about what it is bound to. */
const FORM = new RegExp(
  [
    '^malformed message: ',
    '^the message is bound to another ',
    'is not a finite point of the (curve|group)$',
    'is zero or not below the group order$',
    '^a correction is not below the group order$',
    '^two messages in one round$',
    '^no message of round ',
    '^a message of round \\d where round \\d was expected$',
    '^a message to another receiver$',
    '^a message from a party outside the session$',
    '^its echo does not list the parties$',
  ].join('|'),
)
/** A failed check locks the pair, or ends a ceremony, so it says by whose proof. */
const SOURCE = /\((.*)(DKLs23|RFC \d+|eprint \d+\/\d+|KOS|Wong, Wang and Wing)/

for (const row of rows) {
  test(`fault table, ${row.name}: no cell gives a wrong result or a crash, faults are of form alone, cheats lock and name their check`, async (t) => {
    // What the row before has shown is written before this one begins.
    await nextTurn()
    const runs = { own: recordRun(row, 'own'), other: recordRun(row, 'other') }
    const cells = cellsOf(row, runs.own)
    const pick = seededRandom(`sample/${row.name}`)
    const chosen = cells.length <= row.sample ? cells : Array.from({ length: row.sample }, () => cells[Buffer.from(pick(4)).readUInt32BE() % cells.length]!)
    const count = { fault: 0, cheat: 0, harmless: 0 }
    for (const cell of chosen) {
      for (let trial = 0; trial < REPEAT; trial++) {
        const name = `${row.name}, round ${cell.round}, ${cell.field}: ${cell.fault}${cell.alike ? ' to all' : ''}, trial ${trial}`
        try {
          for (const { kind, text } of tryCell(row, cell, runs, trial)) {
            count[kind] += 1
            if (kind !== 'harmless') assert.match(text, kind === 'fault' ? FORM : SOURCE)
          }
        } catch (cause) {
          throw new Error(name, { cause })
        }
      }
    }
    t.diagnostic(`${cells.length} cells, ${chosen.length * REPEAT} tried: ${count.fault} faults, ${count.cheat} cheats, ${count.harmless} harmless`)
  })
}

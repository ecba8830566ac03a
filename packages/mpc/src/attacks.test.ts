import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { decode, digest, struct } from '@holdfast/encoding'
import { bitOf } from './transfer/base-ot.ts'
import { CHALLENGE_BYTES, hashColumns, transpose, wordsToBytes } from './transfer/bit-matrix.ts'
import { confirmShape } from './round/echo.ts'
import { signatureShareShape } from './sign/frost-sign.ts'
import { ed25519Group } from './group/group-ed25519.ts'
import { bytesToInteger, reduce, scalarBytes, secp256k1Group } from './group/group.ts'
import {
  CheatError,
  checkKeyShare,
  FROST_ED25519,
  FROST_TAPROOT,
  type KeyShare,
  type Message,
  PROTOCOL,
  ProtocolFault,
  recoverSecret,
  startFrostSigning,
  startKeyGeneration,
  startPairSetup,
  startResharing,
  startSigning,
  type Step,
} from './index.ts'
import { commitmentOf, commitShape, openGeneration, revealShape, shareShape } from './key/key-generation.ts'
import { lagrange } from './key/key-share.ts'
import { extensionPrefixes } from './transfer/ot-extension.ts'
import { answerShape, chooseShape, confirmShape as setupConfirmShape } from './sign/pair-setup.ts'
import { CHECK_BITS, COLUMN_BYTES, LAMBDA_C, OT_KEY_BYTES } from './round/parameters.ts'
import * as resharing from './key/reshare.ts'
import { firstShape, secondShape, thirdShape } from './sign/sign.ts'
import { editPayload, flipBit } from './testing/edit-message.ts'
import { cellsOf, type FaultScenario, recordRun, tryCell } from './testing/fault-table.ts'
import {
  ALL,
  contextOf,
  generateKey,
  hash32,
  messagesFor,
  type Pair,
  refusalOf,
  reshare,
  seededRandom,
  setUpPair,
  signTogether,
  startSigner,
} from './testing/run-parties.ts'
import { hashWithPrefix, headerShape, messageShape, type Session } from './round/transcript.ts'

// The published attacks on threshold wallets, each carried out against this code and refused.

const shares = generateKey('attacks')
const ed25519Shares = generateKey('attacks/ed25519', FROST_ED25519)
const pair: Pair = { parties: [1, 2], shares, seeds: setUpPair([1, 2], 'attacks') }

/** What a cheater works with: the session as the papers' sid, read off a message. */
function sessionOf(message: Message): Session {
  const { round: _round, from: _from, to: _to, ...context } = decode(messageShape, message.body).header
  const { round: _r, from: _f, to: _t, ...fields } = headerShape.fields
  return { id: digest(struct('holdfast/mpc/session/v1', fields), context) } as Session
}

test('selective abort: in a signing session a wrong guess of a bit of the base OT choices is a cheat, which ends the attack where it began', () => {
  // Doerner, Kondi, Lee, shelat 2018, section on selective failure: flip a column bit, keep the check as if nothing were; it passes where delta's bit is 0.
  const own = pair.seeds.get(2)!
  const outcomes: number[] = []
  for (let column = 0; column < 16; column++) {
    const request = { path: [], digest: hash32('abort'), session: `abort/${column}` }
    const honest = startSigner(pair, 2, request).outgoing[0]!
    const attack = editPayload(honest, firstShape, (payload) => {
      const prefixes = extensionPrefixes(sessionOf(honest), 2, 1, payload.commitment)
      const zeros = Array.from({ length: LAMBDA_C }, (_, i) =>
        hashWithPrefix(COLUMN_BYTES, prefixes.column, Uint8Array.of(i >> 8, i & 255), own.bothKeys.subarray(2 * i * OT_KEY_BYTES, (2 * i + 1) * OT_KEY_BYTES)),
      )
      const columns = flipBit(payload.columns, column * COLUMN_BYTES + 20, 4)
      const challenge = hashWithPrefix(CHALLENGE_BYTES, prefixes.challenge, columns)
      const choicesOf = (i: number) =>
        zeros[i]!.map((byte, at) => {
          const one = hashWithPrefix(
            COLUMN_BYTES,
            prefixes.column,
            Uint8Array.of(i >> 8, i & 255),
            own.bothKeys.subarray((2 * i + 1) * OT_KEY_BYTES, (2 * i + 2) * OT_KEY_BYTES),
          )
          return byte ^ one[at]! ^ payload.columns[i * COLUMN_BYTES + at]
        })
      payload.columns = columns
      payload.choiceHash = hashOf(challenge, choicesOf(0))
      payload.columnCheck = hashWithPrefix(32, prefixes.check, wordsToBytes(hashColumns(challenge, transpose(new Uint8Array(Buffer.concat(zeros))))))
    })
    try {
      startSigner(pair, 1, request).receive([attack])
      outcomes.push(0)
    } catch (error) {
      assert.ok(error instanceof CheatError && error.peer === 2, String(error))
      outcomes.push(1)
    }
  }
  // The attack is real: were failures forgiven, it would read every bit. The first one that is caught burns the pair, after two sessions on average.
  assert.deepEqual(
    outcomes,
    outcomes.map((_, column) => bitOf(pair.seeds.get(1)!.delta, column)),
  )
  assert.ok(outcomes.includes(0) && outcomes.includes(1))
})

/** The universal hash of one column, through the same matrix for all. */
function hashOf(challenge: Uint8Array, column: Uint8Array): Uint8Array {
  const alone = new Uint8Array(LAMBDA_C * COLUMN_BYTES)
  alone.set(column)
  const rows = hashColumns(challenge, transpose(alone))
  const hash = new Uint8Array(CHECK_BITS / 8)
  for (let k = 0; k < CHECK_BITS; k++) hash[k >> 3] = hash[k >> 3]! | ((rows[k * 4]! & 1) << (k & 7))
  return hash
}

test('replayed session: the messages of a signature made before make no other, whatever was asked for', () => {
  const request = { path: [1], digest: hash32('paid'), session: 'yesterday' }
  const recorded = startSigner(pair, 2, request).outgoing
  for (const other of [
    { ...request, session: 'today' },
    { ...request, digest: hash32('paid again') },
    { ...request, path: [2] },
  ]) {
    assert.ok(refusalOf(() => startSigner(pair, 1, other).receive(recorded)) instanceof ProtocolFault)
  }
  const first = recordRun(generation('first'), 'own')
  for (const round of [1, 2, 3, 4]) {
    let step: Step<unknown> = generation('second').start(1, 'own')
    const honest = recordRun(generation('second'), 'own')
    for (let before = 1; before < round; before++) step = step.receive(messagesFor(1, honest.rounds[before - 1]!))
    assert.ok(refusalOf(() => step.receive(messagesFor(1, first.rounds[round - 1]!))) instanceof ProtocolFault)
  }
})

function generation(name: string): FaultScenario {
  return {
    name,
    group: () => secp256k1Group,
    parties: ALL,
    rounds: [commitShape, revealShape, shareShape, confirmShape],
    start: (me, session) => startKeyGeneration(contextOf(me, ALL, `${name}/${session}`), seededRandom(`${name}/${session}/${me}`)),
    isRight: () => false,
  }
}

test('equivocation: a dealer that shows two receivers two polynomials gives no new share to either', () => {
  const start = (me: number, seed = 'one') =>
    startResharing(
      { context: contextOf(me, ALL, 'equivocation', { epoch: 1n }), key: shares.get(1)!, dealers: ALL, receivers: ALL, share: shares.get(me)! },
      seededRandom(`${seed}/${me}`),
    )
  const faces = [start(2, 'left'), start(2, 'right')] as const
  let [one, three, left, right] = [start(1), start(3), ...faces]
  for (let round = 1; round <= 3; round++) {
    const honest = [...one.outgoing, ...three.outgoing]
    const [toOne, toThree] = [left.outgoing, right.outgoing]
    ;[left, right] = [left.receive(messagesFor(2, honest)), right.receive(messagesFor(2, honest))]
    ;[one, three] = [one.receive(messagesFor(1, [...toOne, ...honest])), three.receive(messagesFor(3, [...toThree, ...honest]))]
  }
  const honest = [...one.outgoing, ...three.outgoing]
  for (const refusal of [
    refusalOf(() => one.receive(messagesFor(1, [...left.outgoing, ...honest]))),
    refusalOf(() => three.receive(messagesFor(3, [...right.outgoing, ...honest]))),
  ]) {
    assert.ok(refusal instanceof CheatError && refusal.check.includes('echo') && refusal.suspects.includes(2), refusal.message)
  }
})

test('threshold raise: a polynomial of a higher degree has nowhere to be committed to, and its shares are refused', () => {
  const honest = recordRun(generation('degree'), 'own')
  const toShares = () => {
    let step: Step<unknown> = generation('degree').start(1, 'own')
    for (const round of [1, 2]) step = step.receive(messagesFor(1, honest.rounds[round - 1]!))
    return step
  }
  // f(x) + c x^2: every party's share is moved, so that three would be needed where two are to do.
  for (const c of [1n, 12345n]) {
    const raised = messagesFor(1, honest.rounds[2]!).map((message) =>
      message.from === 2
        ? editPayload(message, shareShape, (payload) => void (payload.share = scalarBytes(reduce(bytesToInteger(payload.share) + c))))
        : message,
    )
    const refusal = refusalOf(() => toShares().receive(raised))
    assert.ok(refusal instanceof CheatError && refusal.peer === 2 && refusal.check.includes('private share'), refusal.message)
  }
  // A third coefficient in the reveal: there is no field for it, in whichever field it is put.
  const third = secp256k1Group.multiplyBase(99n)
  for (const cell of cellsOf(generation('degree'), honest).filter(
    ({ round, field, alike }) => round === 2 && ['constant', 'slope', 'proof'].includes(field) && !alike,
  )) {
    const longer: typeof cell = { ...cell, apply: ({ message }) => [appended(message, third)] }
    assert.deepEqual(tryCell(generation('degree'), longer, { own: honest, other: honest }, 0)[0]!.kind, 'fault')
  }
})

const appended = (message: Message, more: Uint8Array): Message => ({ ...message, body: new Uint8Array([...message.body, ...more]) })

test('rogue key: a key part chosen after the others, or one whose secret its party does not know, is refused', () => {
  const honest = recordRun(generation('rogue'), 'own')
  const constants = messagesFor(2, honest.rounds[1]!).map((message) => decode(revealShape, decode(messageShape, message.body).payload).constant)
  // The cheater wants the key to be 7 G: its part is 7 G minus the others'.
  const rogue = secp256k1Group.sum([{ point: secp256k1Group.multiplyBase(7n), by: 1n }, ...constants.map((point) => ({ point, by: -1n }))])!
  const reveal = editPayload(honest.rounds[1]!.find(({ from }) => from === 2)!, revealShape, (payload) => void (payload.constant = rogue))
  const third = (round: number) => honest.rounds[round - 1]!.find(({ from }) => from === 3)!
  const start = () => generation('rogue').start(1, 'own')
  const late = refusalOf(() =>
    start()
      .receive(messagesFor(1, honest.rounds[0]!))
      .receive([reveal, third(2)]),
  )
  assert.ok(late instanceof CheatError && late.peer === 2 && late.check.includes('commitment to the key package'), late.message)
  // Even had it known them in time and committed to it, it cannot prove that it knows the logarithm.
  const session = openGeneration(contextOf(2, ALL, 'rogue/own'))
  const commitment = commitmentOf(session, 2, decode(revealShape, decode(messageShape, reveal.body).payload))
  const commit = editPayload(honest.rounds[0]!.find(({ from }) => from === 2)!, commitShape, (payload) => void (payload.commitment = commitment))
  const unproven = refusalOf(() =>
    start()
      .receive([commit, third(1)])
      .receive([reveal, third(2)]),
  )
  assert.ok(unproven instanceof CheatError && unproven.peer === 2 && unproven.check.includes('proof of knowledge'), unproven.message)
})

test('nonce reuse: a started ECDSA signature answers one peer once, and a stuck random source repeats no nonce for another digest', () => {
  const request = { path: [], digest: hash32('first'), session: 'presignature' }
  const one = startSigner(pair, 1, request)
  const first = startSigner(pair, 2, request).outgoing
  const second = one.receive(first)
  assert.ok(refusalOf(() => one.receive(first)) instanceof ProtocolFault)
  const peerSecond = startSigner(pair, 2, request).receive(one.outgoing)
  second.receive(peerSecond.outgoing)
  assert.ok(refusalOf(() => second.receive(peerSecond.outgoing)) instanceof ProtocolFault)
  const stuck = (length: number) => new Uint8Array(length).fill(3)
  const commitments = ['first', 'second'].map((text) => {
    const input = { context: contextOf(1, [1, 2], 'same'), share: shares.get(1)!, seeds: pair.seeds.get(1)!, path: [], digest: hash32(text) }
    return decode(firstShape, decode(messageShape, startSigning(input, stuck).outgoing[0]!.body).payload)
  })
  assert.notDeepEqual(commitments[0]!.commitment, commitments[1]!.commitment)
  assert.notDeepEqual(commitments[0]!.columns, commitments[1]!.columns)
})

const frost = (me: number, message: Uint8Array, session: string, random = seededRandom(`${session}/${me}`)) =>
  startFrostSigning({ context: contextOf(me, [1, 2], session, { protocol: FROST_ED25519 }), share: ed25519Shares.get(me)!, path: [], message }, random)

test('FROST nonce reuse: commitments once answered are answered no more, and another message has other nonces from the same random bytes', () => {
  const message = hash32('m')
  const one = frost(1, message, 'frost')
  one.receive(frost(2, message, 'frost').outgoing)
  const otherNonces = frost(2, message, 'frost', seededRandom('other nonces')).outgoing
  assert.ok(refusalOf(() => one.receive(otherNonces)) instanceof ProtocolFault)
  const stuck = () => (length: number) => new Uint8Array(length).fill(3)
  const payloads = [hash32('m'), hash32('n')].map((text) => decode(messageShape, frost(1, text, 'same', stuck()).outgoing[0]!.body).payload)
  assert.notDeepEqual(payloads[0], payloads[1])
})

test('parallel sessions (Wagner, ROS): a binding factor of its own in every session leaves no linear relation to solve', () => {
  // Drijvers and others, eprint 2018/417; Benhamouda and others, eprint 2020/945. A victim set back twice to the same nonces answers peers with other
  // commitments. Without binding factors two answers would give the share: (z1 - z2) / (lambda (c1 - c2)).
  const message = hash32('ros')
  const { publicKey } = ed25519Shares.get(1)!
  const littleEndian = (bytes: Uint8Array) => bytesToInteger(Uint8Array.from(bytes).reverse())
  const answers = ['a', 'b'].map((seed) => {
    const [one, two] = [frost(1, message, 'ros'), frost(2, message, 'ros', seededRandom(seed))]
    const [nextOne, nextTwo] = [one.receive(two.outgoing), two.receive(one.outgoing)]
    const { signature } = nextOne.receive(nextTwo.outgoing).result!
    const c = littleEndian(createHash('sha512').update(signature.subarray(0, 32)).update(publicKey).update(message).digest())
    return { nonce: one.outgoing[0]!.body, z: littleEndian(decode(signatureShareShape, decode(messageShape, nextOne.outgoing[0]!.body).payload).share), c }
  })
  const [a, b] = answers as [(typeof answers)[0], (typeof answers)[0]]
  assert.deepEqual(a.nonce, b.nonce, 'the attack needs the same nonces twice')
  const { order } = ed25519Group
  const weighted = reduce(lagrange(1n, [2n], order) * (a.c - b.c), order)
  const power = (base: bigint, exponent: bigint): bigint =>
    exponent === 0n ? 1n : reduce(power(reduce(base * base, order), exponent >> 1n) * (exponent & 1n ? base : 1n), order)
  const guess = reduce((a.z - b.z) * power(weighted, order - 2n), order)
  assert.notDeepEqual(Buffer.from(ed25519Group.multiplyBase(guess)), Buffer.from(ed25519Shares.get(1)!.verifyingShares[0]!))
})

test('old-epoch share: shares and seeds from before a refresh neither sign, nor set up, nor deal, nor rebuild with those from after it', () => {
  const after = reshare(shares, ALL, ALL, 'epochs')
  const request = { path: [], digest: hash32('epochs'), session: 'epochs' }
  const old = startSigner(pair, 2, request).outgoing
  const input = {
    context: contextOf(1, [1, 2], 'epochs', { epoch: 1n }),
    share: after.get(1)!,
    seeds: { ...pair.seeds.get(1)!, epoch: 1n },
    path: [],
    digest: request.digest,
  }
  const mixed = refusalOf(() => startSigning(input, seededRandom('x')).receive(old))
  assert.ok(mixed instanceof ProtocolFault && /another epoch/.test(mixed.message), mixed.message)
  for (const change of [{ seeds: pair.seeds.get(1)! }, { share: shares.get(1)! }, { share: { ...shares.get(1)!, epoch: 1n }, seeds: pair.seeds.get(1)! }]) {
    assert.ok(refusalOf(() => startSigning({ ...input, ...change }, seededRandom('x'))) instanceof ProtocolFault)
  }
  // A share whose epoch was forged fits no key data: its peer's statement is another.
  const forged = startSigning(
    { ...input, context: { ...input.context, me: 2 }, share: { ...shares.get(2)!, epoch: 1n }, seeds: { ...pair.seeds.get(2)!, epoch: 1n } },
    seededRandom('y'),
  )
  assert.match(refusalOf(() => startSigning(input, seededRandom('x')).receive(forged.outgoing)).message, /statement/)
  const deal = { context: contextOf(1, ALL, 'again', { epoch: 2n }), key: after.get(1)!, dealers: ALL, receivers: ALL, share: shares.get(1)! }
  assert.ok(refusalOf(() => startResharing(deal, seededRandom('x'))) instanceof ProtocolFault)
  assert.throws(() => recoverSecret([shares.get(1)!, after.get(2)!]), /epoch/)
})

test('truncated proof lists: too few base OTs, columns, corrections or echoes are refused by their number, before anything is computed', () => {
  // TSSHOCK and alpha-rays: a proof with fewer rows or iterations than the verifier needs, which then checks only those that are there.
  const scenarios: FaultScenario[] = [
    generation('rows'),
    {
      ...generation('rows'),
      parties: [1, 2],
      rounds: [firstShape, secondShape, thirdShape],
      start: (me, session) => startSigner(pair, me, { path: [], digest: hash32('rows'), session }),
    },
    {
      ...generation('rows'),
      parties: [1, 2],
      rounds: [chooseShape, answerShape, setupConfirmShape],
      start: (me, session) => startPairSetup(contextOf(me, [1, 2], session), seededRandom(`${session}/${me}`)),
    },
  ]
  const lists = ['points', 'columns', 'corrections', 'seen', 'proof', 'choiceHash']
  const tried = new Set<string>()
  for (const scenario of scenarios) {
    const own = recordRun(scenario, 'own')
    for (const cell of cellsOf(scenario, own)) {
      if (!lists.includes(cell.field) || cell.alike || !['truncation', 'half', 'empty'].includes(cell.fault)) continue
      const [outcome] = tryCell(scenario, cell, { own, other: own }, 0)
      assert.equal(outcome!.kind, 'fault', `${cell.field}: ${cell.fault}`)
      tried.add(cell.field)
    }
  }
  assert.deepEqual([...tried].sort(), [...lists].sort())
})

test('forget and forgive: a refresh that one dealer spoils for one receiver is finished by nobody, and the old shares still sign', () => {
  // Aumasson and Shlomovits, "Attacking threshold wallets" (eprint 2020/1052), section 3: some go over to new shares, others do not, and the key is lost.
  const start = (me: number) =>
    startResharing(
      { context: contextOf(me, ALL, 'forgive', { epoch: 1n }), key: shares.get(1)!, dealers: ALL, receivers: ALL, share: shares.get(me)! },
      seededRandom(`forgive/${me}`),
    )
  let steps = new Map<number, Step<KeyShare | null>>(ALL.map((me) => [me, start(me)]))
  for (const _round of [1, 2]) {
    const sent = [...steps.values()].flatMap(({ outgoing }) => outgoing)
    steps = new Map([...steps].map(([me, step]) => [me, step.receive(messagesFor(me, sent))]))
  }
  const dealt = [...steps.values()]
    .flatMap(({ outgoing }) => outgoing)
    .map((message) =>
      message.from === 2 && message.to === 1
        ? editPayload(message, resharing.shareShape, (payload) => void (payload.share = flipBit(payload.share, 9, 1)))
        : message,
    )
  const refused = refusalOf(() => steps.get(1)!.receive(messagesFor(1, dealt)))
  assert.ok(refused instanceof CheatError && refused.peer === 2)
  const [two, three] = [2, 3].map((me) => steps.get(me)!.receive(messagesFor(me, dealt)))
  // Party 1 says nothing in the echo round, and without its word the others get no share either.
  for (const [me, step, other] of [
    [2, two!, three!],
    [3, three!, two!],
  ] as const) {
    assert.equal(step.result, undefined)
    assert.ok(refusalOf(() => step.receive(messagesFor(me, other.outgoing))) instanceof ProtocolFault)
  }
  for (const share of shares.values()) checkKeyShare(share)
  assert.equal([...signTogether(pair, { path: [], digest: hash32('still'), session: 'still' }).values()].length, 2)
})

test('no part of one key serves another kind of signature: a taproot share signs neither by ECDSA nor by ed25519', () => {
  const taproot = generateKey('attacks/taproot', FROST_TAPROOT).get(1)!
  for (const protocol of [PROTOCOL, FROST_ED25519]) {
    const context = contextOf(1, [1, 2], 'kinds', { protocol })
    assert.ok(refusalOf(() => startFrostSigning({ context, share: taproot, path: [], message: hash32('m') }, seededRandom('x'))) instanceof ProtocolFault)
    assert.ok(
      refusalOf(() => startSigning({ context, share: taproot, seeds: pair.seeds.get(1)!, path: [], digest: hash32('m') }, seededRandom('x'))) instanceof
        ProtocolFault,
    )
  }
})

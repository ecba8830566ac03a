import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { scalarBytes } from '../group/group.ts'
import { CheatError, type EcdsaSignature, type Message, ProtocolFault, startSigning, type Step } from '../index.ts'
import { COLUMN_BYTES } from '../round/parameters.ts'
import { firstShape, secondShape, thirdShape } from './sign.ts'
import { editHeader, editPayload, flipBit } from '../testing/edit-message.ts'
import { contextOf, generateKey, hash32, type Pair, refusalOf, seededRandom, setUpPair, startSigner } from '../testing/run-parties.ts'

const pair: Pair = { parties: [1, 2], shares: generateKey('faults'), seeds: setUpPair([1, 2], 'faults') }
const request = { path: [3], digest: hash32('faults'), session: 'faults' }
const start = (session = request.session) => startSigner(pair, 1, { ...request, session })

/** The honest messages of party 2 in each round; party 1 always plays the same, for its random stream is fixed. */
function honestMessages(session: string): Message[] {
  const sent: Message[] = []
  let one = start(session)
  let two = startSigner(pair, 2, { ...request, session })
  while (one.awaiting) {
    sent.push(two.outgoing[0]!)
    const [toTwo, toOne] = [one.outgoing, two.outgoing]
    one = one.receive(toOne)
    two = two.receive(toTwo)
  }
  return sent
}
const honest = honestMessages('faults')

function before(round: number): Step<EcdsaSignature> {
  let step = start()
  for (let done = 1; done < round; done++) step = step.receive([honest[done - 1]!])
  return step
}

const shapes = [firstShape, secondShape, thirdShape]
/** Field, round, and the check or fault that must answer a flipped bit. */
const cells: [number, string, RegExp][] = [
  [1, 'commitment', /OT extension consistency/],
  [1, 'columns', /OT extension consistency/],
  [1, 'choiceHash', /OT extension consistency/],
  [1, 'columnCheck', /OT extension consistency/],
  [2, 'noncePoint', /commitment to the nonce point|not a finite point/],
  [2, 'salt', /commitment to the nonce point/],
  [2, 'keyPoint', /key share consistency|not a finite point/],
  [2, 'gammaNonce', /nonce consistency|not a finite point/],
  [2, 'gammaKey', /key share consistency|not a finite point/],
  [2, 'psi', /verification of the signature/],
  [2, 'corrections', /multiplication consistency|not below the group order/],
  [2, 'eta0', /multiplication consistency/],
  [2, 'eta1', /multiplication consistency/],
  [2, 'rowCheck', /multiplication consistency/],
  [3, 'w', /verification of the signature/],
  [3, 'u', /verification of the signature/],
]

for (const [round, field, expected] of cells) {
  test(`a bit flipped in ${field} of round ${round} never gives a signature, and party 2 is named`, () => {
    for (let trial = 0; trial < 4; trial++) {
      const refusal = refusalOf(() => {
        let step = before(round).receive([
          editPayload(honest[round - 1]!, shapes[round - 1]!, (payload) => {
            payload[field] = flipBit(payload[field], (trial * 2654435761) % payload[field].length, trial & 7)
          }),
        ])
        // What is only committed to, or only enters the sum, shows later.
        for (let later = round; later < 3; later++) step = step.receive([honest[later]!])
        return step
      })
      assert.equal(refusal.peer, 2)
      assert.match(refusal.message, expected)
    }
  })
}

test('failed checks are cheating, and malformed points and scalars are faults found before any check', () => {
  const infinity = new Uint8Array(33)
  for (const field of ['noncePoint', 'keyPoint', 'gammaNonce', 'gammaKey']) {
    const refusal = refusalOf(() =>
      before(2).receive([
        editPayload(honest[1]!, secondShape, (payload) => {
          payload[field] = infinity
        }),
      ]),
    )
    assert.ok(refusal instanceof ProtocolFault && refusal.peer === 2, field)
  }
  for (const [round, fields] of [
    [2, ['psi', 'eta0', 'eta1']],
    [3, ['w', 'u']],
  ] as const) {
    for (const field of fields) {
      for (const scalar of [new Uint8Array(32), new Uint8Array(32).fill(0xff)]) {
        const refusal = refusalOf(() =>
          before(round).receive([
            editPayload(honest[round - 1]!, shapes[round - 1]!, (payload) => {
              payload[field] = scalar
            }),
          ]),
        )
        assert.ok(refusal instanceof ProtocolFault && refusal.peer === 2, field)
      }
    }
  }
  const cheat = refusalOf(() =>
    before(3).receive([
      editPayload(honest[2]!, thirdShape, (payload) => {
        payload.u = scalarBytes(5n)
      }),
    ]),
  )
  assert.ok(cheat instanceof CheatError && cheat.peer === 2)
})

test('messages replayed from another session or bound to anything else are faults and not cheating', () => {
  const other = honestMessages('yesterday')
  const changes = {
    genesis: hash32('x'),
    keyId: hash32('x'),
    epoch: 1n,
    session: hash32('x'),
    binding: hash32('x'),
    protocol: 'dkls23/v2',
    version: 2n,
    round: 9n,
    from: 1n,
    to: 0n,
  }
  for (const round of [1, 2, 3]) {
    const bad = [other[round - 1]!, ...Object.entries(changes).map(([field, value]) => editHeader(honest[round - 1]!, { [field]: value }))]
    for (const message of bad) assert.ok(refusalOf(() => before(round).receive([message])) instanceof ProtocolFault)
  }
})

test('dropped, doubled, reordered, reflected and misaddressed messages are faults', () => {
  for (const round of [1, 2, 3]) {
    const message = honest[round - 1]!
    const step = before(round)
    const reflected = { ...step.outgoing[0]!, from: 2, to: 1 }
    const lists = [
      [],
      [message, message],
      [honest[round % 3]!],
      [{ ...honest[round % 3]!, round }],
      [{ ...message, to: 0 }],
      [{ ...message, to: 2 }],
      [{ ...message, from: 3 }],
      [reflected],
    ]
    for (const [i, incoming] of lists.entries()) assert.ok(refusalOf(() => (i === 0 ? step : before(round)).receive(incoming)) instanceof ProtocolFault)
  }
})

test('cut, lengthened and random bodies are faults, whatever the bytes', () => {
  for (const message of honest) {
    for (const length of [0, 1, 100, 500, message.body.length - 1]) {
      assert.ok(refusalOf(() => start().receive([{ ...message, round: 1, body: message.body.subarray(0, length) }])) instanceof ProtocolFault)
    }
    assert.ok(refusalOf(() => start().receive([{ ...message, round: 1, body: new Uint8Array([...message.body, 0]) }])) instanceof ProtocolFault)
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (body) => {
      assert.ok(refusalOf(() => start().receive([{ ...honest[0]!, body }])) instanceof ProtocolFault)
    }),
    { numRuns: 50 },
  )
})

test('any bit flipped anywhere in a body is refused', () => {
  fc.assert(
    fc.property(fc.constantFrom(1, 2, 3), fc.nat(), fc.integer({ min: 0, max: 7 }), (round, at, bit) => {
      const message = honest[round - 1]!
      const refusal = refusalOf(() => {
        let step = before(round).receive([{ ...message, body: flipBit(message.body, at % message.body.length, bit) }])
        for (let later = round; later < 3; later++) step = step.receive([honest[later]!])
        return step
      })
      assert.equal(refusal.peer, 2)
    }),
    { numRuns: 40 },
  )
})

test('a step is used once, so a nonce never signs twice', () => {
  for (const round of [1, 2, 3]) {
    const step = before(round)
    step.receive([honest[round - 1]!])
    assert.ok(refusalOf(() => step.receive([honest[round - 1]!])) instanceof ProtocolFault)
    const failed = before(round)
    refusalOf(() => failed.receive([]))
    assert.ok(refusalOf(() => failed.receive([honest[round - 1]!])) instanceof ProtocolFault)
  }
})

test('a session id used twice by mistake still makes other columns, so that no choice can be read off', () => {
  const columnsOf = (seed: string) => {
    const input = { context: contextOf(1, pair.parties, 'twice'), share: pair.shares.get(1)!, seeds: pair.seeds.get(1)!, path: [], digest: hash32('d') }
    let columns = new Uint8Array()
    editPayload(startSigning(input, seededRandom(seed)).outgoing[0]!, firstShape, (payload) => {
      columns = payload.columns
    })
    return columns
  }
  const [first, second] = [columnsOf('first'), columnsOf('second')]
  // Were the columns' pads repeated, this difference would be that of the choices, the same for every column.
  const differences = [0, 1, 2].map((i) =>
    Buffer.from(first.slice(i * COLUMN_BYTES, (i + 1) * COLUMN_BYTES).map((byte, at) => byte ^ second[i * COLUMN_BYTES + at]!)).toString('hex'),
  )
  assert.equal(new Set(differences).size, 3)
})

test('every session multiplies another masking of the key share', () => {
  const keyPoints = ['faults', 'yesterday'].map((session) => {
    let keyPoint = ''
    editPayload(honestMessages(session)[1]!, secondShape, (payload) => {
      keyPoint = Buffer.from(payload.keyPoint).toString('hex')
    })
    return keyPoint
  })
  assert.notEqual(keyPoints[0], keyPoints[1])
})

test('changing the bytes of a message after it was handed over changes nothing', () => {
  // A buffer, as a socket gives it: its parts share its memory.
  const body = Buffer.from(honest[0]!.body)
  const step = start().receive([{ ...honest[0]!, body }])
  body.fill(0)
  const done = step.receive([honest[1]!]).receive([honest[2]!])
  assert.ok(done.result)
})

import { codecFor } from '@holdfast/chain-evm/codec'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decode, encode } from '@holdfast/encoding'
import { signEd25519 } from '@holdfast/encoding/ed25519'
import { type BatchIntent, intentHash, intentShape, screeningMessage, type ScreeningWord, screeningWordShape } from '@holdfast/intent'
import type { Machine, NamedRule } from '@holdfast/policy'
import type { SignRequest } from '@holdfast/protocol'
import { ed25519 } from '@noble/curves/ed25519.js'
import { namedRule, personOf } from '../../../../../packages/policy/src/testing/named-rules.ts'
import { batchOf, lineRequest } from '../../testing/batch-of.ts'
import type { Log } from '../../testing/log-of.ts'
import { NOW_MS } from '../../testing/organisation-of.ts'
import { attemptOf, ben, checkOf, cleo, type Hooks, organisationWith, registerOf } from '../../testing/world-of.ts'
import { checkStillGood, verifySignRequest } from '../verify.ts'

const secretOf = (fill: number) => new Uint8Array(32).fill(fill)
const machineOf = (id: string, kind: string, fill: number, expiresAtMs = BigInt(NOW_MS + 3_600_000)): Machine => {
  return { id, name: id, kind, publicKey: ed25519.getPublicKey(secretOf(fill)), purpose: '', expiresAtMs }
}
const MINUTE_MS = 60_000
const LISTS = machineOf('lists', 'screener', 61)
const CHAIN_DESK = machineOf('chain desk', 'screener', 62)
const GUARD = machineOf('guard', 'coSigner', 63)
const people = { need: 1n, who: [ben, cleo].map(({ person }) => personOf(person)) }
const screened = (levels: string[]) => ({ kind: 'screening' as const, machines: ['lists'], levels, withinMs: BigInt(10 * MINUTE_MS) })
const CALM = namedRule('calm', { conditions: [screened(['low'])], steps: [people] })
const REFUSES = namedRule('refuses', { conditions: [screened(['severe'])] })
const ANY = namedRule('any', { steps: [people] })

type Said = Partial<ScreeningWord> & { fill?: number; alter?: Partial<ScreeningWord> }
const minutesAgo = (minutes: number) => ({ screenedAtMs: BigInt(NOW_MS - minutes * MINUTE_MS) })

/** What screeners sign of the order of a request, or of the batch behind it, in the log beside everything else. */
function speaking(said: readonly Said[], of?: BatchIntent): NonNullable<Hooks['request']> {
  return (request: SignRequest, log: Log) => {
    const { genesis, ...intent } = of ?? decode(intentShape, request.intent)
    const about = { genesis, intentHash: intentHash({ genesis, ...intent } as BatchIntent) }
    const encoded = said.map(({ fill = 61, alter, ...changes }) => {
      const found = { provider: 'deny list', level: 'low', screenedAtMs: BigInt(NOW_MS), reportHash: new Uint8Array(32) }
      const statement = { ...about, machine: 'lists', ...found, ...changes }
      return encode(screeningWordShape, { ...statement, signature: signEd25519(screeningMessage(statement), secretOf(fill)), ...alter })
    })
    const places = [...request.logged.map(({ index }) => Number(index)), ...encoded.map((body) => log.append('approval', body))]
    const batch = request.batch && { ...request.batch, logged: log.logged(Number(request.batch.logged.index)) }
    return { approvals: [...request.approvals, ...encoded], checkpoint: log.note(), logged: places.map((index) => log.logged(index)), batch }
  }
}

function attempt(rules: NamedRule[], said: readonly Said[], { screener = LISTS, hooks = {} }: { screener?: Machine; hooks?: Hooks } = {}) {
  const organisation = organisationWith({ rules, machines: [screener, CHAIN_DESK, GUARD] })
  return attemptOf({ organisation, approvers: [ben], request: speaking(said), ...hooks })
}
const verdict = (rules: NamedRule[], said: readonly Said[], given: Parameters<typeof attempt>[2] = {}) => {
  const { request, view } = attempt(rules, said, given)
  return checkOf(() => verifySignRequest(request, view))
}

describe('a signer asked to sign under a rule that demands a screening word', () => {
  it('signs with a word of the level that the rule takes, and with no other', () => {
    assert.equal(verdict([CALM], [{}]), 'signed')
    assert.equal(verdict([CALM], []), 'c5')
    assert.equal(verdict([CALM], [{ level: 'medium' }]), 'c5')
    assert.equal(verdict([CALM], [{ level: 'unknown' }]), 'c5')
    assert.equal(verdict([CALM], [{}], { hooks: { approvers: [] } }), 'c5', 'a word approves nothing')
  })

  it('counts the age by its own clock, and goes by the newest word that it is shown', () => {
    assert.equal(verdict([CALM], [minutesAgo(10)]), 'signed')
    assert.equal(verdict([CALM], [minutesAgo(11)]), 'c5')
    assert.equal(verdict([CALM], [minutesAgo(-6)]), 'c5')
    assert.equal(verdict([CALM], [minutesAgo(5), { level: 'severe' }]), 'c5')
    assert.equal(verdict([CALM], [{ level: 'severe', ...minutesAgo(5) }, {}]), 'signed')
    assert.equal(verdict([CALM], [{}, { level: 'severe' }]), 'c5', 'of two of one time neither is known')
  })

  it('takes no word of another order, organisation or machine, none that is forged, and none of a machine whose time is over', () => {
    const other = new Uint8Array(32).fill(9)
    const hostile: Said[] = [
      { intentHash: other },
      { genesis: other },
      { machine: 'chain desk', fill: 62 },
      { machine: 'nobody' },
      { machine: 'guard', fill: 63 },
      { fill: 62 },
      { level: 'severe', alter: { level: 'low' } },
      { ...minutesAgo(11), alter: minutesAgo(0) },
      { level: 'LOW' },
      { alter: { signature: new Uint8Array(64) } },
    ]
    for (const each of hostile) assert.equal(verdict([CALM], [each]), 'c5')
    assert.equal(verdict([CALM], [{}], { screener: machineOf('lists', 'screener', 61, BigInt(NOW_MS)) }), 'c5')
    assert.equal(verdict([CALM], [{}], { screener: machineOf('lists', 'coSigner', 61) }).startsWith('c'), true)
  })

  it('is refused by a rule that refuses, also where nothing is known, and goes on where it is known to be else', () => {
    assert.equal(verdict([REFUSES, ANY], [{}]), 'signed')
    assert.equal(verdict([REFUSES, ANY], []), 'c5')
    assert.equal(verdict([REFUSES, ANY], [minutesAgo(11)]), 'c5')
    assert.equal(verdict([REFUSES, ANY], [{ level: 'severe' }]), 'c5')
    assert.equal(verdict([REFUSES, ANY], [{ fill: 62 }]), 'c5')
  })

  it('looks for the word in the log, like everything else that was said', () => {
    const unlogged: Hooks['request'] = (request, log) => {
      const given = speaking([{}])(request, log)
      return { ...given, checkpoint: request.checkpoint, logged: request.logged }
    }
    assert.equal(verdict([CALM], [], { hooks: { request: unlogged } }), 'c11')
  })

  it('judges again before its first message: a word that has become too old meanwhile is none', () => {
    const { request, view } = attempt([CALM], [minutesAgo(10)])
    const order = verifySignRequest(request, view)
    assert.equal(
      checkOf(() => checkStillGood(order, 2, view)),
      'signed',
    )
    assert.equal(
      checkOf(() => checkStillGood(order, 2, { ...view, nowMs: NOW_MS + 1 })),
      'c5',
    )
  })

  it('takes for a line of a batch what was said of the batch, and of no line', () => {
    const organisation = organisationWith({ rules: [CALM], machines: [LISTS, CHAIN_DESK, GUARD] })
    const batch = batchOf({}, organisation)
    const of = (said: readonly Said[], about: BatchIntent | undefined = batch) => {
      const { request, log } = lineRequest({ organisation, batch, number: 1, approvers: [ben] })
      const asked = { ...request, ...speaking(said, about)(request, log) }
      return checkOf(() => verifySignRequest(asked, { party: 1, register: registerOf(organisation, log), nowMs: NOW_MS, codecFor }))
    }
    assert.equal(of([{}]), 'signed')
    assert.equal(of([]), 'c5')
    assert.equal(of([{}], batchOf({ remark: 'another' }, organisation)), 'c5')
  })
})

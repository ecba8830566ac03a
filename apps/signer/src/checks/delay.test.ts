import assert from 'node:assert/strict'
import { cp, rm } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { nodePorts } from '@holdfast/ports/node'
import type { SignRequest } from '@holdfast/protocol'
import { approveBy, namedRule, personOf } from '../../../../packages/policy/src/testing/named-rules.ts'
import { COIN, DAY_MS, NOW_MS } from '../testing/organisation-of.ts'
import { type Attempt, attemptOf, ben, checkOf, cleo, type Hooks, ORDER_MAX, organisationWith } from '../testing/world-of.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { Journal } from '../state/journal.ts'
import { applyEvent } from '../state/register.ts'
import { verifyQuorum } from './verify-quorum.ts'
import { verifySignRequest } from './verify.ts'

const HOUR_MS = 3_600_000
const step = (...members: (typeof ben)[]) => ({ need: 1n, who: members.map(({ person }) => personOf(person)) })
const slow = namedRule('slow', { action: approveBy([step(ben)], { delayMs: BigInt(HOUR_MS), mayStop: [personOf(cleo.person)] }) })
const quick = namedRule('quick', { steps: [step(ben)] })

const attempt = (hooks: Hooks = {}, rules = [slow]) =>
  attemptOf({ organisation: organisationWith({ rules }), approvers: [ben], order: { asset: COIN, amount: ORDER_MAX }, ...hooks })

const asked = ({ genesis, intent, approvals, checkpoint, logged }: SignRequest, rule = 'slow') => ({ genesis, intent, approvals, checkpoint, logged, rule })

/** Tells the signer of the quorum at a time, as the call does. */
function tell({ request, view }: Attempt, nowMs: number, rule?: string): void {
  const { hash, needs } = verifyQuorum(asked(request, rule), { ...view, nowMs })
  applyEvent(view.register, { kind: 'quorumSeen', intentHash: hash, ruleId: needs.rule.id }, nowMs, 1)
}

const signedAt = ({ request, view }: Attempt, nowMs: number) => checkOf(() => verifySignRequest(request, { ...view, nowMs }))
const toldAt = ({ request, view }: Attempt, nowMs = NOW_MS) => checkOf(() => verifyQuorum(asked(request), { ...view, nowMs }))

describe('a rule with a delay', () => {
  it('lets nothing be signed before this signer was told that its steps are met, and not until so long after that', () => {
    const one = attempt()
    assert.equal(signedAt(one, NOW_MS), 'c5')
    assert.equal(signedAt(one, NOW_MS + 2 * HOUR_MS), 'c5', 'time alone is not enough')
    tell(one, NOW_MS)
    assert.equal(signedAt(one, NOW_MS + HOUR_MS - 1), 'c5')
    assert.equal(signedAt(one, NOW_MS + HOUR_MS), 'signed')
  })

  it('counts from the first time, however often it is told', () => {
    const one = attempt()
    tell(one, NOW_MS)
    tell(one, NOW_MS + HOUR_MS - 1)
    assert.equal(signedAt(one, NOW_MS + HOUR_MS), 'signed')
  })

  it('does not begin with fewer people than its steps need, nor after a no, nor with what is not in the log', () => {
    assert.equal(toldAt(attempt()), 'signed')
    assert.equal(toldAt(attempt({ approvers: [] })), 'c5')
    assert.equal(toldAt(attempt({ approvers: [cleo] })), 'c5')
    assert.equal(toldAt(attempt({ approvers: [ben, cleo], approval: (member) => (member === cleo ? { decision: 'reject' } : {}) })), 'c6')
    assert.equal(toldAt(attempt({ request: ({ logged }) => ({ logged: logged.toReversed() }) })), 'c11')
    assert.equal(toldAt(attempt({ order: { asset: COIN, amount: ORDER_MAX, changes: { policyVersion: 2n } } })), 'c3')
    assert.equal(toldAt(attempt(), NOW_MS + 2 * DAY_MS), 'c4')
    assert.equal(toldAt(attempt({}, [quick])), 'c5', 'of a rule that the policy does not have')
  })

  it('is stopped meanwhile by the no of whoever it names, and of whoever stands in a step', () => {
    for (const member of [cleo, ben]) {
      const one = attempt()
      tell(one, NOW_MS)
      const hash = verifyQuorum(asked(one.request), one.view).hash
      applyEvent(one.view.register, { kind: 'vetoed', intentHash: hash, person: member.person.id }, NOW_MS + 1, 1)
      assert.equal(signedAt(one, NOW_MS + HOUR_MS), 'c6', member.person.name)
    }
  })

  it('is not got round by the delay of another rule, or of another order', () => {
    const other = namedRule('other', { action: slow.action })
    const one = attempt({}, [slow, other])
    tell(one, NOW_MS)
    const { register } = one.view
    const [seen] = [...register.quorums.keys()]
    register.quorums.clear()
    register.quorums.set(seen!.replace('slow', 'other'), NOW_MS)
    assert.equal(signedAt(one, NOW_MS + HOUR_MS), 'c5')
    const two = attempt({ order: { asset: COIN, amount: ORDER_MAX, salt: 5 } })
    for (const [name, atMs] of register.quorums) two.view.register.quorums.set(name, atMs)
    assert.equal(signedAt(two, NOW_MS + HOUR_MS), 'c5')
  })

  it('goes by the clock of the signer: one that was put back signs later, never sooner', () => {
    const one = attempt()
    tell(one, NOW_MS)
    assert.equal(signedAt(one, NOW_MS - 1), 'c5')
    const two = attempt()
    applyEvent(two.view.register, { kind: 'restarted' }, NOW_MS, 1)
    tell(two, NOW_MS - 1000)
    assert.equal(signedAt(two, NOW_MS + HOUR_MS - 1), 'c5')
    assert.equal(signedAt(two, NOW_MS + HOUR_MS), 'signed')
  })

  it('is kept over a restart to the moment, and begins anew at a signer whose folder was put back to before it', async (t) => {
    const one = attempt()
    const { hash, needs } = verifyQuorum(asked(one.request), one.view)
    const folder = await tempFolder(t)
    const open = (nowMs: number) => Journal.open({ ...nodePorts, clock: { ...nodePorts.clock, nowMs: () => nowMs } }, { folder, key: hash, party: 1 })
    const knows = ({ register }: Journal) => ({ ...one, view: { ...one.view, register: Object.assign(one.view.register, { quorums: register.quorums }) } })
    const seen = { kind: 'quorumSeen' as const, intentHash: hash, ruleId: needs.rule.id }
    const before = await open(NOW_MS)
    await before.write([{ kind: 'checkpointSigned', size: 1n, root: hash }])
    await before.close()
    const copy = `${folder}-copy`
    await cp(folder, copy, { recursive: true })
    t.after(() => rm(copy, { recursive: true, force: true }))
    const told = await open(NOW_MS)
    await told.write([seen])
    await told.close()
    const again = await open(NOW_MS + HOUR_MS / 2)
    assert.equal(signedAt(knows(again), NOW_MS + HOUR_MS - 1), 'c5')
    assert.equal(signedAt(knows(again), NOW_MS + HOUR_MS), 'signed')
    await again.close()
    await rm(folder, { recursive: true })
    await cp(copy, folder, { recursive: true })
    const restored = await open(NOW_MS + HOUR_MS)
    assert.equal(signedAt(knows(restored), NOW_MS + 5 * HOUR_MS), 'c5', 'it was told by nobody')
    await restored.write([seen])
    assert.equal(signedAt(knows(restored), NOW_MS + 2 * HOUR_MS - 1), 'c5', 'the whole time passes once more')
    assert.equal(signedAt(knows(restored), NOW_MS + 2 * HOUR_MS), 'signed')
    await restored.close()
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cancelTransfer, finishDraft } from '@holdfast/chain-bitcoin/codec'
import { codecFor } from '@holdfast/chain-registry/codec'
import { encode } from '@holdfast/encoding'
import { type Approval, type Intent, intentHash, intentShape, type ReplacementIntent, type TransferIntent } from '@holdfast/intent'
import type { Word } from '@holdfast/protocol'
import { sha256 } from '@noble/hashes/sha2.js'
import { Refused } from './refused.ts'
import { applyEvent, type Register, slotKeyOf } from '../state/register.ts'
import { bitcoinOrderOf } from '../testing/bitcoin-order-of.ts'
import { Log } from '../testing/log-of.ts'
import { approvalsOf, draftOf, OTHER_ADDRESS, requestOf } from '../testing/order-of.ts'
import { BTC, DAY_MS, NOW_MS, TOKEN } from '../testing/organisation-of.ts'
import { approve, type Member } from '../testing/people.ts'
import { ann, ben, cleo, key, organisationWith, registerOf } from '../testing/world-of.ts'
import { type SignerView, type SignOrder, verifySignRequest } from './verify.ts'
import { checkTogether } from './words.ts'

const acme = organisationWith()
const { fingerprint, policy } = acme
const hash = (name: string) => sha256(new TextEncoder().encode(name))

type Draft = ReturnType<typeof draftOf>
type Bytes = Partial<Draft['transaction']>
type World = { register: Register; log: Log; paid: Draft }

/** A signer that has begun to sign a payment in slot 0. */
function afterPaying(options: Partial<Parameters<typeof draftOf>[0]> = {}): World {
  const paid = draftOf({ fingerprint, policy, key, initiator: ann, ...options })
  const log = new Log(fingerprint)
  const register = registerOf(acme, log)
  const world = { register, log, paid }
  sign(world, verify(world, paid, approvalsOf(paid, policy, [ben, cleo])))
  return world
}

function verify(
  { register, log }: World,
  draft: { intent: Intent; transaction: Draft['transaction'] },
  approvals: Approval[],
  unsigned?: Uint8Array,
  nowMs = NOW_MS,
) {
  const { request } = requestOf({ key, draft: draft as Draft, approvals, log, ...(unsigned && { unsigned }) })
  const { size, root } = log.checkpoint
  applyEvent(register, { kind: 'checkpointSigned', size: BigInt(size), root }, NOW_MS, 1)
  const view: SignerView = { party: 1, register, nowMs, codecFor }
  return verifySignRequest(request, view)
}

/** The protocol's first message leaves: from here on a signature may exist. */
function sign({ register }: World, { reservation }: SignOrder): void {
  const requestHash = hash(`request ${register.sessions.size}`)
  const opened = { kind: 'sessionOpened' as const, requestHash, session: 'sign', keyId: key.keyId, epoch: 0n, parties: [1n, 2n], reservation }
  applyEvent(register, opened, NOW_MS, 1)
  applyEvent(register, { kind: 'sessionStarted', requestHash, seen: [] }, NOW_MS, 1)
}

/** The same order with other bytes. */
const again = (world: World, bytes: Bytes, intent: Partial<TransferIntent> = {}) =>
  verify(
    world,
    { intent: { ...world.paid.intent, ...intent }, transaction: { ...world.paid.transaction, ...bytes } },
    approvalsOf(world.paid, policy, [ben, cleo]),
  )

function replacementOf({ paid }: World, changes: Partial<ReplacementIntent> = {}): ReplacementIntent {
  const { policyVersion, policyHash, initiator, genesis, notBeforeMs, expiresAtMs } = paid.intent
  return {
    kind: 'replacement',
    genesis,
    orderId: hash('replacement').slice(0, 16),
    action: 'cancel',
    original: encode(intentShape, paid.intent),
    slot: 0n,
    feeCap: paid.intent.feeCap,
    remark: '',
    notBeforeMs,
    expiresAtMs,
    policyVersion,
    policyHash,
    initiator,
    nonce: hash('nonce'),
    ...changes,
  }
}

const HIGHER = { maxFeePerGas: 60_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n }
const NOBODY = ({ paid }: World) => ({
  asset: { chain: paid.intent.asset.chain, contract: null },
  to: paid.intent.from,
  amount: 1n,
  gasLimit: 21_000n,
  ...HIGHER,
})

function replace(
  world: World,
  changes: Partial<ReplacementIntent>,
  bytes: Bytes,
  { approvers = [ben, cleo], unsigned, words = [] }: { approvers?: Member[]; unsigned?: Uint8Array; words?: Word[] } = {},
) {
  const intent = replacementOf(world, changes)
  const approvals = approvers.map((member) => approve(member, intent, policy))
  const order = verify(world, { intent, transaction: { ...world.paid.transaction, ...bytes } }, approvals, unsigned)
  checkTogether(order, words, { register: world.register, nowMs: NOW_MS })
  return order
}

const refused = (check: string, words: RegExp) => (cause: unknown) => {
  assert.ok(cause instanceof Refused, String(cause))
  assert.equal(cause.check, check, cause.message)
  assert.match(cause.message, words)
  return true
}

describe('a signer asked for other bytes of a payment it began to sign', () => {
  it('takes part if they pay a higher fee in the same slot under the cap, and counts the amount once', () => {
    const world = afterPaying()
    const order = again(world, HIGHER)
    sign(world, order)
    assert.equal(world.register.spends.size, 1)
    assert.equal(world.register.slots.size, 1)
    assert.ok(again(world, HIGHER), 'and the same bytes again')
  })

  it('refuses another recipient, another amount, another slot, a lower fee and one above the cap', () => {
    const world = afterPaying()
    assert.throws(() => again(world, { ...HIGHER, to: OTHER_ADDRESS }), refused('c7', /pays/))
    assert.throws(() => again(world, { ...HIGHER, amount: 999_999n }), refused('c7', /base units/))
    assert.throws(() => again(world, { ...HIGHER, nonce: 1n }), refused('c10', /bound to slot .*\|0; it cannot move/))
    assert.throws(() => again(world, { maxFeePerGas: 29_000_000_000n }), refused('c10', /must be able to cost more/))
    assert.throws(() => again(world, { maxPriorityFeePerGas: 2_000_000_000n }), refused('c10', /must be able to cost more/))
    assert.throws(() => again(world, { maxFeePerGas: 10n ** 12n }), refused('c8', /the cap is/))
  })
})

describe('a signer asked to speed a payment up beyond its cap', () => {
  const LOW = { changes: { feeCap: 21_000n * 30_000_000_000n } }

  it('takes part where the people approved the new cap, also after the payment itself has expired', () => {
    const world = afterPaying({ changes: { ...LOW.changes } })
    assert.throws(() => again(world, HIGHER), refused('c8', /the cap is/))
    const feeCap = 21_000n * 60_000_000_000n
    const order = replace(world, { action: 'speed-up', feeCap, expiresAtMs: BigInt(NOW_MS + 2 * DAY_MS) }, HIGHER)
    assert.deepEqual(order.reservation.intentHash, intentHash(world.paid.intent), 'bound under the name of the payment')
    sign(world, order)
    assert.deepEqual([world.register.slots.size, world.register.spends.size], [1, 1])
  })

  it('refuses without their approval, another payment, another slot, and what the order inside does not say', () => {
    const world = afterPaying(LOW)
    const cap = { action: 'speed-up', feeCap: 10n ** 16n }
    assert.throws(() => replace(world, cap, HIGHER, { approvers: [ben] }), refused('c5', /1 approval\(s\) missing/))
    assert.throws(() => replace(world, cap, HIGHER, { approvers: [ann, ben] }), refused('c5', /missing/), 'who asked does not count')
    assert.throws(() => replace(world, cap, { ...HIGHER, to: OTHER_ADDRESS }), refused('c7', /pays/))
    assert.throws(() => replace(world, { ...cap, slot: 1n }, { ...HIGHER, nonce: 1n }), refused('c10', /cannot move/))
    assert.throws(() => replace(world, { ...cap, slot: 1n }, HIGHER), refused('c8', /takes slot 0/))
    assert.throws(() => replace(world, { ...cap, action: 'pay' }, HIGHER), refused('c7', /nothing known/))
    const other = encode(intentShape, { ...world.paid.intent, to: OTHER_ADDRESS })
    assert.throws(() => replace(world, { ...cap, original: other }, { ...HIGHER, to: OTHER_ADDRESS }), refused('c10', /is bound to order/))
    const inside = encode(intentShape, replacementOf(world))
    assert.throws(() => replaceRaw(world, { ...cap, original: inside }), refused('c4', /no order to pay/))
  })

  /** Approved by nobody: people could not have been shown it. */
  const replaceRaw = (world: World, changes: Partial<ReplacementIntent>) =>
    verify(world, { intent: replacementOf(world, changes), transaction: world.paid.transaction }, [])
})

describe('a signer asked for other bytes of a payment that it has not begun to sign itself', () => {
  const cap = { action: 'speed-up', feeCap: 10n ** 16n }
  const unseen = (): World => ({
    register: registerOf(acme, new Log(fingerprint)),
    log: new Log(fingerprint),
    paid: draftOf({ fingerprint, policy, key, initiator: ann }),
  })

  /** What another signer says of the payment. */
  const wordOf = (binding: Partial<NonNullable<Word['binding']>>): Word => {
    const { reservation } = verify(afterPaying(), unseen().paid, approvalsOf(unseen().paid, policy, [ben, cleo]))
    const known = { slot: slotKeyOf(reservation), committed: true, cancelled: false, unsigned: null, ...binding }
    return { kind: 'word', party: 3n, binding: known, spends: [], older: 0n, voted: [] } as unknown as Word
  }

  it('takes part where another signer says that it has begun, in the same slot, and that nobody cancelled it', () => {
    assert.ok(replace(unseen(), cap, HIGHER, { words: [wordOf({})] }))
    assert.ok(replace(unseen(), {}, NOBODY(unseen()), { words: [wordOf({})] }))
    assert.throws(() => replace(unseen(), cap, HIGHER, { words: [wordOf({ committed: false })] }), refused('c10', /no signer has begun/))
    assert.throws(() => replace(unseen(), cap, HIGHER, { words: [wordOf({ slot: 'elsewhere' })] }), refused('c10', /cannot move/))
    assert.throws(() => replace(unseen(), cap, HIGHER, { words: [wordOf({ cancelled: true })] }), refused('c10', /was cancelled/))
  })

  it('refuses: nobody may have approved the payment', () => {
    const world = unseen()
    assert.throws(() => replace(world, cap, HIGHER), refused('c10', /no signer has begun to sign the payment/))
    assert.throws(() => replace(world, {}, NOBODY(world)), refused('c10', /no signer has begun to sign the payment/))
  })

  it('refuses where the payment expired under an earlier version of the policy, and takes part where it had begun', () => {
    const change = { policyVersion: policy.version - 1n, policyHash: hash('former'), expiresAtMs: BigInt(NOW_MS - 1) }
    const revived = (world: World) => {
      const original = encode(intentShape, { ...world.paid.intent, ...change })
      const { policyVersion, expiresAtMs } = world.paid.intent
      return replace(world, { ...cap, original, policyVersion, policyHash: world.paid.intent.policyHash, expiresAtMs }, HIGHER)
    }
    assert.throws(() => revived(unseen()), refused('c10', /no signer has begun/))
    const begun = unseen()
    const { expiresAtMs } = begun.paid.intent
    const paid = { ...begun.paid, intent: { ...begun.paid.intent, ...change } }
    sign(begun, {
      reservation: {
        ...verify(afterPaying(), begun.paid, approvalsOf(begun.paid, policy, [ben, cleo])).reservation,
        intentHash: intentHash(paid.intent),
        expiresAtMs,
      },
    } as SignOrder)
    assert.ok(revived(begun))
  })

  it('leaves what is cancelled in the window of the rule that let it through, whatever rule lets it be cancelled', () => {
    const world = afterPaying()
    const [before] = [...world.register.spends.values()]
    const cancelling = replace(world, {}, NOBODY(world))
    sign(world, { ...cancelling, reservation: { ...cancelling.reservation, ruleId: 'another', amount: 0n } })
    assert.deepEqual([...world.register.spends.values()], [before])
  })

  it('refuses where a message never left, so that the order was given up', () => {
    const world = unseen()
    const { reservation } = verify(world, world.paid, approvalsOf(world.paid, policy, [ben, cleo]))
    const requestHash = hash('opened only')
    const opened = { kind: 'sessionOpened' as const, requestHash, session: 'sign', keyId: key.keyId, epoch: 0n, parties: [1n, 2n], reservation }
    applyEvent(world.register, opened, NOW_MS, 1)
    assert.throws(() => replace(world, cap, HIGHER), refused('c10', /no signer has begun/))
  })
})

describe('of an order about a payment, who approves', () => {
  const cap = { action: 'speed-up', feeCap: 10n ** 16n }

  it('is neither who asked for the payment nor who asks for the order', () => {
    const world = afterPaying()
    for (const approvers of [
      [ann, cleo],
      [ben, cleo],
      [ann, ben],
    ])
      assert.throws(() => replace(world, { ...cap, initiator: ben.person.id }, HIGHER, { approvers }), refused('c5', /quorum-impossible/))
    assert.throws(() => replace(world, { initiator: ben.person.id }, NOBODY(world), { approvers: [ann, cleo] }), refused('c5', /quorum-impossible/))
    assert.ok(replace(world, cap, HIGHER), 'who asked for the payment asks for this too, and two others approve')
  })
})

describe('a signer asked to cancel a payment', () => {
  it('takes part in bytes of the same slot that pay nobody, where the people approved it; then it signs nothing else of the payment', () => {
    const world = afterPaying()
    sign(world, replace(world, {}, NOBODY(world)))
    assert.throws(() => again(world, { maxFeePerGas: 90_000_000_000n }), refused('c10', /was cancelled/))
    assert.throws(() => replace(world, { action: 'speed-up', feeCap: 10n ** 17n }, { maxFeePerGas: 90_000_000_000n }), refused('c10', /was cancelled/))
    assert.ok(replace(world, {}, { ...NOBODY(world), maxFeePerGas: 90_000_000_000n }), 'another cancellation with a higher fee')
  })

  it('refuses without their approval, with the approvals of the payment, and bytes that pay anybody or do more', () => {
    const world = afterPaying()
    const nobody = NOBODY(world)
    assert.throws(() => replace(world, {}, nobody, { approvers: [] }), refused('c5', /2 approval\(s\) missing/))
    assert.throws(() => again(world, nobody), refused('c7', /pays/), 'the order to pay allows no cancellation')
    const intent = replacementOf(world)
    assert.throws(
      () => verify(world, { intent, transaction: { ...world.paid.transaction, ...nobody } }, approvalsOf(world.paid, policy, [ben, cleo])),
      refused('c5', /another order/),
    )
    assert.throws(() => replace(world, {}, { ...nobody, to: OTHER_ADDRESS }), refused('c7', /pays nobody/))
    assert.throws(() => replace(world, {}, HIGHER), refused('c7', /pays nobody/), 'the payment itself')
    assert.throws(
      () => replace(world, {}, { ...nobody, asset: { chain: TOKEN.chain, contract: TOKEN.contract }, gasLimit: 65_000n }),
      refused('c7', /pays nobody/),
    )
    assert.throws(() => replace(world, {}, { ...nobody, maxFeePerGas: 10n ** 12n }), refused('c8', /the cap is/))
    assert.throws(() => replace(world, { slot: 1n }, { ...nobody, nonce: 1n }), refused('c10', /cannot move/))
  })

  it('on Bitcoin takes part where the anchor comes back, and in nothing that spends another coin first', () => {
    const log = new Log(fingerprint)
    const register = registerOf(acme, log)
    const made = bitcoinOrderOf({ fingerprint, policy, key, initiator: ann })
    const world = { register, log, paid: made.draft }
    sign(world, verify(world, made.draft, approvalsOf(made.draft, policy, [ben, cleo]), made.unsigned))
    const codec = codecFor(BTC.chain)!
    const { slot } = codec.decode(made.unsigned)
    const cancel = { replaces: made.unsigned, satPerKvb: 20_000n, feeCap: 20_000n }
    const finished = finishDraft(cancelTransfer(cancel), new Map())
    const order = replace(world, { slot, feeCap: 20_000n }, {}, { unsigned: finished })
    assert.deepEqual(
      order.effects.transfers.map(({ to }) => to),
      [made.draft.intent.from],
    )
    const other = bitcoinOrderOf({ fingerprint, policy, key, initiator: ann, firstCoin: 9 }).unsigned
    assert.throws(() => replace(world, { slot, feeCap: 20_000n }, {}, { unsigned: other }), refused('c7', /pays nobody/))
    const elsewhere = finishDraft(cancelTransfer({ ...cancel, replaces: other }), new Map())
    assert.throws(() => replace(world, { slot, feeCap: 20_000n }, {}, { unsigned: elsewhere }), refused('c8', /takes slot/))
    assert.throws(() => replace(world, { slot: codec.decode(elsewhere).slot, feeCap: 20_000n }, {}, { unsigned: elsewhere }), refused('c10', /cannot move/))
  })
})

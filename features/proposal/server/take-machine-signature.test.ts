import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { AppError } from '@holdfast/contract'
import { encode, toHex } from '@holdfast/encoding'
import { signEd25519 } from '@holdfast/encoding/ed25519'
import { intentHash, type MachineDecision, machineMessage, type MachineSignature, machineSignatureShape } from '@holdfast/intent'
import { assertConserved } from '@holdfast/ledger'
import { type Machine, policyHash } from '@holdfast/policy'
import { verifyEvidence } from '@holdfast/protocol'
import { uuidToBytes } from '@holdfast/units'
import { ed25519 } from '@noble/curves/ed25519.js'
import { namedRule, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import { evidenceOf } from '../../testing/evidence-of.ts'
import {
  approvalOf,
  approveAs,
  ETH,
  fund,
  makeWallet,
  type Member,
  openWorld,
  orderOf,
  pageCalls,
  requestWithdrawal,
  resetScript,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'

const secretOf = (fill: number) => new Uint8Array(32).fill(fill)
const machineOf = (id: string, kind: string, fill: number): Machine => ({
  id,
  name: id,
  kind,
  publicKey: ed25519.getPublicKey(secretOf(fill)),
  purpose: '',
  expiresAtMs: 4_000_000_000_000n,
})
const API = machineOf('payouts', 'api', 61)
const GUARD = machineOf('guard', 'coSigner', 62)

let world: World
let wallet: Wallet

before(async () => {
  const people = (members: readonly Member[]) => ({ need: 1n, who: members.slice(0, 2).map(({ id }) => personOf({ id: uuidToBytes(id) })) })
  const guarded = { need: 1n, who: [{ kind: 'machine' as const, id: 'guard' }] }
  const asks = { kind: 'askers' as const, who: [{ kind: 'machine' as const, id: 'payouts' }] }
  world = await openWorld({
    machines: [API, GUARD],
    namedRules: (members) => [
      namedRule('by machine', { conditions: [asks], steps: [people(members)] }),
      namedRule('by people', { steps: [guarded, people(members)] }),
    ],
  })
})
beforeEach(async () => {
  resetScript(world)
  wallet = await makeWallet(world)
  await fund(world, wallet, 20n * ETH)
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

async function signedBy(orderId: string, by: Machine, decision: MachineDecision, fill: number, changes: Partial<MachineSignature> = {}): Promise<string> {
  const { intent } = await orderOf(world, orderId)
  const said = {
    genesis: intent.genesis,
    intentHash: intentHash(intent),
    policyHash: policyHash(world.policy),
    machine: by.id,
    decision,
    signedAtMs: BigInt(world.context.ports.clock.nowMs()),
    ...changes,
  }
  return toHex(encode(machineSignatureShape, { ...said, signature: signEd25519(machineMessage(said), secretOf(fill)) }))
}

const speak = (approval: string) => pageCalls(world)['order.approve']!({ approval })
const askedByAnn = async () => (await requestWithdrawal(world, wallet, { amount: '1' })).order.row.id
const says = async (orderId: string, by: number) => approveAs(world, await approvalOf(world, orderId, world.members[by]!))
const refused = (code: string) => (error: unknown) => error instanceof AppError && error.code === code
const INVALID = new AppError('invalid_parameters').code

describe('what machines sign of orders, at the server', () => {
  it('is taken from a co-signer in its own step, stands in the log and in the evidence', async () => {
    const id = await askedByAnn()
    assert.deepEqual(await says(id, 1), { state: 'approving', missing: 1 })
    assert.deepEqual(await speak(await signedBy(id, GUARD, 'approve', 62)), { state: 'approved', missing: 0 })
    assert.equal(await signOrder(world.context, world.orgId, id), 'signed')
    const report = verifyEvidence(await evidenceOf(world, id), { codecFor })
    assert.deepEqual(report.approvedBy.toSorted(), [world.members[1]!.name, 'guard (co-signer)'].toSorted())
  })

  it('is answered the same when it comes again, and anything else by the same machine is refused', async () => {
    const id = await askedByAnn()
    const yes = await signedBy(id, GUARD, 'approve', 62)
    assert.deepEqual(await speak(yes), { state: 'approving', missing: 1 })
    assert.deepEqual(await speak(yes), { state: 'approving', missing: 1 })
    await assert.rejects(speak(await signedBy(id, GUARD, 'reject', 62)), (error) => error instanceof AppError)
  })

  it('ends the order where a co-signer says no', async () => {
    const id = await askedByAnn()
    await says(id, 1)
    assert.equal(((await speak(await signedBy(id, GUARD, 'reject', 62))) as { state: string }).state, 'rejected')
  })

  it('counts only as this machine, of this order, in its place', async () => {
    const [id, other] = [await askedByAnn(), await askedByAnn()]
    const elsewhere = intentHash((await orderOf(world, other)).intent)
    const forged = [
      await signedBy(id, GUARD, 'approve', 63),
      await signedBy(id, GUARD, 'ask', 62),
      await signedBy(id, API, 'ask', 61),
      await signedBy(id, { ...GUARD, id: 'ghost' }, 'approve', 62),
      await signedBy(id, GUARD, 'approve', 62, { genesis: new Uint8Array(32) }),
    ]
    for (const each of forged) await assert.rejects(speak(each), refused(INVALID))
    const moved = await signedBy(id, GUARD, 'approve', 62, { intentHash: elsewhere })
    assert.deepEqual(await speak(moved), { state: 'approving', missing: 1 })
    assert.deepEqual(await says(id, 1), { state: 'approving', missing: 1 })
  })
})

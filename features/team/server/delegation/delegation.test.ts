import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { OrganisationTx } from '@holdfast/db'
import { encode, fromHex, toHex } from '@holdfast/encoding'
import { readVote } from '@holdfast/features/evidence/server'
import { listProposals } from '@holdfast/features/proposal/server'
import { type Delegation, delegationHash, delegationShape, encodeVote, intentHash, renderFor, renderHash, renderIntent, voteChallenge } from '@holdfast/intent'
import { approvalContext, policyHash } from '@holdfast/policy'
import { uuidToBytes } from '@holdfast/units'
import { approveBy, namedRule, personOf } from '../../../../packages/policy/src/testing/named-rules.ts'
import { proposals } from '../../../../apps/server/src/features.ts'
import {
  approve,
  assertionOf,
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
} from '../../../testing/test-world.ts'
import { delegationPageCalls } from './page-calls.ts'
import { delegationsFor, lastDelegation } from './read-delegations.ts'

const DAY_MS = 86_400_000

let world: World
let wallet: Wallet
let ann: Member
let ben: Member
let cleo: Member
let sequence = 1n

const idOf = ({ id }: Member) => personOf({ id: uuidToBytes(id) })
const nowMs = () => world.context.ports.clock.nowMs()
const inOrganisation = <T>(act: (tx: OrganisationTx) => Promise<T>) => world.db.asOrganisation(world.orgId, act)

before(async () => {
  // Ann asks; Ben and Cleo must approve, and Ben may decide for Cleo.
  world = await openWorld({
    namedRules: ([, first, second]) => [namedRule('both', { action: approveBy([{ need: 1n, who: [idOf(first!), idOf(second!)] }]) })],
    deputies: ([first, second]) => [idOf(first!), idOf(second!)],
  })
  ;[ann, ben, cleo] = world.members
  resetScript(world)
  wallet = await makeWallet(world)
  await fund(world, wallet, 100n * ETH)
})
after(() => world?.close())

/** A statement as the page makes it; without a delegate it only ends. */
async function signed(delegator: Member, delegate: Member | undefined, given: { by?: Member; untilMs?: number } = {}): Promise<Delegation> {
  const { genesis } = (await orderOf(world, (await ask()).id)).intent
  sequence += 1n
  const statement = {
    genesis,
    delegator: uuidToBytes(delegator.id),
    delegate: uuidToBytes((delegate ?? delegator).id),
    fromMs: delegate ? BigInt(nowMs() - DAY_MS) : 0n,
    untilMs: delegate ? BigInt(given.untilMs ?? nowMs() + DAY_MS) : 0n,
    sequence,
    nonce: new Uint8Array(32).fill(Number(sequence % 200n)),
  }
  return { statement, assertion: assertionOf(given.by ?? delegator, delegationHash(statement)) }
}
const hand = (delegation: Delegation) => delegationPageCalls(world.context)['delegation.set']!({ delegation: toHex(encode(delegationShape, delegation)) })
const ask = async () => (await requestWithdrawal(world, wallet, { amount: '0.1', expireHours: 72 })).order.row
const listed = () => inOrganisation((tx) => delegationsFor(tx, world.context, cleo.id))
const itemOf = async (reader: Member, id: string) => {
  const viewer = { context: world.context, language: 'en_US' as const, personId: reader.id, nowMs: nowMs(), fiat: 'USD' as const }
  const { list } = await inOrganisation((tx) => listProposals({ ...viewer, tx }, proposals, { state: 'wait', page_no: 1, page_size: 50 }))
  return list.find(({ item_id }) => item_id === id)
}

/** What the delegate signs of an order in the other's place. */
async function voteFor(orderId: string, delegate: Member, delegation: Delegation, name: string): Promise<string> {
  const { intent } = await orderOf(world, orderId)
  const statement = {
    genesis: intent.genesis,
    intentHash: intentHash(intent),
    policyHash: policyHash(world.policy),
    person: uuidToBytes(delegate.id),
    decision: 'approve',
    locale: 'en-US',
    renderHash: renderHash(renderFor(renderIntent(intent, approvalContext(world.policy), 'en-US'), name)),
    signedAtMs: BigInt(nowMs()),
    delegation,
  }
  return toHex(encodeVote({ ...statement, assertion: assertionOf(delegate, voteChallenge(statement)) }))
}
const give = (approval: string) => pageCalls(world)['order.approve']!({ approval }) as Promise<{ state: string; missing: number }>

describe('who decides for whoever is away', () => {
  it('is kept as the person signed it, once, and listed with those whom the policy lets stand in', async () => {
    assert.deepEqual((await listed()).may_name.map(({ name }) => name).sort(), [ann.name, ben.name].sort())
    const delegation = await signed(cleo, ben)
    await hand(delegation)
    await hand(delegation)
    const { list } = await listed()
    assert.deepEqual(
      list.map(({ delegator, delegate, now, told }) => [delegator.name, delegate.name, now, told]),
      [[cleo.name, ben.name, true, 0]],
    )
    assert.equal(await inOrganisation((tx) => lastDelegation(tx, cleo.id)), delegation.statement.sequence)
    const letters = await inOrganisation((tx) => tx.selectFrom('mail').select('person_id').where('topic', '=', 'delegation').execute())
    assert.deepEqual(letters.map(({ person_id: id }) => id).sort(), [ben.id, cleo.id].sort())
  })

  it('is refused where somebody else signed it, the policy lets the person not stand in, it is over, or a newer one ended it', async () => {
    await assert.rejects(signed(cleo, ben, { by: ben }).then(hand), { code: '100004' })
    await assert.rejects(signed(ben, cleo).then(hand), /cleo/i)
    await assert.rejects(signed(cleo, ben, { untilMs: nowMs() - 1 }).then(hand))
    const older = await signed(cleo, ben)
    await hand(await signed(cleo, ben))
    await assert.rejects(hand(older), { code: '300432' })
  })

  it('stands in the to-do list of the delegate, whose word fills the seat; what the person ended counts no more', async () => {
    const delegation = await signed(cleo, ann)
    await hand(delegation)
    const { id } = await ask()
    // Ann asked for it: nobody decides for another what they ask for.
    assert.equal(await itemOf(ann, id), undefined)
    await assert.rejects(voteFor(id, ann, delegation, cleo.name).then(give))
    const toBen = await signed(cleo, ben)
    await hand(toBen)
    assert.deepEqual((await itemOf(ben, id))?.decides_for, [{ person_id: cleo.id, name: cleo.name }])
    const vote = await voteFor(id, ben, toBen, cleo.name)
    assert.equal((await give(vote)).missing, 0)
    const stored = await inOrganisation((tx) =>
      tx.selectFrom('approval').select(['person_id', 'for_person']).where('intent_hash', '=', intentHashOf(vote)).execute(),
    )
    assert.deepEqual(stored, [{ person_id: ben.id, for_person: cleo.id }])
    const told = await inOrganisation((tx) => tx.selectFrom('member_event').select(['person_id', 'actor']).where('kind', '=', 'decided_for').execute())
    assert.deepEqual(told, [{ person_id: cleo.id, actor: ben.id }])

    const next = await ask()
    await hand(await signed(cleo, undefined))
    assert.deepEqual((await listed()).list, [])
    assert.deepEqual((await itemOf(ben, next.id))?.decides_for, [])
    await assert.rejects(voteFor(next.id, ben, toBen, cleo.name).then(give), { code: '300432' })
    await approve(world, next.id, cleo)
  })
})

/** The hash of the order of a vote, out of its bytes. */
const intentHashOf = (vote: string): Uint8Array => readVote(fromHex(vote)).intentHash

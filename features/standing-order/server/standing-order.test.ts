import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { BuildError, ChainError } from '@holdfast/chain-core'
import { type CallInput, type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import { decode, encode, toHex } from '@holdfast/encoding'
import type { HandledEndpoint, MemberContext } from '@holdfast/http'
import { deviceMessage, intentShape, stopHash, stopShape } from '@holdfast/intent'
import { assertConserved } from '@holdfast/ledger'
import { bytesToUuid, uuidToBytes } from '@holdfast/units'
import { p256 } from '@noble/curves/nist.js'
import { codecFor } from '@holdfast/chain-evm/codec'
import { verifyEvidence } from '@holdfast/protocol'
import { evidenceOf } from '../../testing/evidence-of.ts'
import { keyOf } from '../../testing/request-key.ts'
import { CHAIN, TOKEN } from '../../testing/scripted-chain.ts'
import {
  approvalOn,
  approveAs,
  balanceOf,
  ETH,
  fund,
  makeWallet,
  type Member,
  openWorld,
  orderOf,
  reaches,
  resetScript,
  scan,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'
import { haltChain, resumeChain, setAlarms } from '../../network/server/halts.ts'
import { currentPolicy } from '../../policy/server/current-policy.ts'
import { followSignerOrder } from '../../policy/server/signer-order/follow-signer-order.ts'
import { bringStandingUp, followedStandingOrders } from '../../policy/server/signer-order/standing-orders.ts'
import { keepStop, spreadStops } from '../../policy/server/stops.ts'
import { broadcastOrder } from '../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { getStandingDraft, listStandingOrders, listStandingReasons, proposeStandingOrder } from '../contract.ts'
import { lookAt } from './look.ts'
import { standingOrderEndpoints } from './routes.ts'
import { standingOrdersInForce } from './run-standing-orders.ts'

const ORIGIN = 'http://approve.localhost:24000'
let world: World
let endpoints: HandledEndpoint[]
let deposits: Wallet
let treasury: Wallet

before(async () => {
  world = await openWorld()
  endpoints = standingOrderEndpoints(world.context, { demandSecondFactorWhereSet: async () => {} })
})
beforeEach(async () => {
  resetScript(world)
  deposits = await makeWallet(world, 'Deposits')
  treasury = await makeWallet(world, 'Treasury')
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

let requests = 0
async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<OutputOf<E>> {
  const handled = endpoints.find((each) => each.endpoint === endpoint)!
  const fields = readInput(endpoint, parseForm(formEncode(input), endpoint.maxBodyBytes)) as Record<string, unknown>
  const request = typeof fields.request_id === 'string' ? keyOf(fields.request_id, fields) : undefined
  const context = { orgId: world.orgId, personId: world.members[0].id, language: 'en_US', request } as unknown as MemberContext
  return endpoint.output.parse(await handled.handler(context, fields as never)) as OutputOf<E>
}
const inOrganisation = <T>(act: Parameters<typeof world.db.asOrganisation<T>>[1]) => world.db.asOrganisation(world.orgId, act)

type Draft = CallInput<typeof proposeStandingOrder>['draft']
const draftOf = (changes: Partial<Draft> = {}): Draft => ({
  id: null,
  kind: 'sweep',
  name: 'Collect deposits',
  sources: [{ wallet_id: deposits.walletId, sub_wallet_id: null }],
  targets: [{ kind: 'own', wallet_id: treasury.walletId, sub_wallet_id: treasury.subWalletId }],
  assets: [{ chain: CHAIN, symbol: 'ETH', at_least: '0.5', at_most: '100' }],
  fees: [{ chain: CHAIN, max: '0.01', max_share: 10 }],
  transfers: 100,
  never: [],
  days: 30,
  ...changes,
})

/** Has a standing order approved and followed by the signers. */
async function stand(changes: Partial<Draft> = {}) {
  const asked = await call(proposeStandingOrder, { request_id: `standing-${requests++}`, draft: draftOf(changes), remark: '' })
  const row = await inOrganisation((tx) =>
    tx.selectFrom('signer_order').selectAll().where('org_id', '=', tx.orgId).where('id', '=', asked.id).executeTakeFirstOrThrow(),
  )
  const intent = decode(intentShape, new Uint8Array(row.intent))
  for (const member of world.members.slice(1)) await approveAs(world, approvalOn(world, intent, member, 'approve'))
  assert.equal(await followSignerOrder(world.context, world.orgId, asked.id), 'followed')
  const all = await inOrganisation(followedStandingOrders)
  return all.find(({ order }) => order.row.id === asked.id)!
}

/** One look; the orders that it opened, signed. */
async function look(standing: Awaited<ReturnType<typeof stand>>) {
  await lookAt(world.context, world.orgId as never, standing)
  const id = await inOrganisation((tx) =>
    tx
      .selectFrom('transfer_order')
      .select('id')
      .where('org_id', '=', tx.orgId)
      .where('standing_order_id', '=', bytesToUuid(standing.intent.id))
      .where('is_final', '=', false)
      .execute(),
  )
  return id.map((each) => each.id)
}
const reasons = async (id: string) => (await call(listStandingReasons, { id, page_no: 1, page_size: 50 })).list.map(({ address, reason }) => [address, reason])
const viewOf = async () => (await call(listStandingOrders, {})).list[0]!

async function stop(member: Member, standing: Awaited<ReturnType<typeof stand>>): Promise<Uint8Array> {
  const { fingerprint } = await inOrganisation((tx) => currentPolicy(tx))
  const { ports } = world.context
  const { id, version } = standing.intent
  const statement = {
    genesis: fingerprint,
    person: uuidToBytes(member.id),
    orders: [{ id, version }],
    atMs: BigInt(ports.clock.nowMs()),
    nonce: ports.random.bytes(32),
    reason: 'not now',
  }
  const signature = p256.sign(deviceMessage(stopHash(statement), ORIGIN), member.secretKey)
  return encode(stopShape, { statement, assertion: { kind: 'device', credentialId: member.credentialId, origin: ORIGIN, signature } })
}

describe('a standing order that people approved', () => {
  it('moves what arrives to the one address, without people, and says what it moved', async () => {
    const standing = await stand()
    await fund(world, deposits, 2n * ETH)
    const [orderId, ...more] = await look(standing)
    assert.ok(orderId)
    assert.equal(more.length, 0)
    assert.deepEqual(await look(standing), [orderId], 'nothing is moved twice')
    const { row } = await orderOf(world, orderId)
    assert.equal(row.address_to, treasury.address)
    assert.equal(row.kind, 'collect')
    await signOrder(world.context, world.orgId as never, orderId)
    await reaches(world, orderId, 'broadcasting', 'pending')
    const report = verifyEvidence(await evidenceOf(world, orderId), { codecFor })
    assert.equal(report.standingOrder?.name, 'Collect deposits')
    assert.deepEqual(
      report.approvedBy.toSorted(),
      world.members
        .slice(1)
        .map(({ name }) => name)
        .toSorted(),
    )
    assert.equal(report.initiator, 'Collect deposits')
    const [session] = world.signers.requests.filter((each) => each.kind === 'sign').slice(-1)
    assert.deepEqual(session && 'standingOrder' in session && session.standingOrder, standing.hash)
    assert.equal((await viewOf()).moving, 1)
  })

  it('gives the draft it was made of, from which its next version begins', async () => {
    const address = '0x00000000000000000000000000000000000000AA'
    const drafts: Partial<Draft>[] = [
      { never: [address], days: 7 },
      { sources: [{ wallet_id: deposits.walletId, sub_wallet_id: deposits.subWalletId }], fees: [{ chain: CHAIN, max: '0.0125', max_share: 12.5 }] },
      { kind: 'fuel', targets: [{ kind: 'own', wallet_id: treasury.walletId, sub_wallet_id: null }] },
    ]
    for (const changes of drafts) {
      const id = bytesToUuid((await stand(changes)).intent.id)
      assert.deepEqual(await call(getStandingDraft, { id }), { draft: draftOf({ ...changes, id }) })
    }
    const [id] = [bytesToUuid((await stand()).intent.id)]
    assert.equal((await stand({ id, name: 'Collect more', days: 60 })).intent.version, 2n)
    assert.equal((await call(getStandingDraft, { id })).draft?.name, 'Collect more')
    assert.deepEqual(await call(getStandingDraft, { id: crypto.randomUUID() }), { draft: null })
  })

  it('names wallets whatever their names are written in, as far as what is signed holds them', async () => {
    deposits = await makeWallet(world, '𠮷'.repeat(50))
    treasury = await makeWallet(world, '字'.repeat(50))
    const { intent } = await stand({ sources: [{ wallet_id: deposits.walletId, sub_wallet_id: null }] })
    assert.deepEqual([...new Set(intent.sources.map(({ name }) => name))], ['𠮷'.repeat(16)])
    assert.ok(intent.does.kind === 'sweep' && intent.does.to.every((each) => each.kind === 'own' && each.name === '字'.repeat(21)))
    await assert.rejects(stand({ name: '归集'.repeat(34) }), /too long to be signed/)
  })

  it('spells the addresses it never touches as their network does, and refuses what is none', async () => {
    const standing = await stand({ never: [`0x${'ab'.repeat(20)}`] })
    assert.deepEqual(standing.intent.never, ['0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB'])
    await assert.rejects(stand({ never: ['0xab'] }), { code: '110055' })
  })

  it('leaves what is below its threshold, and what is not its own, and says why', async () => {
    const standing = await stand()
    const other = await makeWallet(world, 'Other')
    await fund(world, other, 5n * ETH)
    await fund(world, deposits, ETH / 4n)
    assert.deepEqual(await look(standing), [])
    const { id } = await viewOf()
    assert.deepEqual(await reasons(id), [[deposits.address, 'below_threshold']])
    assert.equal((await balanceOf(world, other)).held, 0n)
  })

  it('makes no more transfers than people approved', async () => {
    const second = await makeWallet(world, 'Deposits')
    const sources = [deposits, second].map(({ walletId }) => ({ wallet_id: walletId, sub_wallet_id: null }))
    const standing = await stand({ transfers: 1, sources })
    for (const each of [deposits, second]) await fund(world, each, 2n * ETH)
    assert.equal((await look(standing)).length, 1)
    assert.deepEqual(
      (await reasons((await viewOf()).id)).map(([, reason]) => reason),
      ['limit_used'],
    )
  })

  it('is over for everybody once one person stops it', async () => {
    const standing = await stand()
    const [, ben] = world.members
    const given = await stop(ben, standing)
    assert.deepEqual(await keepStop(world.context, given), { state: 'stopped' })
    assert.deepEqual(await keepStop(world.context, given), { state: 'stopped' })
    await spreadStops(world.context)
    await spreadStops(world.context)
    assert.deepEqual(world.signers.toldToStop, [1, 2, 3])
    const nowMs = world.context.ports.clock.nowMs()
    const open = await inOrganisation((tx) => standingOrdersInForce(tx, nowMs))
    assert.ok(!open.some(({ order }) => order.row.id === standing.order.row.id))
    const view = (await call(listStandingOrders, {})).list.find((each) => each.state === 'stopped')
    assert.equal(view?.stopped?.by.name, ben.name)
    const next = await stand({ id: view!.id })
    assert.equal(next.intent.version, 2n)
    const again = await inOrganisation((tx) => standingOrdersInForce(tx, nowMs + 1))
    assert.ok(
      again.some(({ intent }) => intent.version === 2n),
      'a newer version goes on',
    )
  })

  it('reaches a signer that was not there as soon as it is', async () => {
    const standing = await stand()
    const key = `3/${toHex(standing.intent.id)}`
    world.signers.standing.delete(key)
    assert.equal(await bringStandingUp(world.context, world.orgId), true)
    assert.deepEqual(world.signers.standing.get(key)?.hash, standing.hash)
    const [, ben] = world.members
    await keepStop(world.context, await stop(ben, standing))
    world.signers.standing.delete(key)
    await spreadStops(world.context)
    await bringStandingUp(world.context, world.orgId)
    assert.deepEqual(world.signers.standing.get(key)?.stoppedBy, uuidToBytes(ben.id), 'a stop that it heard of before it followed counts')
  })

  it('is refused where it names what is not there or could pay anybody', async () => {
    const asks = (changes: Partial<Draft>) => call(proposeStandingOrder, { request_id: `standing-${requests++}`, draft: draftOf(changes), remark: '' })
    await assert.rejects(asks({ sources: [{ wallet_id: '00000000-0000-4000-8000-000000000000', sub_wallet_id: null }] }), /wallet/)
    await assert.rejects(asks({ targets: [{ kind: 'own', wallet_id: treasury.walletId, sub_wallet_id: null }] }), /one address/)
    await assert.rejects(asks({ assets: [{ chain: CHAIN, symbol: 'ETH', at_least: '2', at_most: '1' }] }), /no amount/)
  })
})

describe('why an address is not moved', () => {
  /** What the page says of the deposits' address after a look; "moved" once a transfer of it is open. */
  const why = async (standing: Awaited<ReturnType<typeof stand>>) => {
    if ((await look(standing)).length > 0) return 'moved'
    return whyNot(standing)
  }
  const whyNot = async (standing: Awaited<ReturnType<typeof stand>>) =>
    (await reasons(bytesToUuid(standing.intent.id))).find(([address]) => address === deposits.address)?.[1]
  const control = () => ({ chain: CHAIN, contract: '', place: deposits.address })

  it('is a fee above what people approved, while it is, and a network that tells no fee', async () => {
    const standing = await stand()
    await fund(world, deposits, 2n * ETH)
    const { node } = world.network
    world.network.node = { ...node, estimateFee: async () => [1n, 2n, 3n].map((factor) => ({ feeMax: factor * ETH, parameters: {} })) as never }
    assert.equal(await why(standing), 'fee_too_high')
    world.network.node = { ...node, estimateFee: async () => Promise.reject(new ChainError('no answer')) }
    assert.equal(await why(standing), 'halted')
    world.network.node = node
    assert.equal(await why(standing), 'moved')
  })

  it('is a network or a coin that stands still, while it does', async () => {
    const standing = await stand()
    await fund(world, deposits, 2n * ETH)
    await haltChain(world.context, CHAIN, 'sources disagree')
    assert.equal(await why(standing), 'halted')
    await resumeChain(world.context, CHAIN)
    const books = { chain: CHAIN, contract: '', place: '' }
    await inOrganisation((tx) => setAlarms(tx, world.context.ports, ['books'], [books], [{ ...books, cause: 'books', reason: 'does not add up' }]))
    assert.equal(await why(standing), 'halted')
    await inOrganisation((tx) => setAlarms(tx, world.context.ports, ['books'], [books], []))
    assert.equal(await why(standing), 'moved')
  })

  it('is an address for which somebody else may sign, and one that people excluded', async () => {
    const standing = await stand()
    await fund(world, deposits, 2n * ETH)
    const alarm = { ...control(), cause: 'control' as const, reason: 'another key may sign' }
    await inOrganisation((tx) => setAlarms(tx, world.context.ports, ['control'], [control()], [alarm]))
    assert.equal(await why(standing), 'alarm')
    await inOrganisation((tx) => setAlarms(tx, world.context.ports, ['control'], [control()], []))
    const excluded = await stand({ id: bytesToUuid(standing.intent.id), never: [deposits.address] })
    assert.equal(await why(excluded), 'excluded')
  })

  it('is a token that refuses the address, as one that its issuer froze; every other address is moved', async () => {
    const other = await makeWallet(world, 'Other deposits')
    const sources = [deposits, other].map(({ walletId }) => ({ wallet_id: walletId, sub_wallet_id: null }))
    const standing = await stand({ sources, assets: [{ chain: CHAIN, symbol: 'USDC', at_least: '1', at_most: '1000' }] })
    for (const wallet of [deposits, other]) await fund(world, wallet, ETH)
    await fund(world, deposits, 50_000_000n, TOKEN)
    await fund(world, other, 20_000_000n, TOKEN)
    const { node } = world.network
    const refused = new BuildError('the token refuses the transfer', { kind: 'token_refuses' })
    let frozen = deposits.address
    const asked: string[] = []
    const estimateFee: typeof node.estimateFee = async (order) => {
      asked.push(order.from)
      return order.from === frozen ? Promise.reject(refused) : node.estimateFee(order)
    }
    world.network.node = { ...node, estimateFee }
    const [moved] = await look(standing)
    assert.deepEqual(asked, [deposits.address, other.address], 'the node is asked once about each')
    assert.equal((await orderOf(world, moved!)).row.address_from, other.address)
    assert.equal(await whyNot(standing), 'token_refuses')
    await settle(moved!)
    await fund(world, other, 90_000_000n, TOKEN)
    frozen = other.address
    const [first] = await look(standing)
    assert.equal((await orderOf(world, first!)).row.address_from, deposits.address, 'the richest address refuses, the next one says what it costs')
    world.network.node = node
  })

  it('is a wallet for fees that is empty; the token is collected once that has coins', async () => {
    const tokens = await stand({ assets: [{ chain: CHAIN, symbol: 'USDC', at_least: '1', at_most: '1000' }] })
    const fuel = await stand({
      kind: 'fuel',
      name: 'Coins for fees',
      sources: [{ wallet_id: treasury.walletId, sub_wallet_id: treasury.subWalletId }],
      targets: [{ kind: 'own', wallet_id: deposits.walletId, sub_wallet_id: null }],
      assets: [{ chain: CHAIN, symbol: 'ETH', at_least: '0.00000000000001', at_most: '0.1' }],
      fees: [{ chain: CHAIN, max: '0.01', max_share: 100 }],
    })
    await fund(world, deposits, 50_000_000n, TOKEN)
    assert.equal(await why(tokens), 'no_fee_coins')
    assert.equal(await why(fuel), 'no_source')
    await fund(world, treasury, ETH)
    const [sent] = await look(fuel)
    assert.equal((await orderOf(world, sent!)).row.address_to, deposits.address)
    await settle(sent!)
    assert.deepEqual(await look(fuel), [], 'what was said before the coins came sends none again')
    assert.equal(await why(tokens), 'moved')
  })

  it('is a transfer of it under way: a reorganisation moves nothing twice', async () => {
    const standing = await stand()
    await fund(world, deposits, 2n * ETH)
    const [id] = await look(standing)
    await signOrder(world.context, world.orgId as never, id!)
    await broadcastOrder(world.context, world.orgId as never, id!)
    world.chain.mine(1)
    await scan(world)
    assert.equal((await orderOf(world, id!)).state, 'confirming')
    world.chain.reorganise(1)
    world.chain.mine(2)
    await scan(world)
    assert.deepEqual(await look(standing), [id])
    world.chain.mine(world.network.finalityBlocks + 1)
    await scan(world)
    const { state, row } = await orderOf(world, id!)
    assert.equal(state, 'completed')
    assert.deepEqual(await look(standing), [], 'what is left is the fee that was not needed')
    assert.deepEqual([(await balanceOf(world, treasury)).available, (await balanceOf(world, deposits)).held], [row.amount, 0n])
  })

  async function settle(id: string) {
    await signOrder(world.context, world.orgId as never, id as never)
    await broadcastOrder(world.context, world.orgId as never, id as never)
    world.chain.mine(world.network.finalityBlocks + 1)
    await scan(world)
    assert.equal((await orderOf(world, id)).state, 'completed')
  }
})

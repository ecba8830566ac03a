import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { tronCodec } from '@holdfast/chain-tron/codec'
import { tronNode, type TronNode } from '@holdfast/chain-tron/node'
import { AppError } from '@holdfast/contract'
import { startTron, TRON_CHAIN as chain, type TronNetwork } from '@holdfast/devnet/tron'
import { decode, toHex } from '@holdfast/encoding'
import { intentShape } from '@holdfast/intent'
import { LISTING_COOLING_MS, type StakeRule } from '@holdfast/policy'
import { nodePorts } from '@holdfast/ports/node'
import { newId, uuidToBytes } from '@holdfast/units'
import { Client } from 'pg'
import { proposeStandingOrder, followedStandingOrders } from '@holdfast/features/policy/server'
import { readTerms } from '@holdfast/features/standing-order/server'
import { followSignerOrder } from '../../../policy/server/signer-order/follow-signer-order.ts'
import { createStakeOrder } from '../../../resource/server/create-stake-order.ts'
import { broadcastOrder } from '../../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../../transfer/server/signing/sign-order.ts'
import { callerOf, keyOf } from '../../../testing/request-key.ts'
import {
  approvalOn,
  approve,
  approveAs,
  makeWallet,
  openWorld,
  orderOf,
  requestWithdrawal,
  scan,
  type Wallet,
  type World,
} from '../../../testing/test-world.ts'
import { operateAccounts } from '../agent/accounts.ts'
import { attendAll } from '../agent/run-agent.ts'
import { keepAgent, turnAgent } from '../agent/settings.ts'
import { type EnergyMarket, openEnergyMarket } from '../market/energy-market.ts'

/* An organisation on the emulated network whose payments get energy, with the real bytes of every order. */

const TRX = 1_000_000n
const FINALITY = 2
const folder = mkdtempSync(`${tmpdir()}/holdfast-agent-`)
export let tron: TronNetwork
export let honest: TronNode
export let world: World
export let treasury: Wallet
export let shop: Wallet
/** Whoever rents energy out, as a test wants it. */
export const markets = {} as { now: EnergyMarket }
export const needs = () => ({ ...world.context, market: markets.now })

export const inOrganisation = <T>(act: Parameters<typeof world.db.asOrganisation<T>>[1]) => world.db.asOrganisation(world.orgId, act)
export const isRefusedAs = (name: string) => (cause: unknown) => cause instanceof AppError && cause.errorName === name

/** Makes blocks, and has them read. */
export async function mine(blocks: number): Promise<void> {
  await tron.mine(blocks)
  await scan(world)
}

/** Has an order that nobody waits for any more signed, sent, and read until it is final. */
export async function carryOut(id: string): Promise<void> {
  assert.equal(await signOrder(world.context, world.orgId, id as never), 'signed')
  await broadcastOrder(world.context, world.orgId, id as never)
  await mine(FINALITY + 1)
  const { row, state } = await orderOf(world, id as never)
  assert.equal(state, 'completed', row.sub_status ?? '')
}

async function stake(wallet: Wallet, amount: string): Promise<void> {
  const input = {
    request_id: `request-${toHex(world.context.ports.random.bytes(8))}`,
    sub_wallet_id: wallet.subWalletId,
    chain,
    action: 'stake' as const,
    resource: 'energy' as const,
    amount,
    receiver: '',
    lock_blocks: 0,
    max_fee: '1',
    remark: '',
    expire_hours: 1,
  }
  const { order } = await createStakeOrder(world.context, callerOf(world.orgId, world.members[0].id, input), input)
  await approve(world, order.row.id, world.members[1], world.members[2])
  await carryOut(order.row.id)
}

type Draft = Parameters<typeof readTerms>[2]

/** Has people approve something once, and the signers follow that. */
export async function stand(draft: Draft): Promise<void> {
  const before = (await inOrganisation(followedStandingOrders)).length
  const asked = await inOrganisation(async (tx) => {
    const terms = await readTerms(tx, world.context, draft)
    const [person] = world.members
    const key = keyOf(`stand-${before}`, draft as never)
    return proposeStandingOrder(tx, world.context, {
      personId: person.id as never,
      language: 'en_US',
      key,
      remark: '',
      demandSecondFactor: async () => {},
      terms,
    })
  })
  const intent = decode(intentShape, new Uint8Array(asked.order.row.intent))
  for (const member of world.members.slice(1)) await approveAs(world, approvalOn(world, intent, member, 'approve'))
  assert.equal(await followSignerOrder(world.context, world.orgId, asked.order.row.id), 'followed')
  assert.equal((await inOrganisation(followedStandingOrders)).length, before + 1)
}

const BOUNDS = { id: null, fees: [{ chain, max: '2', max_share: 100 }], transfers: 200, never: [], days: 30 }

/** That the treasury lends to the shop. */
export const toLend = (): Draft => ({
  ...BOUNDS,
  kind: 'delegate',
  name: 'Lend energy',
  sources: [{ wallet_id: treasury.walletId, sub_wallet_id: null }],
  targets: [{ kind: 'own', wallet_id: shop.walletId, sub_wallet_id: null }],
  resources: ['energy'],
  assets: [{ chain, symbol: 'TRX', at_least: '1', at_most: '9000' }],
})

/** That the treasury pays whoever rents energy out here. */
export const toRent = (address: string): Draft => ({
  ...BOUNDS,
  kind: 'rent',
  name: 'Rent energy',
  sources: [{ wallet_id: treasury.walletId, sub_wallet_id: null }],
  targets: [{ kind: 'listed', chain, address, memo: '' }],
  assets: [{ chain, symbol: 'TRX', at_least: '0.1', at_most: '20', day_most: '30' }],
})

/** Puts an address on the whitelist, as far as this server knows. */
export async function list(address: string): Promise<void> {
  const { id: personId } = world.members[0]
  const nowMs = world.context.ports.clock.nowMs()
  const before = nowMs - 2 * LISTING_COOLING_MS
  const random = world.context.ports.random
  const listedBy = newId(before, random)
  await inOrganisation(async (tx) => {
    const order = await tx.selectFrom('signer_order').selectAll().where('org_id', '=', tx.orgId).limit(1).executeTakeFirstOrThrow()
    const jsons = { places: JSON.stringify(order.places), endorsements: JSON.stringify(order.endorsements), followed: JSON.stringify(order.followed) }
    const row = {
      ...order,
      ...jsons,
      id: listedBy as never,
      kind: 'address_book' as const,
      intent_hash: random.bytes(32),
      created_at: before,
      updated_at: before,
    }
    await tx
      .insertInto('signer_order')
      .values(row as never)
      .execute()
  })
  const entry = { name: 'Provider', memo: '', group_id: null, note: '', vasp: '', listed_by: listedBy, unlisted_by: null, leaves: false, verified: null }
  const times = { verified_by: null, verified_at: null, proof: null, reviewed_at: nowMs, created_at: nowMs, updated_at: nowMs, removed_at: null }
  const place = { org_id: world.orgId, id: newId(nowMs, random), address, chains: JSON.stringify([chain]), created_by: personId }
  await inOrganisation((tx) =>
    tx
      .insertInto('book_entry')
      .values({ ...entry, ...times, ...place })
      .execute(),
  )
}

export type Settings = {
  by?: Wallet
  further?: Wallet[]
  fallback?: 'burn' | 'wait' | 'stop'
  budget?: string
  most?: string
  rent?: { max: string; day: string }
}
/** Sets how energy is lent and rented, and switches the agent on. */
export async function set({ by = treasury, further = [], fallback = 'wait', budget = '0', most = '0', rent }: Settings): Promise<void> {
  const { id } = world.members[0]
  await inOrganisation(async (tx) => {
    await keepAgent(tx, needs(), id as never, {
      auth_sub_wallet_id: by.subWalletId,
      further_lenders: further.map(({ subWalletId }) => subWalletId),
      fallback,
      budget_day: budget,
      max_trx: most,
      rents: rent !== undefined,
      ...(rent && { payer_sub_wallet_id: treasury.subWalletId, rent_max_trx: rent.max, rent_budget_day: rent.day }),
    })
    await turnAgent(tx, needs(), id as never, true)
  })
}
export const turn = (op: 'on' | 'off') => inOrganisation((tx) => operateAccounts(tx, world.context, { addresses: [shop.address], op }))

/** Asks for a payment of a token from the shop, and has people approve it. */
export async function pay(): Promise<string> {
  const { order } = await requestWithdrawal(world, shop, { to: treasury.address, symbol: tron.token.symbol, amount: '5', maxFee: '40' })
  await approve(world, order.row.id, world.members[1], world.members[2])
  return order.row.id
}
export const attend = async () => assert.deepEqual(await attendAll(needs()), [])
export const supplyOf = (orderId: string) =>
  inOrganisation((tx) =>
    tx
      .selectFrom('tron_supply')
      .selectAll()
      .where('org_id', '=', tx.orgId)
      .where('order_id', '=', orderId as never)
      .executeTakeFirstOrThrow(),
  )
/** Asks the database as the owner of its tables, who may change what the product never does, also into rows that refer to nothing. */
export async function askOwner<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const owner = new Client({ connectionString: world.db.url, options: '-c session_replication_role=replica' })
  await owner.connect()
  try {
    return (await owner.query(text, [...values])).rows as Row[]
  } finally {
    await owner.end()
  }
}
/** As if a payment had begun to wait for energy so much earlier than it did. */
export const began = (orderId: string, earlierMs: number) =>
  askOwner('update tron_supply set created_at = created_at - $2::bigint where order_id = $1', [orderId, earlierMs])
export const delegations = async () => (await honest.stake.resources(treasury.address)).delegations

/** Opens an organisation on the emulated network, with a treasury that has stake and a shop that pays. */
export async function openAgentWorld(): Promise<void> {
  tron = await startTron(nodePorts, { port: 0, dataFolder: folder, blockTimeMs: 60_000, mining: false, solidBlocks: FINALITY })
  const { contract, symbol, decimals } = tron.token
  const { fetch, timer } = nodePorts
  honest = tronNode({ chain, rpcUrl: tron.url, tokens: [contract], fetch, timer, validForMs: 20 * 60_000 })
  const assets = [
    { chain, contract: null, symbol: 'TRX', decimals: 6 },
    { chain, contract, symbol, decimals },
  ]
  const stakes = (everybody: Uint8Array[]): StakeRule => ({
    kind: 'stake',
    id: 'stakes',
    chain,
    payers: null,
    actions: ['stake'],
    receivers: null,
    maxAmount: 100_000n * TRX,
    maxLockBlocks: 0n,
    window: null,
    initiators: everybody,
    approvers: everybody,
    threshold: 2n,
  })
  world = await openWorld({
    network: { chain, name: 'TRON', family: 'tron', codec: tronCodec({ chain }), node: honest, assets, finalityBlocks: FINALITY },
    rules: (members) => [stakes(members.map(({ id }) => uuidToBytes(id)))],
  })
  markets.now = openEnergyMarket(nodePorts, `${tron.url}/energy-market`, chain)
  treasury = await makeWallet(world, 'Treasury')
  shop = await makeWallet(world, 'Shop')
  await tron.pay(null, treasury.address, 20_000n * TRX)
  await tron.pay(null, shop.address, 200n * TRX)
  await tron.pay(contract, shop.address, 500n * TRX)
  await tron.pay(contract, treasury.address, TRX)
  await mine(FINALITY + 1)
  await stake(treasury, '10000')
}

/** Closes what `openAgentWorld` opened. */
export async function closeAgentWorld(): Promise<void> {
  await world?.close()
  await tron?.stop()
  rmSync(folder, { recursive: true, force: true })
}

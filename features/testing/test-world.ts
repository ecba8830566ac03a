import { collectionAsset, type FEE_TIERS } from '@holdfast/chain-core'
import type { Language } from '@holdfast/contract'
import type { Database } from '@holdfast/db'
import { openTestDatabase } from '@holdfast/db/test'
import { encode, toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { freezePageCalls } from '@holdfast/features/policy/server'
import { proposalPageCalls } from '@holdfast/features/proposal/server'
import { scanChain } from '@holdfast/features/deposit/server'
import { appendToLog } from '@holdfast/features/evidence/server'
import { type Network, openNetworks } from '@holdfast/features/network/server'
import { createWallet } from '@holdfast/features/wallet/server'
import { takeKeyStep } from '@holdfast/features/key/server'
import { createWithdrawal } from '@holdfast/features/withdrawal/server'
import {
  acceptGenesisChallenge,
  type Approval,
  approvalChallenge,
  approvalShape,
  type Assertion,
  deviceMessage,
  intentHash,
  type Intent,
  renderHash,
  renderIntent,
} from '@holdfast/intent'
import { balances } from '@holdfast/ledger'
import {
  approvalContext,
  checkGenesis,
  genesisHash,
  type GenesisRecord,
  genesisRecordShape,
  NO_HASH,
  type Policy,
  policyHash,
  policyShape,
  type FirstRule,
  type NamedRule,
  inThirdForm,
  type Who,
  withDeputies,
} from '@holdfast/policy'
import { nodePorts } from '@holdfast/ports/node'
import type { Ports } from '@holdfast/ports'
import { newId, uuidToBytes } from '@holdfast/units'
import { p256 } from '@noble/curves/nist.js'
import { proposals } from '../../apps/server/src/features.ts'
import { type Order, readOrder } from '../transfer/server/order/read-order.ts'
import { speedUp } from '../transfer/server/replacement/speed-up.ts'
import { type OrderState } from '../transfer/server/order/states.ts'
import { callerOf, keyOf } from './request-key.ts'
import { CHAIN, ScriptedChain, TOKEN } from './scripted-chain.ts'
import { ScriptedSigners } from './scripted-signers.ts'

const ORIGIN = 'http://approve.localhost:24000'
const RP_ID = 'approve.localhost'
/** The page that signer 2 serves; the policy of a world takes approvals from there where the world is opened so. */
export const SECOND_PAGE = { party: 2, origin: 'http://approve-2.localhost:24002', rpId: 'approve-2.localhost' }
const RECIPIENT = 'age1cy0su9fwf3gf9mw868g5yut09p6nytfmmnktexz2ya5uqg9vl9sss4euqm'
const DAY_MS = 86_400_000
export const ETH = 10n ** 18n
export const FEE_CAP = 1_000_000n
export const STRANGER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const ASSETS = [
  { chain: CHAIN, contract: null, symbol: 'ETH', decimals: 18 },
  { chain: CHAIN, contract: TOKEN, symbol: 'USDC', decimals: 6 },
]

/** A collection whose tokens count, and one token of it. */
export const ART = {
  chain: CHAIN,
  contract: collectionAsset({ standard: 'erc721', collection: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0' }),
  symbol: 'ART',
  decimals: 0,
}
export const ARTWORK = `${ART.contract}/0x2a`

export type Member = { id: string; name: string; secretKey: Uint8Array; credentialId: Uint8Array }

/** An organisation of Ann, Ben and Cleo, any two of whom approve, with a chain and signers that do as a test says. */
export type World = {
  db: Database
  context: ServerContext
  chain: ScriptedChain
  network: Network
  signers: ScriptedSigners
  orgId: string
  members: [Member, Member, Member]
  policy: Policy
  clock: { aheadMs: number }
  close(): Promise<void>
}

export type WorldOptions = {
  /** Hears what the database gave up and had run again. */
  report?: (line: string) => void
  /** Hears whatever the database is asked. */
  onQuestion?: (text: string) => void
  finalityBlocks?: number
  poolSize?: number
  threshold?: bigint
  /** Whether the policy takes approvals from the page of signer 2 as well. */
  secondPage?: boolean
  network?: Partial<Network>
  /** The most that its rule for payments lets one payment be, in base units of whatever it pays; null for any amount. */
  maxPayment?: bigint | null
  /** Rules that the first policy has beside the one for payments. */
  rules?: (members: readonly Member[]) => FirstRule[]
  /** Instead of all those, the rules of a policy of the third form, and what it says that assets are worth. */
  namedRules?: (members: readonly Member[]) => NamedRule[]
  valuation?: Third['valuation']
  machines?: Third['machines']
  /** With those rules, who may decide for whoever is away. */
  deputies?: (members: readonly Member[]) => Who[]
}

type Third = Partial<ReturnType<typeof inThirdForm>>
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const { poolSize = 12, report, onQuestion } = options
  const db = await openTestDatabase({ poolSize, ...(report && { report }), ...(onQuestion && { onQuestion }) })
  const chain = new ScriptedChain()
  const signers = new ScriptedSigners()
  signers.recipients = [RECIPIENT]
  signers.pages = [{ party: 1, origin: ORIGIN, rpId: RP_ID }, SECOND_PAGE]
  const origins = signers.pages.slice(0, options.secondPage ? 2 : 1).map(({ origin, rpId }) => ({ origin, rpId }))
  const network: Network = {
    chain: CHAIN,
    name: 'Test network',
    family: 'evm',
    codec: chain.codec,
    node: chain.node,
    assets: ASSETS,
    collections: [ART],
    finalityBlocks: options.finalityBlocks ?? 2,
    local: true,
    faucetUrl: null,
    ...options.network,
  }
  const clock = { aheadMs: 0 }
  const ports: Ports = { ...nodePorts, clock: { ...nodePorts.clock, nowMs: () => nodePorts.clock.nowMs() + clock.aheadMs } }
  const keyUpkeep = { checkEveryMs: 24 * 3_600_000, refreshAfterMs: 90 * 24 * 3_600_000, exportDelayMs: 24 * 3_600_000 }
  const settings = {
    consoleOrigin: 'http://localhost:24001',
    approvalOrigin: ORIGIN,
    approvalRpId: RP_ID,
    openSetup: false,
    demoRecipients: null,
    demoDrillUrl: null,
    keyUpkeep,
    recoveryTool: null,
  }
  const context: ServerContext = { ports, db, networks: openNetworks([network]), coSigners: signers.coSigners, settings }
  const members = ['Ann', 'Ben', 'Cleo'].map((name) => ({
    id: newId(ports.clock.nowMs(), ports.random),
    name,
    secretKey: p256.utils.randomSecretKey(),
    credentialId: ports.random.bytes(16),
  })) as World['members']
  const assets = [...network.assets, ...(network.collections ?? [])]
  const { orgId, policy } = await found(db, ports, members, signers, { origins, assets, options })
  return { db, context, chain, network, signers, orgId, members, policy, clock, close: () => db.close() }
}

/** Has chain and signers do again what they should, and forgets what was asked of them. */
export function resetScript({ chain, signers, context, network }: World): void {
  chain.resetScript()
  signers.resetScript()
  Object.assign(network, { node: chain.node })
  Object.assign(context, { coSigners: signers.coSigners })
}

type Founded = Pick<Policy, 'origins'> & { assets: Network['assets']; options: WorldOptions }

async function found(
  db: Database,
  ports: Ports,
  members: World['members'],
  signers: ScriptedSigners,
  { origins, assets, options }: Founded,
): Promise<{ orgId: string; policy: Policy }> {
  const { threshold = 2n, maxPayment = 1_000n * ETH, valuation = [], machines = [] } = options
  const nowMs = ports.clock.nowMs()
  const orgId = newId(nowMs, ports.random)
  const everybody = members.map((member) => uuidToBytes(member.id))
  const people = members.map(({ id, name, secretKey, credentialId }) => ({
    id: uuidToBytes(id),
    name,
    credentials: [{ id: credentialId, kind: 'device', publicKey: p256.getPublicKey(secretKey), backupEligible: false, label: 'laptop' }],
  }))
  const first: Policy = {
    kind: 'foundingSigners',
    genesis: NO_HASH,
    version: 1n,
    previous: NO_HASH,
    issuedAtMs: BigInt(nowMs - DAY_MS),
    expiresAtMs: BigInt(nowMs + 365 * DAY_MS),
    people,
    origins,
    assets: assets.map((asset) => ({ ...asset, decimals: BigInt(asset.decimals) })),
    rules: [
      {
        kind: 'transfer',
        id: 'payments',
        chain: null,
        asset: null,
        maxAmount: maxPayment,
        window: null,
        initiators: everybody,
        approvers: everybody,
        threshold,
      },
      ...(options.rules?.(members) ?? []),
    ],
    governance: { approvers: everybody, threshold },
    recovery: [1n, 2n, 3n].map((party) => ({ kind: 'single', party, recipients: [RECIPIENT] })),
  }
  const rules = options.namedRules?.(members)
  const policy = rules ? withDeputies({ ...inThirdForm(first), rules, valuation, machines }, options.deputies?.(members) ?? []) : first
  const genesis = {
    organisationId: uuidToBytes(orgId),
    name: 'Acme',
    createdAtMs: BigInt(nowMs),
    threshold: 2n,
    policy,
    signers: signers.signKeys.map((signKey, i) => ({ party: BigInt(i + 1), name: `Signer ${i + 1}`, operator: `Operator ${i + 1}`, signKey })),
  }
  const record: GenesisRecord = { kind: 'founding', genesis, acceptances: [] }
  const fingerprint = genesisHash(genesis)
  record.acceptances = members.map((member) => ({
    genesis: fingerprint,
    person: uuidToBytes(member.id),
    assertion: assertionOf(member, acceptGenesisChallenge(fingerprint, uuidToBytes(member.id))),
  }))
  checkGenesis(record)
  const bytes = encode(genesisRecordShape, record)
  await db.asSystem((tx) =>
    tx.insertInto('organisation').values({ id: orgId, name: 'Acme', state: 'active', genesis_hash: fingerprint, created_at: nowMs }).execute(),
  )
  await db.asOrganisation(orgId, async (tx) => {
    await tx
      .insertInto('person')
      .values(
        members.map(({ id, name }) => ({
          org_id: orgId,
          id,
          name,
          login: `${name.toLowerCase()}@acme`,
          role: 'admin' as const,
          state: 'active' as const,
          language: 'en-US' as const,
          failed_logins: 0,
          created_at: nowMs,
          updated_at: nowMs,
        })),
      )
      .execute()
    await tx.insertInto('genesis').values({ org_id: orgId, bytes, hash: fingerprint, created_at: nowMs }).execute()
    await tx
      .insertInto('policy_version')
      .values({ org_id: orgId, version: 1n, bytes: encode(policyShape, policy), hash: policyHash(policy), change: null, created_at: nowMs })
      .execute()
    await appendToLog(tx, { genesis: fingerprint, type: 'genesis', body: bytes, atMs: nowMs })
  })
  return { orgId, policy }
}

export function assertionOf({ secretKey, credentialId }: Member, challenge: Uint8Array): Assertion {
  return { kind: 'device', credentialId, origin: ORIGIN, signature: p256.sign(deviceMessage(challenge, ORIGIN), secretKey) }
}

export type Wallet = { walletId: string; subWalletId: string; address: string }

/** A wallet whose key the scripted signers have made, step by step as the server does it. A second one of the same name gets a number. */
export async function makeWallet(world: World, name = 'Treasury', { protocols }: { protocols?: readonly string[] } = {}): Promise<Wallet> {
  const {
    context,
    orgId,
    members: [ann],
  } = world
  const requestId = `wallet-${toHex(context.ports.random.bytes(8))}`
  const others = await context.db.asOrganisation(orgId, (tx) => tx.selectFrom('wallet').select('name').where('name', 'like', `${name}%`).execute())
  const { walletId } = await context.db.asOrganisation(orgId, (tx) =>
    createWallet(
      tx,
      { personId: ann.id, ports: context.ports },
      { key: keyOf(requestId), name: others.length === 0 ? name : `${name} ${others.length + 1}`, ...(protocols && { protocols }) },
    ),
  )
  while ((await takeKeyStep(context, orgId, walletId)) === 'again');
  return context.db.asOrganisation(orgId, async (tx) => {
    const row = await tx
      .selectFrom('sub_wallet')
      .innerJoin('address', 'address.sub_wallet_id', 'sub_wallet.id')
      .select(['sub_wallet.id', 'address.address'])
      .where('sub_wallet.wallet_id', '=', walletId)
      .where('address.chain', '=', world.network.chain)
      .executeTakeFirstOrThrow()
    return { walletId, subWalletId: row.id, address: row.address }
  })
}

/** Books an amount as if it had been deposited long ago. */
export async function fund(world: World, wallet: Wallet, amount: bigint, contract: string | null = null): Promise<void> {
  world.chain.give(wallet.address, amount, contract)
  world.chain.mine(world.network.finalityBlocks + 1)
  await scan(world)
}

/** Reads the chain until there is nothing new. */
export async function scan(world: World): Promise<void> {
  while (await scanChain(world.context, world.network));
}

export type WithdrawalRequest = {
  to?: string
  from?: string
  amount?: string
  maxFee?: string
  gross?: '0' | '1'
  tier?: (typeof FEE_TIERS)[number]
  symbol?: string
  tokenId?: string
  requestId?: string
  by?: Member
  remark?: string
  memo?: string
  ack?: string
  outputs?: { address_to: string; amount: string }[]
  expireHours?: number
  language?: Language
}

/** Asks for a payment as the console does. */
export async function requestWithdrawal(world: World, wallet: Wallet, { by = world.members[0], ...given }: WithdrawalRequest = {}) {
  const input = {
    request_id: given.requestId ?? `request-${toHex(world.context.ports.random.bytes(8))}`,
    sub_wallet_id: wallet.subWalletId,
    chain: world.network.chain,
    symbol: given.symbol ?? 'ETH',
    token_id: given.tokenId,
    from: given.from,
    address_to: given.to ?? STRANGER,
    amount: given.amount ?? '1',
    outputs: given.outputs,
    max_fee: given.maxFee ?? '0.000000000001',
    fee_tier: given.tier ?? 'normal',
    gross: given.gross ?? '0',
    memo: given.memo ?? '',
    remark: given.remark ?? '',
    expire_hours: given.expireHours ?? 24,
    ack: given.ack ?? 'first_seen,lookalike,contract',
  } as const
  return createWithdrawal(world.context, callerOf(world.orgId, by.id, input, given.language), input)
}

export type Replace = { cancel?: boolean; tier?: (typeof FEE_TIERS)[number]; maxFee: string; requestId?: string; by?: Member }

/** Asks to speed up a pending payment, or to cancel it, as the console does. */
export async function replace(world: World, orderId: string, { by = world.members[0], ...given }: Replace) {
  const input = {
    request_id: given.requestId ?? `replace-${toHex(world.context.ports.random.bytes(8))}`,
    trans_id: orderId,
    cancel: given.cancel ? '1' : '0',
    tier: given.tier ?? 'fast',
    max_fee: given.maxFee,
    remark: '',
  } as const
  return speedUp(world.context, callerOf(world.orgId, by.id, input), input)
}

/** What the approval page asks of the server. */
export const pageCalls = ({ context }: Pick<World, 'context'>) => ({ ...proposalPageCalls(context, proposals), ...freezePageCalls(context) })

/** A member's signed word on an order, as the approval page makes it. */
export async function approvalOf(world: World, orderId: string, member: Member, decision?: 'approve' | 'reject', signedAtMs?: number): Promise<Approval> {
  return approvalOn(world, (await orderOf(world, orderId)).intent, member, decision, signedAtMs)
}

/** The same of any intent. */
export function approvalOn(world: World, intent: Intent, member: Member, decision: 'approve' | 'reject' = 'approve', signedAtMs?: number): Approval {
  const statement = {
    genesis: intent.genesis,
    intentHash: intentHash(intent),
    policyHash: policyHash(world.policy),
    person: uuidToBytes(member.id),
    decision,
    locale: 'en-US',
    renderHash: renderHash(renderIntent(intent, approvalContext(world.policy), 'en-US')),
    signedAtMs: BigInt(signedAtMs ?? world.context.ports.clock.nowMs()),
  }
  return { ...statement, assertion: assertionOf(member, approvalChallenge(statement)) }
}

/** Hands a word in by way of the page's call. */
export async function approveAs(world: World, approval: Approval): Promise<{ state: string; missing: number }> {
  return (await pageCalls(world)['order.approve']!({ approval: toHex(encode(approvalShape, approval)) })) as { state: string; missing: number }
}

export async function approve(world: World, orderId: string, ...members: Member[]): Promise<void> {
  for (const member of members) await approveAs(world, await approvalOf(world, orderId, member))
}

/** Asks for a payment that Ben and Cleo approve. Answers with the order's id. */
export async function requestApproved(world: World, wallet: Wallet, given: WithdrawalRequest = {}): Promise<string> {
  const { order } = await requestWithdrawal(world, wallet, given)
  await approve(world, order.row.id, world.members[1], world.members[2])
  return order.row.id
}

export async function orderOf(world: World, orderId: string) {
  const order = await world.db.asOrganisation(world.orgId, (tx) => readOrder(tx, orderId))
  if (!order) throw new Error(`no order ${orderId}`)
  return order
}

/** The unsigned bytes that were made last for an order. */
export function bytesOf({ transactions }: Order): Uint8Array {
  const bytes = transactions.findLast((each) => each.unsigned_tx !== null)?.unsigned_tx
  if (!bytes) throw new Error('nothing was prepared')
  return bytes
}

/** Waits until an order is in one of some states. */
export async function reaches(world: World, orderId: string, ...states: OrderState[]) {
  for (;;) {
    const order = await orderOf(world, orderId)
    if (states.includes(order.state)) return order
    await nodePorts.timer.sleep(10)
  }
}

export async function balanceOf(world: World, wallet: Wallet, contract: string | null = null): Promise<{ available: bigint; held: bigint }> {
  const all = await world.db.asOrganisation(world.orgId, (tx) => balances(tx, wallet.subWalletId))
  const found = all.find((each) => each.asset.contract === contract)
  return { available: found?.available ?? 0n, held: found?.held ?? 0n }
}

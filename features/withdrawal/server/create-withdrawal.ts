import { AppError, type InputOf, type Language } from '@holdfast/contract'
import { amountOf } from '@holdfast/features/amount-of'
import { ChainError, FEE_TIERS, type FeeTierIndex } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import { bytes, encode, type Infer, list, optional, struct, text, uint } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { fromNode, type Network, type NetworkAsset } from '@holdfast/features/network/server'
import { describeDenial } from '@holdfast/features/policy/server'
import {
  demandBuildable,
  findTransfer,
  openTransfer,
  type Order,
  type Payer,
  readPayer,
  type TransferRequest,
  WITHDRAW,
} from '@holdfast/features/transfer/server'
import { markTransactions } from '@holdfast/features/transaction/server'
import { keptAmount } from '@holdfast/features/utxo/server'
import { readComments } from '@holdfast/features/deposit-address/server'
import { balances } from '@holdfast/ledger'
import { lossOfPayment } from '@holdfast/policy'
import { formatAmount, uuidToBytes } from '@holdfast/units'
import { type createWithdrawal as endpoint, OUTPUTS_MAX } from '../contract.ts'
import { capBounds, FEE_CAP_FACTOR_MAX, readTiers, type Tiers } from './estimate-gas.ts'
import { demandInscribable, inscribing } from './inscribe-token.ts'
import { inspectAddress, type KnownAddress } from '@holdfast/features/known-address/server'

export type Needs = Pick<ServerContext, 'db' | 'ports' | 'networks'>
export type Caller = { orgId: string; personId: string; language: Language }
type Input = InputOf<typeof endpoint>

const requestShape = struct('holdfast/withdrawal-request/v1', {
  person: bytes(16),
  subWallet: bytes(16),
  chain: text(64),
  symbol: text(32),
  to: text(200),
  amount: uint(256),
  feeCap: uint(256),
  remark: text(800),
  expireHours: uint(16),
})

/** The same for several recipients, in their order. */
const payoutRequestShape = struct('holdfast/withdrawal-request/payout/v1', {
  ...requestShape.fields,
  outputs: list(struct('holdfast/withdrawal-request/output/v1', { to: text(200), amount: uint(256) }), OUTPUTS_MAX),
})

/** The same for a token of a collection. */
const tokenRequestShape = struct('holdfast/withdrawal-request/token/v1', { ...requestShape.fields, tokenId: uint(256) })

/** The same with a memo. */
const memoRequestShape = struct('holdfast/withdrawal-request/memo/v1', { ...requestShape.fields, tokenId: optional(uint(256)), memo: text(256) })

/** Any of these with another first bid than the normal one. */
const bidRequestShape = struct('holdfast/withdrawal-request/bid/v1', { asked: bytes(), tier: uint(8) })

/** Any of these that is filed from the start. */
const filedRequestShape = struct('holdfast/withdrawal-request/filed/v1', { asked: bytes(), category: text(200), tags: list(text(120), 10) })

const NORMAL = 1 satisfies FeeTierIndex
const HOUR_MS = 3_600_000
const WARNINGS = ['lookalike', 'control', 'policy_contract', 'contract', 'first_seen'] as const
type Warning = (typeof WARNINGS)[number]

/**
 * Asks for a payment. Everything that can be known before is checked first; the order itself is opened in one transaction
 * with its hold. The same request again answers the order it made, whatever has changed since.
 */
export async function createWithdrawal(needs: Needs, caller: Caller, input: Input): Promise<{ order: Order; fresh: boolean }> {
  const request = readRequest(needs, caller, input)
  const found = await needs.db.asOrganisation(caller.orgId, (tx) => lookUp(tx, needs, request))
  if (found.kind === 'known') return { order: found.order, fresh: false }
  const { payer, addresses } = found
  const { network, to, asset, amount, outputs: payments } = request
  await demandInscribable(needs, caller.orgId, { ...request, address: payer.address })
  const [kept, contract, isOthers, payerIsOthers, tiers] = await Promise.all([
    asset.contract === null ? keptAmount(needs, caller.orgId, request) : 0n,
    isContract(network, to),
    isControlledByOthers(network, to),
    isControlledByOthers(network, payer.address),
    readTiers(network, { from: payer.address, to, asset, amount, payments, ...inscribing(asset) }),
  ])
  if (payerIsOthers) throw new AppError('account_not_own')
  demandUnlocked(request, found.available, kept)
  for (const address of addresses) demandAcknowledged(address, { contract, control: isOthers }, input.ack)
  checkFeeCap(request, tiers)
  await demandBuildable(needs, { orgId: caller.orgId, network, language: caller.language }, { ...wantedBy(request, payer), quoted: tiers })
  return needs.db.asOrganisation(caller.orgId, async (tx) => {
    const opened = await openTransfer(tx, needs, request)
    const { category, tags } = input
    if (opened.fresh && isFiled(input)) {
      const by = { personId: caller.personId, nowMs: needs.ports.clock.nowMs() }
      await markTransactions(tx, { ids: opened.order.row.id, type: 'withdraw', category, tags }, by)
    }
    return opened
  })
}

/** What a node is asked for to make the bytes of a payment. */
function wantedBy({ to, asset, amount, feeCap, tier, memo, outputs: payments, inscribes }: TransferRequest, { address: from }: Payer) {
  const more = { ...(memo !== null && { memo }), ...(payments && { payments }), ...(inscribes !== undefined && { inscribes }) }
  return { from, to, asset: { chain: asset.chain, contract: asset.contract }, amount, feeCap, tier: tier ?? NORMAL, ...more }
}

/** The order this request made before; or what the organisation itself knows, so that a hopeless request asks nothing of the chain. */
async function lookUp(
  tx: OrganisationTx,
  needs: Needs,
  request: TransferRequest,
): Promise<{ kind: 'known'; order: Order } | { kind: 'new'; payer: Payer; available: bigint; addresses: KnownAddress[] }> {
  const order = await findTransfer(tx, needs, request)
  if (order) return { kind: 'known', order }
  const payer = await readPayer(tx, request)
  const recipients = request.outputs?.map(({ to }) => to) ?? [request.to]
  refuseSelf(recipients, payer.address, request.outputs !== undefined)
  refuseLost(request, recipients)
  const available = await demandCovered(tx, request)
  const addresses: KnownAddress[] = []
  for (const each of recipients) addresses.push(await inspectAddress(tx, request.network, each))
  await demandComment(tx, request)
  return { kind: 'new', payer, available, addresses }
}

function readRequest({ networks }: Needs, caller: Caller, input: Input): TransferRequest {
  const network = networks.find(input.chain)
  const tokenId = input.token_id === undefined ? undefined : BigInt(input.token_id)
  const asset = networks.asset(input.chain, input.symbol, tokenId)
  const coin = network?.assets.find((each) => each.contract === null)
  if (!network || !asset || !coin) throw new AppError('unsupported_coin')
  const outputs = outputsOf(input, network, asset)
  const destination = addressOf(network, input.address_to)
  const memo = memoOf(input.memo, network)
  const feeCap = amountOf(input.max_fee, coin)
  const amount = paidOf(input, asset, feeCap)
  const tier = FEE_TIERS.indexOf(input.fee_tier) as FeeTierIndex
  if (outputs && !isWhole(outputs, { destination, amount })) throw new AppError('amount_error')
  const to = outputs?.[0]!.to ?? destination
  const asked = {
    person: uuidToBytes(caller.personId),
    subWallet: uuidToBytes(input.sub_wallet_id),
    chain: network.chain,
    symbol: asset.symbol,
    to,
    amount,
    feeCap,
    remark: input.remark,
    expireHours: BigInt(input.expire_hours),
  }
  return {
    requestId: input.request_id,
    kind: WITHDRAW,
    body: filedBody(bidBody(bodyOf(asked, tokenId, memo, outputs), tier), input),
    subWalletId: input.sub_wallet_id,
    network,
    asset,
    to,
    memo,
    amount,
    ...(outputs && { outputs }),
    ...inscribing(asset),
    feeCap,
    tier,
    remark: input.remark,
    lifeMs: input.expire_hours * HOUR_MS,
    initiator: caller.personId,
    language: caller.language,
  }
}

/** What the order pays: the amount, or where the fee is taken from it what is left beside the most the fee may reach. */
function paidOf({ amount, gross, outputs }: Input, asset: NetworkAsset, feeCap: bigint): bigint {
  const given = amountOf(amount, asset)
  if (gross === '0') return given
  demandGross(asset, outputs)
  if (given <= feeCap) throw new AppError('invalid_parameters', { details: { field: 'amount', reason: 'the fee may take all of it' } })
  return given - feeCap
}

/** A fee can be taken only from an amount of the coin that pays it, and of several recipients nobody said from which. Throws `invalid_parameters`. */
export function demandGross({ contract }: NetworkAsset, outputs: Input['outputs']): void {
  if (contract === null && !outputs) return
  throw new AppError('invalid_parameters', {
    details: { field: 'gross', reason: "the fee can be taken only from one payment in the network's own coin" },
  })
}

/** The canonical text of a destination. Throws `invalid_transfer_address`. */
export function addressOf({ codec }: Network, given: string): string {
  const address = codec.canonicalAddress(given)
  if (address === undefined) throw new AppError('invalid_transfer_address')
  return address
}

/**
 * Whom an order for several pays. Only a network of coins pays several by one transaction of its own coin. What is wrong with one of them says with
 * `recipient` which it is, from 1.
 */
export function outputsOf({ outputs }: Pick<Input, 'outputs'>, network: Network, asset: NetworkAsset): { to: string; amount: bigint }[] | undefined {
  if (!outputs) return undefined
  if (!network.node.unspent || asset.contract !== null) throw new AppError('transaction_unsupported')
  const read = outputs.map((each, i) => naming(i, () => ({ to: addressOf(network, each.address_to), amount: amountOf(each.amount, asset) })))
  const again = read.findIndex(({ to }, i) => read.findIndex((each) => each.to === to) < i)
  if (again !== -1) throw new AppError('amount_error', { details: { recipient: again + 1 } })
  return read
}

/** What is refused of one of several recipients, with its number. */
function naming<T>(index: number, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof AppError) throw new AppError(cause.errorName, { cause, details: { ...cause.details, recipient: index + 1 } })
    throw cause
  }
}

function refuseSelf(recipients: readonly string[], payer: string, areSeveral: boolean): void {
  const at = recipients.indexOf(payer)
  if (at !== -1) throw new AppError('transfer_to_self', areSeveral ? { details: { recipient: at + 1 } } : {})
}

/** Refuses a payment that nobody could ever spend, which no signer signs, before anything is asked of the chain. Throws `strategy_blocked` with the reason. */
function refuseLost({ asset, outputs, language }: Pick<TransferRequest, 'asset' | 'outputs' | 'language'>, recipients: readonly string[]): void {
  recipients.forEach((to, i) => {
    const denied = lossOfPayment(asset, to)
    const place = outputs && { recipient: i + 1 }
    if (denied) throw new AppError('strategy_blocked', { details: { reason: describeDenial(denied, language), denied, rule_id: null, ...place } })
  })
}

/** Whether the destination is among several recipients, and they come to the amount. */
function isWhole(outputs: readonly { to: string; amount: bigint }[], { destination, amount }: { destination: string; amount: bigint }): boolean {
  return outputs.some(({ to }) => to === destination) && outputs.reduce((sum, each) => sum + each.amount, 0n) === amount
}

function bodyOf(asked: Infer<typeof requestShape>, tokenId: bigint | undefined, memo: string | null, outputs: TransferRequest['outputs']): Uint8Array {
  if (outputs) return encode(payoutRequestShape, { ...asked, outputs: [...outputs] })
  if (memo !== null) return encode(memoRequestShape, { ...asked, tokenId: tokenId ?? null, memo })
  return tokenId === undefined ? encode(requestShape, asked) : encode(tokenRequestShape, { ...asked, tokenId })
}

const bidBody = (asked: Uint8Array, tier: FeeTierIndex): Uint8Array => (tier === NORMAL ? asked : encode(bidRequestShape, { asked, tier: BigInt(tier) }))

const isFiled = ({ category = '', tags = [] }: Pick<Input, 'category' | 'tags'>): boolean => category !== '' || tags.length > 0

function filedBody(asked: Uint8Array, input: Pick<Input, 'category' | 'tags'>): Uint8Array {
  const { category = '', tags = [] } = input
  return isFiled(input) ? encode(filedRequestShape, { asked, category, tags }) : asked
}

/** The memo as the network carries it. One that it cannot carry is refused and not left out: money without its memo can be lost. */
function memoOf(given: string, { name, codec: { memoMax } }: Network): string | null {
  if (given === '') return null
  const refuse = (reason: string) => new AppError('invalid_parameters', { details: { field: 'memo', reason } })
  if (memoMax === undefined) throw refuse(`${name} carries no memo`)
  const bytes = new TextEncoder().encode(given).length
  if (bytes > memoMax) throw refuse(`it has ${bytes} bytes, and ${name} carries at most ${memoMax}`)
  return given
}

/** A payment to a shared address of the organisation itself carries one of its comments: without it nobody would be credited. */
async function demandComment(tx: OrganisationTx, { network, to, memo }: TransferRequest): Promise<void> {
  if (network.codec.memoMax === undefined) return
  const payment = { orgId: tx.orgId, address: to, memo: memo ?? undefined }
  const fault = (await readComments(tx, network.chain, [payment]))(payment)
  if (fault !== null) throw new AppError('invalid_parameters', { details: { field: 'memo', reason: `the address is shared: ${fault.replace('_', ' ')}` } })
}

/** Every warning that applies must have been acknowledged by its name; the refusal says which were not, and why. */
export function demandAcknowledged(address: KnownAddress, chain: Pick<Record<Warning, boolean>, 'contract' | 'control'>, ack: string): void {
  const given = new Set(ack.split(',').map((each) => each.trim()))
  const applies: Record<Warning, boolean> = {
    lookalike: address.similarTo.length > 0,
    policy_contract: address.isNamed,
    control: chain.control,
    contract: chain.contract && !address.isNamed,
    first_seen: address.firstSeen && address.own === null,
  }
  const missing = WARNINGS.filter((warning) => applies[warning] && !given.has(warning))
  if (missing.length > 0) throw new AppError('address_look_alike', { details: { warnings: missing, similar_to: address.similarTo } })
}

async function isContract({ node }: Network, address: string): Promise<boolean> {
  try {
    return await node.isContract(address)
  } catch (cause) {
    // Not knowing is treated as the worse case: the warning must then be acknowledged.
    if (cause instanceof ChainError) return true
    throw cause
  }
}

/** Whether somebody else may sign for an address, where its network lets an address say so. Throws `node_unavailable`. */
async function isControlledByOthers({ node }: Network, address: string): Promise<boolean> {
  return node.control !== undefined && !(await fromNode(() => node.control!(address))).isOwn
}

/** Refuses a fee cap that cannot be met now, or that is a slip of the pen. Throws `build_failed`. */
export function checkFeeCap({ feeCap, network }: Pick<TransferRequest, 'feeCap' | 'network'>, tiers: Tiers): void {
  const coin = network.assets.find((each) => each.contract === null)!
  const shown = (amount: bigint) => `${formatAmount(amount, coin.decimals)} ${coin.symbol}`
  const { least, most } = capBounds(tiers)
  if (feeCap < least) throw new AppError('build_failed', { details: { reason: `the fee can reach ${shown(least)} now, and the cap is ${shown(feeCap)}` } })
  if (feeCap > most)
    throw new AppError('build_failed', { details: { reason: `a fee cap of ${shown(feeCap)} is more than ${FEE_CAP_FACTOR_MAX} times the fast fee` } })
}

/** The ledger decides when the order is opened; this only spares a question to the chain that it would answer with an error. */
async function demandCovered(tx: OrganisationTx, { subWalletId, asset, amount }: TransferRequest): Promise<bigint> {
  const booked = (await balances(tx, subWalletId)).find((each) => each.asset.chain === asset.chain && each.asset.contract === asset.contract)
  const available = booked?.available ?? 0n
  if (available < amount) throw new AppError('insufficient_balance')
  return available
}

/** Coins that are locked are in the books and pay nothing: an order that needs them would wait for them until it expires. */
function demandUnlocked({ asset, amount }: TransferRequest, available: bigint, kept: bigint): void {
  if (available - kept >= amount || kept === 0n) return
  throw new AppError('coins_locked', { details: { locked: formatAmount(kept, asset.decimals), symbol: asset.symbol } })
}

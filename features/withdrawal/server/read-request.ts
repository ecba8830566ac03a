import { FEE_TIERS, type FeeTierIndex } from '@holdfast/chain-core'
import { AppError, type InputOf, type Language } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import { networkErrors } from '@holdfast/features/network/errors'
import type { Network, NetworkAsset } from '@holdfast/features/network/server'
import { payoutOf, type TransferRequest } from '@holdfast/features/transfer/server'
import { amountOf, type Requester, type RequestKey } from '@holdfast/http'
import type { OrganisationId, PersonId } from '@holdfast/units'
import type { createWithdrawal as endpoint } from '../contract.ts'
import { withdrawalErrors } from '../errors.ts'
import { inscribing } from './inscribe-token.ts'

export type Needs = Pick<ServerContext, 'db' | 'ports' | 'networks'>
/** Who asks for what only people ask for. */
export type MemberCaller = Extract<Caller, { personId: PersonId }>
export type Caller = Requester & { orgId: OrganisationId; language: Language; request: RequestKey }
type Input = InputOf<typeof endpoint>

/** A requested payment. The sum of the amounts in `outputs`, if it pays several, is `amount`; `inscribes` is the coin of a token that is inscribed for it. */
export type Withdrawal = Omit<TransferRequest, 'kind' | 'subject' | 'coins'> & {
  kind: 'withdraw'
  asset: NetworkAsset
  to: string
  memo: string | null
  amount: bigint
  outputs?: readonly { to: string; amount: bigint }[]
  inscribes?: bigint
  tier: FeeTierIndex
}

const HOUR_MS = 3_600_000

/** What a call requests, in the terms of its network. Throws AppError if the network, the coin, an address, an amount or a memo is invalid. */
export function readRequest({ networks }: Pick<Needs, 'networks'>, caller: Caller, input: Input): Withdrawal {
  const network = networks.find(input.chain)
  const tokenId = input.token_id === undefined ? undefined : BigInt(input.token_id)
  const asset = networks.asset(input.chain, input.symbol, tokenId)
  const coin = network?.assets.find((each) => each.contract === null)
  if (!network || !asset || !coin) throw new AppError(networkErrors.unsupported_coin)
  const outputs = outputsOf(input, network, asset)
  const destination = addressOf(network, input.address_to)
  const memo = memoOf(input.memo, network)
  const feeCap = amountOf(input.max_fee, coin)
  const amount = paidOf(input, asset, feeCap)
  if (outputs && !isWhole(outputs, { destination, amount })) throw new AppError('amount_error')
  return {
    key: caller.request,
    kind: 'withdraw',
    subWalletId: input.sub_wallet_id,
    network,
    ...(input.from === undefined ? {} : { from: addressOf(network, input.from) }),
    asset,
    to: outputs ? payoutOf(asset, outputs).to : destination,
    memo,
    amount,
    ...(outputs && { outputs }),
    ...inscribing(asset),
    feeCap: { asset: coin, amount: feeCap },
    tier: FEE_TIERS.indexOf(input.fee_tier) as FeeTierIndex,
    remark: input.remark,
    lifeMs: input.expire_hours * HOUR_MS,
    initiator: 'personId' in caller ? caller.personId : caller.partyId,
    language: caller.language,
  }
}

/** What the order pays: the amount, or if the fee is taken from it, the amount less the most the fee may reach. */
function paidOf({ amount, gross, outputs }: Input, asset: NetworkAsset, feeCap: bigint): bigint {
  const given = amountOf(amount, asset)
  if (gross === '0') return given
  demandGross(asset, outputs)
  if (given <= feeCap) throw new AppError('invalid_parameters', { details: { field: 'amount', reason: 'the fee may take all of it' } })
  return given - feeCap
}

/** A fee can be taken only from an amount of the coin that pays it, and only from one recipient's. Throws `invalid_parameters`. */
export function demandGross({ contract }: NetworkAsset, outputs: Input['outputs']): void {
  if (contract === null && !outputs) return
  throw new AppError('invalid_parameters', {
    details: { field: 'gross', reason: "the fee can be taken only from one payment in the network's own coin" },
  })
}

/** The canonical text of a destination. Throws `invalid_transfer_address`. */
export function addressOf({ codec }: Network, given: string): string {
  const address = codec.canonicalAddress(given)
  if (address === undefined) throw new AppError(networkErrors.invalid_transfer_address)
  return address
}

/**
 * The recipients of an order for several. Only a network of coins pays several by one transaction of its own coin. A refusal of one of them names it by
 * `recipient`, from 1.
 */
export function outputsOf({ outputs }: Pick<Input, 'outputs'>, network: Network, asset: NetworkAsset): { to: string; amount: bigint }[] | undefined {
  if (!outputs) return undefined
  if (!network.node.coins || asset.contract !== null) throw new AppError(withdrawalErrors.transaction_unsupported)
  const read = outputs.map((each, i) => naming(i, () => ({ to: addressOf(network, each.address_to), amount: amountOf(each.amount, asset) })))
  const again = read.findIndex(({ to }, i) => read.findIndex((each) => each.to === to) < i)
  if (again !== -1) throw new AppError('amount_error', { details: { recipient: again + 1 } })
  return read
}

/** The refusal of one of several recipients, with its number. */
function naming<T>(index: number, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof AppError) throw new AppError(cause.refusal, { cause, details: { ...cause.details, recipient: index + 1 } })
    throw cause
  }
}

/** Whether the destination is among several recipients, and their amounts add up to the amount. */
function isWhole(outputs: readonly { to: string; amount: bigint }[], { destination, amount }: { destination: string; amount: bigint }): boolean {
  return outputs.some(({ to }) => to === destination) && outputs.reduce((sum, each) => sum + each.amount, 0n) === amount
}

/** The memo as the network carries it. A memo that it cannot carry is refused and not left out: money without its memo can be lost. */
export function memoOf(given: string, { name, codec: { memoMax } }: Network): string | null {
  if (given === '') return null
  const refuse = (reason: string) => new AppError('invalid_parameters', { details: { field: 'memo', reason } })
  if (memoMax === undefined) throw refuse(`${name} carries no memo`)
  const bytes = new TextEncoder().encode(given).length
  if (bytes > memoMax) throw refuse(`it has ${bytes} bytes, and ${name} carries at most ${memoMax}`)
  return given
}

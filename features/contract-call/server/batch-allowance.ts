import { ChainError } from '@holdfast/chain-core'
import { encodeFunctionCall, parseSignature, PAYOUTS } from '@holdfast/chain-evm/codec'
import { payouts } from '@holdfast/chain-evm/payouts'
import { AppError, type Language } from '@holdfast/contract'
import { toHex } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { networkErrors } from '@holdfast/features/network/errors'
import { type Network, type NetworkAsset, ownCoin } from '@holdfast/features/network/server'
import { findTransfer, type Order, readPayer } from '@holdfast/features/transfer/server'
import { readTiers } from '@holdfast/features/withdrawal/server'
import { amountOf, type RequestKey } from '@holdfast/http'
import { formatAmount, type OrganisationId, type PersonId, type SubWalletId } from '@holdfast/units'
import { contractCallErrors } from '../errors.ts'
import { createCall } from './create-call.ts'

type Caller = { orgId: OrganisationId; personId: PersonId; language: Language; request: RequestKey }
/** `amount` null takes the allowance back. */
type Asked = { request_id: string; sub_wallet_id: SubWalletId; chain: string; symbol: string; amount: string | null }
const APPROVE = 'approve(address,uint256)'
/** Bytes of the amount at the end of its call data. */
const WORD = 32
const HOURS = 168

/**
 * Asks for what a batch by contract needs of a sub-wallet, as an ordinary order that its policy judges as a call: the contract's deployment where it does not
 * stand, otherwise the exact allowance for a token. The contract spends what an address allowed for nobody but that address, so an allowance that is left over
 * gives nobody anything. The same request again answers the order that it made.
 */
export async function askForBatchAllowance(context: ServerContext, caller: Caller, asked: Asked) {
  const earlier = await context.db.asOrganisation(caller.orgId, (tx) => findTransfer(tx, context, { key: caller.request, kind: 'web3' }))
  if (earlier) return answerOf(context, earlier, false)
  const network = context.networks.find(asked.chain)
  const asset = network?.assets.find((each) => each.symbol === asked.symbol)
  if (!network || !asset || network.family !== 'evm') throw new AppError(networkErrors.unsupported_coin)
  if (asked.amount === '-1') throw new AppError(contractCallErrors.allowance_unbounded)
  const { contract, data, method } = await callFor(network, asset, asked.amount)
  const coin = ownCoin(network)
  const { address: from } = await context.db.asOrganisation(caller.orgId, (tx) => readPayer(tx, { subWalletId: asked.sub_wallet_id, network }))
  const [, normal] = await readTiers(network, { from, to: contract, asset: coin, amount: 0n, data })
  const { personId: requesterId, ...rest } = caller
  const { order, fresh } = await createCall(
    context,
    { ...rest, requesterId },
    {
      ...{ request_id: asked.request_id, sub_wallet_id: asked.sub_wallet_id, chain: asked.chain, interactive_contract: contract, amount: '0' },
      ...{ input_data: `0x${toHex(data)}`, function: method, max_fee: formatAmount((normal.feeMax * 3n) / 2n, coin.decimals) },
      ...{ dapp_name: '', dapp_url: '', dapp_img: '', remark: '', expire_hours: HOURS, ack: true },
    },
  )
  return answerOf(context, order, fresh)
}

type Called = { contract: string; data: Uint8Array; method: string }

async function callFor({ node }: Network, { contract: token, decimals }: NetworkAsset, amount: string | null): Promise<Called> {
  const approving = (contract: string, allowed: bigint) => ({
    contract,
    data: encodeFunctionCall(parseSignature(APPROVE), [PAYOUTS, allowed]),
    method: APPROVE,
  })
  if (amount === null) {
    if (token === null) throw new AppError(networkErrors.unsupported_coin)
    return approving(token, 0n)
  }
  if (!(await stands(node))) return { contract: payouts.deployment.contract, data: payouts.deployment.data, method: '' }
  // Coins are sent along with the call: of them there is nothing to allow.
  if (token === null) throw new AppError('state_changed')
  const allowed = amountOf(amount, { decimals })
  if (allowed === 0n) throw new AppError('amount_error')
  return approving(token, allowed)
}

/** Whether the contract stands. Throws `authorise_data_error` where the network does not say. */
async function stands(node: Network['node']): Promise<boolean> {
  try {
    return await node.isContract(PAYOUTS)
  } catch (cause) {
    if (cause instanceof ChainError) throw new AppError(contractCallErrors.authorise_data_error, { cause })
    throw cause
  }
}

function answerOf(context: ServerContext, { row, intent }: Order, fresh: boolean) {
  const isDeployment = row.address_to === payouts.deployment.contract
  const isRevocation = intent.kind === 'contractCall' && intent.data.subarray(-WORD).every((byte) => byte === 0)
  const does = isDeployment ? ('deploy' as const) : isRevocation ? ('revoke' as const) : ('allow' as const)
  return { trans_id: row.id, does, approval_url: approvalUrl(context, row.intent_hash), idempotent: !fresh }
}

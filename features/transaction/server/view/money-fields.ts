import { contractFields } from '@holdfast/features/network/server'
import { formatAmount } from '@holdfast/units'
import type { ViewContext } from './view-context.ts'

/** The names around it are told of a whole page at once (`describeTransactions`). */
type Moved = { sub_wallet_id: string; chain: string; contract: string; amount: bigint }

/** What every kind of transaction says of its money: whose it is, on which network, in which coin, how much, and the coin of its fee. */
export function moneyFields(view: ViewContext, { sub_wallet_id, chain, contract, amount }: Moved) {
  const network = view.networks.find(chain)
  const coin = network?.assets.find((each) => each.contract === null)
  return {
    sub_wallet_id,
    base_symbol: coin?.symbol ?? '',
    chain,
    network: network?.name ?? chain,
    ...contractFields(contract),
    amount: formatAmount(amount, view.networks.byContract(chain, contract)?.decimals ?? 0),
    fee_symbol: coin?.symbol ?? '',
  }
}

/** What no transaction has that nobody here asked for. */
export const UNASKED = { call: null, fee: null, real_fee: null, initiator: null, approvals: null, remark: '' } as const

import { useApi } from '@holdfast/client'
import { at } from '@holdfast/units'
import { useTranslation } from 'react-i18next'
import { checkAddress, estimateGas } from '../../contract.ts'
import { isGrave, warningsOf } from '../draft.ts'
import { faultOf, type ReadRecipients, type Recipient } from './read-recipients.ts'
import type { SeveralCoin } from './several-coin.ts'
import type { CheckedRecipient } from './several-orders.ts'

export type LineFault = { line: number; reason: string }
export type CheckedBatch = { recipients: CheckedRecipient[]; fee: string | null; feeSymbol: string; feeBalance: string; feeDecimals: number }

/** So many recipients are asked about at once. */
const TOGETHER = 4

/** Asks the server about every recipient, and what the payments may cost. Answers the faults by line, or all that was said. Throws what a call throws. */
export function useCheckedRecipients(subWalletId: string, coin: SeveralCoin | undefined) {
  const { t } = useTranslation()
  const { client } = useApi()
  const place = { sub_wallet_id: subWalletId, chain: coin?.chain ?? '', symbol: coin?.symbol ?? '' }
  const look = async ({ address_to: address, amount }: Recipient, line: number): Promise<CheckedRecipient | LineFault> => {
    const check = await client.call(checkAddress, { ...place, address })
    const fault = (reason: string) => ({ line, reason })
    if (!check.valid || check.canonical === null) return fault(check.reason ?? t('withdrawal.several.invalid'))
    if (check.own?.sub_wallet_id === subWalletId) return fault(t('withdrawal.to.fault.self'))
    if (check.memo_required) return fault(t('withdrawal.several.memo'))
    const warnings = warningsOf(check)
    if (warnings.some(isGrave)) return fault(t('withdrawal.several.grave'))
    return { address_to: check.canonical, amount, line, name: check.own?.sub_wallet_name ?? check.book?.name ?? null, warnings, fee: null }
  }
  const costOf = ({ address_to: to, amount }: Recipient, outputs?: Recipient[]) =>
    client.call(estimateGas, { ...place, to, amount, ...(outputs && { outputs }) })
  return async ({ recipients, lines, total }: ReadRecipients): Promise<{ faults: LineFault[] } | CheckedBatch> => {
    const looked = await inTurns(recipients, (each, i) => look(each, at(lines, i)))
    const faults = looked.filter((each): each is LineFault => 'reason' in each)
    if (faults.length > 0) return { faults }
    const checked = looked.filter((each): each is CheckedRecipient => 'address_to' in each)
    const outputs = checked.map(({ address_to, amount }) => ({ address_to, amount }))
    try {
      const quotes = coin?.isTogether ? [await costOf({ ...at(outputs, 0), amount: total }, outputs)] : await inTurns(outputs, (each) => costOf(each))
      const fees = quotes.map(({ tiers }) => at(tiers, 1).fee)
      const { fee_symbol: feeSymbol, fee_balance: feeBalance, fee_decimals: feeDecimals } = at(quotes, 0)
      const cost = { feeSymbol, feeBalance, feeDecimals }
      if (coin?.isTogether) return { recipients: checked, fee: at(fees, 0), ...cost }
      return { recipients: checked.map((each, i) => ({ ...each, fee: at(fees, i) })), fee: null, ...cost }
    } catch (error) {
      const fault = faultOf(error, lines)
      if (fault) return { faults: [fault] }
      throw error
    }
  }
}

async function inTurns<T, R>(all: readonly T[], ask: (each: T, index: number) => Promise<R>): Promise<R[]> {
  const answers: R[] = []
  for (let from = 0; from < all.length; from += TOGETHER)
    answers.push(...(await Promise.all(all.slice(from, from + TOGETHER).map((each, i) => ask(each, from + i)))))
  return answers
}

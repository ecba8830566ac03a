import { useEndpoint } from '@holdfast/client'
import { getSymbolBalance } from '@holdfast/features/wallet/contract'
import { Amount, useDebounced } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { checkLimits } from '../contract.ts'
import { type Coin, unitOf } from './draft.ts'

type Asked = { subWalletId: string; coin: Coin | undefined; from: string | undefined; to: string | undefined; memo: string }

/** What the limits of a payment are asked with. */
function usePayment({ subWalletId, coin, from, to, memo }: Asked) {
  const { chain = '', symbol = '', token_id } = coin ?? {}
  const settled = useDebounced(memo)
  return {
    ...{ sub_wallet_id: subWalletId, chain, symbol, token_id },
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(settled !== '' && { memo: settled }),
  }
}

/** What the rule that decides lets through at most, what its window leaves, and what is on its way; nothing where another rule was looked at. */
export function PaymentLimits({ amount, ruleId, ...asked }: Asked & { coin: Coin; amount: string; ruleId: string | null }) {
  const { t } = useTranslation()
  const { data } = useEndpoint(checkLimits, { ...usePayment(asked), amount }, { keepLast: true })
  if (!data || data.rule_id === null || data.rule_id !== ruleId) return null
  const { rule_max: most, window, order_window: orders, pending_count: pending } = data
  const unit = unitOf(asked.coin)
  return (
    <ul className="hf-small hf-muted">
      {most !== null && <li>{t('withdrawal.limits.most', { most, unit })}</li>}
      {window !== null && (
        <li>
          {t('withdrawal.limits.left', { left: window.left, max: window.max, unit, count: window.hours, whose: t(`withdrawal.limits.each.${window.each}`) })}
        </li>
      )}
      {orders !== null && (
        <li>{t('withdrawal.limits.orders', { left: orders.left, max: orders.max, count: orders.hours, whose: t(`withdrawal.limits.each.${orders.each}`) })}</li>
      )}
      {pending > 0 && <li>{t('withdrawal.limits.pending', { count: pending })}</li>}
    </ul>
  )
}

/** The most that a rule lets through at once whose limits have room for it; undefined as long as that is not known. */
export function useMostPayable(asked: Asked): string | undefined {
  const { data } = useEndpoint(checkLimits, usePayment(asked), { enabled: asked.coin !== undefined })
  return data?.max_withdraw
}

/** What there is for fees in the network's own coin, before a destination is known that a fee could be asked for. */
export function FeeBalance({ subWalletId, coin }: { subWalletId: string; coin: Coin }) {
  const { t } = useTranslation()
  const { data } = useEndpoint(getSymbolBalance, { sub_wallet_id: subWalletId, chain: coin.chain, symbol: coin.symbol })
  if (!data) return null
  return (
    <p className="hf-small hf-muted hf-row-tight">
      {t('withdrawal.form.feeBalance')} <Amount value={data.fee_balance} unit={data.fee_symbol} />
    </p>
  )
}

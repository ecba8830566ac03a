import type { OutputOf } from '@holdfast/contract'
import { Note } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { checkStrategy } from '../contract.ts'

export type Outcome = OutputOf<typeof checkStrategy>

export type OrderFacts = {
  subWalletId: string
  chain: string
  symbol: string
  tokenId?: string | undefined
  amount: string
  /** Which address of the sub-wallet pays; its first one if absent. */
  from?: string | undefined
  to: string | undefined
  memo: string
}

/** What the policy says of an order that was not sent yet; nothing is asked while `order` is undefined. */
export function usePolicyOutcome(order: OrderFacts | undefined) {
  const { subWalletId = '', chain = '', symbol = '', tokenId, amount = '0', from, to, memo = '' } = order ?? {}
  const asked = {
    sub_wallet_id: subWalletId,
    chain,
    symbol,
    token_id: tokenId,
    amount,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { address_to: to, ...(memo !== '' && { memo }) }),
  }
  return useEndpoint(checkStrategy, asked, { enabled: order !== undefined, keepLast: true })
}

/** The policy's answer in its own sentence, with the people it names. */
export function PolicyOutcome({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation('strategyEngine')
  return (
    <Note tone={outcome.outcome === 'deny' ? 'bad' : 'info'} title={t(outcome.outcome === 'deny' ? 'refuses' : 'decides')}>
      <p>{outcome.sentence}</p>
      {outcome.rule_id !== null && <p className="hf-small hf-muted">{t('rule', { rule: outcome.rule_id })}</p>}
    </Note>
  )
}

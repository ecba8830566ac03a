import { newRequestId, useEndpoint } from '@holdfast/client'
import { useFiat } from '@holdfast/features/price/console'
import { useKeptDraft } from '@holdfast/features/session/console'
import { labelGiven, labelRules } from '@holdfast/features/transaction/console'
import { listCoinAssets } from '@holdfast/features/wallet/contract'
import { DrawerBody, ErrorState, LoadingState, useTextForm, useUnsaved } from '@holdfast/ui'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { coinKey } from '../draft.ts'
import type { openPaySeveralDrawer, PaySeveralProps } from './open-pay-several-drawer.tsx'
import type { ReadRecipients } from './read-recipients.ts'
import { paysSeveral, severalCoin } from './several-coin.ts'
import { SeveralForm } from './several-form.tsx'
import { ordersFor, unsent } from './several-orders.ts'
import { SeveralReview } from './several-review.tsx'
import { SeveralSending } from './several-sending.tsx'
import type { CheckedBatch } from './use-checked-recipients.ts'

/** Pays several recipients: they are written, pasted or read from a file, shown whole with the fees, and sent for approval. */
export function PaySeveralDrawer({ subWallet, coin: first, kept, open }: PaySeveralProps & { open: typeof openPaySeveralDrawer }) {
  const { t } = useTranslation()
  const [text, setText] = useState(kept?.text ?? '')
  const [chosen, setChosen] = useState(first && coinKey(first))
  const filled = useTextForm({ remark: { label: t('withdrawal.several.remark'), optional: true }, ...labelRules(t) }, kept?.noted)
  const [checked, setChecked] = useState<{ batch: CheckedBatch; read: ReadRecipients }>()
  const [orders, setOrders] = useState(kept?.orders)
  const { data, error, refetch } = useEndpoint(listCoinAssets, { sub_wallet_id: subWallet.id, ...useFiat().asked })
  const isAllSent = orders !== undefined && unsent(orders).length === 0
  const keep = useKeptDraft(isAllSent)
  useUnsaved(!isAllSent && (text !== '' || kept !== undefined))
  const coins = (data?.list ?? []).filter((each) => each.enable_withdraw && paysSeveral(each)).map(severalCoin)
  const coin = coins.find((each) => coinKey(each) === chosen) ?? coins[0]
  const noted = { remark: filled.valueOf('remark'), category: filled.valueOf('category'), tags: filled.valueOf('tags') }
  // After every change: a session can end at any moment, also between two orders.
  useEffect(() => {
    if (text === '' && Object.values(noted).every((each) => each === '')) return
    keep((drawers, say) =>
      open(drawers, { title: say('withdrawal.several.title'), subWallet, ...(coin && { coin }), kept: { text, noted, ...(orders && { orders }) } }),
    )
  })
  if (!data) return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />}</DrawerBody>
  if (orders && coin) return <SeveralSending coin={coin} orders={orders} onChange={setOrders} />
  if (checked && coin) {
    const { batch, read } = checked
    const common = { sub_wallet_id: subWallet.id, chain: coin.chain, symbol: coin.symbol, remark: noted.remark.trim(), ...labelGiven(noted) }
    const begin = () => setOrders(ordersFor({ ...batch, total: read.total, common }, newRequestId))
    return <SeveralReview {...{ coin, batch, noted }} total={read.total} onBack={() => setChecked(undefined)} onSend={begin} />
  }
  return (
    <SeveralForm {...{ subWallet, coins, coin, text, filled }} onText={setText} onCoin={setChosen} onReview={(batch, read) => setChecked({ batch, read })} />
  )
}

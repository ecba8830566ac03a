import { usePermission } from '@holdfast/features/session/console'
import { paySeveralPath } from '@holdfast/features/wallet/console'
import { Address, Amount, Button, confirm, ErrorState, Facts, LoadingState, Note, useDrawers } from '@holdfast/ui'
import { requestIdKeeper, useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { consolidateCoins, getCoinSettings } from '../contract.ts'
import type { Place } from './coins-part.tsx'

/** What the coins of an address come to, and whether to join them. */
export function CoinSummary({ subWallet, chain, network, coin }: Place & { coin: { symbol: string; decimals: number } }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayAsk = usePermission('withdraw.create')
  const { data, error, refetch } = useEndpoint(getCoinSettings, { sub_wallet_id: subWallet.id, chain })
  const join = useJoin({ subWallet, chain, network })
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={3} />
  const { totals, symbol, consolidation } = data
  return (
    <>
      {data.count >= data.consolidate_hint && (
        <Note tone="warn" title={t('utxo.many', { count: data.count })}>
          {t('utxo.manyNote')}
        </Note>
      )}
      <div className="hf-panel">
        <Facts
          facts={[
            { label: t('utxo.address'), value: <Address address={data.address} />, wide: true },
            { label: t('utxo.all'), value: <Amount value={totals.all} unit={symbol} /> },
            { label: t('utxo.free'), value: <Amount value={totals.free} unit={symbol} /> },
            isAny(totals.kept) ? { label: t('utxo.kept'), value: <Amount value={totals.kept} unit={symbol} /> } : undefined,
            isAny(totals.under_way) ? { label: t('utxo.underWay'), value: <Amount value={totals.under_way} unit={symbol} /> } : undefined,
            { label: t('utxo.dustBelow'), value: <Amount value={data.dust_threshold} unit={symbol} /> },
          ]}
        />
      </div>
      {mayAsk && (
        <div className="hf-row">
          <Button onClick={() => void navigate(paySeveralPath(subWallet.id, { chain, symbol: coin.symbol }))}>{t('utxo.paySeveral')}</Button>
          {consolidation && (
            <Button loading={join.isPending} onClick={() => void join.ask(consolidation, symbol)}>
              {t('utxo.join', { count: consolidation.coins })}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

const isAny = (amount: string) => /[1-9]/.test(amount)

/** Asks for coins to be joined after it was said what that takes, and leads to the order. */
function useJoin({ subWallet, chain }: Place) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const navigate = useNavigate()
  const [requestIdOf] = useState(() => requestIdKeeper())
  const send = useSend(consolidateCoins)
  const ask = async ({ coins, amount, fee }: { coins: number; amount: string; fee: string }, symbol: string) => {
    const answer = await confirm(drawers, {
      type: 'info',
      title: t('utxo.joinTitle'),
      content: (
        <Facts
          facts={[
            { label: t('utxo.joinCoins'), value: coins },
            { label: t('utxo.joinAmount'), value: <Amount value={amount} unit={symbol} /> },
            { label: t('utxo.joinFee'), value: <Amount value={fee} unit={symbol} /> },
          ]}
        />
      ),
      tip: t('utxo.joinNote'),
      remark: true,
      confirmText: t('utxo.joinAsk'),
    })
    if (answer.outcome !== 'confirm') return
    const order = { sub_wallet_id: subWallet.id, chain, max_fee: fee, remark: answer.remark }
    const made = await send.mutateAsync({ request_id: requestIdOf(order), ...order }).catch(() => undefined)
    if (made) void navigate(`/mpc/center/wallet/transactions?order=${made.withdraw_id}`)
  }
  return { ask, isPending: send.isPending }
}

import { useEndpoint } from '@holdfast/client'
import { BarChart, shortAddress } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { listCoins } from '../contract.ts'
import type { Place } from './coins-part.tsx'

const SHOWN = 20
/** Fewer are seen in the list as well. */
const FEWEST = 3

/** How an address's money is cut up: its largest coins beside each other. */
export function CoinMap({ subWallet, chain }: Place) {
  const { t } = useTranslation()
  const { data } = useEndpoint(listCoins, { sub_wallet_id: subWallet.id, chain, page_no: 1, page_size: SHOWN }, { keepLast: true })
  if (!data || data.list.length < FEWEST) return null
  const bars = data.list.map(({ txid, vout, amount }) => ({ key: `${txid}:${vout}`, name: `${shortAddress(txid)}:${vout}`, value: amount }))
  return (
    <BarChart
      title={t('utxo.map')}
      note={t('utxo.mapNote', { count: bars.length })}
      bars={bars}
      barTitle={t('utxo.coin')}
      valueTitle={t('utxo.amount')}
      unit={data.symbol}
    />
  )
}

import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import {
  Amount,
  Button,
  type Column,
  confirm,
  DataTable,
  EmptyState,
  FilterPicker,
  Label,
  lazyDrawerBody,
  ShortAddress,
  StatusTag,
  Time,
  type Tone,
  useDrawers,
} from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { COIN_STATES, listCoins, unlockCoin } from '../contract.ts'
import type { Place } from './coins-part.tsx'

const LockDrawer = lazyDrawerBody(() => import('./lock-drawer.tsx').then((module) => module.LockDrawer))

type Coin = OutputOf<typeof listCoins>['list'][number]
type State = Coin['state']

const PAGE_SIZE = 20
const TONES: Record<State, Tone> = {
  free: 'good',
  person: 'warn',
  order: 'active',
  inscription: 'warn',
  unchecked: 'warn',
  immature: 'neutral',
  dust: 'neutral',
}

/** The coins of an address, the largest first, each with what keeps it. */
export function CoinList({ subWallet, chain, network }: Place) {
  const { t } = useTranslation()
  const [page, setPage] = useState(1)
  const [state, setState] = useState<State>()
  const { data, error, refetch, isPlaceholderData } = useEndpoint(
    listCoins,
    { sub_wallet_id: subWallet.id, chain, ...(state === undefined ? {} : { state }), page_no: page, page_size: PAGE_SIZE },
    { keepLast: true },
  )
  const choose = (next: string | undefined) => {
    setState(COIN_STATES.find((each) => each === next))
    setPage(1)
  }
  return (
    <DataTable
      name={`utxo-${chain}`}
      tools={
        <search className="hf-filters">
          <FilterPicker
            label={t('utxo.state')}
            value={state}
            options={COIN_STATES.map((value) => ({ value, label: t(`utxo.states.${value}`) }))}
            onChange={choose}
          />
        </search>
      }
      label={t('utxo.table', { network })}
      columns={useColumns({ subWallet, chain, network }, data?.symbol)}
      rows={data?.list}
      rowKey={({ txid, vout }) => `${txid}:${vout}`}
      isLoading={isPlaceholderData}
      error={error}
      onRetry={() => void refetch()}
      empty={
        <div className="hf-panel">
          <EmptyState drawing="coins" title={t('utxo.none')} />
        </div>
      }
      paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
    />
  )
}

function useColumns(place: Place, symbol: string | undefined): Column<Coin>[] {
  const { t } = useTranslation()
  const mayLock = usePermission('withdraw.create')
  return [
    {
      key: 'coin',
      title: t('utxo.coin'),
      render: ({ txid, vout }) => (
        <span className="hf-mono">
          <ShortAddress address={txid} />:{vout}
        </span>
      ),
    },
    { key: 'amount', title: t('utxo.amount'), align: 'end', render: (coin) => <Amount value={coin.amount} unit={symbol} /> },
    { key: 'height', title: t('utxo.height'), align: 'end', render: ({ height }) => <span className="hf-numbers">{height ?? t('utxo.waits')}</span> },
    {
      key: 'state',
      title: t('utxo.state'),
      render: (coin) => <StatusTag tone={TONES[coin.state]} text={t(`utxo.states.${coin.state}`)} next={<Why coin={coin} />} />,
    },
    {
      key: 'actions',
      title: t('utxo.actions'),
      hidesTitle: true,
      align: 'end',
      width: 1,
      render: (coin) => mayLock && <LockButton place={place} coin={coin} />,
    },
  ]
}

/** Who locked a coin and why, which order has it, or what it carries. */
function Why({ coin: { lock, order_id: orderId, inscription_ids: inscriptions } }: { coin: Coin }) {
  const { t } = useTranslation()
  return (
    <>
      {orderId !== null && <Link to={`/mpc/center/wallet/transactions?order=${orderId}`}>{t('utxo.toOrder')}</Link>}
      {lock && (
        <span>
          <Label text={lock.reason} /> · <Label text={lock.by} /> · <Time ms={lock.at} />
        </span>
      )}
      {inscriptions.length > 0 && <span>{t('utxo.carries', { count: inscriptions.length })}</span>}
    </>
  )
}

function LockButton({ place, coin }: { place: Place; coin: Coin }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const unlock = useSend(unlockCoin)
  const named = { sub_wallet_id: place.subWallet.id, chain: place.chain, txid: coin.txid, vout: coin.vout }
  if (coin.lock || coin.state === 'unchecked') {
    const words = coin.lock ? ('unlock' as const) : ('checked' as const)
    const ask = async () => {
      const answer = await confirm(drawers, { type: 'warning', title: t(`utxo.${words}Title`), content: t(`utxo.${words}Note`), remark: true })
      if (answer.outcome === 'confirm') unlock.mutate({ ...named, reason: answer.remark })
    }
    return (
      <Button size="small" loading={unlock.isPending} onClick={() => void ask()} label={t(`utxo.${words}For`, { amount: coin.amount })}>
        {t(`utxo.${words}`)}
      </Button>
    )
  }
  if (coin.state === 'order') return null
  const lock = () => void drawers.push({ title: t('utxo.lockTitle'), body: <LockDrawer coin={named} /> })
  return (
    <Button size="small" onClick={lock} label={t('utxo.lockFor', { amount: coin.amount })}>
      {t('utxo.lock')}
    </Button>
  )
}

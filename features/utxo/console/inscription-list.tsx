import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import { usePaymentForm } from '@holdfast/features/wallet/console'
import { Amount, Button, type Column, DataTable, Label, Note, ShortAddress } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listInscriptions } from '../contract.ts'
import type { Place } from './coins-part.tsx'

type Inscription = OutputOf<typeof listInscriptions>['list'][number]

const PAGE_SIZE = 20

/** The inscriptions on coins of a sub-wallet: what they say they are, never what they would show. */
export function InscriptionList({ subWallet }: Pick<Place, 'subWallet'>) {
  const { t } = useTranslation()
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useEndpoint(
    listInscriptions,
    { sub_wallet_id: subWallet.id, page_no: page, page_size: PAGE_SIZE },
    { keepLast: true },
  )
  return (
    <section className="hf-stack" aria-label={t('utxo.inscription.title')}>
      <h2>{t('utxo.inscription.title')}</h2>
      <Note>{t('utxo.inscription.note')}</Note>
      <DataTable
        name="inscriptions"
        label={t('utxo.inscription.title')}
        columns={useColumns(subWallet, data?.list ?? [])}
        rows={data?.list}
        rowKey={(each) => each.inscription_id}
        isLoading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        empty={<p className="hf-panel hf-muted">{t('utxo.inscription.none')}</p>}
        paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
      />
    </section>
  )
}

/** Whether an inscription can be sent, and what it moves then. */
const isSendable = (each: Inscription): each is Inscription & { send_symbol: string; amount: string; tick: string } =>
  each.order_id === null && each.send_symbol !== null && each.amount !== null && each.tick !== null

/** Sends the token of an inscription, or leads to the order that has it. Others of the page with the same token can be sent along. */
function SendButton({ subWallet, each, all }: Pick<Place, 'subWallet'> & { each: Inscription; all: readonly Inscription[] }) {
  const { t } = useTranslation()
  const openForm = usePaymentForm('sendInscription')
  if (each.order_id !== null) return <Link to={`/mpc/center/wallet/transactions?order=${each.order_id}`}>{t('utxo.inscription.open')}</Link>
  if (!isSendable(each)) return null
  const { inscription_id: id, chain, network, symbol: coin, value, send_symbol: symbol, amount, tick } = each
  const inscription = { id, chain, network, symbol, amount, coin, value }
  const others = all
    .filter(isSendable)
    .filter((other) => other.inscription_id !== id && other.chain === chain && other.send_symbol === symbol)
    .map((other) => ({ id: other.inscription_id, amount: other.amount, value: other.value }))
  const open = () => openForm({ title: t('utxo.inscription.sendTitle'), subWallet, inscription, others })
  return (
    <Button size="small" onClick={open} label={t('utxo.inscription.sendFor', { amount, tick })}>
      {t('utxo.inscription.send')}
    </Button>
  )
}

function useColumns(subWallet: Place['subWallet'], all: readonly Inscription[]): Column<Inscription>[] {
  const { t } = useTranslation()
  const maySend = usePermission('withdraw.create')
  return [
    { key: 'id', title: t('utxo.inscription.id'), render: (each) => <ShortAddress address={each.inscription_id} /> },
    {
      key: 'what',
      title: t('utxo.inscription.what'),
      render: (each) =>
        each.tick === null ? (
          <Label text={each.content_type ?? t('utxo.inscription.untyped')} />
        ) : (
          <span>
            BRC-20 {t(`utxo.inscription.operation.${each.operation ?? 'transfer'}`)} {each.amount} <Label text={each.tick} />
          </span>
        ),
    },
    { key: 'size', title: t('utxo.inscription.size'), align: 'end', render: (each) => <span className="hf-numbers">{each.size}</span> },
    { key: 'preview', title: t('utxo.inscription.preview'), render: (each) => (each.preview === null ? '--' : <Label text={each.preview} wrap />) },
    { key: 'value', title: t('utxo.inscription.value'), align: 'end', render: (each) => <Amount value={each.value} unit={each.symbol} /> },
    {
      key: 'actions',
      title: t('utxo.inscription.actions'),
      hidesTitle: true,
      align: 'end',
      width: 1,
      render: (each) => maySend && <SendButton subWallet={subWallet} each={each} all={all} />,
    },
  ]
}

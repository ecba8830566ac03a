import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import { usePaymentForm } from '@holdfast/features/wallet/console'
import { Amount, Button, type Column, DataTable, Label, Note, ShortAddress } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { listTokens } from '../contract.ts'
import type { Place } from './coins-part.tsx'

type Token = OutputOf<typeof listTokens>['list'][number]

/** What a sub-wallet has of each token of BRC-20, with the blocks that this was read from. */
export function TokenList({ subWallet }: Pick<Place, 'subWallet'>) {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(listTokens, { sub_wallet_id: subWallet.id })
  return (
    <section className="hf-stack" aria-label={t('utxo.token.title')}>
      <h2>{t('utxo.token.title')}</h2>
      {data?.readings.map(({ chain, network, from_height: from, to_height: to, whole }) => (
        <Note key={chain} tone={whole ? 'info' : 'warn'}>
          {t(whole ? 'utxo.token.whole' : 'utxo.token.partial', { network, from, to })}
        </Note>
      ))}
      {data?.list.some((token) => isSendable(token) && !token.inscribes) && <Note>{t('utxo.token.needsTaproot')}</Note>}
      <DataTable
        name="brc20"
        label={t('utxo.token.title')}
        columns={useColumns(subWallet)}
        rows={data?.list}
        rowKey={({ chain, tick }) => `${chain}/${tick}`}
        error={error}
        onRetry={() => void refetch()}
        empty={<p className="hf-panel hf-muted">{t('utxo.token.none')}</p>}
      />
    </section>
  )
}

/** Whether there is something that could be sent in any part. */
const isSendable = ({ send_symbol: symbol, available }: Token): boolean => symbol !== null && available !== '0'

/** Sends any part of what is available, where the address can. What lies in inscriptions is sent from their list. */
function SendButton({ subWallet, token }: Pick<Place, 'subWallet'> & { token: Token }) {
  const { t } = useTranslation()
  const openForm = usePaymentForm('pay')
  const { chain, tick, send_symbol: symbol, inscribes } = token
  if (symbol === null || !inscribes || !isSendable(token)) return null
  const open = () => openForm({ title: t('utxo.token.sendTitle'), subWallet, coin: { chain, symbol } })
  return (
    <Button size="small" onClick={open} label={t('utxo.token.sendFor', { tick })}>
      {t('utxo.token.send')}
    </Button>
  )
}

function useColumns(subWallet: Place['subWallet']): Column<Token>[] {
  const { t } = useTranslation()
  const maySend = usePermission('withdraw.create')
  return [
    { key: 'tick', title: t('utxo.token.tick'), render: ({ tick }) => <Label text={tick} /> },
    { key: 'available', title: t('utxo.token.available'), align: 'end', render: ({ available }) => <Amount value={available} /> },
    { key: 'transferable', title: t('utxo.token.transferable'), align: 'end', render: ({ transferable }) => <Amount value={transferable} /> },
    { key: 'counted', title: t('utxo.token.books'), render: ({ counted }) => t(counted ? 'utxo.token.counted' : 'utxo.token.notCounted') },
    { key: 'address', title: t('utxo.token.address'), render: ({ address }) => <ShortAddress address={address} /> },
    {
      key: 'actions',
      title: t('utxo.token.actions'),
      hidesTitle: true,
      align: 'end',
      render: (token) => maySend && <SendButton subWallet={subWallet} token={token} />,
    },
  ]
}

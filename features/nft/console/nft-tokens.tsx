import type { OutputOf } from '@holdfast/contract'
import type { WalletPlace } from '@holdfast/features/console-feature'
import { openDepositDrawer } from '@holdfast/features/deposit-address/console'
import { usePermission } from '@holdfast/features/session/console'
import { usePaymentForm } from '@holdfast/features/wallet/console'
import { Address, Button, type Column, DataTable, EmptyState, ErrorState, IconDown, IconUp, LoadingState, Note, useDrawers } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listNftAssets, listNftTokens } from '../contract.ts'

type Collection = OutputOf<typeof listNftAssets>['nft_list'][number]
type Token = OutputOf<typeof listNftTokens>['nft_token_list'][number]

const PAGE_SIZE = 20

/** What a sub-wallet holds of each collection, and what people do with a token. Nothing that a token says of itself is shown. */
export function NftTokens({ walletId, subWallet }: WalletPlace) {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(listNftAssets, { sub_wallet_id: subWallet.id })
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />
  const known = data.nft_list.filter((each) => !each.spam)
  const unknown = data.nft_list.filter((each) => each.spam)
  return (
    <div className="hf-stack">
      {known.length === 0 ? (
        <div className="hf-panel">
          <EmptyState drawing="coins" title={t('nft.none')}>
            {t('nft.noneNote')}
          </EmptyState>
        </div>
      ) : (
        <Note>{t('nft.note')}</Note>
      )}
      {known.map((each) => (
        <CollectionPart key={`${each.chain} ${each.contract_address}`} walletId={walletId} subWallet={subWallet} collection={each} />
      ))}
      {unknown.length > 0 && <UnknownCollections rows={unknown} />}
    </div>
  )
}

function CollectionPart({ walletId, subWallet, collection }: WalletPlace & { collection: Collection }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const [page, setPage] = useState(1)
  const { chain, contract_address, network, standard } = collection
  const name = collection.name ?? ''
  const deposit = () => openDepositDrawer(drawers, { title: t('depositAddress.title', { symbol: name }), walletId, subWallet, chain, symbol: name })
  const { data, error, refetch, isPlaceholderData } = useEndpoint(
    listNftTokens,
    { sub_wallet_id: subWallet.id, chain, contract_address, page_no: page, page_size: PAGE_SIZE },
    { keepLast: true },
  )
  return (
    <section className="hf-stack" aria-label={`${name} · ${network}`}>
      <div className="hf-row">
        <h2>{name}</h2>
        <span className="hf-muted">
          {standard} · {network}
        </span>
        <Address address={contract_address} />
        <Button size="small" icon={<IconDown />} onClick={deposit} label={t('nft.depositFor', { name })}>
          {t('nft.deposit')}
        </Button>
      </div>
      <DataTable
        label={t('nft.table', { name })}
        columns={useColumns(subWallet, collection)}
        rows={data?.nft_token_list}
        rowKey={(token) => token.token_id}
        isLoading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        empty={<p className="hf-panel hf-muted">{t('nft.noTokens')}</p>}
        paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
      />
    </section>
  )
}

function useColumns(subWallet: WalletPlace['subWallet'], collection: Collection): Column<Token>[] {
  const { t } = useTranslation()
  const openForm = usePaymentForm('pay')
  const mayAsk = usePermission('withdraw.create')
  const send = (token: Token) =>
    openForm({
      title: t('nft.sendTitle'),
      subWallet,
      coin: { chain: collection.chain, symbol: collection.name ?? '' },
      token: {
        chain: collection.chain,
        network: collection.network,
        symbol: collection.name ?? '',
        token_id: token.token_id,
        isSingle: collection.standard === 'ERC-721',
        contract_address: collection.contract_address,
        decimals: 0,
        normal_balance: token.amount,
      },
    })
  return [
    { key: 'token', title: t('nft.token'), render: (token) => <span className="hf-mono hf-break">{token.nft_name}</span> },
    { key: 'available', title: t('nft.available'), align: 'end', render: (token) => <span className="hf-numbers">{token.amount}</span> },
    { key: 'held', title: t('nft.held'), align: 'end', render: (token) => <span className="hf-numbers">{token.held}</span> },
    {
      key: 'actions',
      title: t('nft.actions'),
      hidesTitle: true,
      align: 'end',
      width: 1,
      render: (token) =>
        mayAsk && (
          <Button size="small" icon={<IconUp />} disabled={token.amount === '0'} onClick={() => send(token)} label={t('nft.sendFor', { name: token.nft_name })}>
            {t('nft.send')}
          </Button>
        ),
    },
  ]
}

function UnknownCollections({ rows }: { rows: readonly Collection[] }) {
  const { t } = useTranslation()
  const columns: Column<Collection>[] = [
    {
      key: 'contract',
      title: t('nft.contract'),
      render: (row) => <Address address={row.contract_address} copyMessage={t('nft.copied')} copyIsWarning />,
    },
    { key: 'standard', title: t('nft.standard'), render: (row) => row.standard },
    { key: 'network', title: t('nft.network'), render: (row) => row.network },
  ]
  return (
    <section className="hf-stack" aria-label={t('nft.unknown')}>
      <h2>{t('nft.unknown')}</h2>
      <Note tone="warn">{t('nft.unknownNote')}</Note>
      <DataTable label={t('nft.unknown')} columns={columns} rows={rows} rowKey={(row) => `${row.chain} ${row.contract_address}`} empty={null} />
    </section>
  )
}

import type { OutputOf } from '@holdfast/contract'
import { CoinMark } from '@holdfast/features/network/console'
import { useFiat } from '@holdfast/features/price/console'
import type { Fiat } from '@holdfast/features/price/contract'
import { usePermission } from '@holdfast/features/session/console'
import { subWalletPath, WalletName } from '@holdfast/features/wallet/console'
import {
  Address,
  Amount,
  Button,
  Checkbox,
  type Column,
  DataTable,
  EmptyState,
  exactMoney,
  Label,
  lazyDrawerBody,
  Note,
  StatusTag,
  summaryMoney,
  useDrawers,
} from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listAllowances } from '../contract.ts'
import { openCallDrawer } from './open-call-drawer.tsx'

const RevokeDrawer = lazyDrawerBody(() => import('./revoke-drawer.tsx').then((module) => module.RevokeDrawer))

type SubWallet = { id: string; name: string }
type Allowance = OutputOf<typeof listAllowances>['list'][number]

/** What others may take of the tokens of a sub-wallet, or of all of its wallet, what that is worth, and the call that ends it. */
export function AllowanceList({ walletId, subWallet }: { walletId: string; subWallet: SubWallet }) {
  const { t } = useTranslation()
  const { fiat, asked } = useFiat()
  const [isOfAll, setOfAll] = useState(false)
  const { data, error, refetch } = useEndpoint(listAllowances, { ...(isOfAll ? { wallet_id: walletId } : { sub_wallet_id: subWallet.id }), ...asked })
  return (
    <div className="hf-stack">
      <Note>{t('contractCall.allowances.note')}</Note>
      <Checkbox checked={isOfAll} onChange={setOfAll}>
        {t('contractCall.allowances.all')}
      </Checkbox>
      {data && data.list.length > 0 && (
        <div className="hf-stack-tight">
          <p className="hf-small hf-muted">{t('contractCall.allowances.total')}</p>
          <Value value={data.usd_at_risk} fiat={fiat} isPartial={data.usd_partial} large />
          {data.price_source !== null && <p className="hf-small hf-muted">{t('contractCall.allowances.source', { source: data.price_source })}</p>}
        </div>
      )}
      {data && data.unasked > 0 && <Note tone="warn">{t('contractCall.allowances.unasked', { count: data.unasked })}</Note>}
      <DataTable
        name="allowances"
        label={t('contractCall.allowances.title')}
        columns={useColumns(isOfAll, fiat)}
        rows={data?.list}
        rowKey={(row) => [row.address, row.chain, row.contract_address, row.token_id, row.spender, row.order_id].join(' ')}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <div className="hf-panel">
            <EmptyState title={t('contractCall.allowances.none')} />
          </div>
        }
      />
    </div>
  )
}

function useColumns(isOfAll: boolean, fiat: Fiat): Column<Allowance>[] {
  const { t } = useTranslation()
  const mayAsk = usePermission('withdraw.create')
  return [
    { key: 'token', title: t('contractCall.allowances.token'), render: (row) => <Token row={row} /> },
    ...(isOfAll ? [{ key: 'subWallet', title: t('contractCall.allowances.subWallet'), render: (row: Allowance) => <WalletName of={row} /> }] : []),
    { key: 'spender', title: t('contractCall.allowances.spender'), render: (row) => <Spender row={row} /> },
    { key: 'may', title: t('contractCall.allowances.may'), align: 'end', render: (row) => <May row={row} /> },
    {
      key: 'risk',
      title: t('contractCall.allowances.risk'),
      align: 'end',
      render: ({ at_risk: value, symbol, usd }) => (
        <>
          <div>
            <Amount value={value} {...(symbol === '' ? {} : { unit: symbol })} />
          </div>
          <div className="hf-small">
            <Value value={usd} fiat={fiat} />
          </div>
        </>
      ),
    },
    { key: 'order', title: t('contractCall.allowances.order'), wideOnly: true, render: (row) => <Given row={row} /> },
    {
      key: 'actions',
      title: t('contractCall.allowances.actions'),
      hidesTitle: true,
      align: 'end',
      width: 1,
      render: (row) => mayAsk && <Revoke row={row} />,
    },
  ]
}

/** What can be taken is worth so much: unknown is `--`, never nothing. */
function Value({ value, fiat, isPartial = false, large = false }: { value: string | null; fiat: Fiat; isPartial?: boolean; large?: boolean }) {
  const { t } = useTranslation()
  const exact =
    value === null ? t('contractCall.allowances.noPrice') : `${isPartial ? `${t('contractCall.allowances.atLeast')} ` : ''}${exactMoney(value, fiat)}`
  return (
    <span className={large ? 'hf-amount hf-amount-large' : 'hf-numbers hf-muted'} title={exact}>
      {isPartial && value !== null && '≥ '}
      {summaryMoney(value, fiat)}
    </span>
  )
}

function Token({ row }: { row: Allowance }) {
  const { t } = useTranslation()
  return (
    <span className="hf-coin-cell">
      <CoinMark chain={row.chain} contract={row.contract_address} symbol={row.symbol} />
      <span className="hf-coin">
        <span className="hf-coin-symbol">{row.symbol === '' ? t('contractCall.allowances.unlisted') : <Label text={row.symbol} />}</span>
        <span className="hf-coin-network">{row.network}</span>
        {row.symbol === '' && <Address address={row.contract_address} />}
      </span>
    </span>
  )
}

function Spender({ row: { spender, of_batches: isOfBatches } }: { row: Allowance }) {
  const { t } = useTranslation()
  return (
    <>
      <Address address={spender} />
      {isOfBatches && <div className="hf-small hf-muted">{t('contractCall.allowances.batchContract')}</div>}
    </>
  )
}

function May({ row }: { row: Allowance }) {
  const { t } = useTranslation()
  if (row.unlimited) return <StatusTag tone="bad" text={t('contractCall.allowances.unlimited')} />
  if (row.status === 'unknown') return <StatusTag tone="warn" text={t('contractCall.allowances.unknown')} />
  if (row.token_id !== null) return <span className="hf-numbers">{t('contractCall.allowances.single', { id: row.token_id })}</span>
  return <Amount value={row.allowance} unit={row.symbol === '' ? t('contractCall.allowances.units') : row.symbol} />
}

function Given({ row: { order_id: id, token_id: single } }: { row: Allowance }) {
  const { t } = useTranslation()
  if (id === null) return <span className="hf-faint">{t(single === null ? 'contractCall.allowances.taken' : 'contractCall.allowances.found')}</span>
  return <Link to={`/mpc/center/wallet/transactions?order=${id}`}>{t('contractCall.allowances.open')}</Link>
}

/** Opens the call that ends a right, written already; it is read, approved and signed like any other. */
function Revoke({ row }: { row: Allowance }) {
  const { chain, network, coin, contract_address: contract, revoke } = row
  const { t } = useTranslation()
  const drawers = useDrawers()
  if (!revoke) return null
  const title = t('contractCall.allowances.revokeTitle')
  const { sub_wallet_id, symbol, of_batches: isOfBatches } = row
  const open = () => {
    if (isOfBatches && symbol !== '') return void drawers.push({ title, body: <RevokeDrawer allowance={{ sub_wallet_id, chain, symbol }} /> })
    openCallDrawer(drawers, {
      title,
      subWallet: { id: row.sub_wallet_id, name: subWalletPath(row) },
      chain,
      network,
      coin,
      first: { contract, data: revoke.input_data, method: revoke.function },
    })
  }
  return (
    <Button size="small" onClick={open}>
      {t('contractCall.allowances.revoke')}
    </Button>
  )
}

import './co-signer.css'
import { useEndpoint } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { type Column, DataTable, EmptyState, Label, Time } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listCollectingLog } from '../contract.ts'
import { OfWallet } from './of-wallet.tsx'

type Line = OutputOf<typeof listCollectingLog>['list'][number]

const PAGE_SIZE = 20

/** Who changed what about the collection of a wallet. */
export function LogPage() {
  const { t } = useTranslation('coSigner')
  return (
    <OfWallet title={t('collect.log.title')} lead={t('collect.log.lead')}>
      {(walletId) => <Lines walletId={walletId} />}
    </OfWallet>
  )
}

function Lines({ walletId }: { walletId: string }) {
  const { t } = useTranslation('coSigner')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useEndpoint(listCollectingLog, { wallet_id: walletId, page_no: page, page_size: PAGE_SIZE }, { keepLast: true })
  const columns: Column<Line>[] = [
    { key: 'version', title: t('collect.log.version'), width: 80, render: ({ version }) => <span className="hf-numbers">{version}</span> },
    {
      key: 'what',
      title: t('collect.log.what'),
      render: ({ action, remark }) => (
        <span className="hf-stack-tight">
          <span>{t(`collect.log.action.${action}`)}</span>
          {remark !== '' && (
            <span className="hf-small hf-muted">
              <Label text={remark} wrap />
            </span>
          )}
        </span>
      ),
    },
    { key: 'who', title: t('collect.log.who'), render: ({ user }) => <Label text={user} /> },
    { key: 'at', title: t('collect.record.at'), render: ({ at }) => <Time ms={at} /> },
    {
      key: 'diff',
      title: t('collect.log.diff'),
      wideOnly: true,
      render: ({ diff }) => (
        <div className="hf-stack-tight">
          {diff.map(({ what, before, after }) => (
            <p key={what} className="hf-collect-diff">
              <strong>{t(`collect.log.part.${what}`)}</strong>
              {before !== '' && <del className="hf-muted">{`\n${before}`}</del>}
              {after !== '' && <span>{`\n${after}`}</span>}
            </p>
          ))}
        </div>
      ),
    },
  ]
  return (
    <DataTable
      label={t('collect.log.title')}
      columns={columns}
      rows={data?.list}
      rowKey={({ version }) => String(version)}
      error={error}
      onRetry={() => void refetch()}
      empty={<EmptyState title={t('collect.log.none')} />}
      paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
    />
  )
}

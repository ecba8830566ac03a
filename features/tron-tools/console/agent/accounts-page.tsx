import './agent.css'
import { useEndpoint, useSend } from '@holdfast/client'
import { CallError, type OutputOf } from '@holdfast/contract'
import { resourceErrors } from '@holdfast/features/resource/errors'
import { usePermission } from '@holdfast/features/session/console'
import { Amount, Button, type Column, DataTable, EmptyState, exactAmount, Label, MISSING, PageHeader, ShortAddress, StatusTag, TextFilter } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listAgentAccounts, operateAgentAccounts } from '../../agent-contract.ts'
import { AgentLinks } from './agent-links.tsx'

type Account = OutputOf<typeof listAgentAccounts>['list'][number]

const PAGE_SIZE = 20

/** Own addresses on TRON: what they have, what is lent to them, and whether their payments wait for energy. */
export function AccountsPage() {
  const { t } = useTranslation('tools')
  const mayWrite = usePermission('tools.write')
  const [page, setPage] = useState(1)
  const [keyword, setKeyword] = useState('')
  const { data, error, refetch } = useEndpoint(listAgentAccounts, { page_no: page, page_size: PAGE_SIZE, ...(keyword !== '' && { keyword }) })
  const operate = useSend(operateAgentAccounts)
  const hasNone = error instanceof CallError && error.code === resourceErrors.tron_no_data.code
  const left = (meter: Account['energy']) => (meter ? t('tronTools.leftOf', { have: exactAmount(meter.have), limit: exactAmount(meter.limit) }) : MISSING)
  const columns: Column<Account>[] = [
    { key: 'name', title: t('tronAgent.account.name'), render: (each) => <Label text={`${each.wallet_name} / ${each.sub_wallet_name}`} wrap /> },
    { key: 'address', title: t('tronAgent.account.address'), render: (each) => <ShortAddress address={each.address} /> },
    { key: 'energy', title: t('tronTools.of.energy'), render: (each) => <span className="hf-numbers">{left(each.energy)}</span> },
    { key: 'net', title: t('tronTools.of.net'), render: (each) => <span className="hf-numbers">{left(each.net)}</span> },
    { key: 'lent', title: t('tronAgent.account.lent'), render: (each) => <Amount value={each.lent_trx} unit="TRX" /> },
    {
      key: 'auto',
      title: t('tronAgent.account.auto'),
      render: (each) => (
        <span className="hf-row">
          <StatusTag tone={each.auto ? 'active' : 'neutral'} text={each.auto ? t('tronAgent.isOn') : t('tronAgent.isOff')} />
          {mayWrite && (
            <Button
              size="small"
              label={`${each.auto ? t('tronAgent.account.off') : t('tronAgent.account.on')}: ${each.wallet_name} / ${each.sub_wallet_name}`}
              onClick={() => operate.mutate({ addresses: [each.address], op: each.auto ? 'off' : 'on' })}
            >
              {each.auto ? t('tronAgent.account.off') : t('tronAgent.account.on')}
            </Button>
          )}
        </span>
      ),
    },
  ]
  const isWhole = data !== undefined && data.pageTotal <= data.list.length
  const change = (op: 'on' | 'off') => data && operate.mutate({ addresses: data.list.map(({ address }) => address), op })
  const actions = mayWrite && data && data.list.length > 0 && (
    <>
      <Button loading={operate.isPending} onClick={() => change('off')}>
        {t(isWhole ? 'tronAgent.account.allOff' : 'tronAgent.account.pageOff')}
      </Button>
      <Button loading={operate.isPending} onClick={() => change('on')}>
        {t(isWhole ? 'tronAgent.account.allOn' : 'tronAgent.account.pageOn')}
      </Button>
    </>
  )
  return (
    <>
      <PageHeader title={t('tronAgent.account.title')} actions={actions}>
        {t('tronAgent.account.lead')}
      </PageHeader>
      <AgentLinks />
      <DataTable
        label={t('tronAgent.account.title')}
        columns={columns}
        rows={hasNone ? [] : data?.list}
        rowKey={({ address }) => address}
        error={error}
        onRetry={() => void refetch()}
        tools={
          <TextFilter
            label={t('tronAgent.account.search')}
            value={keyword}
            search
            onChange={(text) => {
              setKeyword(text)
              setPage(1)
            }}
          />
        }
        paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
        empty={<EmptyState title={t('tronAgent.account.none')}>{t('tronAgent.account.noneText')}</EmptyState>}
      />
    </>
  )
}

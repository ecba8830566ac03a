import { Address, Amount, type Column, DataTable, EmptyState, Label, Time } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { Resources } from './account-resources.tsx'

type Delegation = Resources['delegations'][number]

/** Whom the resources of an address are delegated to. */
export function DelegationList({ network, resources }: { network: string; resources: Resources }) {
  const { t } = useTranslation()
  const columns: Column<Delegation>[] = [
    {
      key: 'to',
      title: t('resource.delegation.to'),
      render: ({ to, own }) => (
        <span className="hf-stack-tight hf-address-cell">
          {own !== null && <Label text={own} />}
          <Address address={to} />
        </span>
      ),
    },
    { key: 'resource', title: t('resource.delegation.resource'), render: ({ resource }) => t(`resource.name.${resource}`) },
    { key: 'amount', title: t('resource.delegation.amount'), align: 'end', render: ({ amount }) => <Amount value={amount} unit={resources.symbol} /> },
    {
      key: 'locked',
      title: t('resource.delegation.locked'),
      align: 'end',
      render: ({ locked_until: until }) => (until === null ? <span className="hf-faint">{t('resource.delegation.free')}</span> : <Time ms={until} />),
    },
  ]
  return (
    <DataTable
      label={t('resource.delegation.table', { network })}
      columns={columns}
      rows={resources.delegations}
      rowKey={({ to, resource, locked_until: until }) => `${to} ${resource} ${until}`}
      empty={
        <div className="hf-panel">
          <EmptyState title={t('resource.delegation.none')} />
        </div>
      }
    />
  )
}

import { usePermission } from '@holdfast/features/session/console'
import { Address, Amount, Button, type Column, DataTable, EmptyState, Label, Time, useDrawers } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { Resources } from './account-resources.tsx'
import { openStakeDrawer } from './open-stake-drawer.tsx'
import type { Place } from './resources-part.tsx'

type Delegation = Resources['delegations'][number]

/** Whom the resources of an address are delegated to. */
export function DelegationList({ subWallet, chain, network, resources }: Place & { resources: Resources }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const mayAsk = usePermission('withdraw.create')
  const takeBack = ({ to, resource, amount }: Delegation) =>
    openStakeDrawer(drawers, {
      title: t('resource.action.undelegate'),
      subWallet,
      chain,
      network,
      symbol: resources.symbol,
      action: 'undelegate',
      given: { resource, amount, receiver: to },
    })
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
    {
      key: 'actions',
      title: t('resource.delegation.actions'),
      hidesTitle: true,
      align: 'end',
      width: 1,
      render: (delegation) =>
        mayAsk &&
        delegation.locked_until === null && (
          <Button size="small" onClick={() => takeBack(delegation)}>
            {t('resource.action.undelegate')}
          </Button>
        ),
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

import { useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { getApprovalPages } from '@holdfast/features/approval-page/contract'
import { Button, type Column, DataTable, EmptyState, Label, RelativeTime, StatusTag } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { listDevices, removeDevice } from '../contract.ts'
import { makerOf } from './maker-of.ts'

type Device = OutputOf<typeof listDevices>['list'][number]

/** On which of their devices the reader is told that something waits for their approval. */
export function OwnDevices() {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(listDevices, {})
  const pages = useEndpoint(getApprovalPages, {}).data?.pages ?? []
  return (
    <section className="hf-panel hf-stack" aria-labelledby="own-devices">
      <h2 id="own-devices">{t('push.title')}</h2>
      <p className="hf-muted">{t('push.note')}</p>
      <DataTable
        label={t('push.title')}
        columns={useColumns()}
        rows={data?.list}
        rowKey={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={<EmptyState title={t('push.none')}>{t('push.noneNote')}</EmptyState>}
      />
      {pages[0] && (
        <div className="hf-row">
          <ApprovalLink href={`${pages[0].origin}/#/`}>{t('push.add')}</ApprovalLink>
        </div>
      )}
    </section>
  )
}

function useColumns(): Column<Device>[] {
  const { t } = useTranslation()
  const remove = useSend(removeDevice)
  const nameOf = ({ service }: Device) => {
    const maker = makerOf(service)
    return maker === null ? service : t(`push.maker.${maker}`)
  }
  return [
    {
      key: 'device',
      title: t('push.device'),
      render: (device) => (
        <span className="hf-row-tight">
          <Label text={nameOf(device)} />
          {device.failing && <StatusTag tone="bad" text={t('push.failing')} />}
        </span>
      ),
    },
    { key: 'since', title: t('push.since'), render: ({ since }) => <RelativeTime ms={since} /> },
    {
      key: 'told',
      title: t('push.lastTold'),
      render: ({ last_told_at: at }) => (at === null ? <span className="hf-faint">{t('push.notYet')}</span> : <RelativeTime ms={at} />),
    },
    {
      key: 'actions',
      title: t('push.remove'),
      hidesTitle: true,
      align: 'end',
      render: (device) => (
        <Button
          size="small"
          label={t('push.removeThis', { device: nameOf(device) })}
          loading={remove.isPending && remove.variables.id === device.id}
          onClick={() => remove.mutate({ id: device.id })}
        >
          {t('push.remove')}
        </Button>
      ),
    },
  ]
}

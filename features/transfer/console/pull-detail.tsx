import { acknowledgePull } from '@holdfast/features/deposit/contract'
import { getNetworkStatus } from '@holdfast/features/network/contract'
import { useFiat } from '@holdfast/features/price/console'
import { usePermission } from '@holdfast/features/session/console'
import { Button, confirm, Label, Note, Time, useDrawers, useEndpoint, useSend } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { getPull, listTransactions } from '../contract.ts'
import type { Pull } from './payment-facts.tsx'
import { RecordDrawer } from './record-parts.tsx'

/** What somebody took under an allowance: who, for whom, how much more, and who has seen it. */
export function PullDetail({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(getPull, { id, ...useFiat().asked })
  const action = data?.sub_status === 'unacknowledged' && <Acknowledge id={id} />
  return (
    <RecordDrawer row={data} error={error} onRetry={() => void refetch()} title={t('transfer.detail.taken')} action={action}>
      {data && <Told pull={data} />}
    </RecordDrawer>
  )
}

/** What people were told of it, and who has acknowledged that. */
function Told({ pull: { told, acknowledged, status } }: { pull: Pull }) {
  const { t } = useTranslation()
  if (status === 3000) return <Note tone="info">{t('transfer.subStatus.reorged')}</Note>
  if (acknowledged)
    return (
      <Note tone="good" title={t('transfer.pull.acknowledged')}>
        <Label text={acknowledged.by} />, <Time ms={acknowledged.at} />
      </Note>
    )
  return (
    <Note tone="bad" title={t('transfer.pull.title')}>
      <p>{t('transfer.pull.text')}</p>
      {told !== null && <p className="hf-small hf-break">{told}</p>}
    </Note>
  )
}

function Acknowledge({ id }: { id: string }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const may = usePermission('withdraw.audit')
  const acknowledge = useSend(acknowledgePull, { refresh: [getPull, listTransactions, getNetworkStatus] })
  if (!may) return null
  const ask = async () => {
    const answer = await confirm(drawers, {
      type: 'warning',
      title: t('transfer.pull.acknowledge'),
      content: t('transfer.pull.acknowledgeText'),
      acknowledgement: t('transfer.pull.looked'),
      confirmText: t('transfer.pull.acknowledge'),
    })
    if (answer.outcome === 'confirm') await acknowledge.mutateAsync({ id }).catch(() => undefined)
  }
  return (
    <Button variant="primary" loading={acknowledge.isPending} onClick={() => void ask()}>
      {t('transfer.pull.acknowledge')}
    </Button>
  )
}

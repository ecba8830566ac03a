import './co-signer.css'
import { useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import { listMembers } from '@holdfast/features/team/contract'
import { Button, type Column, DataTable, EmptyState, ErrorState, Label, LoadingState, ManyPicker, PickField, TextField } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  COLLECTING_EVENTS,
  type CollectingEvent,
  getCollectingNotices,
  listCollectingReceivers,
  removeCollectingReceivers,
  saveCollectingNotices,
  saveCollectingReceiver,
} from '../contract.ts'
import { OfWallet } from './of-wallet.tsx'

type Receiver = OutputOf<typeof listCollectingReceivers>['list'][number]
type Config = OutputOf<typeof getCollectingNotices>

/** Who is told by e-mail when collection needs somebody, and from when on. */
export function NoticePage() {
  const { t } = useTranslation('coSigner')
  return (
    <OfWallet title={t('collect.notice.title')} lead={t('collect.notice.lead')}>
      {(walletId) => (
        <div className="hf-stack-wide">
          <Receivers walletId={walletId} />
          <FromWhenOn walletId={walletId} />
        </div>
      )}
    </OfWallet>
  )
}

function Receivers({ walletId }: { walletId: string }) {
  const { t } = useTranslation('coSigner')
  const mayWrite = usePermission('co_signer.write')
  const { data, error, refetch } = useEndpoint(listCollectingReceivers, { wallet_id: walletId })
  const remove = useSend(removeCollectingReceivers)
  const columns: Column<Receiver>[] = [
    { key: 'who', title: t('collect.notice.who'), render: ({ name }) => <Label text={name} /> },
    { key: 'target', title: t('collect.notice.target'), render: ({ target }) => (target === null ? t('collect.notice.noTarget') : <Label text={target} />) },
    { key: 'events', title: t('collect.notice.events'), render: ({ events }) => events.map((event) => t(`collect.notice.event.${event}`)).join(' · ') },
    ...(mayWrite
      ? [
          {
            key: 'do',
            title: t('collect.rule.do'),
            hidesTitle: true,
            align: 'end' as const,
            render: ({ id }: Receiver) => (
              <Button size="small" onClick={() => remove.mutate({ wallet_id: walletId, ids: [id] })}>
                {t('collect.rule.removeDo')}
              </Button>
            ),
          },
        ]
      : []),
  ]
  return (
    <section className="hf-panel hf-stack">
      {mayWrite && <Add walletId={walletId} />}
      <DataTable
        label={t('collect.notice.title')}
        columns={columns}
        rows={data?.list}
        rowKey={({ id }) => id}
        error={error}
        onRetry={() => void refetch()}
        empty={<EmptyState title={t('collect.notice.none')} />}
      />
      <p className="hf-small hf-muted">{t('collect.notice.webhooks')}</p>
    </section>
  )
}

function Add({ walletId }: { walletId: string }) {
  const { t } = useTranslation('coSigner')
  const members = useEndpoint(listMembers, { page_no: 1, page_size: 200 })
  const save = useSend(saveCollectingReceiver)
  const [member, setMember] = useState<string>()
  const [events, setEvents] = useState<readonly CollectingEvent[]>(COLLECTING_EVENTS)
  return (
    <div className="hf-collect-pair">
      <PickField
        label={t('collect.notice.member')}
        value={member}
        options={(members.data?.list ?? []).map(({ user_id: value, nick_name: label }) => ({ value, label }))}
        onChange={setMember}
      />
      <div className="hf-stack-tight">
        <span className="hf-label">{t('collect.notice.events')}</span>
        <ManyPicker
          label={t('collect.notice.choose')}
          options={COLLECTING_EVENTS.map((value) => ({ value, label: t(`collect.notice.event.${value}`) }))}
          values={[...events]}
          onChange={(chosen) => setEvents(chosen as CollectingEvent[])}
        />
      </div>
      <div className="hf-row">
        <Button
          disabled={member === undefined || events.length === 0}
          loading={save.isPending}
          onClick={() => member !== undefined && save.mutate({ wallet_id: walletId, user_id: member, events: [...events] })}
        >
          {t('collect.notice.add')}
        </Button>
      </div>
    </div>
  )
}

function FromWhenOn({ walletId }: { walletId: string }) {
  const { data, error, refetch } = useEndpoint(getCollectingNotices, { wallet_id: walletId })
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={3} />
  return <Bounds key={JSON.stringify(data)} walletId={walletId} first={data} />
}

function Bounds({ walletId, first }: { walletId: string; first: Config }) {
  const { t } = useTranslation('coSigner')
  const mayWrite = usePermission('co_signer.write')
  const save = useSend(saveCollectingNotices)
  const [days, setDays] = useState(String(first.fuel_days))
  const [times, setTimes] = useState(String(first.failed_times))
  const [minutes, setMinutes] = useState(String(first.stuck_minutes))
  const isWhole = [days, times, minutes].every((text) => /^[1-9]\d{0,4}$/.test(text))
  return (
    <section className="hf-panel hf-stack">
      <h2>{t('collect.notice.from')}</h2>
      <div className="hf-collect-pair">
        <TextField label={t('collect.notice.fuelDays')} value={days} onChange={setDays} inputMode="numeric" />
        <TextField label={t('collect.notice.failedTimes')} value={times} onChange={setTimes} inputMode="numeric" />
        <TextField label={t('collect.notice.stuckMinutes')} value={minutes} onChange={setMinutes} inputMode="numeric" />
      </div>
      {mayWrite && (
        <div className="hf-row">
          <Button
            variant="primary"
            disabled={!isWhole}
            loading={save.isPending}
            onClick={() => save.mutate({ wallet_id: walletId, fuel_days: Number(days), failed_times: Number(times), stuck_minutes: Number(minutes) })}
          >
            {t('collect.save')}
          </Button>
        </div>
      )}
    </section>
  )
}

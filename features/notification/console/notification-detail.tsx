import type { OutputOf } from '@holdfast/contract'
import {
  Button,
  confirm,
  CopyButton,
  DrawerBody,
  DrawerFooter,
  ErrorState,
  Facts,
  LoadingState,
  Note,
  RelativeTime,
  StatusTag,
  Time,
  Timeline,
  useDrawerPage,
  useDrawers,
  useToast,
} from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getNotification, resendNotificationPost, skipNotification } from '../contract.ts'
import { canResend, canSkip, stateKey, toneOf } from './status.ts'

type Detail = OutputOf<typeof getNotification>
const FRESH_MS = 3_000

/** One notification whole: how it stands, every answer, and exactly what was sent. */
export function NotificationDetail({ id, mayWrite }: { id: string; mayWrite: boolean }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(getNotification, { notify_id: id }, { refetchEveryMs: (row) => (row?.status === 'retrying' ? FRESH_MS : false) })
  if (!data) return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={10} />}</DrawerBody>
  return (
    <>
      <DrawerBody>
        <div className="hf-stack-wide">
          <Standing row={data} />
          <div className="hf-notify-columns">
            <section aria-labelledby="notify-facts">
              <h3 id="notify-facts">{t('notification.detail.facts')}</h3>
              <NotificationFacts row={data} />
            </section>
            <section aria-labelledby="notify-attempts">
              <h3 id="notify-attempts">{t('notification.detail.attempts')}</h3>
              <Attempts row={data} />
            </section>
          </div>
          <Raw id="notify-body" title={t('notification.detail.body')} text={data.body} copy={t('notification.detail.copyBody')} isJson />
          {data.headers.length > 0 && (
            <Raw
              id="notify-headers"
              title={t('notification.detail.headers')}
              text={data.headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
              copy={t('notification.detail.copyHeaders')}
            />
          )}
        </div>
      </DrawerBody>
      <Actions row={data} mayWrite={mayWrite} />
    </>
  )
}

function Standing({ row }: { row: Detail }) {
  const { t } = useTranslation()
  return (
    <div className="hf-stack">
      <div>
        <StatusTag tone={toneOf(row)} text={t(stateKey(row))} />
      </div>
      {row.next_at !== null && row.hold === null && (
        <p className="hf-muted">
          {t('notification.detail.next')} <RelativeTime ms={row.next_at} /> (<Time ms={row.next_at} />)
        </p>
      )}
      {row.hold !== null && <Note tone="warn">{t(`notification.holdNote.${row.hold}`)}</Note>}
      {row.status === 'failed' && <Note tone="bad">{t('notification.detail.failedNote')}</Note>}
    </div>
  )
}

function NotificationFacts({ row }: { row: Detail }) {
  const { t } = useTranslation()
  return (
    <Facts
      facts={[
        { label: t('notification.column.url'), value: <span className="hf-break">{row.url}</span>, wide: true },
        { label: t('notification.column.event'), value: <span className="hf-mono">{row.event}</span> },
        { label: t('notification.fact.seq'), value: <span className="hf-numbers">{row.seq}</span> },
        row.biz_status === null ? undefined : { label: t('notification.fact.status'), value: <span className="hf-numbers">{row.biz_status}</span> },
        { label: t('notification.column.times'), value: <span className="hf-numbers">{`${row.times} / ${row.max_times}`}</span> },
        { label: t('notification.fact.created'), value: <Time ms={row.created_at} /> },
        row.request_id === null
          ? undefined
          : { label: t('notification.fact.request'), value: <span className="hf-break hf-mono">{row.request_id}</span>, wide: true },
        row.biz_id === null ? undefined : { label: t('notification.fact.record'), value: <span className="hf-break hf-mono">{row.biz_id}</span>, wide: true },
        { label: t('notification.fact.id'), value: <span className="hf-break hf-mono">{row.notify_id}</span>, wide: true },
      ]}
    />
  )
}

function Attempts({ row }: { row: Detail }) {
  const { t } = useTranslation()
  if (row.attempts.length === 0) return <p className="hf-muted">{t('notification.detail.noAttempt')}</p>
  const items = row.attempts.toReversed().map((each) => {
    const isUnderway = each.failure_reason === 'unknown' && each.number === row.times && row.status === 'retrying'
    const reason = isUnderway
      ? t('notification.detail.underway')
      : each.failure_reason && t(`notification.failure.${each.failure_reason}`, { defaultValue: each.failure_reason })
    return {
      key: String(each.number),
      tone: isUnderway ? ('active' as const) : each.failure_reason === null ? ('good' as const) : ('bad' as const),
      title: [t('notification.detail.try', { number: each.number }), each.http_code === null ? undefined : `HTTP ${each.http_code}`]
        .filter(Boolean)
        .join(' · '),
      atMs: each.at,
      ...(each.duration_ms === null ? {} : { actor: t('notification.ms', { ms: each.duration_ms }) }),
      note: (
        <span className="hf-stack-tight">
          {reason && <span>{reason}</span>}
          {each.address !== null && <span className="hf-faint hf-mono">{each.address}</span>}
          {each.answer !== null && each.answer !== '' && (
            <span>
              <span className="hf-faint">{t('notification.detail.answer')}</span>
              <pre className="hf-notify-answer" tabIndex={0} aria-label={t('notification.detail.answer')} dir="auto">
                {visibleText(each.answer)}
              </pre>
              {each.answer_cut && <span className="hf-faint">{t('notification.detail.cut')}</span>}
            </span>
          )}
        </span>
      ),
    }
  })
  return <Timeline items={items} label={t('notification.detail.attempts')} />
}

/** A stranger's text with what cannot be seen made visible, so that it cannot turn its surroundings around. */
function visibleText(text: string): string {
  return text.replace(/[\p{Cf}\p{Co}\p{Cn}\u2028\u2029]|(?![\n\t])\p{Cc}/gu, '\ufffd')
}

function Raw({ id, title, text, copy, isJson }: { id: string; title: string; text: string; copy: string; isJson?: boolean }) {
  return (
    <section aria-labelledby={id}>
      <div className="hf-section-head">
        <h3 id={id}>{title}</h3>
        <CopyButton text={text} label={copy} showLabel />
      </div>
      <pre className="hf-notify-raw" tabIndex={0} aria-label={title} translate="no">
        {isJson ? JSON.stringify(JSON.parse(text), null, 2) : text}
      </pre>
    </section>
  )
}

function Actions({ row, mayWrite }: { row: Detail; mayWrite: boolean }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const drawers = useDrawers()
  const toast = useToast()
  const resend = useSend(resendNotificationPost)
  const skip = useSend(skipNotification)
  const again = async () => {
    const answer = await resend.mutateAsync({ notify_id: row.notify_id }).catch(() => undefined)
    if (answer) toast.success(t('notification.resend.done', { count: answer.count }), 'resend')
  }
  const giveUp = async () => {
    const answer = await confirm(drawers, {
      type: 'warning',
      title: t('notification.skip.title'),
      content: t('notification.skip.text'),
      confirmText: t('notification.skip.confirm'),
    })
    if (answer.outcome === 'confirm') await skip.mutateAsync({ notify_id: row.notify_id }).catch(() => undefined)
  }
  return (
    <DrawerFooter>
      <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
      {mayWrite && canSkip(row) && (
        <Button variant="danger" loading={skip.isPending} onClick={() => void giveUp()}>
          {t('notification.skip.confirm')}
        </Button>
      )}
      {mayWrite && canResend(row) && (
        <Button variant="primary" loading={resend.isPending} onClick={() => void again()}>
          {t('notification.resend.one')}
        </Button>
      )}
    </DrawerFooter>
  )
}

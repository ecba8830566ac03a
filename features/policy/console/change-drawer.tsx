import { ApprovalLink } from '@holdfast/features/approval-page/console'
import './strategy.css'
import { useSignerReason } from '@holdfast/features/evidence/console'
import { Button, downloadFile, DrawerBody, DrawerFooter, ErrorState, IconDownload, Label, LoadingState, Note, StatusTag, Timeline } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getPolicyChange } from '../contract.ts'
import { CHANGE_TONES, type Change, ChangeLines, ClosedOrders, stateOf, Waiting } from './change-parts.tsx'
import { QuorumMeters } from './quorum-meters.tsx'

/** One change of the policy: what it changes, who decided, and every step it took. */
export function ChangeDrawer({ id }: { id: string }) {
  const { t } = useTranslation('strategyEngine')
  const reasonOf = useSignerReason()
  const { data, error, refetch } = useEndpoint(getPolicyChange, { id })
  if (!data) {
    return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />}</DrawerBody>
  }
  const { record } = data
  return (
    <>
      <DrawerBody>
        <div className="hf-row">
          <StatusTag tone={CHANGE_TONES[data.state]} text={t(`change.state.${stateOf(data)}`)} />
          <span className="hf-small hf-muted">
            {t('change.askedBy')} <Label text={data.initiator.name} />
          </span>
        </div>
        {data.reason !== null && <Note tone={data.state === 'refused' ? 'bad' : 'info'}>{reasonOf(data.reason)}</Note>}
        <Waiting change={data} />
        <section className="hf-stack-tight">
          <h3>{t('change.what')}</h3>
          <ChangeLines lines={data.lines} />
          <ClosedOrders closes={data.closes} />
        </section>
        <QuorumMeters quorums={data.quorums} />
        <section className="hf-stack-tight">
          <h3>{t('change.story')}</h3>
          <Timeline
            label={t('change.story')}
            items={data.timeline.map((step, at) => ({
              key: String(at),
              tone: CHANGE_TONES[step.state as Change['state']] ?? 'neutral',
              title: t(`change.state.${step.state}`, { defaultValue: step.state }),
              actor: step.actor,
              atMs: step.at,
              ...(step.reason === null ? {} : { note: reasonOf(step.reason) }),
            }))}
          />
        </section>
      </DrawerBody>
      <DrawerFooter>
        {record !== null && (
          <Button icon={<IconDownload />} onClick={() => downloadFile(`policy-${data.version}.record`, bytesOf(record))}>
            {t('change.record')}
          </Button>
        )}
        <ApprovalLink variant={data.mine === 'decide' ? 'primary' : 'default'} href={data.approval_url}>
          {t(data.mine === 'decide' ? 'change.decide' : data.mine === 'stop' ? 'change.stop' : 'change.open')}
        </ApprovalLink>
      </DrawerFooter>
    </>
  )
}

/** The bytes of hexadecimal text. */
function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from((hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)))
}

import type { OutputOf } from '@holdfast/contract'
import { LoadingState, Note, StatusTag, Timeline, type TimelineItem, type Tone } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getWalletProgress } from '../../contract.ts'

type Progress = OutputOf<typeof getWalletProgress>
type StepState = Progress['steps'][number]['state']

const POLL_MS = 1_000
const TONES: Record<StepState, Tone> = { waiting: 'neutral', running: 'active', done: 'good', failed: 'bad' }

/** The progress of a wallet's keys, kept current until they are finished. */
export function useKeyProgress(walletId: string) {
  return useEndpoint(
    getWalletProgress,
    { wallet_id: walletId },
    {
      refetchEveryMs: (progress) => (progress?.state === 'ready' || progress?.state === 'failed' ? false : POLL_MS),
    },
  )
}

/** The steps by which the three signers make a key that none of them ever holds. */
export function KeyProgressList({ walletId }: { walletId: string }) {
  const { t } = useTranslation()
  const { data } = useKeyProgress(walletId)
  if (!data) return <LoadingState rows={3} />
  const itemsOf = (steps: Progress['steps']): TimelineItem[] =>
    steps.map((step) => ({
      key: step.name,
      tone: TONES[step.state],
      title: t(`wallet.step.${step.name}`),
      isAhead: step.state === 'waiting',
      ...(step.state === 'done' ? { atMs: step.at } : step.state === 'running' ? { note: t('wallet.progress.running') } : {}),
    }))
  const count = data.keys.length
  // One key is made after the other; of several only the one at work shows its steps.
  const present = count > 1 ? data.keys.findIndex((key) => key.state !== 'ready') : 0
  return (
    <div className="hf-stack">
      {data.keys.map(({ key_kind: kind, state, steps }, i) => (
        <section key={kind} className="hf-stack-tight">
          {count > 1 && (
            <div className="hf-spread">
              <strong>{t('wallet.progress.key', { number: i + 1, count, kind: t(`wallet.keyKind.${kind}`) })}</strong>
              {i !== present && (
                <StatusTag
                  tone={state === 'ready' ? 'good' : 'neutral'}
                  text={t(state === 'ready' ? 'wallet.progress.keyReady' : 'wallet.progress.keyAhead')}
                />
              )}
            </div>
          )}
          {i === present && <Timeline items={itemsOf(steps)} label={t('wallet.progress.label')} />}
        </section>
      ))}
      <Away parties={data.away} />
      {data.reason !== null && (
        <Note tone={data.state === 'failed' ? 'bad' : 'warn'} title={t(data.state === 'failed' ? 'wallet.progress.failed' : 'wallet.progress.retrying')}>
          {data.reason}
        </Note>
      )}
    </div>
  )
}

/** A signer that is away holds the key up; says what to do if its machine is lost. */
function Away({ parties }: { parties: Progress['away'] }) {
  const { t } = useTranslation()
  const named = parties.join(t('wallet.comma'))
  return parties.length === 0 ? null : (
    <Note tone="warn" title={t('wallet.progress.away', { parties: named })}>
      {t('wallet.progress.awayText')}
    </Note>
  )
}

/** The same in one line: the current step, and how many are done. */
export function KeyProgressBrief({ walletId }: { walletId: string }) {
  const { t } = useTranslation()
  const { data } = useKeyProgress(walletId)
  if (!data) return <LoadingState rows={1} />
  const steps = data.keys.flatMap((key) => key.steps.map((step) => ({ ...step, key: `${key.key_kind} ${step.name}` })))
  const done = steps.filter((step) => step.state === 'done').length
  const current = steps.find((step) => step.state !== 'done')
  return (
    <div className="hf-stack-tight">
      {current && <p>{t(`wallet.step.${current.name}`)}</p>}
      <div className="hf-meter" role="img" aria-label={t('wallet.progress.count', { done, of: steps.length })}>
        {steps.map((step) => (
          <span key={step.key} className={`hf-meter-${step.state}`} />
        ))}
      </div>
      {data.reason !== null && <p className="hf-small hf-muted hf-break">{data.reason}</p>}
    </div>
  )
}

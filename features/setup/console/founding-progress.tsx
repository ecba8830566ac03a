import type { OutputOf } from '@holdfast/contract'
import { ErrorState, Fingerprint, LoadingState, Note, PageHeader, StatusTag } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getSetup } from '../contract.ts'
import { ApprovalLinks } from './approval-links.tsx'
import { FirstSignIn } from './first-sign-in.tsx'
import { PolicyWords } from './policy-words.tsx'
import { SignerList } from './signer-list.tsx'

export type SetupView = OutputOf<typeof getSetup>['setup']

const POLL_MS = 1_500
const STEPS = ['enrolling', 'accepting', 'pinning', 'ready'] as const

/** How far the founding has come, kept current until it is done. */
export function FoundingProgress({ token }: { token: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(
    getSetup,
    { setup_token: token },
    { refetchEveryMs: (answer) => (answer?.setup.state === 'ready' ? false : POLL_MS) },
  )
  if (!data) return <section className="hf-founding">{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />}</section>
  const { setup } = data
  const reached = STEPS.indexOf(setup.state)
  return (
    <section className="hf-founding hf-founding-wide">
      <PageHeader title={t('setup.progress.title', { name: setup.name })} kicker={setup.demo ? t('setup.demo.label') : undefined}>
        {t(`setup.progress.now.${setup.state}`, { need: setup.threshold, of: setup.members.length })}
      </PageHeader>
      <div className="hf-founding-columns">
        <ol className="hf-steps hf-panel">
          <Step number={1} reached={reached} title={t('setup.step.enrol')} count={[setup.members.filter((each) => each.enrolled).length, setup.members.length]}>
            {setup.state === 'enrolling' && <ApprovalLinks setup={setup} />}
          </Step>
          <Step
            number={2}
            reached={reached}
            title={t('setup.step.accept')}
            count={[setup.members.filter((each) => each.accepted).length, setup.members.length]}
          >
            {setup.state === 'accepting' && <ApprovalLinks setup={setup} />}
          </Step>
          <Step number={3} reached={reached} title={t('setup.step.pin')} count={[setup.signers.filter((each) => each.pinned).length, setup.signers.length]}>
            <SignerList signers={setup.signers} />
          </Step>
          <Step number={4} reached={reached} title={t('setup.step.signIn')}>
            {setup.state === 'ready' && <FirstSignIn setup={setup} />}
          </Step>
        </ol>
        <FoundingDocument setup={setup} />
      </div>
    </section>
  )
}

type StepProps = { number: number; reached: number; title: string; count?: [number, number]; children?: React.ReactNode }

function Step({ number, reached, title, count, children }: StepProps) {
  const { t } = useTranslation()
  const state = reached >= number ? 'done' : reached === number - 1 ? 'now' : 'ahead'
  return (
    <li className={`hf-step hf-step-${state}`} aria-current={state === 'now' ? 'step' : undefined}>
      <span className="hf-step-number" aria-hidden>
        {state === 'done' ? '✓' : number}
      </span>
      <div className="hf-step-body">
        <div className="hf-spread">
          <h2>{title}</h2>
          {count && state !== 'ahead' && (
            <StatusTag tone={count[0] === count[1] ? 'good' : 'active'} text={t('setup.step.count', { done: count[0], of: count[1] })} />
          )}
        </div>
        {children}
      </div>
    </li>
  )
}

function FoundingDocument({ setup }: { setup: SetupView }) {
  const { t } = useTranslation()
  return (
    <section className="hf-panel hf-document" aria-labelledby="founding-document">
      <h2 id="founding-document">{t('setup.document.title')}</h2>
      {setup.fingerprint === null ? (
        <p className="hf-muted">{t('setup.document.waiting')}</p>
      ) : (
        <>
          <p className="hf-muted">{t('setup.document.note')}</p>
          <h3>{t('setup.document.fingerprint')}</h3>
          <Fingerprint hex={setup.fingerprint} />
          <h3>{t('setup.document.words')}</h3>
          <PolicyWords lines={setup.description} />
          {setup.state === 'accepting' && <Note>{t('setup.document.compare')}</Note>}
        </>
      )}
    </section>
  )
}

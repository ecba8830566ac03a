import './first-steps.css'
import type { OutputOf } from '@holdfast/contract'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { usePermission } from '@holdfast/features/session/console'
import { useSelectionStore } from '@holdfast/features/wallet/console'
import { Button, IconClose } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { getFirstSteps, type StepName } from '../contract.ts'
import { useFirstStepsHidden } from './first-steps-hidden.ts'
import { useDemoPreparation } from './use-demo-preparation.ts'

type View = OutputOf<typeof getFirstSteps>
type Standing = 'done' | 'now' | 'ahead'

/** What a new organisation does first: what was done, what is next, each with the way to it. Nothing once it is done or was hidden. */
export function FirstSteps() {
  const [isHidden, hide] = useFirstStepsHidden()
  const { data } = useEndpoint(getFirstSteps, {}, { enabled: !isHidden })
  return isHidden || !data ? null : <Steps view={data} onHide={hide} />
}

function Steps({ view, onHide }: { view: View; onHide: () => void }) {
  const { t } = useTranslation()
  const preparation = useDemoPreparation(view)
  const next = view.steps.findIndex(({ done }) => !done)
  const isDone = next === -1
  if (isDone && !view.demo) return null
  const title = view.demo ? (isDone ? 'demoDone' : 'demo') : 'own'
  return (
    <section className="hf-panel hf-home-part hf-first-steps" aria-labelledby="first-steps" aria-busy={preparation.isRunning || undefined}>
      <div className="hf-first-steps-head">
        <div className="hf-grow">
          <h2 id="first-steps">{t(`firstSteps.${title}.title`)}</h2>
          <p className="hf-muted">{t(`firstSteps.${title}.${preparation.isRunning ? 'running' : 'text'}`)}</p>
        </div>
        <span className="hf-small hf-muted hf-numbers">
          {t('firstSteps.count', { done: view.steps.filter(({ done }) => done).length, of: view.steps.length })}
        </span>
        <Button variant="quiet" icon={<IconClose />} label={t('firstSteps.hide')} onClick={onHide} />
      </div>
      <ol className="hf-first-steps-list">
        {view.steps.map(({ name, done }, at) => (
          <Step
            key={name}
            number={at + 1}
            name={name}
            standing={done ? 'done' : at === next ? 'now' : 'ahead'}
            isRunning={preparation.isRunning && at === next}
          >
            {at === next && !preparation.isRunning && <Way name={name} view={view} />}
          </Step>
        ))}
      </ol>
      {preparation.canStart && (
        <div className="hf-first-steps-foot">
          <Button variant="primary" onClick={preparation.start}>
            {t(preparation.hasFailed ? 'firstSteps.goOn' : 'firstSteps.prepare')}
          </Button>
          <span className="hf-small hf-muted">{t(preparation.hasFailed ? 'firstSteps.failed' : 'firstSteps.prepareNote')}</span>
        </div>
      )}
      {isDone && (
        <div className="hf-first-steps-foot">
          <Link className="hf-button hf-button-primary hf-button-middle" to="/mpc/setup">
            <span>{t('firstSteps.found')}</span>
          </Link>
          <span className="hf-small hf-muted">{t('firstSteps.foundNote')}</span>
        </div>
      )}
    </section>
  )
}

type StepProps = { number: number; name: StepName; standing: Standing; isRunning: boolean; children?: ReactNode }

function Step({ number, name, standing, isRunning, children }: StepProps) {
  const { t } = useTranslation()
  return (
    <li className={`hf-first-step hf-step-${standing}`} aria-current={standing === 'now' ? 'step' : undefined}>
      <span className="hf-step-number" aria-hidden>
        {isRunning ? <span className="hf-spinner" /> : standing === 'done' ? '✓' : number}
      </span>
      <div className="hf-first-step-body">
        <h3>
          {standing === 'done' ? <Link to={PAGES[name]}>{t(`firstSteps.step.${name}.title`)}</Link> : t(`firstSteps.step.${name}.title`)}
          {standing === 'done' && <span className="hf-visually-hidden"> {t('firstSteps.done')}</span>}
        </h3>
        <p className="hf-small hf-muted">{t(`firstSteps.step.${name}.text`)}</p>
        {children}
      </div>
    </li>
  )
}

/** Where a step is taken, and seen once it was. */
const PAGES: Record<StepName, string> = {
  wallet: '/mpc/center/wallet',
  recovery: '/mpc/center/wallet?tab=recovery',
  deposit: '/mpc/center/wallet',
  ask: '/mpc/center/wallet',
  approve: '/mpc/center/wallet/transactions',
  pay: '/mpc/center/wallet',
  invite: '/mpc/teamMember',
}

/** The way to a step. The wallet is made with the button of the page itself. */
function Way({ name, view }: { name: StepName; view: View }) {
  const { t } = useTranslation()
  const store = useSelectionStore()
  const mayInvite = usePermission('member.write')
  const { wallet, order } = view
  if (order?.is_waiting === true && (name === 'approve' || name === 'pay')) {
    return (
      <ApprovalLink variant="primary" size="small" href={order.approval_url}>
        {t('firstSteps.way.approve')}
      </ApprovalLink>
    )
  }
  if (name === 'wallet' || (name === 'invite' && !mayInvite)) return null
  const choose = () => wallet && store.chooseWallet({ id: wallet.wallet_id, name: wallet.name })
  return (
    <Link className="hf-button hf-button-primary hf-button-small" to={PAGES[name]} onClick={name === 'invite' ? undefined : choose}>
      <span>{t(`firstSteps.way.${name === 'approve' ? 'look' : name}`)}</span>
    </Link>
  )
}

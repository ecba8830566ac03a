import { Button, IconBolt, IconBuilding, PageHeader } from '@holdfast/ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { demoFounding } from './founding-rules.ts'
import { useFounding } from './use-founding.ts'

const DEMO_FACTS = ['people', 'steps', 'coins', 'keys', 'beside'] as const
const OWN_FACTS = ['people', 'identities', 'rules', 'networks'] as const

/** Try or found: what each of them does is said before anything is done. */
export function FirstQuestion({ hasDemo, onBegun, onOwn }: { hasDemo: boolean; onBegun: (setupToken: string) => void; onOwn: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { begin, isRunning } = useFounding(onBegun)
  return (
    <section className="hf-founding hf-founding-wide">
      <PageHeader title={t('setup.question.title')}>{t('setup.question.note')}</PageHeader>
      <div className="hf-choices">
        <Choice
          icon={<IconBolt />}
          title={t('setup.demo.title')}
          text={t(hasDemo ? 'setup.demo.running' : 'setup.demo.note')}
          facts={DEMO_FACTS.map((fact) => t(`setup.demo.fact.${fact}`))}
        >
          {hasDemo ? (
            <Button variant="primary" size="large" onClick={() => void navigate('/mpc/wallet')}>
              {t('setup.demo.open')}
            </Button>
          ) : (
            <Button
              variant="primary"
              size="large"
              loading={isRunning}
              onClick={() => void begin({ ...demoFounding, members: [...demoFounding.members], demo: true })}
            >
              {t('setup.demo.start')}
            </Button>
          )}
        </Choice>
        <Choice icon={<IconBuilding />} title={t('setup.own.title')} text={t('setup.own.note')} facts={OWN_FACTS.map((fact) => t(`setup.own.fact.${fact}`))}>
          <Button size="large" variant={hasDemo ? 'primary' : 'default'} disabled={isRunning} onClick={onOwn}>
            {t('setup.own.start')}
          </Button>
        </Choice>
      </div>
    </section>
  )
}

type ChoiceProps = { icon: ReactNode; title: string; text: string; facts: readonly string[]; children: ReactNode }

function Choice({ icon, title, text, facts, children }: ChoiceProps) {
  return (
    <section className="hf-panel hf-choice-panel" aria-label={title}>
      <span className="hf-choice-icon" aria-hidden>
        {icon}
      </span>
      <h2>{title}</h2>
      <p className="hf-muted">{text}</p>
      <ul className="hf-policy">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <div>{children}</div>
    </section>
  )
}

import { Label, StatusTag, type Tone } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { Who } from '@holdfast/features/rule-draft/contract'
import type { NamedDraft } from '@holdfast/features/rule-draft/console'
import { type Names, nameWho, ruleWords } from './rule-words.ts'
import { GAP } from './sentence.ts'

const TONES: Record<NamedDraft['action']['kind'], Tone> = { approve: 'active', refuse: 'bad', pass: 'good' }

/** What a rule does, in one word. */
export function ActionTag({ action }: Pick<NamedDraft, 'action'>) {
  const { t } = useTranslation('strategyEngine')
  return <StatusTag tone={TONES[action.kind]} text={t(`rules.action.${action.kind}`)} />
}

/** A rule as it is read at a glance: when it decides, up to how much, and what then happens. */
export function RuleSentence({ rule, names }: { rule: NamedDraft; names: Names }) {
  const { t } = useTranslation('strategyEngine')
  const { when, limits, outcome, more } = ruleWords(names, rule)
  return (
    <dl className="hf-rule-words">
      <dt>{t('rules.part.when')}</dt>
      <dd>
        <Label text={when} wrap />
      </dd>
      <dt>{t('rules.part.then')}</dt>
      <dd className="hf-stack-tight">
        {rule.action.kind === 'approve' && <Steps action={rule.action} names={names} />}
        {outcome !== undefined && <Label text={outcome} wrap />}
        {more.length > 0 && (
          <span className="hf-small hf-muted">
            <Label text={more.join(t('rules.say.semicolon'))} wrap />
          </span>
        )}
      </dd>
      {limits.length > 0 && (
        <>
          <dt>{t('rules.part.limit')}</dt>
          <dd className="hf-stack-tight">
            {limits.map((limit) => (
              <Label key={limit} text={limit} wrap />
            ))}
            <span className="hf-small hf-muted">{t('rules.say.above_limit')}</span>
          </dd>
        </>
      )}
    </dl>
  )
}

/** The steps of an approval, one after the other. */
function Steps({ action, names }: { action: Extract<NamedDraft['action'], { kind: 'approve' }>; names: Names }) {
  const { t } = useTranslation('strategyEngine')
  return (
    <ol className="hf-rule-steps">
      {action.steps.map(({ need, who }, at) => (
        <li key={at} className="hf-rule-step">
          {isOnePerson(need, who) || <span className="hf-rule-need hf-numbers">{t('rules.say.stepNeed', { need })}</span>}
          <span className="hf-persons">
            {(who.length === 0 ? [GAP] : nameWho(names, who)).map((name) => (
              <span key={name} className="hf-person">
                <Label text={name} wrap />
              </span>
            ))}
          </span>
        </li>
      ))}
    </ol>
  )
}

const isOnePerson = (need: number, who: readonly Who[]) => need === 1 && who.length === 1 && who[0]?.kind === 'person'

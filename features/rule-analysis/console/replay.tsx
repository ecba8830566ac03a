import { useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { Button, ErrorState, Label, Note, SelectField, Time } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { REPLAY_DAYS_MAX, replayRules } from '../contract.ts'
import type { RulesDraft } from '@holdfast/features/rule-draft/contract'

type Replayed = OutputOf<typeof replayRules>

const DAYS = ['7', '30', String(REPLAY_DAYS_MAX)]

/** What the draft would have done with past orders and with orders at the borders of its rules, beside the rules in force. */
export function Replay({ draft }: { draft: RulesDraft }) {
  const { t } = useTranslation('strategyEngine')
  const [days, setDays] = useState(String(REPLAY_DAYS_MAX))
  const replay = useSend(replayRules)
  const ask = () => replay.mutate({ draft, days: Number(days) })
  return (
    <section className="hf-panel hf-stack-tight">
      <h3>{t('analysis.replay.title')}</h3>
      <p className="hf-small hf-muted">{t('analysis.replay.note')}</p>
      <div className="hf-analysis-ask">
        <SelectField
          label={t('analysis.replay.days')}
          value={days}
          onChange={setDays}
          options={DAYS.map((value) => ({ value, label: t('analysis.replay.last', { count: Number(value) }) }))}
        />
        <Button loading={replay.isPending} onClick={ask}>
          {t('analysis.replay.run')}
        </Button>
      </div>
      {replay.error && <ErrorState error={replay.error} onRetry={ask} />}
      <div aria-live="polite">{replay.data && <Result replayed={replay.data} />}</div>
    </section>
  )
}

function Result({ replayed }: { replayed: Replayed }) {
  const { t } = useTranslation('strategyEngine')
  const { fault, orders, is_whole, before, after, changed, changed_count, edge_cases, edge_cases_count } = replayed
  if (fault !== null) return <Note tone="bad">{fault}</Note>
  const edges = edge_cases.filter(({ is_changed }) => is_changed)
  const same = edge_cases.filter(({ is_changed }) => !is_changed)
  return (
    <div className="hf-stack-tight">
      {!is_whole && <Note tone="warn">{t('analysis.replay.notWhole', { count: orders })}</Note>}
      <table className="hf-table hf-analysis-counts">
        <caption className="hf-small hf-muted">{t('analysis.replay.orders', { count: orders })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('analysis.replay.rules')}</th>
            {(['passes', 'waits', 'refused'] as const).map((kind) => (
              <th key={kind} scope="col">
                {t(`analysis.outcome.${kind}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[['before', before] as const, ['after', after] as const].map(([name, counts]) => (
            <tr key={name}>
              <th scope="row">{t(`analysis.replay.${name}`)}</th>
              <td>{counts.passes}</td>
              <td>{counts.waits}</td>
              <td>{counts.refused}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h4>{t('analysis.replay.changed', { count: changed_count })}</h4>
      <ul className="hf-analysis-lines">
        {changed.map((each) => (
          <li key={each.id}>
            <strong>{each.title}</strong>
            <span className="hf-small hf-muted">
              <Time ms={each.at} />
            </span>
            <Difference {...each} />
          </li>
        ))}
      </ul>
      <h4>{t('analysis.replay.edges', { count: edges.length })}</h4>
      <Edges edges={edges} />
      {same.length > 0 && (
        <details>
          <summary>{t('analysis.replay.same', { count: edge_cases_count - edges.length })}</summary>
          <Edges edges={same} />
        </details>
      )}
    </div>
  )
}

/** Orders at the borders of rules, each with what is done with it. */
function Edges({ edges }: { edges: Replayed['edge_cases'] }) {
  return (
    <ul className="hf-analysis-lines">
      {edges.map((each) => (
        <li key={`${each.rule.id} ${each.text}`}>
          <strong>
            <Label text={each.rule.name} wrap />
          </strong>
          <span>{each.text}</span>
          <Difference {...each} />
        </li>
      ))}
    </ul>
  )
}

type Decision = Replayed['changed'][number]['before']

/** What is done with an order now, and what the draft would do. */
function Difference({ before, after }: { before: Decision; after: Decision }) {
  const { t } = useTranslation('strategyEngine')
  return (
    <dl className="hf-analysis-difference">
      {[['before', before] as const, ['after', after] as const].map(([name, { outcome, rule, sentence }]) => (
        <div key={name}>
          <dt className="hf-small hf-muted">{t(`analysis.replay.${name}`)}</dt>
          <dd>
            <strong>{t(`analysis.outcome.${outcome}`)}</strong>
            {rule && ` · ${rule.name}`} <span className="hf-small">{sentence}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

import './analysis.css'
import { useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { ErrorState, LoadingState, Note, StatusTag } from '@holdfast/ui'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { checkRulesDraft } from '../contract.ts'
import type { RulesDraft } from '@holdfast/features/rule-draft/contract'
import { Coverage } from './coverage.tsx'
import { Replay } from './replay.tsx'

export type Checked = OutputOf<typeof checkRulesDraft>

/**
 * What drafted rules cover, leave open, share and never decide on, whom they cannot do without, and what they would have done with past orders; of the rules in
 * force where no draft is given.
 */
export function RuleAnalysis({ draft }: { draft?: RulesDraft }) {
  const check = useSend(checkRulesDraft)
  const ask = () => check.mutate(draft ? { draft } : {})
  // Once for each draft: the call is made anew only where another is given.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(ask, [draft])
  if (!check.data) return check.error ? <ErrorState error={check.error} onRetry={ask} /> : <LoadingState rows={6} />
  return (
    <div className="hf-analysis">
      <Findings found={check.data} />
      {draft && check.data.fault === null && <Replay draft={draft} />}
    </div>
  )
}

function Findings({ found }: { found: Checked }) {
  const { t } = useTranslation('strategyEngine')
  const { fault, is_whole, gaps, gaps_count, shadowed, overlaps, overlaps_count, away, without_key } = found
  return (
    <>
      {fault !== null && (
        <Note tone="bad" title={t('analysis.fault')}>
          {fault}
        </Note>
      )}
      {!is_whole && <Note tone="warn">{t('analysis.notWhole')}</Note>}
      <Coverage found={found} />
      <List
        title={t('analysis.shadowed')}
        note={t('analysis.shadowedNote')}
        none={t('analysis.noShadowed')}
        tone="bad"
        count={shadowed.length}
        lines={shadowed.map(({ rule, text }) => ({ key: rule.id, title: rule.name, text }))}
      />
      <List
        title={t('analysis.away')}
        note={t('analysis.awayNote')}
        none={t('analysis.noAway')}
        tone="warn"
        count={away.length + without_key.length}
        lines={[
          ...without_key.map(({ person_id, text }) => ({ key: person_id, text })),
          ...away.map(({ rule, person, text, decided }) => ({
            key: `${rule?.id ?? ''} ${person?.person_id ?? ''}`,
            text,
            ...(decided !== null && { example: decided }),
          })),
        ]}
      />
      <List
        title={t('analysis.gaps')}
        note={t('analysis.gapsNote')}
        none={t('analysis.noGaps')}
        tone="warn"
        count={gaps_count}
        lines={gaps.map(({ text, example }) => ({ key: text, text, example: t('analysis.example', { example }) }))}
      />
      <List
        title={t('analysis.overlaps')}
        note={t('analysis.overlapsNote')}
        none={t('analysis.noOverlaps')}
        tone="neutral"
        count={overlaps_count}
        lines={overlaps.map(({ first, other, text, example }) => ({
          key: `${first.id} ${other.id} ${text}`,
          text,
          example: t('analysis.example', { example }),
        }))}
      />
    </>
  )
}

type Line = { key: string; title?: string; text: string; example?: string }
type ListProps = { title: string; note: string; none: string; tone: 'bad' | 'warn' | 'neutral'; count: number; lines: readonly Line[] }

/** How many lines stand open at first. */
const SHOWN = 5

function List({ title, note, none, tone, count, lines }: ListProps) {
  const { t } = useTranslation('strategyEngine')
  const rest = lines.slice(SHOWN)
  return (
    <section className="hf-panel hf-stack-tight">
      <header className="hf-analysis-head">
        <h3>{title}</h3>
        <StatusTag tone={count === 0 ? 'good' : tone} text={count === 0 ? t('analysis.none') : String(count)} />
      </header>
      <p className="hf-small hf-muted">{count === 0 ? none : note}</p>
      <Lines lines={lines.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <details>
          <summary>{t('analysis.more', { count: rest.length })}</summary>
          <Lines lines={rest} />
        </details>
      )}
      {count > lines.length && <p className="hf-small hf-muted">{t('analysis.notListed', { count: count - lines.length })}</p>}
    </section>
  )
}

function Lines({ lines }: { lines: readonly Line[] }) {
  if (lines.length === 0) return null
  return (
    <ul className="hf-analysis-lines">
      {lines.map(({ key, title, text, example }) => (
        <li key={key}>
          {title !== undefined && <strong>{title}</strong>}
          <span>{text}</span>
          {example !== undefined && <span className="hf-small hf-muted">{example}</span>}
        </li>
      ))}
    </ul>
  )
}

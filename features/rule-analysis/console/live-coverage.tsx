import './analysis.css'
import { useSend } from '@holdfast/client'
import { Note, useDebounced } from '@holdfast/ui'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RulesDraft } from '@holdfast/features/rule-draft/contract'
import { checkRulesDraft } from '../contract.ts'
import type { Checked } from './rule-analysis.tsx'

/** How many lines of each kind stand beside the rule; the whole of it opens in a drawer. */
const SHOWN = 3

/** While a rule is written: what it decides on in its place, what it shares with others, and what then no rule decides. */
export function LiveCoverage({ draft, ruleId, isWhole }: { draft: RulesDraft; ruleId: string; isWhole: boolean }) {
  const check = useSend(checkRulesDraft, { shows: () => true })
  const [answer, setAnswer] = useState<{ of: string; found: Checked }>()
  const text = useDebounced(isWhole ? JSON.stringify(draft) : '')
  useEffect(() => {
    if (text !== '') check.mutate({ draft: JSON.parse(text) as RulesDraft }, { onSuccess: (found) => setAnswer({ of: text, found }) })
    // What is sent is the text; that the way to send it is another one is nothing to send again for.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [text])
  if (!isWhole || answer?.of !== text || answer.found.fault !== null) return null
  return <Live found={answer.found} ruleId={ruleId} />
}

function Live({ found: { coverage, overlaps, shadowed, gaps_count: gaps }, ruleId }: { found: Checked; ruleId: string }) {
  const { t } = useTranslation('strategyEngine')
  const own = coverage.find(({ rule }) => rule.id === ruleId)
  const decides = own?.decides ?? []
  const never = shadowed.filter(({ rule, by }) => rule.id === ruleId || by.some(({ id }) => id === ruleId))
  const shared = overlaps.filter(({ first, other }) => first.id === ruleId || other.id === ruleId).map(({ text }) => text)
  return (
    <section className="hf-panel hf-stack-tight" aria-live="polite">
      <h2>{t('analysis.live.title')}</h2>
      <Some lines={decides} more={own?.more ?? 0} />
      {never.map(({ rule, text }) => (
        <Note key={rule.id} tone="bad" title={rule.name}>
          {text}
        </Note>
      ))}
      {shared.length > 0 && <h3>{t('analysis.overlaps')}</h3>}
      <Some lines={shared} />
      <p className="hf-small hf-muted">{gaps === 0 ? t('analysis.noGaps') : t('analysis.live.gaps', { count: gaps })}</p>
    </section>
  )
}

function Some({ lines, more = 0 }: { lines: readonly string[]; more?: number }) {
  const { t } = useTranslation('strategyEngine')
  const rest = Math.max(0, lines.length - SHOWN) + more
  if (lines.length === 0) return null
  return (
    <>
      <ul className="hf-analysis-lines">
        {lines.slice(0, SHOWN).map((line) => (
          <li key={line} className="hf-small">
            {line}
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="hf-small hf-muted">{t('analysis.parts', { count: rest })}</p>}
    </>
  )
}

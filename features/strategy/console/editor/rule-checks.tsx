import { useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { Note, useDebounced } from '@holdfast/ui'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkRules } from '../../contract.ts'
import type { RulesDraft } from '@holdfast/features/rule-draft/contract'

type Answer = { of: string; outcome: OutputOf<typeof checkRules> }

/** What the server finds in a draft about one of its rules, as soon as that rule is whole: what is wrong, and who is missing if one person is away. */
export function RuleChecks({ draft, ruleId, isWhole }: { draft: RulesDraft; ruleId: string; isWhole: boolean }) {
  const { t } = useTranslation('strategyEngine')
  const check = useSend(checkRules, { shows: () => true })
  const [answer, setAnswer] = useState<Answer>()
  const text = useDebounced(isWhole ? JSON.stringify(draft) : '')
  useEffect(() => {
    if (text !== '') check.mutate({ draft: JSON.parse(text) as RulesDraft }, { onSuccess: (outcome) => setAnswer({ of: text, outcome }) })
    // What is sent is the text; that the way to send it is another one is nothing to send again for.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [text])
  if (!isWhole || answer?.of !== text) return null
  const about = (found: readonly { rule_id: string | null; text: string }[]) => [
    ...new Set(found.filter((each) => each.rule_id === ruleId).map((each) => each.text)),
  ]
  const [faults, warnings] = [about(answer.outcome.faults), about(answer.outcome.warnings)]
  return (
    <div className="hf-stack-tight" aria-live="polite">
      {faults.length > 0 && (
        <Note tone="bad" title={t('rules.check.faults')}>
          <Lines lines={faults} />
        </Note>
      )}
      {warnings.length > 0 && (
        <Note tone="warn" title={t('rules.check.warnings')}>
          <Lines lines={warnings} />
        </Note>
      )}
      {faults.length + warnings.length === 0 && <Note tone="good">{t('rules.check.good')}</Note>}
    </div>
  )
}

export function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul className="hf-bullets">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

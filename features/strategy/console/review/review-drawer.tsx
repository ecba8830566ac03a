import { requestIdKeeper, useSend } from '@holdfast/client'
import { useState } from 'react'
import { checkRules, proposeRules } from '../../contract.ts'
import type { RulesDraft } from '@holdfast/features/rule-draft/contract'
import { approversIn } from '@holdfast/features/rule-draft/console'
import { type Rules, withNewKeys } from '../draft/use-rules.ts'
import { Review } from './review.tsx'

const idOf = requestIdKeeper()

/** What a draft of rules changes; from here it is proposed. Closes with `proposed` once it is. */
export function ReviewDrawer({ rules, draft: given }: { rules: Rules; draft: RulesDraft }) {
  const [draft] = useState(() => withNewKeys(given, rules.view, approversIn(given)))
  const check = useSend(checkRules)
  const propose = useSend(proposeRules)
  return (
    <Review check={check} ask={() => check.mutate({ draft })} propose={propose} send={(code) => propose.mutate({ request_id: idOf(draft), draft, ...code })} />
  )
}

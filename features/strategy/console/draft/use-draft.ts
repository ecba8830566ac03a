import { useSession } from '@holdfast/features/session/console'
import { useState } from 'react'
import type { RulesDraft } from '@holdfast/features/rule-draft/contract'
import { type KeptDraft, readKept, writeKept } from './kept-draft.ts'
import type { NamedDraft } from '@holdfast/features/rule-draft/console'

/** What the person has changed and not proposed: it stays over pages and reloads of this tab until it is proposed or discarded. */
export function useDraft(base: RulesDraft) {
  const personId = useSession()?.session?.person_id ?? ''
  const [kept, setKept] = useState(() => readKept(sessionStorage, personId))
  const keep = (next: KeptDraft) => {
    writeKept(sessionStorage, next)
    setKept(next)
  }
  return {
    draft: kept.draft ?? base,
    /** Whether the policy has another version than the one that the draft began with. */
    isOutdated: kept.draft !== undefined && kept.draft.base_version !== base.base_version,
    editing: kept.editing,
    change: (draft: RulesDraft) => keep({ personId, draft }),
    edit: (of: string, rule: NamedDraft) => keep({ ...kept, editing: { of, rule } }),
    stopEditing: () => keep({ personId, draft: kept.draft }),
    discard: () => keep({ personId }),
  }
}

export type DraftHandle = ReturnType<typeof useDraft>

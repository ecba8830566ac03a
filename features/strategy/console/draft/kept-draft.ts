import * as z from 'zod'
import { rulesDraft, type RulesDraft } from '@holdfast/features/rule-draft/contract'
import type { NamedDraft } from '@holdfast/features/rule-draft/console'

const STORAGE_KEY = 'holdfast.rules-draft'

/** What a person has changed and not proposed, and the rule that they are at, in the storage of this tab. */
export type KeptDraft = { personId: string; draft?: RulesDraft | undefined; editing?: { of: string; rule: NamedDraft } | undefined }

const kept = z.object({
  personId: z.string(),
  draft: z.unknown().optional(),
  editing: z.object({ of: z.string(), rule: z.unknown() }).optional(),
})

/** A rule while it is typed need not be whole: only that it has the parts of one is looked at. */
const typed = z.looseObject({
  kind: z.literal('named'),
  id: z.string(),
  name: z.string(),
  level: z.enum(['higher', 'basic']),
  covers: z.looseObject({ kind: z.string() }),
  conditions: z.array(z.looseObject({ kind: z.string() })),
  limits: z.array(z.looseObject({ each: z.string() })),
  action: z.looseObject({ kind: z.string() }),
})

/** What this person had changed; nobody else's, and nothing that is not as it was written. */
export function readKept(storage: Pick<Storage, 'getItem'>, personId: string): KeptDraft {
  const nothing = { personId }
  try {
    const read = kept.safeParse(JSON.parse(storage.getItem(STORAGE_KEY) ?? 'null'))
    if (!read.success || read.data.personId !== personId) return nothing
    const draft = rulesDraft.safeParse(read.data.draft)
    const editing = typed.safeParse(read.data.editing?.rule)
    return {
      personId,
      draft: draft.success ? draft.data : undefined,
      editing: editing.success && read.data.editing ? { of: read.data.editing.of, rule: editing.data as unknown as NamedDraft } : undefined,
    }
  } catch {
    return nothing
  }
}

export function writeKept(storage: Pick<Storage, 'setItem' | 'removeItem'>, what: KeptDraft): void {
  if (what.draft || what.editing) storage.setItem(STORAGE_KEY, JSON.stringify(what))
  else storage.removeItem(STORAGE_KEY)
}

import type { Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { currentPolicy, draftIntent, DraftRefused, type toldNow } from '@holdfast/features/policy/server'
import type { Policy } from '@holdfast/policy'
import type { RulesDraft } from '@holdfast/features/rule-draft/contract'
import { drawRules, RulesRefused } from '@holdfast/features/rule-draft/server'
import { strategyWords } from '@holdfast/features/rule-draft/server'

/** The policy in force, and the one that a draft would make of it, also where that cannot be proposed; undefined if it cannot even be written down. */
export type Drafted = { inForce: Policy; next: Policy | undefined; fault: string | null }

type Caller = Awaited<ReturnType<typeof toldNow>> & { personId: string; language: Language }

export async function policyOfDraft(tx: OrganisationTx, context: ServerContext, caller: Caller, draft: RulesDraft | undefined): Promise<Drafted> {
  const { policy: inForce } = await currentPolicy(tx)
  if (!draft) return { inForce, next: inForce, fault: null }
  let next: Policy | undefined
  try {
    await draftIntent(tx, context, {
      ...caller,
      draft: (before, around) => {
        const drawn = drawRules(draft, before, around, strategyWords[caller.language])
        next = drawn.next
        if (!drawn.next || drawn.faults.length > 0) throw new RulesRefused(drawn.faults)
        return drawn.next
      },
    })
    return { inForce, next, fault: null }
  } catch (cause) {
    if (cause instanceof DraftRefused) return { inForce, next, fault: cause.message }
    throw cause
  }
}

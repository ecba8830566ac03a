import type { ServerContext } from '@holdfast/features/context'
import { checkedNext, DraftRefused, type MakePolicy, toldNow, versionAfter } from '@holdfast/features/policy/server'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { answerOf, checkedChange, proposeDraft } from '@holdfast/features/strategy/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { inThirdForm } from '@holdfast/policy'
import { parseAmount } from '@holdfast/units'
import { checkValuation, listValuation, saveValuation, type ValuationDraft } from '../contract.ts'
import { USD_DECIMALS, valuationOf } from './valuation-in-force.ts'

/** What assets are worth at most by the policy, and proposing something else. */
export function valuationEndpoints(context: ServerContext, session: SecondFactor): HandledEndpoint[] {
  const { db } = context
  return [
    handle(listValuation, ({ orgId }) => db.asOrganisation(orgId, (tx) => valuationOf(tx, context))),
    handle(checkValuation, async (caller, { draft }) => {
      const told = await toldNow(context, caller.orgId)
      return db.asOrganisation(caller.orgId, (tx) => checkedChange(tx, context, { ...caller, ...told }, policyOfTable(draft)))
    }),
    handle(saveValuation, async (caller, input) => {
      const { change } = await proposeDraft(context, session, caller, input, () => policyOfTable(input.draft))
      return answerOf(context, change)
    }),
  ]
}

/** Makes the next version of the policy with another table of values. */
const policyOfTable =
  ({ base_version, entries }: ValuationDraft): MakePolicy =>
  (inForce, around) => {
    const { policy } = inForce
    if (BigInt(base_version) !== policy.version) throw new DraftRefused(around.words.stale)
    const valuation = entries.map(({ chain, asset, usd, valid_until: untilMs }) => {
      return { chain, asset, microUsd: parseAmount(usd, USD_DECIMALS), validUntilMs: BigInt(untilMs) }
    })
    return checkedNext(versionAfter(inForce, around.nowMs, { ...inThirdForm(policy), valuation }), inForce, around)
  }

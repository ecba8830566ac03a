import type { ServerContext } from '@holdfast/features/context'
import { toldNow } from '@holdfast/features/policy/server'
import { readStandIns } from '@holdfast/features/team/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { checkRulesDraft, replayRules } from '../contract.ts'
import { analysisView } from './analysis-view.ts'
import { judgeOrder } from './judge-order.ts'
import { policyOfDraft } from './policy-of-draft.ts'
import { replayView } from './replay-view.ts'

const NOTHING = {
  is_whole: true,
  assets: [],
  coverage: [],
  gaps: [],
  gaps_count: 0,
  overlaps: [],
  overlaps_count: 0,
  shadowed: [],
  away: [],
  without_key: [],
}
const NO_ORDER = { match: null, action: null, nodes: [], decision: null, reasons: [] }
const NO_COUNT = { passes: 0, waits: 0, refused: 0 }

/** What rules would do, before they are proposed. */
export function analysisEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db, networks, ports } = context
  return [
    handle(checkRulesDraft, async ({ orgId, personId, language }, { draft, order }) => {
      const told = await toldNow(context, orgId)
      return db.asOrganisation(orgId, async (tx) => {
        const { next, fault } = await policyOfDraft(tx, context, { ...told, personId, language }, draft)
        if (!next) return { fault, ...NO_ORDER, ...NOTHING }
        const viewing = { policy: next, networks, language, nowMs: ports.clock.nowMs() }
        const standIns = (await readStandIns(tx, viewing.nowMs)).filter(({ fromMs }) => fromMs <= viewing.nowMs)
        const judged = order ? await judgeOrder(tx, viewing, order, personId) : NO_ORDER
        return { fault, ...judged, ...analysisView(viewing, standIns) }
      })
    }),
    handle(replayRules, async ({ orgId, personId, language }, { draft, days }) => {
      const told = await toldNow(context, orgId)
      return db.asOrganisation(orgId, async (tx) => {
        const { inForce, next, fault } = await policyOfDraft(tx, context, { ...told, personId, language }, draft)
        const empty = { orders: 0, before: NO_COUNT, after: NO_COUNT, changed_count: 0, changed: [], edge_cases: [], edge_cases_count: 0 }
        if (!next) return { fault, days, is_whole: true, ...empty }
        return { fault, ...(await replayView(tx, { policy: next, language, nowMs: ports.clock.nowMs() }, inForce, days)) }
      })
    }),
  ]
}

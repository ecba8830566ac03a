import type { OrganisationTx } from '@holdfast/db'
import type { Policy } from '@holdfast/policy'
import { type Decision, edgeCases, replayOrders } from '@holdfast/policy/analysis'
import { analysisWords } from './analysis-words.ts'
import type { Viewing } from './analysis-view.ts'
import { describeDecision, describeWitness, namedRule } from './describe-decision.ts'
import { ORDERS_MAX, readPastOrders } from './read-past-orders.ts'

const DAY_MS = 86_400_000
const LISTED_MAX = 200

/** What two versions of the policy do with the orders of the last days and with those at the borders of rules, as people read it. */
export async function replayView(tx: OrganisationTx, { policy: next, language, nowMs }: Omit<Viewing, 'networks'>, inForce: Policy, days: number) {
  const { orders, titles } = await readPastOrders(tx, nowMs - days * DAY_MS, nowMs)
  const replayed = replayOrders(inForce, next, orders)
  const at = new Map(orders.map(({ id, atMs }) => [id, atMs]))
  const changed = replayed.filter(({ isChanged }) => isChanged)
  const edges = edgeCases(inForce, next, nowMs)
  const inWords = (before: Decision, after: Decision) => ({
    before: describeDecision(before, inForce, language),
    after: describeDecision(after, next, language),
  })
  return {
    days,
    orders: orders.length,
    is_whole: orders.length < ORDERS_MAX,
    before: countOf(replayed.map(({ before }) => before)),
    after: countOf(replayed.map(({ after }) => after)),
    changed_count: changed.length,
    changed: changed
      .slice(-LISTED_MAX)
      .toReversed()
      .map(({ id, before, after }) => ({ id, at: at.get(id) ?? 0, title: titles.get(id) ?? '', ...inWords(before, after) })),
    // Those on which something changes come first.
    edge_cases: edges
      .toSorted((a, b) => Number(b.isChanged) - Number(a.isChanged))
      .slice(0, LISTED_MAX)
      .map(({ rule, edge, point, before, after, isChanged }) => ({
        rule: namedRule(rule),
        edge,
        text: analysisWords[language].edges[edge](describeWitness(point, next, language), timeText(point.given.atMs ?? nowMs)),
        ...inWords(before, after),
        is_changed: isChanged,
      })),
    edge_cases_count: edges.length,
  }
}

const countOf = (decisions: readonly Decision[]) => {
  const count = (kind: Decision['kind']) => decisions.filter((each) => each.kind === kind).length
  return { passes: count('passes'), waits: count('waits'), refused: count('refused') }
}

const timeText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`

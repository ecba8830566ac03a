import type { Language } from '@holdfast/contract'
import type { TodoItem } from '@holdfast/features/proposal/contract'
import { governedItem, type ProposalKind, type Viewer } from '@holdfast/features/proposal/server'
import type { OrganisationTx } from '@holdfast/db'
import { at, known } from '@holdfast/units'
import { policyAt } from '../current-policy.ts'
import { quorumsOfChange } from './change-quorums.ts'
import { changeView } from './change-view.ts'
import { closingOrders, type ClosingOrders } from './closing-orders.ts'
import { isWaiting, type PolicyChange, policyChanges } from './policy-change.ts'
import { pokePolicyChanges } from './run-policy-changes.ts'

/** Changes of the policy: those who govern by the present version approve them, and those who will by the next. */
export const policyChangeKind: ProposalKind<PolicyChange> = {
  kinds: ['policy_change'],
  todo: describeChanges,
  decidedBy: policyChanges.decidedBy({
    quorums: quorumsOfChange,
    canStop: ({ row }) => isWaiting(row),
    poke: pokePolicyChanges,
    page: async (tx, _, { row }) => {
      const closes = await closedBy(tx, row.base_version)
      return async () => ({ closes })
    },
  }),
}

/** How many orders a change of the policy closes, and some of them by name in every language of the page: nothing of it is signed. */
async function closedBy(tx: OrganisationTx, version: bigint) {
  const { policy } = await policyAt(tx, version)
  const [english, chinese] = [await closingOrders(tx, policy, 'en_US'), await closingOrders(tx, policy, 'zh_CN')]
  const titles = ({ named }: ClosingOrders) => named.map(({ title }) => title)
  return { count: english.count, named: { 'en-US': titles(english), 'zh-CN': titles(chinese) } }
}

async function describeChanges(viewer: Viewer, ids: readonly string[]): Promise<TodoItem[]> {
  const items: TodoItem[] = []
  for (const id of ids) {
    const view = await changeView(viewer, known(await policyChanges.read(viewer.tx, id), `policy change ${id}`))
    // Of the quorum that lacks most.
    const behind = at(
      view.quorums.toSorted((a, b) => b.need - b.approved.length - (a.need - a.approved.length)),
      0,
    )
    const node = { need: behind.need, done: behind.approved.length, waiting_for: [] }
    const title = changeTitle({ version: view.version, name: view.initiator.name, lines: view.lines }, viewer.language)
    items.push({ kind: 'policy_change', ...governedItem({ view: { ...view, mine: view.mine === 'stop' ? 'watch' : view.mine }, title, node }, viewer.nowMs) })
  }
  return items
}

/** A change of the policy in one sentence: what it changes, as far as one sentence can. */
function changeTitle({ version, name, lines }: { version: number; name: string; lines: readonly string[] }, language: Language): string {
  // A list has no room to compare keys, nor for dates; the page where it is decided has every digit.
  const said = lines
    .filter((line) => !/\d{4}-\d{2}-\d{2}/.test(line))
    .map((line) => line.replaceAll(/[0-9a-f]{24,}/g, (key) => `${key.slice(0, 8)}…${key.slice(-8)}`))
    .join(' ')
  return language === 'zh_CN' ? `${name} 申请将策略更换为版本 ${version}：${said}` : `${name} asks to replace the policy by version ${version}: ${said}`
}

import type { KeyChangeState, PolicyChangeState, SignerOrderState } from '@holdfast/db'
import type { TodoItem } from '../contract.ts'

/** The numbers by which lists tell a state, as those of payment orders. */
const STATUS: Record<PolicyChangeState | KeyChangeState | SignerOrderState, number> = {
  approving: 1000,
  approved: 1100,
  applied: 2000,
  active: 2000,
  done: 2000,
  followed: 2000,
  rejected: 2100,
  refused: 2200,
  withdrawn: 2202,
  expired: 2202,
  superseded: 2202,
}

const SOON_MS = 24 * 3_600_000

/** Whether an open item expires before long. */
export function expiresSoon(expiresAtMs: number, nowMs: number): boolean {
  return expiresAtMs - nowMs < SOON_MS
}

type Governed = {
  view: Pick<TodoItem, 'initiator' | 'approval_url' | 'created_at' | 'mine'> & { id: string; state: keyof typeof STATUS; expire_at: number }
  title: string
  node: Pick<TodoItem['node'], 'need' | 'done' | 'waiting_for'>
}

/** The list item of everything that is decided by those who govern. */
export function governedItem({ view, title, node }: Governed, nowMs: number) {
  const isOpen = view.state === 'approving'
  return {
    item_id: view.id,
    biz_id: view.id,
    title,
    initiator: view.initiator,
    node: { no: 1, total: 1, ...node },
    mine: view.mine,
    state: isOpen ? ('wait' as const) : ('done' as const),
    status: STATUS[view.state],
    sub_status: view.state,
    risk: isOpen && expiresSoon(view.expire_at, nowMs) ? ['expires_soon' as const] : [],
    approval_url: view.approval_url,
    expire_at: view.expire_at,
    created_at: view.created_at,
  }
}

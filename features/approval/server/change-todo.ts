import type { KeyChangeState, PolicyChangeState, SignerOrderState } from '@holdfast/db'
import type { KeyChangeItem } from '@holdfast/features/key-recovery/server'
import { type ChangeItem, describeChangeItem, type SignerOrderItem } from '@holdfast/features/policy/server'
import { changeTitle } from './words.ts'

/** The numbers by which lists tell a state, as those of orders to pay. */
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

export const SOON_MS = 24 * 3_600_000

export function matchesChange({ change }: ChangeItem, keyword: string): boolean {
  return keyword === '' || change.row.id.includes(keyword) || `v${change.next.version}`.includes(keyword)
}

/** A change of the policy among what waits for people. */
export async function changeTodo(viewer: Parameters<typeof describeChangeItem>[0] & { nowMs: number }, item: ChangeItem) {
  const { view, node } = await describeChangeItem(viewer, item)
  const title = changeTitle({ version: view.version, name: view.initiator.name, lines: view.lines }, viewer.language)
  return todoOf({ kind: 'policy_change', view, title, walletId: '', node: { ...node, waiting_for: [] }, mine: item.mine }, viewer.nowMs)
}

/** An order for new shares of a key among what waits for people. */
export function keyChangeTodo({ view, title }: KeyChangeItem, nowMs: number) {
  const { need, approved, waiting } = view.quorum
  const node = { need, done: approved.length, waiting_for: waiting.map((each) => each.name) }
  return todoOf({ kind: 'key_change', view, title, walletId: view.wallet_id, node, mine: view.mine }, nowMs)
}

/** An order to the signers among what waits for people. */
export function signerOrderTodo({ view, title }: SignerOrderItem, nowMs: number) {
  const node = { need: view.need, done: view.approved.length, waiting_for: view.waiting.map((each) => each.name) }
  return todoOf({ kind: 'signer_order', view, title, walletId: '', node, mine: view.mine }, nowMs)
}

type Change = {
  kind: 'policy_change' | 'key_change' | 'signer_order'
  view: Pick<KeyChangeItem['view'], 'id' | 'initiator' | 'approval_url' | 'expire_at' | 'created_at'> & { state: keyof typeof STATUS }
  title: string
  walletId: string
  node: { need: number; done: number; waiting_for: string[] }
  mine: ChangeItem['mine']
}

/** It pays nothing, so what speaks of a payment is empty. */
function todoOf({ kind, view, title, walletId, node, mine }: Change, nowMs: number) {
  const isOpen = view.state === 'approving'
  return {
    item_id: view.id,
    kind,
    biz_id: view.id,
    title,
    wallet_id: walletId,
    sub_wallet_id: '',
    sub_wallet_name: '',
    symbol: '',
    network: '',
    amount: '0',
    worth: null,
    address_to: '',
    to_label: null,
    imitates: null,
    remark: '',
    initiator: view.initiator,
    node: { no: 1, total: 1, ...node },
    mine,
    state: isOpen ? 'wait' : 'done',
    status: STATUS[view.state],
    sub_status: view.state,
    risk: isOpen && view.expire_at - nowMs < SOON_MS ? ['expires_soon' as const] : [],
    reminded: null,
    approval_url: view.approval_url,
    expire_at: view.expire_at,
    created_at: view.created_at,
  }
}

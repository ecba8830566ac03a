import type { ServerContext } from '@holdfast/features/context'
import { type ClaimItem, readTransactions, type ViewContext } from '@holdfast/features/transaction/server'
import { assetName } from '@holdfast/units'
import { claimTitle } from './words.ts'

/** The numbers by which lists tell a state, as those of orders to pay. */
const STATUS = { asked: 1000, confirmed: 2000, refused: 2100, withdrawn: 2202, kept: 2202 } as const

/** What people said of held payments, among what waits for people: each is decided where the payment is shown, and waits without an end. */
export async function claimTodos({ settings }: Pick<ServerContext, 'settings'>, view: ViewContext, items: readonly ClaimItem[]) {
  const ids = [...new Set(items.map(({ claim }) => claim.deposit_id))]
  const records = await readTransactions(
    view,
    ids.map((id) => ({ type: 'deposit' as const, id, created_at: 0n })),
  )
  return items.flatMap(({ claim, who, mine }) => {
    const record = records.find(({ id }) => id === claim.deposit_id)
    if (!record) return []
    const { wallet_id, sub_wallet_id, sub_wallet_name, network, amount, worth, address_to, to_label } = record
    const symbol = assetName(record.symbol, record.token_id)
    const initiator = { person_id: claim.asked_by, name: view.personName(claim.asked_by) }
    const page = new URL('/mpc/center/wallet/transactions', settings.consoleOrigin)
    page.search = new URLSearchParams({ wallets: 'all', order: record.id, kind: 'deposit' }).toString()
    return {
      item_id: claim.id,
      kind: 'deposit_claim' as const,
      biz_id: record.id,
      title: claimTitle({ amount, symbol, network, name: initiator.name, comment: claim.comment }, view.language),
      ...{ wallet_id, sub_wallet_id, sub_wallet_name, symbol, network, amount, worth, address_to, to_label },
      imitates: null,
      remark: claim.reason,
      initiator,
      node: { no: 1, total: 1, need: 1, done: claim.state === 'confirmed' ? 1 : 0, waiting_for: who.map(({ name }) => name) },
      mine,
      state: claim.state === 'asked' ? 'wait' : 'done',
      status: STATUS[claim.state],
      sub_status: claim.state,
      risk: [],
      reminded: null,
      approval_url: page.toString(),
      expire_at: null,
      created_at: Number(claim.asked_at),
    }
  })
}

import type { DescribedItem } from '@holdfast/features/proposal/contract'
import type { ProposalKind, Viewer } from '@holdfast/features/proposal/server'
import { assetName } from '@holdfast/units'
import { readTransactions, DECIDES_CLAIMS, readClaimItems } from '@holdfast/features/transaction/server'
import { openViewOf } from './open-view-of.ts'
import { claimTitle } from './words.ts'

/** The numbers by which lists tell a state, as those of payment orders. */
const STATUS = { asked: 1000, confirmed: 2000, refused: 2100, withdrawn: 2202, kept: 2202 } as const

/** Claims of held payments: each is decided in the details of the payment, and never expires. */
export const claimKind: ProposalKind = { kinds: ['deposit_claim'], todo: describeClaims, decidedBy: { right: DECIDES_CLAIMS } }

async function describeClaims(viewer: Viewer, claimIds: readonly string[]): Promise<DescribedItem[]> {
  const { context, personId } = viewer
  const view = await openViewOf(viewer)
  const items = await readClaimItems(view, claimIds, personId)
  const ids = [...new Set(items.map(({ claim }) => claim.deposit_id))]
  const records = await readTransactions(
    view,
    ids.map((id) => ({ type: 'deposit' as const, id, created_at: 0n })),
  )
  return items.flatMap(({ claim, who, mine }) => {
    const record = records.find(({ id }) => id === claim.deposit_id)
    if (!record) return []
    const { wallet_id, sub_wallet_id, wallet_name, sub_wallet_name, chain, network, amount, worth, address_to, to_label } = record
    const symbol = assetName(record.symbol, record.token_id)
    const initiator = { person_id: claim.asked_by, name: view.personName(claim.asked_by) }
    const page = new URL('/mpc/center/wallet/transactions', context.settings.consoleOrigin)
    page.search = new URLSearchParams({ wallets: 'all', order: record.id, kind: 'deposit' }).toString()
    return {
      item_id: claim.id,
      kind: 'deposit_claim' as const,
      biz_id: record.id,
      title: claimTitle({ amount, symbol, network, name: initiator.name, comment: claim.comment }, view.language),
      ...{ wallet_id, sub_wallet_id, wallet_name, sub_wallet_name, symbol, chain, network, amount, worth, address_to, to_label },
      remark: claim.reason,
      initiator,
      node: { no: 1, total: 1, need: 1, done: claim.state === 'confirmed' ? 1 : 0, waiting_for: who.map(({ name }) => name) },
      mine,
      state: claim.state === 'asked' ? ('wait' as const) : ('done' as const),
      status: STATUS[claim.state],
      sub_status: claim.state,
      risk: [],
      approval_url: page.toString(),
      expire_at: null,
      created_at: Number(claim.asked_at),
    }
  })
}

import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { sha256 } from '@noble/hashes/sha2.js'
import * as contract from '../contract.ts'
import { acceptExport } from './export-holders.ts'
import { isKeyOrder, type KeyChange, keyChangeOf, keyChanges, type KeyOrder } from './key-change.ts'
import { readTimeline } from './key-change-routes.ts'
import { keyChangeView } from './key-change-view.ts'
import { proposingFromCalls } from './propose-from-call.ts'
import { proposeExport, proposeRetirement } from './propose-key-order.ts'
import { pokeKeyChanges } from './run-key-changes.ts'

const PACK_COMMAND = 'npm run recover -- pack holdfast-recover.mjs'

/** Orders that export or retire a key, and what an export gives. */
export function exportEndpoints(context: ServerContext, session: SecondFactor): HandledEndpoint[] {
  const { db } = context
  const propose = proposingFromCalls(context, session)
  return [
    handle(contract.applyForExport, (caller, input) => {
      const holders = input.holders.map((each) => ({ party: each.party, personId: each.person_id, recipient: each.recipient }))
      return propose(caller, input, (tx, asked) => proposeExport(tx, context, { ...asked, remark: input.reason, holders }))
    }),
    handle(contract.proposeRetirement, (caller, input) =>
      propose(caller, input, (tx, asked) => proposeRetirement(tx, context, { ...asked, remark: input.reason, leavesHoldings: input.leave_holdings === true })),
    ),
    handle(contract.getExport, ({ orgId, personId, language }, { item_id: id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const change = await keyChanges.read(tx, id)
        if (!change || !isExport(change)) throw new AppError('resource_not_found')
        const view = await keyChangeView({ tx, context, language, personId }, change)
        const { need, approved, rejected, waiting } = view.quorum
        const isNamed = view.holders.some((each) => each.person_id === personId)
        return {
          item_id: id,
          wallet_id: view.wallet_id,
          wallet_name: view.wallet_name,
          applicant: view.initiator,
          reason: change.intent.remark,
          nodes: [{ no: 1, need, approved, rejected, waiting }],
          ...exportStanding(change),
          order_state: view.state,
          holders: view.holders,
          must_accept: view.holders.some((each) => each.person_id === personId && !each.accepted) && !change.row.is_final,
          approval_url: view.approval_url,
          file: isNamed || change.row.initiator === personId ? await readFile(tx, change) : null,
          audit: await readTimeline(tx, id),
        }
      }),
    ),
    handle(contract.acceptExport, async ({ orgId, personId }, { item_id: id, result }) => {
      await db.asOrganisation(orgId, (tx) => acceptExport(tx, context, { id, personId, accepted: result === 1 }))
      pokeKeyChanges(context)
      return null
    }),
    handle(contract.getRecoveryTool, async () => {
      const { recoveryTool } = context.settings
      return { url: recoveryTool?.url ?? null, sha256: recoveryTool?.sha256 ?? null, command: PACK_COMMAND, offline_only: true as const }
    }),
  ]
}

const isExport = (change: KeyChange): change is KeyOrder => isKeyOrder(change) && change.intent.action === 'export'

/** How far an export is by the numbers of the interface: 1 being approved, 2 approved and waiting, 3 ready, 4 over. */
function exportStanding({ row, intent }: KeyOrder): { state: number; usable_from: number; usable_until: number } {
  const state = row.state === 'approving' ? 1 : row.state === 'approved' ? 2 : row.state === 'done' ? 3 : 4
  return { state, usable_from: Number(intent.usableFromMs), usable_until: Number(intent.expiresAtMs) }
}

/** The newest order to export a key. */
export async function newestExport(tx: OrganisationTx, keyId: Uint8Array) {
  const rows = await tx
    .selectFrom('key_change')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('key_id', '=', keyId)
    .orderBy('created_at', 'desc')
    .limit(50)
    .execute()
  const order = rows.map(keyChangeOf).find(isExport)
  return order ? { item_id: order.row.id, ...exportStanding(order) } : null
}

async function readFile(tx: OrganisationTx, { row, intent }: KeyOrder) {
  const found = await tx
    .selectFrom('key_export')
    .select(['kit', 'created_at'])
    .where('org_id', '=', tx.orgId)
    .where('change_id', '=', row.id)
    .executeTakeFirst()
  if (!found) return null
  return {
    name: `holdfast-export-${toHex(intent.keyId).slice(0, 8)}-epoch-${intent.epoch}.kit`,
    size: found.kit.length,
    sha256: toHex(sha256(found.kit)),
    kit: Buffer.from(found.kit).toString('base64'),
    made_at: Number(found.created_at),
  }
}

import { AppError } from '@holdfast/contract'
import { toHex } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { claimRequest, isClaimed, type RequestKey } from '@holdfast/http'
import type { SubWalletId } from '@holdfast/units'
import { type Caller, coinOf, draftBatch } from './drafts.ts'
import { type BatchRow, readBatchRow } from './move-batch.ts'
import { submitBatch } from './submit-batch.ts'

type Needs = Pick<ServerContext, 'db' | 'ports' | 'networks' | 'settings'>
/** A batch as a program asks for it. `max_fee` is of each transaction. */
export type AskedBatch = {
  request_id: string
  sub_wallet_id: SubWalletId
  chain: string
  symbol: string
  lines: readonly { address: string; amount: string; memo?: string | undefined }[]
  fee_tier: 'economy' | 'normal' | 'fast'
  max_fee: string
  remark: string
}
type Requested = Caller & { request: RequestKey }

const KIND = 'batch'

/**
 * Asks for a batch of the lines that are given, all or none of them. The same request again answers the batch that it made, or goes on where it stands: lines
 * that were kept before the server died are put before people then.
 */
export async function createBatch(needs: Needs, caller: Requested, input: AskedBatch) {
  const earlier = await needs.db.readOrganisation(caller.orgId, (tx) => isClaimed(tx, caller.request))
  const id = earlier ? await claimed(needs, caller) : await draft(needs, caller, input)
  const asked = { batch_id: id, mode: 'single' as const, execution: 'strict' as const, fee_tier: input.fee_tier, max_fee: input.max_fee, remark: input.remark }
  const found = await needs.db.readOrganisation(caller.orgId, (tx) => readBatchRow(tx, id))
  const row = found.intent === null && found.state === 'checked' ? await submitBatch(needs, caller, asked, async () => {}) : found
  return viewOf(needs, row, earlier)
}

function viewOf(needs: Needs, row: BatchRow, idempotent: boolean) {
  // Members took it back before people were asked.
  if (row.intent_hash === null) throw new AppError('state_changed')
  const hash = row.intent_hash
  return { batch_id: row.id, state: row.state, intent_hash: toHex(hash), approval_url: approvalUrl(needs, hash), idempotent }
}

/** The batch that this very request made. Throws AppError `duplicate_request` where another one has its id. */
async function claimed({ db, ports }: Needs, { orgId, request }: Requested): Promise<string> {
  const claiming = { key: request, kind: KIND, resultId: '-', nowMs: ports.clock.nowMs() }
  return (await db.asOrganisation(orgId, (tx) => claimRequest(tx, claiming))).resultId
}

async function draft(needs: Needs, caller: Requested, { sub_wallet_id, chain, symbol, lines, request_id: fileName }: AskedBatch): Promise<string> {
  const given = lines.map(({ address, amount, memo = '' }, i) => ({ line: i + 1, address, amount, memo, more: false }))
  const drafting = { ...coinOf(needs, { chain, symbol }), subWalletId: sub_wallet_id, fileName, given, retryOf: null }
  let id = ''
  await draftBatch(needs, caller, drafting, {
    demand: ([wrong]) => {
      if (wrong) throw new AppError('invalid_parameters', { details: { field: 'lines', reason: `line ${wrong.line}: ${wrong.msg}` } })
    },
    before: async (tx, batchId) => {
      const { fresh } = await claimRequest(tx, { key: caller.request, kind: KIND, resultId: batchId, nowMs: needs.ports.clock.nowMs() })
      // Somebody sent the same at the same time: what they made counts, and nothing of this is kept.
      if (!fresh) throw new AppError('state_changed')
      id = batchId
    },
  })
  return id
}

import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { handle, type HandledEndpoint, type MemberContext, readTable } from '@holdfast/http'
import { formatAmount, known, type OrganisationId, writeCsv } from '@holdfast/units'
import * as contract from '../contract.ts'
import { batchTransferErrors } from '../errors.ts'
import { infoOf, listOf, retryableLines, rowsOf } from './batch-view.ts'
import { type Caller, coinOf, draftBatch } from './drafts.ts'
import { moveBatch, readBatchRow } from './move-batch.ts'
import { linesOf } from './read-lines.ts'
import { pokeBatches } from './run-batches.ts'
import { submitBatch } from './submit-batch.ts'

/** Batches: reading a file, asking for it, what becomes of its lines, and those that are asked for again. */
export function batchTransferEndpoints(context: ServerContext, session: SecondFactor): HandledEndpoint[] {
  const { db } = context
  const asOrg = <T>(orgId: OrganisationId, act: (tx: OrganisationTx) => Promise<T>) => db.asOrganisation(orgId, act)
  return [
    handle(contract.downloadBatchTemplate, async ({ language }, { symbol = '' }) => ({
      file_name: `batch-transfer${/^\w{1,12}$/.test(symbol) ? `-${symbol.toLowerCase()}` : ''}.csv`,
      content: writeCsv([language === 'zh_CN' ? ['收款地址', '金额', '标签'] : [...contract.BATCH_COLUMNS]]),
    })),
    handle(contract.uploadBatch, async (caller, { sub_wallet_id, chain, symbol, file }) => {
      const coin = coinOf(context, { chain, symbol })
      const owned = await asOrg(caller.orgId, (tx) =>
        tx.selectFrom('sub_wallet').select('id').where('org_id', '=', tx.orgId).where('id', '=', sub_wallet_id).executeTakeFirst(),
      )
      if (!owned) throw new AppError('wallet_not_found')
      // More than there may be, so that the refusal says how many there may be.
      const table = await readTable(file, { rowsMax: contract.BATCH_LINES_MAX * 10, columnsMax: 64 })
      return draftBatch(context, asCaller(caller), {
        ...coin,
        subWalletId: sub_wallet_id,
        fileName: file.name.slice(0, 255),
        given: linesOf(table),
        retryOf: null,
      })
    }),
    handle(contract.getBatch, (caller, { batch_id }) => infoOf(context, caller, batch_id), 'machines too'),
    handle(contract.listBatchRows, ({ orgId, language }, input) => asOrg(orgId, (tx) => rowsOf({ ...context, tx }, language, input)), 'machines too'),
    handle(contract.submitBatch, async (caller, input) => {
      const row = await submitBatch(context, asCaller(caller), input, (tx) => session.demandSecondFactorWhereSet(tx, caller.personId, input.google_code))
      const hash = known(row.intent_hash ?? undefined, 'the hash of a batch that people are asked about')
      return { batch_id: row.id, state: row.state, approval_url: approvalUrl(context, hash) }
    }),
    handle(
      contract.cancelBatch,
      async ({ orgId, requester }, { batch_id, remark }) => {
        const row = await asOrg(orgId, async (tx) => {
          const found = await readBatchRow(tx, batch_id, true)
          // Members stop whatever is theirs together; a program what it asked for itself.
          if (!('personId' in requester) && found.initiator !== requester.partyId)
            throw new AppError('not_permitted', { details: { permission: 'batch.create' } })
          // A repeated call answers the same.
          if (found.state === 'cancelled' || found.state === 'stopped') return found
          if (found.is_final) throw new AppError('state_changed')
          return moveBatch(tx, context, found, { state: found.state === 'approved' ? 'stopped' : 'cancelled', reason: remark })
        })
        pokeBatches(context)
        return { batch_id: row.id, state: row.state }
      },
      'machines too',
    ),
    handle(contract.retryBatch, (caller, { batch_id, lines }) => retry(context, asCaller(caller), batch_id, [...new Set(lines)])),
    handle(contract.listBatches, ({ orgId }, input) => asOrg(orgId, (tx) => listOf({ ...context, tx }, input))),
  ]
}

const asCaller = ({ orgId, personId, language }: MemberContext): Caller => ({ orgId, requester: { personId }, language })

/** Asks again for lines that ended unpaid, in a batch of their own. Each is bound to it in the transaction that makes it, so that none is asked for twice. */
async function retry(context: ServerContext, caller: Caller, batchId: string, lines: readonly number[]) {
  const { row, found } = await context.db.asOrganisation(caller.orgId, async (tx) => ({
    row: await readBatchRow(tx, batchId),
    found: await retryableLines(tx, batchId, lines),
  }))
  const refuse = (among: readonly { line: number }[]) => {
    const lost = lines.find((line) => !among.some((each) => each.line === line))
    if (lost !== undefined) throw new AppError(batchTransferErrors.batch_lines_not_retryable, { details: { line: lost } })
  }
  refuse(found)
  const coin = coinOf(context, row)
  const given = found.map(({ address, amount, memo }, i) => ({
    ...{ line: i + 1, address, amount: formatAmount(BigInt(amount), coin.asset.decimals), memo: memo ?? '', more: false },
  }))
  const drafting = { ...coin, subWalletId: row.sub_wallet_id, fileName: row.file_name, given, retryOf: row.id }
  const before = async (tx: OrganisationTx, id: string) => {
    refuse(await retryableLines(tx, batchId, lines))
    await tx
      .updateTable('batch_transfer_line')
      .set({ retried_in: id })
      .where('org_id', '=', tx.orgId)
      .where('batch_id', '=', batchId)
      .where('line', 'in', [...lines])
      .execute()
  }
  return draftBatch(context, caller, drafting, { before })
}

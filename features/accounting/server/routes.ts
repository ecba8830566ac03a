import { AppError } from '@holdfast/contract'
import { toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { currentPolicy } from '@holdfast/features/policy/server'
import * as contract from '@holdfast/features/transaction/contract'
import { transactionErrors } from '@holdfast/features/transaction/errors'
import { openView, readRecord, type ViewContext, viewing } from '@holdfast/features/transaction/server'
import { evidenceName, readEvidence } from '@holdfast/features/transfer/server'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { openPdfDesk, PdfDeskBusyError } from '@holdfast/pdf'
import type { OrderId } from '@holdfast/units'
import { sha256 } from '@noble/hashes/sha2.js'
import { exportLeft, exportTransactions } from './export-transactions.ts'
import { labelTransactions, listLabels } from './label-transactions.ts'
import { receiptSheet } from './receipt.ts'

/** Labels, exports and receipts. */
export function accountingEndpoints(context: ServerContext): HandledEndpoint[] {
  const asViewer = viewing(context)
  const { db, ports } = context
  const desk = openPdfDesk(ports)
  return [
    handle(contract.labelTransactions, ({ orgId, personId }, input) =>
      db.asOrganisation(orgId, async (tx) => ({ marked: await labelTransactions(tx, input, { personId, nowMs: ports.clock.nowMs() }) })),
    ),
    handle(contract.listLabels, (caller) => asViewer(caller, async (viewer) => listLabels(await openView(viewer)))),
    handle(contract.exportTransactions, (caller, input) => asViewer(caller, async (viewer) => exportTransactions(await openView(viewer), input), input.fiat)),
    handle(contract.exportStatus, (caller, { fiat, ...filter }) => asViewer(caller, async (viewer) => exportLeft(await openView(viewer), filter), fiat)),
    handle(contract.getReceipt, async (caller, { id, type, tz, fiat }) => {
      const sheet = await asViewer(
        caller,
        async (viewer) => {
          const view = await openView(viewer)
          const row = await readRecord(context, view, { id, type })
          return receiptSheet(row, { ...(await readAround(view, caller.personId, id)), explorers: context.networks.find(row.chain)?.explorers ?? [], tz })
        },
        fiat,
      )
      const pdf = await desk.write(sheet, caller.orgId).catch((cause: unknown) => {
        throw cause instanceof PdfDeskBusyError ? new AppError(transactionErrors.receipts_busy, { cause }) : cause
      })
      return { pdf: Buffer.from(pdf).toString('base64'), file_name: `holdfast-${type}-${id}.pdf` }
    }),
  ]
}

/** What a receipt says beside the transaction itself. */
async function readAround(view: ViewContext, personId: string, id: string) {
  const { tx, language, nowMs } = view
  const { name } = await tx.selectFrom('organisation').select('name').where('id', '=', tx.orgId).executeTakeFirstOrThrow()
  const bundle = await readEvidence(tx, id as OrderId)
  const evidence = bundle ? { fileName: evidenceName('signature', id), digest: toHex(sha256(bundle)) } : null
  const fingerprint = toHex((await currentPolicy(tx)).fingerprint)
  return { language, nowMs, organisation: name, person: view.personName(personId), fingerprint, evidence }
}

import type { OrganisationTx } from '@holdfast/db'
import { claimRequest, isClaimed } from './claim-request.ts'

/** No id that a caller makes has a colon, so none of these claims is in the way of a call. */
const BEFORE = 'spelling:'
/** What was claimed stands behind this, so that no id of a caller is taken for that of something made. */
const MARK = '='
const KIND = 'request_spelling'
const READ_KIND = 'request_spellings_read'
/** A spelling is asked for with nothing else. */
const NO_DIGEST = new Uint8Array(32)
/** The rows of one statement, which has a limit of values. */
const AT_ONCE = 1000

type Spelled = {
  /** Whose ids these are: two scopes have nothing to do with each other. At most 48 letters and digits. */
  scope: string
  requestId: string
  /** The ids that were used in this scope before spellings were claimed, the oldest first. Asked once in a scope. */
  readEarlier(): Promise<readonly string[]>
  nowMs: number
}

/**
 * The spelling in which an id of a call is to be used, for callers whose signature does not tell capital letters from small ones: the one in which it came
 * first. An id that was used in this very spelling keeps it.
 */
export async function claimSpelling(tx: OrganisationTx, { scope, requestId, readEarlier, nowMs }: Spelled): Promise<string> {
  if (await isClaimed(tx, { id: requestId })) return requestId
  // Whoever comes at the same time waits for this transaction.
  const reading = { key: { id: `${BEFORE}${scope}`, digest: NO_DIGEST }, kind: READ_KIND, resultId: MARK, nowMs }
  if ((await claimRequest(tx, reading)).fresh) await claimEarlier(tx, scope, await readEarlier(), nowMs)
  const claim = { key: { id: `${BEFORE}${scope}:${requestId.toLowerCase()}`, digest: NO_DIGEST }, kind: KIND, resultId: `${MARK}${requestId}`, nowMs }
  return (await claimRequest(tx, claim)).resultId.slice(MARK.length)
}

async function claimEarlier(tx: OrganisationTx, scope: string, earlier: readonly string[], nowMs: number): Promise<void> {
  const firsts = new Map(earlier.toReversed().map((id) => [`${BEFORE}${scope}:${id.toLowerCase()}`, `${MARK}${id}`]))
  const rows = [...firsts].map(([request_id, result_id]) => ({
    ...{ org_id: tx.orgId, request_id, result_id },
    ...{ kind: KIND, body_hash: NO_DIGEST, created_at: nowMs },
  }))
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    await tx
      .insertInto('idempotency')
      .values(rows.slice(from, from + AT_ONCE))
      .execute()
  }
}

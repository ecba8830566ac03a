import { AppError } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import { proposalErrors } from '../errors.ts'

/** The organisation of a proposal with a hash, and its kind. */
export type Place = { orgId: string; subjectId: string; kind: string }

/**
 * The proposal with the hash of an intent, in any organisation: the hash is the only name the approval page has for it. Throws AppError
 * `order_not_found`.
 */
export async function findProposal({ db }: Pick<ServerContext, 'db'>, hash: Uint8Array): Promise<Place> {
  const found = await db.readSystem((tx) =>
    tx.selectFrom('proposal').select(['org_id as orgId', 'subject_id as subjectId', 'kind']).where('intent_hash', '=', hash).executeTakeFirst(),
  )
  if (!found) throw new AppError(proposalErrors.order_not_found)
  return found
}

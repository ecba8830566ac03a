import { AppError } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import { proposalErrors } from '../errors.ts'

/** Where what is decided under a hash belongs, and of which kind it is. */
export type Place = { orgId: string; subjectId: string; kind: string }

/**
 * What is decided under the hash of an intent, whichever organisation it belongs to: the hash is the only name the approval page has for it. Throws AppError
 * `order_not_found`.
 */
export async function findProposal({ db }: Pick<ServerContext, 'db'>, hash: Uint8Array): Promise<Place> {
  const found = await db.readSystem((tx) =>
    tx.selectFrom('proposal').select(['org_id as orgId', 'subject_id as subjectId', 'kind']).where('intent_hash', '=', hash).executeTakeFirst(),
  )
  if (!found) throw new AppError(proposalErrors.order_not_found)
  return found
}

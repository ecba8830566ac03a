import { encode, toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { signedShape, signerCalls } from '@holdfast/protocol'
import { findProposal } from './find-proposal.ts'
import { byApproval, type Proposals, readSubject } from './proposal-kind.ts'

/** A signer's statement about an order, as hexadecimal bytes under its signature; null if it did not answer. */
export type SignerStatement = { party: number; statement: string | null }

/** Asks every connected signer for its judgement of the proposal with this hash. The server only relays: the page checks each signature itself. */
export async function askSigners(
  context: Pick<ServerContext, 'db' | 'coSigners'>,
  proposals: Proposals,
  hash: Uint8Array,
  challenge: Uint8Array,
): Promise<SignerStatement[]> {
  const { db, coSigners } = context
  const { orgId, subjectId, kind } = await findProposal(context, hash)
  const { row, intent: decoded } = await db.asOrganisation(orgId, (tx) => readSubject(tx, byApproval(proposals, kind), subjectId))
  const intent = new Uint8Array(row.intent)
  const { genesis } = decoded
  return Promise.all(
    coSigners.online().map(async (party) => {
      const said = await coSigners.call(party, signerCalls.attestOrder, { genesis, intent, challenge }).catch(() => undefined)
      return { party, statement: said ? toHex(encode(signedShape, said)) : null }
    }),
  )
}

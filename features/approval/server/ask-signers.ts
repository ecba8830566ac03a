import { AppError } from '@holdfast/contract'
import { encode, toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { organisationOfKeyChange, readKeyChangeByIntent } from '@holdfast/features/key-recovery/server'
import { organisationOfChange, readPolicyChangeByIntent } from '@holdfast/features/strategy/server'
import { readOrderByIntent } from '@holdfast/features/transfer/server'
import { signedShape, signerCalls } from '@holdfast/protocol'
import { organisationOf } from './approve.ts'

/** What a signer said of an order, as hexadecimal bytes under its signature; null where it did not answer. */
export type SignerStatement = { party: number; statement: string | null }

/** Asks every connected signer what it makes of an order, or of a change of the policy. The server only carries: the page checks each signature itself. */
export async function askSigners(context: Pick<ServerContext, 'db' | 'coSigners'>, hash: Uint8Array, challenge: Uint8Array): Promise<SignerStatement[]> {
  const { db, coSigners } = context
  const orgId = (await organisationOfChange(context, hash)) ?? (await organisationOfKeyChange(context, hash)) ?? (await organisationOf(context, hash))
  const decided = await db.asOrganisation(
    orgId,
    async (tx) => (await readPolicyChangeByIntent(tx, hash)) ?? (await readKeyChangeByIntent(tx, hash)) ?? (await readOrderByIntent(tx, hash)),
  )
  if (!decided) throw new AppError('order_not_found')
  const intent = new Uint8Array(decided.row.intent)
  const { genesis } = decided.intent
  return Promise.all(
    coSigners.online().map(async (party) => {
      const said = await coSigners.call(party, signerCalls.attestOrder, { genesis, intent, challenge }).catch(() => undefined)
      return { party, statement: said ? toHex(encode(signedShape, said)) : null }
    }),
  )
}

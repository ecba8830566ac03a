import type { ServerContext } from '@holdfast/features/context'
import { signerCalls } from '@holdfast/protocol'
import type { PolicyInForce } from './current-policy.ts'

/** An approval page, and the signer that serves it. */
export type ServedPage = { party: number; origin: string; rpId: string }

/** The approval pages that connected signers serve: which one a signer serves that is away nobody can say. */
export async function servedPages({ coSigners }: Pick<ServerContext, 'coSigners'>, { fingerprint }: Pick<PolicyInForce, 'fingerprint'>): Promise<ServedPage[]> {
  const told = await Promise.allSettled(
    coSigners.online().map(async (party) => ({ ...(await coSigners.call(party, signerCalls.describe, {}, fingerprint)), party })),
  )
  return told.flatMap((each) => {
    if (each.status === 'rejected') return []
    const { party, approvalOrigin: origin, approvalRpId: rpId } = each.value
    return origin === null || rpId === null ? [] : [{ party, origin, rpId }]
  })
}

import type { OutputOf } from '@holdfast/contract'
import type { Tone } from '@holdfast/ui'
import type { getSigningState } from '../signer-order-contract.ts'

export type SigningState = OutputOf<typeof getSigningState>
export type SignerOrder = SigningState['orders'][number]

const TONES: Record<SignerOrder['state'], Tone> = {
  approving: 'warn',
  approved: 'active',
  followed: 'good',
  rejected: 'bad',
  refused: 'bad',
  withdrawn: 'neutral',
  expired: 'neutral',
  superseded: 'neutral',
}

/** How an order stands, as a key under `signing.state`: of an absence that the signers followed, what became of it. */
export function standingOf({ state, standing }: Pick<SignerOrder, 'state' | 'standing'>): string {
  return state === 'followed' && standing !== null ? standing : state
}

/** The tone of that. An absence in force is nothing to be glad of: a word is missing. */
export function toneOfOrder(order: Pick<SignerOrder, 'state' | 'standing'>): Tone {
  const standing = standingOf(order)
  if (standing === 'in_force' || standing === 'unknown') return 'warn'
  return standing === 'over' ? 'neutral' : TONES[order.state]
}

import { decode, EncodingFault } from '@holdfast/encoding'
import { freezeShape } from '@holdfast/intent'
import { checkFreeze, FreezeRefused } from '@holdfast/policy'
import { heardFreeze } from '../state/freezes.ts'
import type { Organisation } from '../state/organisation.ts'
import type { Signer } from '../signer.ts'

/**
 * Stops all signing of an organisation by the word of one person, which this signer checks itself; sessions under way end. A freeze that was lifted counts no
 * more, and one that is in force is taken again without a trace. On disk when it resolves. Throws FreezeRefused or EncodingFault.
 */
export async function freeze(signer: Signer, organisation: Organisation, encoded: Uint8Array): Promise<void> {
  const { register, journal, policy, fingerprint } = organisation
  checkFreeze(decode(freezeShape, encoded), policy, fingerprint)
  const { events } = heardFreeze(encoded, register)
  if (events.length === 0) return journal.settled()
  const written = journal.write(events)
  await signer.sessions.endAll('somebody stopped all signing', organisation)
  await written
}

export const isNoFreeze = (cause: unknown): cause is Error => cause instanceof FreezeRefused || cause instanceof EncodingFault

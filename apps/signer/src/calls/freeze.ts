import { decode, EncodingFault, equalBytes, toHex } from '@holdfast/encoding'
import { freezeHash, freezeShape } from '@holdfast/intent'
import { checkFreeze, FreezeRefused } from '@holdfast/policy'
import type { Organisation } from '../state/organisation.ts'
import type { Signer } from '../signer.ts'

/**
 * Stops all signing of an organisation by the word of one person, which this signer checks itself; sessions under way end. A freeze that was lifted counts no
 * more, and one that is in force is taken again without a trace. On disk when it resolves. Throws FreezeRefused or EncodingFault.
 */
export async function freeze(signer: Signer, organisation: Organisation, encoded: Uint8Array): Promise<void> {
  const { register, journal, policy, fingerprint } = organisation
  const given = decode(freezeShape, encoded)
  checkFreeze(given, policy, fingerprint)
  const hash = toHex(freezeHash(given.statement))
  const isKnown = register.freezes.has(hash) || register.lifted.has(hash)
  // One freeze of each person: a second one adds nothing, and those of one person never leave another's out.
  const isAgain = [...register.freezes.values()].some((each) => equalBytes(decode(freezeShape, each).statement.person, given.statement.person))
  if (isKnown || isAgain) return journal.settled()
  const written = journal.write([{ kind: 'frozen', freeze: encoded }])
  await signer.sessions.endAll('somebody stopped all signing', organisation)
  await written
}

export const isNoFreeze = (cause: unknown): cause is Error => cause instanceof FreezeRefused || cause instanceof EncodingFault

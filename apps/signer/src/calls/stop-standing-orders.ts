import { decode, equalBytes, toHex } from '@holdfast/encoding'
import { stopShape } from '@holdfast/intent'
import { checkStop } from '@holdfast/policy'
import type { Organisation } from '../state/organisation.ts'
import type { Signer } from '../signer.ts'

/**
 * Stops standing orders by the word of one person, which this signer checks itself; sessions under way end. What this signer does not follow, or somebody
 * stopped before, is left as it is. On disk when it resolves. Throws FreezeRefused or EncodingFault.
 */
export async function stopStandingOrders(signer: Signer, organisation: Organisation, encoded: Uint8Array): Promise<void> {
  const { register, journal, policy, fingerprint } = organisation
  const stop = decode(stopShape, encoded)
  const { id: person } = checkStop(stop, policy, fingerprint)
  const isNew = ({ id, version }: (typeof stop.statement.orders)[number]) => {
    const kept = register.standingOrders.get(toHex(id))
    return kept !== undefined && kept.stoppedBy === null && kept.order.version <= version
  }
  const orders = stop.statement.orders.filter(isNew).filter((each, i, all) => all.findIndex(({ id }) => equalBytes(id, each.id)) === i)
  if (orders.length === 0) return journal.settled()
  const written = journal.write([{ kind: 'standingOrdersStopped', person, orders }])
  await signer.sessions.endAll('somebody stopped a standing order', organisation)
  await written
}

import { equalBytes, toHex } from '@holdfast/encoding'
import type { Word } from '@holdfast/protocol'
import type { JournalEvent } from '../../state/journal-events.ts'
import type { Register } from '../../state/register.ts'
import { Refused } from '../refused.ts'

/** What this signer's word says of the standing order that is asked about. */
export function standingOrderHere({ standingOrders }: Register, id: Uint8Array | null): Word['standingOrder'] {
  const kept = id === null ? undefined : standingOrders.get(toHex(id))
  return kept ? { version: kept.order.version, hash: kept.hash, stoppedBy: kept.stoppedBy } : null
}

/** c12: nobody has a newer version of the standing order that is asked about, or another order of the same version. Throws Refused. */
export function checkSameStandingOrder({ standingOrders }: Register, id: Uint8Array | null, party: number, told: Word['standingOrder']): void {
  const kept = id === null ? undefined : standingOrders.get(toHex(id))
  if (!kept || !told) return
  if (told.version > kept.order.version)
    throw new Refused('c12', `party ${party} has version ${told.version} of the standing order, this signer ${kept.order.version}: bring it the newer version`)
  if (told.version === kept.order.version && !equalBytes(told.hash, kept.hash))
    throw new Refused('c12', `party ${party} has another standing order of version ${told.version} than this signer`)
}

/**
 * What the journal is to hold of a stop, heard of another signer, of the version that this signer follows. Who stopped it was checked there when they did, and
 * may have left the organisation since: that starts nothing again.
 */
export function stopHeard(register: Register, id: Uint8Array | null, told: Word['standingOrder']): JournalEvent[] {
  const kept = id === null ? undefined : register.standingOrders.get(toHex(id))
  const person = told?.stoppedBy
  if (!kept || !told || !person || kept.stoppedBy || !equalBytes(told.hash, kept.hash)) return []
  return [{ kind: 'standingOrdersStopped', person, orders: [{ id: kept.order.id, version: kept.order.version }] }]
}

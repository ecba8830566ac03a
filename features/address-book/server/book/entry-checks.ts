import { endOf } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import { paidAddresses } from '@holdfast/features/known-address/server'
import type { Networks } from '@holdfast/features/network/server'
import type { SignerOrder } from '@holdfast/features/policy/server'
import type { BookChange } from '@holdfast/intent'
import { bytesToUuid } from '@holdfast/units'
import { sql } from 'kysely'
import { lastScreenings } from '../last-screenings.ts'
import { similarToEach } from '../similar-to.ts'
import { readEntries, verificationOf } from './book-rows.ts'

type Viewer = { networks: Networks; personId: string; nowMs: number }

/** What is known of each address that a change puts on the whitelist or takes off, for who decides it: as it is now. */
export async function checksOf(tx: OrganisationTx, { networks, personId, nowMs }: Viewer, { intent }: SignerOrder) {
  const changes = intent.kind === 'addressBook' ? intent.changes : []
  if (changes.length === 0) return []
  const addresses = [...new Set(changes.map(({ address }) => address))]
  const ids = changes.map(({ id }) => bytesToUuid(id))
  const similar = await similarToEach(tx, personId, addresses)
  const paid = await paidAddresses(tx, [...new Set(addresses.map(endOf))])
  const received = await receivedSince(tx, addresses)
  const rows = await readEntries(tx, nowMs, sql`id = any(${ids}::uuid[])`)
  // A change that takes an entry off names no networks: the book still does.
  const places = changes.map((change, i) => ({ address: change.address, chains: rows.find(({ id }) => id === ids[i])?.chains ?? chainsOf(change) }))
  const screenings = await lastScreenings(tx, places)
  return changes.map((change, i) => {
    const { address } = change
    const row = rows.find(({ id }) => id === ids[i])
    const since = paid.filter((each) => each.address === address).map(({ sinceMs }) => sinceMs)
    return {
      entry_id: ids[i] ?? '',
      format: formatOf(change, networks),
      memo: memoOf(change, networks),
      similar: similar.get(address) ?? [],
      first_paid_at: since.length === 0 ? null : Math.min(...since),
      first_received_at: received.get(address) ?? null,
      verify: row ? verificationOf(row) : null,
      kyt: screenings[i] ?? null,
      created_by: row === undefined ? null : { person_id: row.created_by, name: row.creator },
      created_at: row === undefined ? null : Number(row.created_at),
    }
  })
}

const chainsOf = (change: BookChange): string[] => (change.kind === 'add' ? change.chains : [])

/** Whether an address is one of each of its networks, in that network's spelling; unknown where one of them is not open here. */
function formatOf(change: BookChange, networks: Networks): 'valid' | 'invalid' | 'unknown' {
  if (change.kind === 'remove') return 'unknown'
  const spelled = change.chains.map((chain) => networks.find(chain)?.codec).map((codec) => codec && codec.canonicalAddress(change.address) === change.address)
  if (spelled.includes(false)) return 'invalid'
  return spelled.includes(undefined) ? 'unknown' : 'valid'
}

/** Whether an entry names a memo as far as its networks carry one. */
function memoOf(change: BookChange, networks: Networks): 'none' | 'given' | 'missing' | 'not_carried' {
  if (change.kind === 'remove') return 'none'
  const carries = change.chains.map((chain) => networks.find(chain)?.codec.memoMax !== undefined)
  if ((change.memo ?? '') !== '') return carries.every(Boolean) ? 'given' : 'not_carried'
  return carries.some(Boolean) ? 'missing' : 'none'
}

/** When something first came from each of these addresses. */
async function receivedSince(tx: OrganisationTx, addresses: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('deposit')
    .select((row) => ['from_address', row.fn.min('created_at').as('since')])
    .where('org_id', '=', tx.orgId)
    .where('from_address', 'in', [...addresses])
    .groupBy('from_address')
    .execute()
  return new Map(rows.map(({ from_address: address, since }) => [address ?? '', Number(since)]))
}

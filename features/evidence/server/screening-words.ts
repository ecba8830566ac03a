import { askAlong, type OrganisationTx } from '@holdfast/db'
import { decode, toHex } from '@holdfast/encoding'
import { type ScreeningLevel, type ScreeningWord, screeningWordShape } from '@holdfast/intent'

/** What a screener signed of an order, with the very bytes, and where it stands in the log. */
export type KeptScreening = { word: ScreeningWord; bytes: Uint8Array; sequence: number }

/** Everything that screeners signed of each of some orders, the oldest first. An order that none was signed of is not among them. */
export async function readScreenings(tx: OrganisationTx, hashes: readonly Uint8Array[]): Promise<Map<string, KeptScreening[]>> {
  if (hashes.length === 0) return new Map()
  return byOrder(
    await inOrder(tx)
      .where('intent_hash', 'in', [...hashes])
      .execute(),
  )
}

/** The same of every order that any was signed of since a time. */
export const screeningsSince = async (tx: OrganisationTx, sinceMs: number): Promise<Map<string, KeptScreening[]>> =>
  byOrder(
    await inOrder(tx)
      .where('created_at', '>=', BigInt(Math.floor(sinceMs)))
      .execute(),
  )

const inOrder = (tx: OrganisationTx) =>
  tx.selectFrom('screening_word').select(['bytes', 'sequence']).where('org_id', '=', tx.orgId).orderBy('screened_at').orderBy('sequence')

function byOrder(rows: readonly { bytes: Uint8Array; sequence: bigint }[]): Map<string, KeptScreening[]> {
  const kept = rows.map((row) => {
    const bytes = new Uint8Array(row.bytes)
    return { word: decode(screeningWordShape, bytes), bytes, sequence: Number(row.sequence) }
  })
  return Map.groupBy(kept, ({ word }) => toHex(word.intentHash))
}

/** The same of one order. */
export const screeningsOf = async (tx: OrganisationTx, hash: Uint8Array): Promise<KeptScreening[]> => (await readScreenings(tx, [hash])).get(toHex(hash)) ?? []

/** The newest word of each screener: what signers are shown. */
export const newestScreenings = (kept: readonly KeptScreening[]): KeptScreening[] => [...new Map(kept.map((each) => [each.word.machine, each])).values()]

/** Keeps what a screener signed, once it has been checked. It says one thing of an order at one time: a second one fails. */
export function storeScreening(tx: OrganisationTx, { word, bytes, sequence }: KeptScreening, nowMs: number): void {
  const { intentHash, machine, provider, level, screenedAtMs } = word
  const said = { machine, provider, level: level as ScreeningLevel, screened_at: Number(screenedAtMs) }
  askAlong(
    tx,
    tx.insertInto('screening_word').values({ org_id: tx.orgId, intent_hash: intentHash, ...said, bytes, sequence: BigInt(sequence), created_at: nowMs }),
  )
}

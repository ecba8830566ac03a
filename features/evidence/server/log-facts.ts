import type { Database, OrganisationTx } from '@holdfast/db'
import { decode, toHex } from '@holdfast/encoding'
import { spokenShape, intentHash, intentShape } from '@holdfast/intent'
import { entryShape } from '@holdfast/log'
import { bytesToUuid } from '@holdfast/units'

/** What people look for of an entry of the log. */
export type LogFacts = { kind: string; atMs: number; personId: string | null; words: string }

const WORDS_MAX = 2_000
/** Stretches of readable characters: what a person wrote, addresses, ids of transactions. */
const READABLE = /[\p{L}\p{N}\p{P}\p{Sc}\p{Sk}\p{Sm} ]{4,}/gu
const BATCH = 500

/** What is in an entry for those who look for it: whose word it is, and everything readable in it. */
export function factsOf(kind: string, body: Uint8Array, atMs: number): LogFacts {
  const readable = new TextDecoder().decode(body).match(READABLE) ?? []
  const { personId, ids } = namedIn(kind, body)
  const words = [...ids, ...readable].join(' ').toLowerCase().slice(0, WORDS_MAX)
  return { kind, atMs, personId, words }
}

type Named = { personId: string | null; ids: string[] }

/** Who an order is of, or whose approval it is, and the ids by which it is known. What cannot be read is found by its kind and its time alone. */
function namedIn(kind: string, body: Uint8Array): Named {
  try {
    return readNamed(kind, body)
  } catch {
    return { personId: null, ids: [] }
  }
}

function readNamed(kind: string, body: Uint8Array): Named {
  if (kind === 'intent') {
    const intent = decode(intentShape, body)
    const isPerson = intent.initiator.some((byte) => byte !== 0)
    return { personId: isPerson ? bytesToUuid(intent.initiator) : null, ids: [bytesToUuid(intent.orderId), toHex(intentHash(intent)), intent.kind] }
  }
  if (kind === 'approval') {
    const approval = decode(spokenShape, body)
    if (approval.kind === 'screening') return { personId: null, ids: [toHex(approval.intentHash), approval.level, approval.machine] }
    if (approval.kind === 'machine') return { personId: null, ids: [toHex(approval.intentHash), approval.decision, approval.machine] }
    return { personId: bytesToUuid(approval.person), ids: [toHex(approval.intentHash), approval.decision] }
  }
  return { personId: null, ids: [] }
}

/** The row of an entry's facts. */
export function factRow(orgId: string, sequence: bigint, { kind, atMs, personId, words }: LogFacts) {
  return { org_id: orgId, sequence, kind, at: atMs, person_id: personId, words }
}

/** Writes the facts of entries from before there were any, the newest first, of every organisation. Answers how many it wrote. */
export async function writeMissingFacts(db: Database): Promise<number> {
  const organisations = await db.asSystem((tx) => tx.selectFrom('organisation').select('id').where('genesis_hash', 'is not', null).execute())
  let written = 0
  for (const { id } of organisations) written += await db.asOrganisation(id, writeMissing)
  return written
}

async function writeMissing(tx: OrganisationTx): Promise<number> {
  // New entries come with their facts, so what is missing is older than all that have any.
  const first = await tx.selectFrom('log_fact').select('sequence').where('org_id', '=', tx.orgId).orderBy('sequence').limit(1).executeTakeFirst()
  if (first?.sequence === 0n) return 0
  const rows = await tx
    .selectFrom('log_entry')
    .select(['sequence', 'bytes'])
    .where('org_id', '=', tx.orgId)
    .$if(first !== undefined, (query) => query.where('sequence', '<', first?.sequence ?? 0n))
    .orderBy('sequence', 'desc')
    .limit(BATCH)
    .execute()
  if (rows.length === 0) return 0
  const facts = rows.map(({ sequence, bytes }) => {
    const { type, body, atMs } = decode(entryShape, new Uint8Array(bytes))
    return factRow(tx.orgId, sequence, factsOf(type, body, Number(atMs)))
  })
  await tx
    .insertInto('log_fact')
    .values(facts)
    .onConflict((conflict) => conflict.columns(['org_id', 'sequence']).doNothing())
    .execute()
  return facts.length
}

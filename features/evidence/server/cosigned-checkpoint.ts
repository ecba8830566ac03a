import { askAlong } from '@holdfast/db'
import { decode } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { entryShape, formatCheckpoint, leafHash, MerkleTree, parseCheckpoint, verifyCosignature } from '@holdfast/log'
import type { SignerIdentity } from '@holdfast/policy'
import { signerCalls } from '@holdfast/protocol'

type Needs = Pick<ServerContext, 'db' | 'coSigners' | 'ports'>

/** A checkpoint with the signers that checked and cosigned it. */
export type CosignedCheckpoint = { note: string; size: number; parties: number[] }

/** Whose log it is, and who may witness it. */
export type Witnessed = { fingerprint: Uint8Array; genesis: { threshold: bigint }; signers: readonly SignerIdentity[] }

/** One log entry with its place under a checkpoint. */
export type Logged = { entry: Uint8Array; index: bigint; proof: Uint8Array[] }

const PIECE_ENTRIES = 1_000

/** The trees of the organisations this process has touched, rebuilt from the database and kept. */
const trees = new WeakMap<object, Map<string, { tree: MerkleTree; busy: Promise<unknown> }>>()

/**
 * A checkpoint over everything logged so far, cosigned by every signer that is connected and agrees. At least the
 * genesis threshold of signers must: throws otherwise, for without witnesses nothing may be signed.
 */
export async function cosignedCheckpoint(needs: Needs, orgId: string, organisation: Witnessed): Promise<CosignedCheckpoint> {
  return inTurn(needs, orgId, async (tree) => {
    await catchUp(needs, orgId, tree)
    const checkpoint = { genesis: organisation.fingerprint, size: tree.size, root: tree.root() }
    const lines = await Promise.all(needs.coSigners.online().map((party) => cosignatureOf(needs, organisation, tree, checkpoint, party)))
    const given = lines.filter((line): line is { party: number; line: string } => line !== undefined)
    const note = formatCheckpoint(
      checkpoint,
      given.map((each) => each.line),
    )
    const threshold = Number(organisation.genesis.threshold)
    if (given.length < threshold) throw new Error(`${given.length} signer(s) cosigned the log, ${threshold} are needed`)
    const kept = { org_id: orgId, size: BigInt(tree.size), note, created_at: needs.ports.clock.nowMs() }
    await needs.db.asOrganisation(orgId, async (tx) => {
      const written = tx.insertInto('log_checkpoint').values(kept)
      askAlong(
        tx,
        written.onConflict((conflict) => conflict.columns(['org_id', 'size']).doUpdateSet({ note })),
      )
    })
    return { note, size: tree.size, parties: given.map((each) => each.party) }
  })
}

/**
 * What to do when the signers of a session have joined it and none has begun: one that knows less of the log than a peer would refuse, so all are
 * brought to the newest entry where they differ.
 */
export function bringLogUp(needs: Needs, orgId: string, organisation: Witnessed): (joins: readonly { logSize: bigint }[]) => Promise<void> {
  return async (joins) => {
    if (new Set(joins.map(({ logSize }) => logSize)).size > 1) await cosignedCheckpoint(needs, orgId, organisation)
  }
}

/** Entries by their sequences, with proofs under the checkpoint of `size`. */
export async function loggedAt(needs: Needs, orgId: string, size: number, sequences: readonly number[]): Promise<Logged[]> {
  return inTurn(needs, orgId, async (tree) => {
    if (tree.size < size) await catchUp(needs, orgId, tree)
    const rows = await needs.db.readOrganisation(orgId, (tx) =>
      tx.selectFrom('log_entry').select(['sequence', 'bytes']).where('org_id', '=', orgId).where('sequence', 'in', sequences.map(BigInt)).execute(),
    )
    return sequences.map((sequence) => {
      const row = rows.find((each) => each.sequence === BigInt(sequence))
      if (!row) throw new Error(`log entry ${sequence} is missing`)
      const entry = new Uint8Array(row.bytes)
      return { entry, index: BigInt(sequence), proof: tree.inclusionProof(sequence, size) }
    })
  })
}

/** Runs one task at a time for each organisation's tree. */
async function inTurn<T>(needs: Needs, orgId: string, task: (tree: MerkleTree) => Promise<T>): Promise<T> {
  const known = trees.get(needs.db) ?? new Map<string, { tree: MerkleTree; busy: Promise<unknown> }>()
  trees.set(needs.db, known)
  const slot = known.get(orgId) ?? { tree: new MerkleTree(), busy: Promise.resolve() }
  known.set(orgId, slot)
  const run = slot.busy.then(() => task(slot.tree))
  slot.busy = run.catch(() => undefined)
  return run
}

/** Reads what the tree lacks, in pieces: the whole log may be longer than what fits into memory. */
async function catchUp({ db }: Needs, orgId: string, tree: MerkleTree): Promise<void> {
  for (;;) {
    const rows = await db.readOrganisation(orgId, (tx) =>
      tx
        .selectFrom('log_entry')
        .select(['sequence', 'bytes'])
        .where('org_id', '=', orgId)
        .where('sequence', '>=', BigInt(tree.size))
        .orderBy('sequence')
        .limit(PIECE_ENTRIES)
        .execute(),
    )
    for (const row of rows) {
      const bytes = new Uint8Array(row.bytes)
      if (row.sequence !== BigInt(tree.size) || decode(entryShape, bytes).sequence !== row.sequence) {
        throw new Error(`the log of organisation ${orgId} has a gap at ${tree.size}: restore the database from a backup`)
      }
      tree.append(leafHash(bytes))
    }
    if (rows.length < PIECE_ENTRIES) return
  }
}

async function cosignatureOf(
  { coSigners }: Needs,
  { fingerprint, signers }: Witnessed,
  tree: MerkleTree,
  checkpoint: { genesis: Uint8Array; size: number; root: Uint8Array },
  party: number,
): Promise<{ party: number; line: string } | undefined> {
  try {
    const status = await coSigners.call(party, signerCalls.status, { genesis: fingerprint })
    const oldSize = Number(status.logSize)
    if (oldSize > tree.size) return undefined
    const { line } = await coSigners.call(party, signerCalls.cosignCheckpoint, {
      genesis: fingerprint,
      size: BigInt(checkpoint.size),
      root: checkpoint.root,
      oldSize: BigInt(oldSize),
      proof: tree.consistencyProof(oldSize, checkpoint.size),
    })
    const signer = signers.find((each) => each.party === BigInt(party))
    if (!signer || !verifyCosignature(parseCheckpoint(formatCheckpoint(checkpoint, [line])), `signer-${party}`, signer.signKey)) return undefined
    return { party, line }
  } catch {
    // A signer that does not answer, or does not agree, is no witness; the threshold decides whether enough are left.
    return undefined
  }
}

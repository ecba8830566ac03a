import { decode, equalBytes, toHex } from '@holdfast/encoding'
import { entryShape, leafHash, MerkleTree, type SignedCheckpoint, verifyCosignature } from '@holdfast/log'
import {
  checkPolicyChange,
  checkRecord,
  genesisRecordShape,
  policyChangeRecordShape,
  type ProvenOrganisation,
  type SignerIdentity,
  signersOf,
} from '@holdfast/policy'

/** Why a log does not hold. The message names the entry or the checkpoint. */
export class LogRefused extends Error {
  override name = 'LogRefused'
}

export type LogReport = {
  organisation: string
  fingerprint: string
  entries: number
  counts: Map<string, number>
  /** The checkpoints, smallest first, with the signers that witnessed each. */
  checkpoints: { size: number; witnesses: string[] }[]
}

/** The signers from the log entry on that put their version of the policy into force. */
type Era = { from: number; signers: SignerIdentity[] }

/** The longest entry there can be: a body of 1 MiB and what is around it. */
const ENTRY_LIMIT_BYTES = (1 << 20) + 1024

/**
 * Checks an exported log offline: every entry is canonical and in its place, the first is the organisation's founding
 * document, each version of the policy follows from the one before, and the tree over the entries has the root of every checkpoint at its size, so that each
 * older log is the beginning of the newer ones. A checkpoint counts only with the cosignatures of as many signers as make a signature, of those that the policy
 * of its time names.
 * The file is the entries in order, each with its length before it (4 bytes, big-endian). Throws LogRefused.
 */
export async function verifyLogFile(
  pieces: AsyncIterable<Uint8Array>,
  checkpoints: readonly SignedCheckpoint[],
  trusted: string | undefined,
): Promise<LogReport> {
  const ordered = [...checkpoints].sort((a, b) => a.checkpoint.size - b.checkpoint.size)
  const tree = new MerkleTree()
  const counts = new Map<string, number>()
  let founded: ProvenOrganisation | undefined
  const eras: Era[] = []
  for await (const encoded of framesOf(pieces)) {
    const entry = attempt(`entry ${tree.size} cannot be read`, () => decode(entryShape, encoded))
    const known = (founded ??= attempt('the first entry is not a founding document that holds', () => foundingOf(entry, trusted)))
    if (entry.sequence !== BigInt(tree.size)) throw new LogRefused(`entry ${tree.size} says that it is entry ${entry.sequence}`)
    if (!equalBytes(entry.genesis, founded.fingerprint)) throw new LogRefused(`entry ${tree.size} is of another organisation`)
    if (tree.size === 0) eras.push({ from: 0, signers: founded.signers })
    else if (entry.type === 'policy') {
      founded.policy = attempt(`entry ${tree.size} is not the next version of the policy`, () =>
        checkPolicyChange(decode(policyChangeRecordShape, entry.body), known.policy, known),
      )
      eras.push({ from: tree.size, signers: signersOf(founded.genesis, founded.policy) })
    }
    counts.set(entry.type, (counts.get(entry.type) ?? 0) + 1)
    tree.append(leafHash(encoded))
  }
  if (!founded) throw new LogRefused('the log is empty')
  const { genesis, fingerprint } = founded
  const witnessed = ordered.map((note) => ({ size: note.checkpoint.size, witnesses: witnessesOf(note, tree, eras, founded) }))
  return { organisation: genesis.name, fingerprint: toHex(fingerprint), entries: tree.size, counts, checkpoints: witnessed }
}

function attempt<T>(what: string, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    throw new LogRefused(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

function foundingOf(entry: { type: string; body: Uint8Array }, trusted: string | undefined): ProvenOrganisation {
  if (entry.type !== 'genesis') throw new Error(`it is of type ${entry.type}`)
  const record = decode(genesisRecordShape, entry.body)
  if (record.kind !== 'founding') throw new Error('it holds changes of the policy, which have entries of their own')
  const proven = checkRecord(record)
  const found = toHex(proven.fingerprint)
  if (trusted !== undefined && trusted !== found) throw new Error(`it is of organisation ${found}, not of ${trusted}`)
  return proven
}

function witnessesOf(note: SignedCheckpoint, tree: MerkleTree, eras: readonly Era[], { genesis, fingerprint }: ProvenOrganisation): string[] {
  const { size, root, genesis: named } = note.checkpoint
  if (!equalBytes(named, fingerprint)) throw new LogRefused(`the checkpoint of size ${size} is of another organisation`)
  if (size > tree.size) throw new LogRefused(`the log has ${tree.size} entries, but a checkpoint witnesses ${size}: it was cut short`)
  if (!equalBytes(tree.root(size), root)) throw new LogRefused(`the first ${size} entries are not those of the checkpoint of size ${size}: the log was changed`)
  // Signers follow a new version before its entry stands in the log, so those of the next one may have witnessed as well.
  const present = eras.findLastIndex(({ from }) => from < size || from === 0)
  const [witnesses] = eras
    .slice(present, present + 2)
    .map(({ signers }) => signers.filter((signer) => verifyCosignature(note, `signer-${signer.party}`, signer.signKey)).map((signer) => signer.name))
    .sort((a, b) => b.length - a.length) as [string[], ...string[][]]
  if (witnesses.length < Number(genesis.threshold)) {
    throw new LogRefused(`the checkpoint of size ${size} has ${witnesses.length} signer's signature(s), ${genesis.threshold} are needed`)
  }
  return witnesses
}

async function* framesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held = new Uint8Array(0)
  for await (const piece of pieces) {
    const joined = new Uint8Array(held.length + piece.length)
    joined.set(held)
    joined.set(piece, held.length)
    let at = 0
    for (;;) {
      const length = lengthAt(joined, at)
      if (length === undefined || at + 4 + length > joined.length) break
      yield joined.slice(at + 4, at + 4 + length)
      at += 4 + length
    }
    held = joined.slice(at)
  }
  if (held.length > 0) throw new LogRefused(`the file ends in the middle of an entry: ${held.length} bytes are left over`)
}

function lengthAt(bytes: Uint8Array, at: number): number | undefined {
  if (at + 4 > bytes.length) return undefined
  const length = new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0)
  if (length === 0 || length > ENTRY_LIMIT_BYTES) throw new LogRefused(`an entry claims a length of ${length} bytes, which no entry has`)
  return length
}

import { encode } from '@holdfast/encoding'
import { entryShape, formatCheckpoint, leafHash, MerkleTree } from '@holdfast/log'
import type { SignRequest } from '@holdfast/protocol'

/** A log as a server keeps it. */
export class Log {
  readonly genesis: Uint8Array
  readonly tree = new MerkleTree()
  readonly entries: Uint8Array[] = []

  constructor(genesis: Uint8Array) {
    this.genesis = genesis
  }

  append(type: string, body: Uint8Array): number {
    const index = this.entries.length
    const entry = encode(entryShape, { genesis: this.genesis, sequence: BigInt(index), atMs: 1_750_000_000_000n, type, body })
    this.entries.push(entry)
    this.tree.append(leafHash(entry))
    return index
  }

  get checkpoint(): { size: number; root: Uint8Array } {
    return { size: this.tree.size, root: this.tree.root() }
  }

  note(signatureLines: string[] = []): string {
    return formatCheckpoint({ genesis: this.genesis, ...this.checkpoint }, signatureLines)
  }

  logged(index: number): SignRequest['logged'][number] {
    return { entry: this.entries[index]!, index: BigInt(index), proof: this.tree.inclusionProof(index) }
  }
}

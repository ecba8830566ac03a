export {
  checkpointBody,
  cosign,
  formatCheckpoint,
  parseCheckpoint,
  verifyCosignature,
  CheckpointRefused,
  type Checkpoint,
  type SignedCheckpoint,
} from './checkpoint.ts'
export { entryAround, entryShape, type LogEntry } from './entry.ts'
export { EMPTY_ROOT, leafHash, MerkleTree, verifyConsistency, verifyInclusion } from './merkle-tree.ts'

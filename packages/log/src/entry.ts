import { bytes, type Infer, struct, text, uint } from '@holdfast/encoding'

/** One thing that happened to an organisation. `body` is the canonical message itself, so that the log is its own evidence. */
export const entryShape = struct('holdfast/log-entry/v1', {
  genesis: bytes(32),
  sequence: uint(),
  atMs: uint(),
  type: text(64),
  body: bytes(undefined, 1 << 20),
})

export type LogEntry = Infer<typeof entryShape>

import { parseCheckpoint } from '@holdfast/log'
import { type LogReport, verifyLogFile } from '@holdfast/protocol/verify-log-file'
import { type stretchesOf } from './read-whole-log.ts'

type Stretches = ReturnType<typeof stretchesOf>

/** Checks the whole log as `verify-log` does, with the newest checkpoints that the server has of it. Throws LogRefused. */
export async function verifyLog(stretches: Stretches, trusted: string | undefined): Promise<LogReport> {
  const first = await stretches.next()
  if (first.done) throw new Error('the log has no stretch')
  const { checkpoints, bytes } = first.value
  return verifyLogFile(
    bytesOf(bytes, stretches),
    checkpoints.map(({ note }) => parseCheckpoint(note)),
    trusted,
  )
}

async function* bytesOf(first: Uint8Array, rest: Stretches): AsyncGenerator<Uint8Array> {
  yield first
  for await (const { bytes } of rest) yield bytes
}

import type { Ports } from '@holdfast/ports'
import { parseArgs, type ParseArgsConfig } from 'node:util'

/** What a command is run with: the world, and the words that follow its name. */
export type Invocation = { ports: Ports; args: readonly string[] }

/** The exit codes of every command: done, the thing examined does not hold, the command was not understood, it could not be carried out. */
export const EXIT = { ok: 0, refused: 1, usage: 2, failed: 3 } as const

/** A command line that means nothing. The message says what to write instead. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The options and files of a command line. Throws UsageError for anything `options` does not name. */
export function readArguments<T extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

import { recipientFingerprint } from '@holdfast/policy'
import { at } from '@holdfast/units'
import { EXIT, type Invocation, readArguments, UsageError } from '../command.ts'
import { readLocale } from '../locale.ts'
import { makeIdentity } from './recovery-identity.ts'
import { RECOVERY_WORDS } from './recovery-words.ts'

/** What rebuilds a key is loaded when a kit is used, so that making an identity need not wait for it. */
const ACTIONS: Record<string, (invocation: Invocation) => Promise<number>> = {
  'new-identity': newIdentity,
  verify: async (invocation) => (await import('./use-kit.ts')).verify(invocation),
  sweep: async (invocation) => (await import('./use-kit.ts')).sweep(invocation),
  instructions: async (invocation) => (await import('./use-kit.ts')).instructions(invocation),
}

/** `recover new-identity`, `recover verify`, `recover sweep` and `recover instructions`. Uses no network. */
export async function recoverCommand({ ports, args }: Invocation): Promise<number> {
  const [action, ...rest] = args
  const known = Object.keys(ACTIONS).join(', ')
  if (action === undefined) throw new UsageError(`Say what to do: ${known}.`)
  const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
  if (!run) throw new UsageError(`recover knows ${known}, not ${action}.`)
  return run({ ports, args: rest })
}

async function newIdentity({ ports, args }: Invocation): Promise<number> {
  const { values, positionals } = readArguments(args, { lang: { type: 'string' } })
  const locale = readLocale(values.lang, ports.process.env)
  if (positionals.length !== 1) throw new UsageError('Name the file the identity is to be written to.')
  const recipient = await makeIdentity(ports.disk, at(positionals, 0), ports.clock.nowMs())
  const words = RECOVERY_WORDS[locale]
  // The recipient alone goes to standard output, so that it can be passed on by a pipe.
  ports.process.printError(words.made(at(positionals, 0)))
  ports.process.printError(words.recipientShown(recipientFingerprint(recipient)))
  ports.process.printError(words.recipient)
  ports.process.print(recipient)
  return EXIT.ok
}

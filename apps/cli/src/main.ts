import { nodePorts } from '@holdfast/ports/node'
import type { Ports } from '@holdfast/ports'
import { EXIT, type Invocation, UsageError } from './command.ts'
import { RECOVER_USAGE } from './recover/recover-usage.ts'

type Command = { summary: string; usage: string; run(invocation: Invocation): Promise<number> }

/** Each command is loaded when it is called, so that verifying evidence does not need a database. */
const COMMANDS: Record<string, Command> = {
  'verify-evidence': {
    summary: 'checks a bundle of evidence offline and says in words what it proves',
    usage: 'verify-evidence <bundle file> [--fingerprint <hex>] [--json] [--lang en-US|zh-CN]',
    run: async (invocation) => (await import('./verify/verify-evidence.ts')).verifyEvidenceCommand(invocation),
  },
  'verify-log': {
    summary: 'checks an exported log offline against checkpoints: whole, and only ever grown',
    usage: 'verify-log <log file> <checkpoint file> [<checkpoint file> ...] [--fingerprint <hex>] [--lang en-US|zh-CN]',
    run: async (invocation) => (await import('./verify/verify-log.ts')).verifyLogCommand(invocation),
  },
  recover: {
    summary: 'makes a recovery identity, proves offline that a recovery kit rebuilds its key, or signs what empties its addresses',
    usage: [...RECOVER_USAGE, 'recover pack <new file>     (the tool as one file, for a machine without a network)'].join('\n  '),
    run: async ({ ports, args }) =>
      args[0] === 'pack'
        ? (await import('./recover/pack-tool.ts')).packTool({ ports, args: args.slice(1) })
        : (await import('./recover/recover.ts')).recoverCommand({ ports, args }),
  },
  backup: {
    summary: 'writes the whole database of the server to a new file, sealed to officers and signed by the server',
    usage:
      'backup <new file> [--recipient <age1…> ...]     (the database: DATABASE_URL, or the folder SERVER_DATA, or the one npm start uses; signed with SERVER_IDENTITY)',
    run: async (invocation) => (await import('./database/operate-database.ts')).backupCommand(invocation),
  },
  restore: {
    summary: 'fills an empty database from a backup',
    usage:
      'restore <backup file> --identity <file> [--identity <file> ...] [--signed-by <server key>]     (the database: DATABASE_URL, or the folder SERVER_DATA, or the one npm start uses)',
    run: async (invocation) => (await import('./database/operate-database.ts')).restoreCommand(invocation),
  },
}

/** Runs the command named first in `argv`. Returns the exit code. */
export async function run(ports: Ports, argv: readonly string[]): Promise<number> {
  const [name = '', ...args] = argv
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) {
    const asked = ['', 'help', '--help', '-h'].includes(name)
    for (const line of help(asked ? undefined : name)) (asked ? ports.process.print : ports.process.printError)(line)
    return asked && name !== '' ? EXIT.ok : EXIT.usage
  }
  if (args.includes('--help') || args.includes('-h')) {
    ports.process.print(`usage:\n  ${command.usage}`)
    return EXIT.ok
  }
  try {
    return await command.run({ ports, args })
  } catch (error) {
    if (!(error instanceof UsageError)) {
      ports.process.printError(`${name} could not be carried out: ${error instanceof Error ? error.message : String(error)}`)
      return EXIT.failed
    }
    ports.process.printError(error.message)
    ports.process.printError(`usage:\n  ${command.usage}`)
    return EXIT.usage
  }
}

function help(unknown: string | undefined): string[] {
  return [
    ...(unknown === undefined ? [] : [`There is no command ${JSON.stringify(unknown)}.`]),
    'usage: node apps/cli/src/main.ts <command> ...',
    ...Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(16)} ${summary}`),
    'Write a command and --help to see how it is used.',
  ]
}

if (import.meta.main) await nodePorts.process.exit(await run(nodePorts, nodePorts.process.argv))

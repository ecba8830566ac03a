import { parseArgs } from 'node:util'
import { CONFIGURATION_EXIT_CODE, type Ports } from '@holdfast/ports'
import { ConfigError, readConfig } from '../read-config.ts'
import { startCoSigner } from '../start-co-signer.ts'
import { JournalError } from '../state/journal.ts'
import { KeyError, openKey } from '../state/sealed-key.ts'
import { changePassword } from './change-password.ts'
import { checkConf } from './check-conf.ts'
import { checkIp } from './check-ip.ts'
import { type Given, longEnough, UsageError } from './given.ts'
import { init } from './init.ts'
import { ping } from './ping.ts'
import { resume } from './resume.ts'

/** What there is to say, and how each is used. */
export const USAGE = [
  'co-signer init --organisation <fingerprint> --machine <id> --server <host:port> --server-key <hex>   makes key, configuration and limits',
  'co-signer run                      serves until stopped',
  'co-signer check-conf               reads every file and says what is wrong',
  'co-signer check-ip                 dials the server and says from which address it sees this machine',
  'co-signer ping                     dials the server, and asks the callback whether it knows this co-signer',
  'co-signer password                 seals the key with another password (the new one: CO_SIGNER_NEW_PASSWORD, or typed)',
  'co-signer resume --past <number>   says that the folder was put back on purpose',
  'Each takes --config <file> (co-signer.json) and --password-file <file>; the password may also stand in CO_SIGNER_PASSWORD, or be typed.',
]

const COMMANDS: Record<string, (given: Given) => Promise<number>> = {
  init,
  run,
  'check-conf': checkConf,
  'check-ip': checkIp,
  ping,
  password: changePassword,
  resume,
}

const OPTIONS = ['config', 'password-file', 'organisation', 'machine', 'server', 'server-key', 'past'] as const

/** Runs the command named first. Returns the exit code; `run` never does before it is stopped. */
export async function runCommand(ports: Ports, [name = '', ...args]: readonly string[]): Promise<number> {
  ports.process.keepInspectorsOut()
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  try {
    if (!command) throw new UsageError(name === '' ? 'Say what to do.' : `There is no command ${JSON.stringify(name)}.`)
    const values = readOptions(args)
    const { config = 'co-signer.json', 'password-file': file } = values
    return await command({ ports, configPath: config, values, password: () => readPassword(ports, file) })
  } catch (cause) {
    const isForeseen = [UsageError, ConfigError, KeyError, JournalError].some((kind) => cause instanceof kind)
    ports.process.printError(isForeseen ? (cause as Error).message : cause instanceof Error ? (cause.stack ?? cause.message) : String(cause))
    if (cause instanceof UsageError) for (const line of USAGE) ports.process.printError(line)
    return cause instanceof ConfigError || cause instanceof UsageError ? CONFIGURATION_EXIT_CODE : 1
  } finally {
    // No child and no report of this process gets it.
    delete ports.process.env['CO_SIGNER_PASSWORD']
    delete ports.process.env['CO_SIGNER_NEW_PASSWORD']
  }
}

function readOptions(args: readonly string[]): Given['values'] {
  const options = Object.fromEntries(OPTIONS.map((each) => [each, { type: 'string' as const }]))
  try {
    return parseArgs({ args: [...args], options, strict: true }).values as Given['values']
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause })
  }
}

async function readPassword(ports: Pick<Ports, 'disk' | 'process'>, file: string | undefined): Promise<string> {
  if (file !== undefined) {
    const content = await ports.disk.read(file)
    if (!content) throw new UsageError(`${file}: there is no such file.`)
    return longEnough(new TextDecoder().decode(content).replace(/\r?\n$/, ''))
  }
  const given = ports.process.env['CO_SIGNER_PASSWORD']
  if (given) return longEnough(given)
  ports.process.printError('Password of the co-signer:')
  return longEnough((await ports.process.readLine()) ?? '')
}

async function run({ ports, configPath, password }: Given): Promise<number> {
  const config = await readConfig(ports, configPath)
  const key = await openKey(ports, config.files.key, await password())
  delete ports.process.env['CO_SIGNER_PASSWORD']
  const say = (line: string) => ports.process.print(`${new Date(ports.clock.nowMs()).toISOString()} ${line}`)
  const running = await startCoSigner({ ports, config, key, say })
  if (!config.callback) say('no callback is configured: every order is refused')
  ports.process.onStop(() => running.close())
  return new Promise<number>(() => {})
}

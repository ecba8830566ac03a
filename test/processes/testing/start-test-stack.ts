import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChildProcess, Ports } from '@holdfast/ports'
import { nodePorts, projectFolder } from '@holdfast/ports/node'
import { type LocalSettings, localSettings } from '../../../apps/launcher/src/local-settings.ts'
import { type LocalStack, startLocalStack } from '../../../apps/launcher/src/local-stack.ts'
import { freePortBase, HOOK_OFFSET } from './free-ports.ts'

export const PROGRAMS = ['signer-1', 'signer-2', 'signer-3', 'server', 'devnet'] as const
export type ProgramName = (typeof PROGRAMS)[number]
/** What can be killed: the programs, and the database, which is a child of whichever server started it last. */
export type Killable = ProgramName | 'database'

export type TestStack = {
  settings: LocalSettings
  /** The running process of a program. */
  process: LocalStack['process']
  /** Ends something with SIGKILL. */
  kill(name: Killable): Promise<void>
  /** Starts a program again after it ended, and waits until it is ready. The database is only waited for: the server starts it again. */
  restart(name: Killable): Promise<void>
  /** Ends a program as an operator does, and waits until it has. */
  end(name: ProgramName): Promise<void>
  /** What a program wrote to its log since the stack was first started. */
  log(name: ProgramName): string
  /** Stops everything in order; the data stays. */
  stop(): Promise<void>
  /** Starts everything again on the same folder. */
  start(): Promise<void>
  /** Stops everything and deletes the data. `keepsData` or HOLDFAST_KEEP_TEST_DATA=1 keeps it and says where it is, for looking at logs. */
  dispose(options?: { keepsData?: boolean }): Promise<void>
}

/** A host of webhooks at which nobody listens. */
export const CLOSED_HOST = '127.0.0.1:9'

/** Signals that end a test from outside. They become an exit, so that what the test started ends with it. */
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const exitWithFailure = () => process.exit(1)

/** The port of this machine at which a product may call a test back, beside the hosts that are public. One file at a time listens there. */
export const hookPort = ({ ports }: Pick<LocalSettings, 'ports'>): number => ports.console + HOOK_OFFSET

/** An installation that ran before: what its folder held, and the origins that stand in what its people have signed. */
export type EarlierInstallation = { origins: Pick<LocalSettings, 'approvalOrigin' | 'secondApprovalOrigin'>; putInto(folder: string): Promise<void> }

/** Starts the local network, the server and three signers as processes of their own, in a temporary folder and on free ports. */
export async function startTestStack(
  options: { ratePerSession?: number; hasConsole?: boolean; hasSecond?: boolean; earlier?: EarlierInstallation } = {},
): Promise<TestStack> {
  // Each stack brings its own database, whatever the machine offers.
  delete process.env.DATABASE_URL
  const root = await projectFolder(import.meta.url)
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-test-'))
  const env = {
    HOLDFAST_DATA: folder,
    HOLDFAST_PORT: String(await freePortBase()),
    HOLDFAST_OPEN_SETUP: 'true',
    HOLDFAST_BLOCK_TIME_S: '0.2',
    HOLDFAST_RATE_PER_SESSION: String(options.ratePerSession ?? 1000),
  }
  const all = localSettings({ process: { ...nodePorts.process, env } }, root)
  // The programs inherit the environment of the test.
  process.env.SERVER_NOTIFY_LOCAL_HOSTS = [CLOSED_HOST, `127.0.0.1:${hookPort(all)}`].join()
  // The console need not be built where nobody looks at it.
  const pages: Partial<LocalSettings> = options.hasConsole ? {} : { pages: ['approval page'] }
  const settings: LocalSettings = { ...all, hasSecond: options.hasSecond ?? false, ...pages, ...options.earlier?.origins }
  let stack: LocalStack | undefined
  const { ports, killChildren } = rememberChildren()
  const killAll = () => {
    killChildren()
    signalDatabase(folder, 'SIGQUIT')
  }
  process.once('exit', killAll)
  for (const signal of ENDING_SIGNALS) process.on(signal, exitWithFailure)
  const stop = async () => {
    await stack?.stop()
    signalDatabase(folder, 'SIGQUIT')
    stack = undefined
  }
  const start = async () => {
    stack = await startLocalStack(ports, settings, () => undefined)
  }
  await options.earlier?.putInto(folder)
  await start()
  return {
    settings,
    process: (name) => stack!.process(name),
    kill: async (name) => {
      if (name === 'database') return signalDatabase(folder, 'SIGKILL')
      const child = stack!.process(name)
      child.kill('SIGKILL')
      await child.exited
    },
    restart: (name) => (name === 'database' ? untilDatabase(settings) : stack!.restart(name)),
    end: async (name) => {
      const child = stack!.process(name)
      child.kill('SIGTERM')
      await child.exited
    },
    log: (name) => readFileSync(`${folder}/logs/${name}.log`, 'utf8'),
    stop,
    start,
    dispose: async ({ keepsData = false } = {}) => {
      await stop()
      process.removeListener('exit', killAll)
      for (const signal of ENDING_SIGNALS) process.removeListener(signal, exitWithFailure)
      const wrote = writesOfReads(folder)
      if (keepsData || process.env.HOLDFAST_KEEP_TEST_DATA === '1') console.log(`kept ${folder}, with logs in ${folder}/logs`)
      else rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
      if (wrote.length > 0) throw new Error(`a call that says it changes nothing wrote or locked, and so ran twice; give it \`hasEffect\`: ${wrote.join('; ')}`)
    },
  }
}

/** The ports of this machine, and a way to end at once whatever was started through them: when the test dies, nothing of it may stay behind. */
function rememberChildren(): { ports: Ports; killChildren(): void } {
  const children = new Set<ChildProcess>()
  const spawn: Ports['process']['spawn'] = (...given) => {
    const child = nodePorts.process.spawn(...given)
    children.add(child)
    void child.exited.then(() => children.delete(child))
    return child
  }
  const killChildren = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  return { ports: { ...nodePorts, process: { ...nodePorts.process, spawn } }, killChildren }
}

/** The statements that a transaction of a call without an effect was refused, by the database's own log. */
function writesOfReads(folder: string): string[] {
  const path = `${folder}/database/server.log`
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  const statements = lines.flatMap((line, i) => (line.includes('in a read-only transaction') ? [(lines[i + 1] ?? '').replace(/^.*STATEMENT: +/, '')] : []))
  return [...new Set(statements)]
}

/** The database outlives a server that was killed, so that the next one joins it. Where nobody comes next, it is ended from here. */
function signalDatabase(folder: string, signal: NodeJS.Signals): void {
  const lockFile = `${folder}/database/data/postmaster.pid`
  if (!existsSync(lockFile)) return
  const pid = Number.parseInt(readFileSync(lockFile, 'utf8'), 10)
  if (pid > 1 && nodePorts.process.signal(pid, 0)) nodePorts.process.signal(pid, signal)
}

/** Waits until the server says that it has its database. While the server itself is away, that takes as long. */
async function untilDatabase({ ports: { console: port } }: LocalSettings): Promise<void> {
  const hasIt = async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok
  while (!(await hasIt().catch(() => false))) await nodePorts.timer.sleep(50)
}

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromHex, toHex } from '@holdfast/encoding'
import { nodePorts as ports, projectFolder } from '@holdfast/ports/node'
import type { LocalSettings } from '../../apps/launcher/src/local-settings.ts'
import { runToEnd } from '../../apps/launcher/src/run-to-end.ts'
import { createTerminalMember, type MemberKeys, type TerminalMember } from '../../apps/launcher/src/terminal-member.ts'
import { type EarlierInstallation, startTestStack, type TestStack } from '../processes/testing/start-test-stack.ts'
import type { Recorded } from './record-answers.ts'
import { setClock } from '../processes/testing/test-clock.ts'

/*
 * An installation as a release left it when it was stopped, in one file: the database as that release's own `backup` wrote it, the folders of the signers,
 * of the server and of the local networks, evidence and a recovery kit as files, and what has to be known to go on with it.
 */

type StoredPerson = { personId: string; name: string; approvalKey: string; signInKey: string; credentialId: string }

/** What has to be known to go on with a stored release. */
export type Facts = {
  warning: string
  release: string
  stoppedAtMs: number
  origins: EarlierInstallation['origins']
  fingerprint: string
  /** Alice, Bruno and Chiara. */
  people: StoredPerson[]
  /** The ids of what the organisation has, by what they name. */
  ids: Record<string, string>
  /** Every call that it served, such as `GET /api/…`. */
  calls: string[]
}

const WARNING = 'Keys, shares and money of a test. Everybody can read them here, so they are never to be used for anything else.'
const FOLDERS = ['server', 'signer-1', 'signer-2', 'signer-3', 'recovery-demo', 'devnet']
/** Made anew at every start, or by what runs in it. */
const NOT_PACKED = ['*.log', '*.lock']
const FILES = { facts: 'facts.json', answers: 'answers.json', backup: 'backup', evidence: 'evidence', kit: 'recovery-kit' }

/** Where the stored releases are. */
export const STORED = new URL('releases/', import.meta.url).pathname

function tar(args: string[], folder: string): void {
  const { status, stderr } = spawnSync('tar', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`tar failed: ${stderr}`)
}

/** Runs a command of the product on the database of a folder. */
async function operate(folder: string, ...args: string[]): Promise<string> {
  const root = await projectFolder(import.meta.url)
  const env = { SERVER_DATA: `${folder}/database`, SERVER_IDENTITY: `${folder}/server/identity`, DATABASE_URL: undefined }
  return runToEnd(ports, [`${root}/apps/cli/src/main.ts`, ...args], { cwd: root, logPath: `${folder}/logs/${args[0]}.log`, what: args[0]!, env })
}

const keysOf = ({ approvalKey, signInKey, credentialId }: StoredPerson): MemberKeys => ({
  approvalKey: fromHex(approvalKey),
  signInKey: fromHex(signInKey),
  credentialId: fromHex(credentialId),
})

type Stopped = Pick<Facts, 'release' | 'fingerprint' | 'ids' | 'calls'> & {
  settings: LocalSettings
  members: readonly TerminalMember[]
  evidence: Uint8Array
  recoveryKit: Uint8Array
}

const pack = (folder: string, path: string) =>
  tar(['--create', '--gzip', '--file', path, ...NOT_PACKED.map((name) => `--exclude=${name}`), ...Object.values(FILES), ...FOLDERS], folder)

const write = (path: string, value: unknown) => writeFileSync(path, `${JSON.stringify(value, null, 1)}\n`)

/** Stores an installation that was stopped as the file `path`, without its answers yet. */
export async function storeRelease(path: string, { settings, members, evidence, recoveryKit, ...known }: Stopped): Promise<void> {
  const { folder, approvalOrigin, secondApprovalOrigin } = settings
  const people = members.map(({ personId, name, keys: { approvalKey, signInKey, credentialId } }) => ({
    ...{ personId, name, approvalKey: toHex(approvalKey), signInKey: toHex(signInKey), credentialId: toHex(credentialId) },
  }))
  const facts: Facts = { warning: WARNING, ...known, stoppedAtMs: Date.now(), origins: { approvalOrigin, secondApprovalOrigin }, people }
  await operate(folder, 'backup', `${folder}/${FILES.backup}`)
  write(`${folder}/${FILES.facts}`, facts)
  write(`${folder}/${FILES.answers}`, [])
  writeFileSync(`${folder}/${FILES.evidence}`, evidence)
  writeFileSync(`${folder}/${FILES.kit}`, recoveryKit)
  pack(folder, path)
}

export type StoredRelease = {
  facts: Facts
  /** What the release answered Alice, as far as a day and a restored backup leave it the same. */
  answers: Recorded[]
  evidencePath: string
  kitPath: string
  /** Puts the answers into the file that it was read from. */
  keepAnswers(answers: readonly Recorded[]): void
  /** Starts the release that runs on it, at a time by its clocks, with its people signed in: Alice, Bruno and Chiara. */
  start(nowMs: number): Promise<{ stack: TestStack; people: [TerminalMember, TerminalMember, TerminalMember] }>
  /** Deletes what was unpacked. */
  dispose(): void
}

/** Unpacks a stored release, of which an installation can be started. */
export function openRelease(path: string): StoredRelease {
  const unpacked = mkdtempSync(join(tmpdir(), 'holdfast-release-'))
  tar(['--extract', '--gzip', '--file', path], unpacked)
  const read = (name: string) => JSON.parse(readFileSync(`${unpacked}/${name}`, 'utf8')) as unknown
  const facts = read(FILES.facts) as Facts
  const putInto = async (folder: string) => {
    for (const name of FOLDERS) cpSync(`${unpacked}/${name}`, `${folder}/${name}`, { recursive: true })
    await ports.disk.makeFolder(`${folder}/logs`)
    await operate(folder, 'restore', `${unpacked}/${FILES.backup}`, '--identity', `${unpacked}/recovery-demo/identity-1.txt`)
  }
  return {
    facts,
    answers: read(FILES.answers) as Recorded[],
    evidencePath: `${unpacked}/${FILES.evidence}`,
    kitPath: `${unpacked}/${FILES.kit}`,
    keepAnswers: (answers) => {
      write(`${unpacked}/${FILES.answers}`, answers)
      pack(unpacked, path)
    },
    start: async (nowMs) => {
      setClock(nowMs)
      const stack = await startTestStack({ earlier: { origins: facts.origins, putInto } })
      const people = facts.people.map((person) => createTerminalMember(ports, stack.settings, person, keysOf(person)))
      for (const member of people) await member.signIn()
      return { stack, people: people as [TerminalMember, TerminalMember, TerminalMember] }
    },
    dispose: () => rmSync(unpacked, { recursive: true }),
  }
}

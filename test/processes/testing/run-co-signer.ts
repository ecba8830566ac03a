import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { promisify } from 'node:util'
import { execFile } from 'node:child_process'
import { fromHex, toHex } from '@holdfast/encoding'
import { linkPublicKey } from '@holdfast/link'
import { LOCAL_CHAIN } from '../../../apps/launcher/src/local-settings.ts'
import { nameMachine, type People } from './make-api-key.ts'
import { standingProgram, type StandingProgram } from './standing-program.ts'
import type { TestStack } from './start-test-stack.ts'

/** A payment that the books of the callback know of. */
export type Expected = { to: string; amount: string; symbol: string }
export type RunningCoSigner = {
  coSigner: StandingProgram
  /** The program of docs/operating/co-signer.md, which looks an order up in its books. */
  callback: StandingProgram
  /** What a program has said since its first start. */
  log(name: 'co-signer' | 'callback'): string
}

const PASSWORD = 'correct horse battery staple'
const pemOf = (key: ReturnType<typeof generateKeyPairSync>['privateKey']) => key.export({ format: 'pem', type: 'pkcs8' }).toString()

/** A co-signer with a callback that signs its answers, each a process of its own, set up as an operator does it; the policy names it by `machine`. */
export async function runCoSigner(
  { settings }: Pick<TestStack, 'settings'>,
  people: People,
  { machine, fingerprint, expected }: { machine: string; fingerprint: string; expected: readonly Expected[] },
): Promise<RunningCoSigner> {
  const folder = `${settings.folder}/${machine}`
  const program = `${settings.root}/apps/co-signer/src/main.ts`
  const configPath = `${folder}/co-signer.json`
  const callbackPort = settings.ports.machines + 1
  const serverSecret = fromHex(readFileSync(`${settings.folder}/server/identity`, 'utf8').trim())
  const server = ['--server', `127.0.0.1:${settings.ports.machines}`, '--server-key', toHex(linkPublicKey({ secretKey: serverSecret }))]
  await mkdir(folder)
  const env = { CO_SIGNER_PASSWORD: PASSWORD }
  const made = [program, 'init', '--organisation', fingerprint, '--machine', machine, ...server, '--config', configPath]
  const { stdout } = await promisify(execFile)(process.execPath, made, { cwd: settings.root, env: { ...process.env, ...env } })
  const publicKey = stdout.trim()
  const callbackKey = generateKeyPairSync('ed25519').privateKey
  await writeFile(`${folder}/callback.key`, pemOf(callbackKey), { mode: 0o600 })
  const key = createPublicKey(callbackKey).export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex')
  const config = JSON.parse(readFileSync(configPath, 'utf8')) as object
  const callback = { form: 'signed', url: `http://127.0.0.1:${callbackPort}/`, timeoutMs: 5_000, key }
  await writeFile(configPath, JSON.stringify({ ...config, callback }))
  const limits = {
    networks: [LOCAL_CHAIN],
    assets: [{ network: LOCAL_CHAIN, contract: null, perOrder: '1', perDay: '1000' }],
    destinations: { allow: 'any' },
  }
  await writeFile(`${folder}/limits.json`, JSON.stringify(limits))
  await nameMachine(people, { app_id: machine, kind: 'coSigner', public_key: publicKey, rule: null })
  const running: RunningCoSigner = {
    coSigner: standingProgram({ args: [program, 'run', '--config', configPath], env, logPath: `${folder}/co-signer.log`, cwd: settings.root }),
    callback: standingProgram({
      args: [`${settings.root}/apps/co-signer/examples/callback.mjs`, 'signed', publicKey],
      env: { PORT: String(callbackPort), KEY_FILE: `${folder}/callback.key`, EXPECTED: JSON.stringify(expected) },
      logPath: `${folder}/callback.log`,
      cwd: folder,
    }),
    log: (name) => readFileSync(`${folder}/${name}.log`, 'utf8'),
  }
  running.callback.start()
  running.coSigner.start()
  return running
}

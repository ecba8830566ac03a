import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fromHex, toHex } from '@holdfast/encoding'
import { linkPublicKey, listenLink, on } from '@holdfast/link'
import { CONFIGURATION_EXIT_CODE, type Ports } from '@holdfast/ports'
import { nodePorts } from '@holdfast/ports/node'
import { coSignerCalls } from '@holdfast/protocol/co-signer-calls'
import { Figures } from '../figures.ts'
import { readConfig } from '../read-config.ts'
import { startCoSigner } from '../start-co-signer.ts'
import { openKey } from '../state/sealed-key.ts'
import { runCommand } from './run-command.ts'

const PASSWORD = 'correct horse battery'
const ORGANISATION = 'ab'.repeat(32)
const server = { secretKey: new Uint8Array(32).fill(77) }

type Said = { code: number; out: string; err: string }
type Desk = { folder: string; publicKey: string; say(...args: string[]): Promise<Said>; configure(changes: object): Promise<void> }

/** A folder in which `init` was said, and somebody who says commands there. */
async function openDesk(t: TestContext, port = 1, ports: Partial<Ports> = {}): Promise<Desk> {
  const folder = await mkdtemp(join(tmpdir(), 'co-signer-commands-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'co-signer.json')
  const say = async (...args: string[]): Promise<Said> => {
    const [out, err]: [string[], string[]] = [[], []]
    const process: Ports['process'] = {
      ...nodePorts.process,
      env: { CO_SIGNER_PASSWORD: PASSWORD },
      print: (line) => void out.push(line),
      printError: (line) => void err.push(line),
      keepInspectorsOut: () => {},
    }
    const code = await runCommand({ ...nodePorts, ...ports, process }, [...args, '--config', path])
    return { code, out: out.join('\n'), err: err.join('\n') }
  }
  const named = ['--server', `127.0.0.1:${port}`, '--server-key', toHex(linkPublicKey(server))]
  const { out } = await say('init', '--organisation', ORGANISATION, '--machine', 'guard', ...named)
  const configure = async (changes: object) => writeFile(path, JSON.stringify({ ...(JSON.parse(await readFile(path, 'utf8')) as object), ...changes }))
  return { folder, publicKey: out, say, configure }
}

/** A server that lets one key in, and knows it in an organisation. */
async function openServer(t: TestContext, allowed: () => Uint8Array[]) {
  const seenAs = on(coSignerCalls.seenAs, () => ({ address: '203.0.113.9', atMs: BigInt(Date.now() - 2_000), organisations: [fromHex(ORGANISATION)] }))
  const listener = await listenLink({
    ...{ ports: nodePorts, host: '127.0.0.1', port: 0, me: server, handlers: [seenAs], onLink: () => {}, report: () => {} },
    get allowed() {
      return allowed()
    },
  })
  t.after(() => listener.close())
  return listener
}

/** A callback that answers so. */
async function openCallback(t: TestContext, answer: string) {
  const asked: Record<string, unknown>[] = []
  const callback = await nodePorts.net.serveHttp('127.0.0.1', 0, async (request) => {
    asked.push((await request.json()) as Record<string, unknown>)
    return new Response(answer)
  })
  t.after(() => callback.close())
  return { asked, callback: { form: 'field', url: `http://127.0.0.1:${callback.port}/`, timeoutMs: 5_000 } }
}

test('init makes a key and a configuration that let nothing through, and never writes over them', async (t) => {
  const desk = await openDesk(t)
  assert.match(desk.publicKey, /^[0-9a-f]{64}$/)
  const checked = await desk.say('check-conf')
  assert.equal(checked.code, 1)
  assert.match(checked.out, new RegExp(`key ${desk.publicKey}`))
  assert.match(checked.out, /limits +0 assets on 0 networks, SHA-256 [0-9a-f]{64}/)
  assert.match(checked.out, /callback +none: every order is refused/)
  const again = await desk.say('init', '--organisation', ORGANISATION, '--machine', 'other', '--server', 'a:1', '--server-key', ORGANISATION)
  assert.equal(again.code, CONFIGURATION_EXIT_CODE)
  assert.match(again.err, /there is a configuration already/)
  assert.match((await desk.say('check-conf')).out, new RegExp(`machine +guard, key ${desk.publicKey}`))
})

test('check-conf names every fault of a file, and says yes only where there is a callback', async (t) => {
  const desk = await openDesk(t)
  await desk.configure({ callback: (await openCallback(t, 'SUCCESS')).callback })
  assert.equal((await desk.say('check-conf')).code, 0)
  await writeFile(join(desk.folder, 'limits.json'), JSON.stringify({ networks: [], assets: [], destinations: { allow: 'all' }, everything: true }))
  const wrong = await desk.say('check-conf')
  assert.equal(wrong.code, CONFIGURATION_EXIT_CODE)
  assert.match(wrong.err, /limits\.json: destinations\.allow/)
  assert.match(wrong.err, /everything/)
  await desk.configure({ callbak: null })
  assert.match((await desk.say('check-conf')).err, /callbak/)
  const unknown = await desk.say('chekc-conf')
  assert.deepEqual([unknown.code, unknown.err.includes('check-conf ')], [CONFIGURATION_EXIT_CODE, true], 'and a command that is none says which there are')
})

test('check-ip says from which address the server sees the machine, and how far the clocks are apart', async (t) => {
  let key: Uint8Array = new Uint8Array(32)
  const listener = await openServer(t, () => [key])
  const desk = await openDesk(t, listener.port)
  key = fromHex(desk.publicKey)
  const seen = await desk.say('check-ip')
  assert.equal(seen.code, 0, seen.err)
  assert.match(seen.out, /sees this machine as 203\.0\.113\.9\.\nThe clocks are [23]\.\d seconds apart\./)
  await desk.configure({ organisation: 'cd'.repeat(32) })
  const stranger = await desk.say('check-ip')
  assert.equal(stranger.code, 1)
  assert.match(stranger.err, /does not name this key/)
})

test('check-ip says that the server does not let it in, and that a policy has to name it', async (t) => {
  const listener = await openServer(t, () => [])
  let passedMs = 0
  const clock = { ...nodePorts.clock, monotonicMs: () => (passedMs += 1_000) }
  const refused = await (await openDesk(t, listener.port, { clock })).say('check-ip')
  assert.equal(refused.code, 1)
  assert.match(refused.err, /does not let this co-signer in/)
  assert.match(refused.err, /keys that a policy in force names/)
})

test('ping asks the callback whether it knows this key, and says so', async (t) => {
  let key: Uint8Array = new Uint8Array(32)
  const listener = await openServer(t, () => [key])
  const desk = await openDesk(t, listener.port)
  key = fromHex(desk.publicKey)
  const none = await desk.say('ping')
  assert.deepEqual([none.code, none.err], [1, 'No callback is configured: every order is refused.'])
  for (const [answer, code, words] of [
    ['SUCCESS', 0, /The callback knows this co-signer/],
    ['WHO?', 1, /The callback does not know this co-signer: /],
  ] as const) {
    const { asked, callback } = await openCallback(t, answer)
    await desk.configure({ callback })
    const said = await desk.say('ping')
    assert.equal(said.code, code, said.err)
    assert.match(`${said.out}\n${said.err}`, words)
    assert.deepEqual([asked.length, asked[0]?.['type'], JSON.stringify(asked[0]).includes(desk.publicKey)], [1, 'verify_public_hash', true])
  }
})

test('figures are served for Prometheus, and health says why it cannot decide', async (t) => {
  const desk = await openDesk(t)
  const path = join(desk.folder, 'co-signer.json')
  const key = await openKey(nodePorts, join(desk.folder, 'key'), PASSWORD)
  const config = { ...(await readConfig(nodePorts, path)), figures: { host: '127.0.0.1', port: 0 } }
  const running = await startCoSigner({ ports: nodePorts, config, key, say: () => {} })
  t.after(() => running.close())
  const at = (name: string) => fetch(`http://127.0.0.1:${running.figuresPort}/${name}`)
  const text = await (await at('metrics')).text()
  for (const line of ['connected 0', 'ready 0', 'undecided_orders 0', 'policy_version 0']) assert.ok(text.includes(`\nholdfast_co_signer_${line}\n`), line)
  const counted = new Figures()
  for (const decision of ['approve', 'reject', 'approve']) counted.count('decisions', decision)
  assert.match(counted.text(), /^holdfast_co_signer_decisions_total\{decision="approve"\} 2$/m)
  // Each line is one of the text form: a word about a figure, or its value.
  for (const line of `${text}${counted.text()}`.trimEnd().split('\n'))
    assert.match(line, /^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{\w+="[^"]*"\})? -?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/)
  const health = await at('health')
  assert.deepEqual([health.status, await health.text(), (await at('else')).status], [503, 'not connected to the server\n', 404])
})

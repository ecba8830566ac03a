import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { generateKeyPairSync, verify } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Script } from 'node:vm'
import { readSignature } from '@holdfast/http-signatures'
import { checkKeyPair } from '../contract.ts'
import { keyCheckCommand, keyCheckText } from '../key-check-text.ts'
import { openSegments, publicKeyText, sealSegments } from '@holdfast/open-wire'
import { type ExampleLanguage, exampleIn, LANGUAGES, wireExampleIn } from './examples.ts'

const run = promisify(execFile)
const KEY_ID = '01990000-0000-7000-8000-000000000001.payouts'
const RUN: Record<ExampleLanguage, { command: string; file: string; needs: [string, string[]] }> = {
  shell: { command: 'bash', file: 'example.sh', needs: ['sh', ['-c', 'openssl version && curl --version']] },
  javascript: { command: process.execPath, file: 'example.mjs', needs: [process.execPath, ['--version']] },
  python: { command: 'python3', file: 'example.py', needs: ['python3', ['-c', 'import cryptography']] },
}
/** Python signs for door two with OpenSSL. */
const NEEDS_AT_DOOR_TWO = { ...RUN, python: { ...RUN.python, needs: ['sh', ['-c', 'openssl version && python3 --version']] as [string, string[]] } }

const PAIRS = { Ed25519: () => generateKeyPairSync('ed25519'), 'P-256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }) }
const ALGORITHMS = ['Ed25519', 'P-256'] as const

for (const [language, algorithm] of LANGUAGES.flatMap((each) => ALGORITHMS.map((of) => [each, of] as const))) {
  const { command, file, needs } = RUN[language]
  const isMissing = spawnSync(...needs).status !== 0
  test(`the example in ${language} for a key of ${algorithm} makes a call whose signature the door reads and the key made`, {
    skip: isMissing && 'what runs it is not here',
  }, async () => {
    const { publicKey, privateKey } = PAIRS[algorithm]()
    const { asked, folder, origin, close } = await answering(() => '{"code":"0"}')
    try {
      const authority = new URL(origin).host
      await writeFile(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
      await writeFile(join(folder, file), exampleIn(language, { origin, keyId: KEY_ID, algorithm }))
      const { stdout } = await run(command, [file], { cwd: folder })
      assert.match(stdout, /code/)
      const [request] = asked
      assert.ok(request)
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const read = readSignature({ method: request.method ?? '', authority, path: request.url ?? '', query: '', headers }, false)
      assert.equal(read.keyId, KEY_ID)
      assert.equal(read.algorithm, algorithm === 'P-256' ? 'ecdsa-p256-sha256' : 'ed25519')
      const how = algorithm === 'P-256' ? 'sha256' : null
      assert.ok(verify(how, Buffer.from(read.base), { key: publicKey, dsaEncoding: 'ieee-p1363' }, read.signature))
    } finally {
      await close()
    }
  })
}

/** What answers the one request of an example, and what was asked. */
async function answering(answer: (request: IncomingMessage) => string) {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    response.end(answer(request))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const folder = await mkdtemp(join(tmpdir(), 'example-'))
  const close = async () => {
    server.close()
    await rm(folder, { recursive: true })
  }
  return { asked, folder, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

const rsaPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

for (const language of LANGUAGES) {
  const { command, file, needs } = NEEDS_AT_DOOR_TWO[language]
  const isMissing = spawnSync(...needs).status !== 0
  test(`the example of door two in ${language} seals its request as the door reads it, and reads an answer of several segments`, {
    skip: isMissing && 'what runs it is not here',
  }, async () => {
    const [own, platform] = [rsaPair(), rsaPair()]
    const coins = Array.from({ length: 9 }, (_, id) => ({ id, symbol: `COIN${id}`, name: 'é'.repeat(40) }))
    const said = JSON.stringify({ code: '0', msg: 'success', data: coins })
    const door = await answering(() => JSON.stringify({ data: sealSegments(said, platform.privateKey) }))
    try {
      const base = `${door.origin}/open/wire`
      await writeFile(join(door.folder, 'request.pem'), own.privateKey.export({ type: 'pkcs8', format: 'pem' }))
      await writeFile(join(door.folder, file), wireExampleIn(language, { base, keyId: KEY_ID, systemKey: publicKeyText(platform.publicKey) }))
      const { stdout } = await run(command, [file], { cwd: door.folder })
      assert.ok(stdout.includes('COIN8'), stdout)
      const url = new URL(door.asked[0]?.url ?? '', door.origin)
      assert.deepEqual([url.pathname, url.searchParams.get('app_id')], ['/open/wire/api/mpc/coin_list', KEY_ID])
      const data = url.searchParams.get('data') ?? ''
      const text = openSegments(data, own.publicKey)?.text ?? ''
      const { time, charset } = JSON.parse(text) as { time: number; charset: string }
      assert.ok(Math.abs(time - Date.now()) < 60_000)
      assert.equal(charset, 'utf-8')
      assert.equal(data, sealSegments(text, own.privateKey), 'the very bytes that are made here')
    } finally {
      await door.close()
    }
  })

  test(`the example of door two in ${language} shows what is refused in clear`, { skip: isMissing && 'what runs it is not here' }, async () => {
    const refused = { code: '100005', msg: 'no', data: null }
    const door = await answering(() => JSON.stringify(refused))
    try {
      await writeFile(join(door.folder, 'request.pem'), rsaPair().privateKey.export({ type: 'pkcs8', format: 'pem' }))
      const of = { base: `${door.origin}/open/wire`, keyId: KEY_ID, systemKey: publicKeyText(rsaPair().publicKey) }
      await writeFile(join(door.folder, file), wireExampleIn(language, of))
      const { stdout } = await run(command, [file], { cwd: door.folder })
      assert.match(stdout, /100005/)
    } finally {
      await door.close()
    }
  })
}

test('the example with the public SDK is a program, with the ids of the key', () => {
  const text = wireExampleIn('sdk', { base: 'https://console.example/open/wire', keyId: KEY_ID, systemKey: 'AAAA' })
  // It is read and not run: the SDK is not here.
  assert.doesNotThrow(() => new Script(text))
  for (const part of ["'https://console.example/open/wire'", `'${KEY_ID}'`, "'AAAA'"]) assert.ok(text.includes(part), part)
})

test('the command that checks a pair of keys prints the signature of the text', {
  skip: spawnSync(...RUN.shell.needs).status !== 0 && 'no OpenSSL here',
}, async () => {
  for (const algorithm of ALGORITHMS) {
    const { publicKey, privateKey } = PAIRS[algorithm]()
    const text = keyCheckText(KEY_ID, '5a'.repeat(16))
    const folder = await mkdtemp(join(tmpdir(), 'key-check-'))
    try {
      await writeFile(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
      const { stdout } = await run('bash', ['-c', keyCheckCommand(text)], { cwd: folder })
      assert.ok(checkKeyPair.input.shape.signature.safeParse(stdout).success)
      assert.ok(verify(algorithm === 'P-256' ? 'sha256' : null, Buffer.from(text), publicKey, Buffer.from(stdout, 'base64')))
    } finally {
      await rm(folder, { recursive: true })
    }
  }
})

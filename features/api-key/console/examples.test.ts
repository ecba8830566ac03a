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
import { readSignature } from '@holdfast/http-signatures'
import { checkKeyPair } from '../contract.ts'
import { keyCheckCommand, keyCheckText } from '../key-check-text.ts'
import { type ExampleLanguage, exampleIn, LANGUAGES } from './examples.ts'

const run = promisify(execFile)
const KEY_ID = '01990000-0000-7000-8000-000000000001.payouts'
const RUN: Record<ExampleLanguage, { command: string; file: string; needs: [string, string[]] }> = {
  shell: { command: 'bash', file: 'example.sh', needs: ['sh', ['-c', 'openssl version && curl --version']] },
  javascript: { command: process.execPath, file: 'example.mjs', needs: [process.execPath, ['--version']] },
  python: { command: 'python3', file: 'example.py', needs: ['python3', ['-c', 'import cryptography']] },
}

const PAIRS = { Ed25519: () => generateKeyPairSync('ed25519'), 'P-256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }) }
const ALGORITHMS = ['Ed25519', 'P-256'] as const

for (const [language, algorithm] of LANGUAGES.flatMap((each) => ALGORITHMS.map((of) => [each, of] as const))) {
  const { command, file, needs } = RUN[language]
  const isMissing = spawnSync(...needs).status !== 0
  test(`the example in ${language} for a key of ${algorithm} makes a call whose signature the door reads and the key made`, {
    skip: isMissing && 'what runs it is not here',
  }, async () => {
    const { publicKey, privateKey } = PAIRS[algorithm]()
    const asked: IncomingMessage[] = []
    const server = createServer((request, response) => {
      asked.push(request)
      response.end('{"code":"0"}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const folder = await mkdtemp(join(tmpdir(), 'example-'))
    try {
      const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`
      await writeFile(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
      await writeFile(join(folder, file), exampleIn(language, { origin: `http://${authority}`, keyId: KEY_ID, algorithm }))
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
      server.close()
      await rm(folder, { recursive: true })
    }
  })
}

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

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { messageTables, TABLES } from './message-tables.ts'

const root = new URL('../..', import.meta.url).pathname
const written = readFileSync(TABLES, 'utf8')

test('the tables of messages in the documentation are those of the code', () => {
  assert.ok(written === messageTables(), 'docs/protocol-messages.md differs from the shapes: run node test/vectors/message-tables.ts')
})

test('every struct that a threshold protocol sends or hashes stands in the tables', () => {
  const sources = globSync('packages/mpc/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).map((file) => readFileSync(`${root}${file}`, 'utf8'))
  const tags = sources.flatMap((text) => [...text.matchAll(/struct\('([^']+)'/g)].map(([, tag]) => tag!))
  assert.ok(tags.length >= 30)
  assert.deepEqual(
    tags.filter((tag) => !written.includes(`| \`${tag}\``)),
    [],
  )
})

test('the documentation names the uses of hash prefixes, the parts of a session and the domains of hashes', () => {
  const document = readFileSync(`${root}docs/protocol.md`, 'utf8')
  for (const word of [
    'base-ot',
    'ot-extension/column',
    'ot-extension/challenge',
    'ot-extension/check',
    'rvole/pad',
    'rvole/theta',
    'rvole/row-check',
    'zero-share',
    'share-check',
    'pair-setup',
    'FROST-ED25519-SHA512-v1',
    'FROST-secp256k1-SHA256-v1',
    'FROST-secp256k1-SHA256-TR-v1',
    'holdfast/mpc/base-ot/v2/P256_XMD:SHA-256_SSWU_RO_',
  ]) {
    assert.ok(document.includes(word), word)
  }
})

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { vectorFiles } from './make-mpc-vectors.ts'

const folder = new URL('mpc/', import.meta.url).pathname
const script = new URL('replay_mpc.py', import.meta.url).pathname
const scratch = mkdtempSync(join(tmpdir(), 'mpc-vectors-'))
after(() => rmSync(scratch, { recursive: true }))

const names = readdirSync(folder).sort()
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

/** What the second implementation says of files, and whether it takes them. */
function replay(...files: string[]): { takes: boolean; says: string } {
  const { error, status, stdout, stderr } = spawnSync('python3', ['-B', script, ...files], { encoding: 'utf8' })
  if (error) throw error
  return { takes: status === 0, says: stdout + stderr }
}

test('the protocols still make the committed transcripts, byte for byte', () => {
  const made = vectorFiles()
  assert.deepEqual([...made.keys()].sort(), names)
  for (const [name, text] of made) assert.ok(text === read(name), `${name} differs: if it should, run node test/vectors/make-mpc-vectors.ts`)
})

test('a second implementation, in Python, makes every message of every transcript anew from the random bytes, and gets the same results', () => {
  const { says } = replay(...names.map((name) => join(folder, name)))
  assert.match(says, /^27 runs replayed, 263 messages made alike/)
})

/** The text of `name` with one hexadecimal digit changed, the `at`th after the `occurrence`th `"key"`. */
function withOneDigitChanged(name: string, key: string, occurrence: number, at: number): string {
  const text = read(name)
  let from = -1
  for (let i = 0; i <= occurrence; i++) from = text.indexOf(`"${key}"`, from + 1)
  assert.ok(from > 0, `${name} has no ${key} ${occurrence}`)
  const digits = /[0-9a-f]{16,}/.exec(text.slice(from + key.length + 2))!
  const place = from + key.length + 2 + digits.index + (at % digits[0].length)
  return `${text.slice(0, place)}${(Number.parseInt(text[place]!, 16) ^ 1).toString(16)}${text.slice(place + 1)}`
}

test('the second implementation refuses a transcript in which one bit of a message, a random byte, an input or a result is another', () => {
  const changes: [string, string, number, number][] = [
    ['key-generation.json', 'body', 4, 700],
    ['key-generation.json', 'random', 2, 11],
    ['key-generation.json', 'result', 1, 901],
    ['share-check.json', 'body', 0, 801],
    ['share-check.json', 'share', 3, 1400],
    ['reshare.json', 'body', 8, 777],
    ['reshare.json', 'session', 2, 5],
    ['frost-ed25519.json', 'message', 1, 3],
    ['frost-ed25519.json', 'signature', 0, 127],
    ['frost-taproot.json', 'random', 3, 64],
    ['frost-taproot.json', 'binding', 1, 63],
    ['sign.json', 'body', 2, 90_001],
    ['sign.json', 'thetas', 0, 1],
    ['sign.json', 'seeds', 1, 20_001],
    ['session.json', 'signed', 3, 400],
    ['session.json', 'joins', 0, 200],
    ['session.json', 'session', 0, 2],
  ]
  const path = join(scratch, 'changed.json')
  for (const [name, key, occurrence, at] of changes) {
    writeFileSync(path, withOneDigitChanged(name, key, occurrence, at))
    const { takes, says } = replay(path)
    assert.equal(takes, false, `${name}: ${key} ${occurrence} changed, and it says ${says}`)
    assert.doesNotMatch(says, /Traceback/, `${name}: ${key} ${occurrence}`)
  }
})

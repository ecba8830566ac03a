import { codecFor } from '@holdfast/chain-evm/codec'
import { decode, fromHex, toHex } from '@holdfast/encoding'
import { childSecret, derivePublicKey, keyShareShape, recoverSecret, verifyingKeyOf } from '@holdfast/mpc'
import { combineParts, recoveryPartShape, sharePackageShape } from '@holdfast/protocol'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

type Child = { path: number[]; publicKey: string; address: string | null }
type Key = { protocol: string; packages: string[]; publicKey: string; chainCode: string; children: Child[] }
type Vectors = { keys: Key[]; split: { threshold: number; text: string; parts: string[] }[] }

const path = new URL('../../../../test/vectors/recovery.json', import.meta.url).pathname
const script = new URL('../../../../test/vectors/check_recovery.py', import.meta.url).pathname
const vectors: Vectors = JSON.parse(readFileSync(path, 'utf8'))

test('the checked-in share packages rebuild their keys and addresses here', () => {
  for (const { protocol, packages, publicKey, chainCode, children } of vectors.keys) {
    const shares = packages.map((each) => decode(keyShareShape, decode(sharePackageShape, fromHex(each)).share))
    const secret = recoverSecret(shares)
    for (const child of children) {
      const derived = derivePublicKey(protocol, fromHex(publicKey), fromHex(chainCode), child.path)
      assert.equal(toHex(derived), child.publicKey)
      assert.deepEqual(verifyingKeyOf(protocol, childSecret(protocol, secret, fromHex(chainCode), child.path)), derived)
      if (child.address !== null) assert.equal(codecFor('eip155:1')!.addressFromKey(derived), child.address)
    }
  }
  for (const { threshold, text, parts } of vectors.split) {
    const points = parts.map((each) => decode(recoveryPartShape, fromHex(each))).map(({ x, y }) => ({ x: Number(x), y }))
    assert.equal(new TextDecoder().decode(combineParts(points.slice(-threshold))), text)
  }
})

test('a second implementation, in Python, rebuilds the same keys, children and addresses, and takes no other', () => {
  const check = (file: string) => execFileSync('python3', [script, file], { encoding: 'utf8', stdio: 'pipe' })
  assert.match(check(path), /^3 keys rebuilt, 21 children and 14 choices of officers agree/)
  const folder = mkdtempSync(join(tmpdir(), 'vectors-'))
  const [key, ...others] = vectors.keys
  const wrong = key!.children.map((child, i) => (i === 3 ? { ...child, address: key!.children[4]!.address } : child))
  writeFileSync(join(folder, 'wrong.json'), JSON.stringify({ ...vectors, keys: [{ ...key, children: wrong }, ...others] }))
  assert.throws(() => check(join(folder, 'wrong.json')), /another address/)
  rmSync(folder, { recursive: true })
})

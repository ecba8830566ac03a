import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { plantedFaults } from './planted-faults.ts'

const source = (file: string) => new URL(`../../packages/mpc/src/${file}`, import.meta.url)

test('every fault of the bug bank can still be planted, in one place, and is claimed by a test that exists', () => {
  assert.ok(plantedFaults.length >= 25)
  for (const { file, original, replacement, claimedBy } of plantedFaults) {
    assert.equal(readFileSync(source(file), 'utf8').split(original).length, 2, `${file} must have exactly once: ${original}`)
    assert.notEqual(original, replacement)
    assert.ok(claimedBy.endsWith('.test.ts') && existsSync(source(claimedBy)), claimedBy)
  }
})

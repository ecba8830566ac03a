import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { plantedFaults } from './planted-faults.ts'

const root = new URL('../..', import.meta.url).pathname
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8')

/** What a test file says itself, or has suites beside it say. */
const wordsOf = (file: string) => [file, ...globSync(`${dirname(file)}/**/*.suite.ts`, { cwd: root })].map(read).join()

test('every fault of the bug bank can still be planted, in one place, and is claimed by a test that exists', () => {
  assert.ok(plantedFaults.length >= 25)
  const astray = plantedFaults.filter(({ file, original }) => read(file).split(original).length !== 2)
  assert.deepEqual(
    astray.map(({ file, original }) => `${file} must have exactly once: ${original}`),
    [],
  )
  for (const { original, replacement, claimedBy, test: name = '' } of plantedFaults) {
    assert.notEqual(original, replacement)
    assert.ok(claimedBy.endsWith('.test.ts') && existsSync(`${root}${claimedBy}`), claimedBy)
    assert.ok(wordsOf(claimedBy).includes(name), `${claimedBy} has no test ${name}`)
  }
})

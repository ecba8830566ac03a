import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { features } from './features.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

test('every feature that brings something to the server is listed, once', async () => {
  const halves = globSync(`${root}/features/*/server/index.ts`)
  const brought = await Promise.all(halves.map(async (path) => ({ path, feature: ((await import(resolve(path))) as { feature?: object }).feature })))
  const listed = new Set<object>(features)
  assert.equal(listed.size, features.length)
  assert.deepEqual(
    brought.filter(({ feature }) => feature && !listed.has(feature)).map(({ path }) => relative(root, path)),
    [],
  )
  assert.ok(features.length > 20)
})

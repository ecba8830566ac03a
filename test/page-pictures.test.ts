import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'
import { APPROVAL_PAGE, nameOf, PAGES, PICTURES, VIEWS } from './e2e/every-page/list-pages.ts'

const LARGEST_BYTES = 32_000
const ALL_BYTES = 4_000_000

const kept = globSync('*/*', { cwd: PICTURES }).toSorted()

test('each page has a small picture in each view, and each picture a page: npm run pictures', () => {
  assert.ok(PAGES.length > 10, `only ${PAGES.length} pages were found`)
  const wanted = VIEWS.flatMap(({ name }) => [...PAGES.map(nameOf), APPROVAL_PAGE].map((page) => `${name}/${page}.webp`))
  assert.deepEqual(kept, wanted.toSorted())
})

test('the pictures stay small', () => {
  const sizes = kept.map((name) => ({ name, bytes: statSync(`${PICTURES}/${name}`).size }))
  assert.deepEqual(
    sizes.filter(({ bytes }) => bytes > LARGEST_BYTES),
    [],
  )
  assert.ok(sizes.reduce((sum, { bytes }) => sum + bytes, 0) < ALL_BYTES)
})

test('the readme shows what the console looks like, by pictures that are there', () => {
  const shown = [...readFileSync('README.md', 'utf8').matchAll(/docs\/pictures\/([\w/-]+\.webp)/g)].map(([, name]) => name!)
  assert.ok(shown.length >= 2)
  assert.deepEqual(
    shown.filter((name) => !kept.includes(name)),
    [],
  )
})

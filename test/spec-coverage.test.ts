import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { coverageDocument, DOCUMENT, marksIn, readLabels, readSentences } from './spec-coverage.ts'

const sentences = readSentences()
const marks = readLabels()

test('every sentence the console is built to has a test that names it', () => {
  assert.deepEqual(
    sentences.filter(({ id }) => !marks.some((mark) => mark.id === id)).map(({ id, says }) => `${id}: ${says}`),
    [],
  )
})

test('every mark names a sentence that exists, and no two sentences share a number', () => {
  const ids = new Set(sentences.map(({ id }) => id))
  assert.equal(ids.size, sentences.length)
  assert.deepEqual(
    marks.filter(({ id }) => !ids.has(id)),
    [],
  )
})

test('a page that does not exist is not counted as one that does', () => {
  const unknown = marks.filter(({ title }) => title.startsWith('a page of an area that does not exist yet')).map(({ id }) => id)
  assert.deepEqual(
    sentences.filter(({ missing }) => missing).map(({ id }) => id),
    unknown,
  )
  assert.deepEqual(
    marks.filter(({ id, title }) => unknown.includes(id) && !title.startsWith('a page of an area')),
    [],
  )
})

test('a rule that nothing uses is not counted as one that holds, and one that is used is', () => {
  const sources = execFileSync('git', ['ls-files', 'apps/**/*.ts', 'apps/**/*.tsx', 'features/**/*.ts', 'features/**/*.tsx'], { encoding: 'utf8' })
    .trim()
    .split('\n')
  const folders = ['features/kyt', 'features/cold-wallet']
  const users = sources.filter((path) => !folders.some((folder) => path.startsWith(folder)) && /features\/(kyt|cold-wallet)\//.test(readFileSync(path, 'utf8')))
  assert.deepEqual(users, [])
  const ruled = marks.filter(({ path }) => folders.some((folder) => path.startsWith(folder))).map(({ id }) => id)
  // No call waits 60 seconds: the one that is to does not exist.
  assert.deepEqual(
    sentences
      .filter(({ unused }) => unused)
      .map(({ id }) => id)
      .toSorted(),
    [...new Set([...ruled, '9.2'])].toSorted(),
  )
})

test('the console has the pages of the sentences that are not missing, and none of those that are', () => {
  const halves = globSync('features/*/console/index.ts').map((path) => readFileSync(path, 'utf8'))
  const pages = halves.flatMap((half) => [...half.matchAll(/'?([\w/]+)'?: \(\) => import\('[^']*-page\.tsx'\)/g)].map((match) => match[1] ?? ''))
  const routes = sentences.filter(({ missing }) => !missing).flatMap((each) => each.routes ?? [])
  assert.deepEqual(
    routes.filter((path) => !pages.includes(path)),
    [],
  )
  const early = sentences.filter(({ missing }) => missing).flatMap((each) => each.routes ?? [])
  assert.deepEqual(
    early.filter((path) => pages.includes(path)),
    [],
  )
})

test('the document of it is up to date: node test/spec-coverage.ts writes it', () => {
  assert.equal(readFileSync(new URL(`../${DOCUMENT}`, import.meta.url), 'utf8'), coverageDocument(sentences, marks))
})

test('a mark is read from a title however it is quoted, and a skipped test has none', () => {
  const source = [`test('a (spec 2.1)', f)`, 'test(`b ${x} (spec 2.2, 9.12)`, f)', `test('it\\'s c (spec 8.1)', f)`, `test.skip('d (spec 2.3)', f)`].join('\n')
  assert.deepEqual(
    marksIn('x.test.ts', source).map(({ id, title }) => [id, title]),
    [
      ['2.1', 'a'],
      ['2.2', 'b ${x}'],
      ['9.12', 'b ${x}'],
      ['8.1', "it's c"],
    ],
  )
})

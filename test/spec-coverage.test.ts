import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it, test } from 'node:test'
import { coverOf, readCallAreas, readCallRemarks } from './call-coverage.ts'
import { readSource, readSources, type Source } from './read-imports.ts'
import {
  currentDocument,
  DOCUMENT,
  isOfProduct,
  lackedBy,
  type Mark,
  marksIn,
  marksThatCount,
  type Present,
  readLabels,
  readPresent,
  readSentences,
  standingOf,
} from './spec-coverage.ts'

const sentences = readSentences()
const areas = readCallAreas()

describe('what the console is built to', () => {
  let sources: ReadonlyMap<string, Source>
  let present: Present
  let marks: Mark[]
  let counting: Mark[]
  before(async () => {
    sources = readSources()
    present = await readPresent(sources)
    marks = readLabels(sources)
    counting = marksThatCount(marks, sources, present)
  })

  it('has a test for every sentence whose pages and calls exist', () => {
    const untested = sentences.filter((each) => standingOf(each, { marks, counting, present }) === 'untested')
    assert.deepEqual(
      untested.map(({ id, says }) => `${id}: ${says}`),
      [],
    )
  })

  it('is named by every mark, and no two sentences share a number', () => {
    const ids = new Set(sentences.map(({ id }) => id))
    assert.equal(ids.size, sentences.length)
    assert.deepEqual(
      marks.filter(({ id }) => !ids.has(id)),
      [],
    )
  })

  it('does not count a sentence as kept whose page does not exist, nor one whose rules nothing uses', () => {
    const kept = sentences.filter((each) => standingOf(each, { marks, counting, present }) === 'kept')
    assert.ok(kept.length > 70, `${kept.length} are kept`)
    assert.deepEqual(
      kept.filter((each) => lackedBy(each, present).length > 0 || counting.every(({ id }) => id !== each.id)),
      [],
    )
  })

  it('lists each call once, and each as a method and a path', () => {
    const calls = areas.flatMap((each) => each.calls)
    assert.equal(new Set(calls).size, calls.length)
    assert.deepEqual(
      calls.filter((call) => !/^(GET|POST) \/api\/[\w/]+$/.test(call)),
      [],
    )
  })

  it('finds what there is of a call: its right, what handles it, what makes it and what tries it', () => {
    const { permission, server, console, test } = coverOf(present.coverage, 'GET /api/mpc/user/action/items/list')
    assert.equal(permission, 'approval.read')
    assert.deepEqual(server, ['features/proposal/server/routes.ts'])
    assert.ok(console.includes('features/approval/console/todo-page.tsx'), String(console))
    assert.ok(test.includes('test/e2e/console-rules.test.ts'), String(test))
    assert.deepEqual(coverOf(present.coverage, 'GET /api/mpc/nothing'), { permission: null, server: [], console: [], test: [] })
  })

  it('remarks on a call only where it is answered, tried by a test and not made by the console, and the call named instead is made by it', () => {
    const calls = new Set(areas.flatMap((each) => each.calls))
    for (const [call, { instead, why }] of Object.entries(readCallRemarks())) {
      const { permission, server, console, test } = coverOf(present.coverage, call)
      assert.ok(calls.has(call) && permission !== null && server.length > 0 && why !== '', call)
      assert.deepEqual(console, [], `the console makes ${call}: take its remark out`)
      assert.notDeepEqual(test, [], `no test tries ${call}`)
      assert.notDeepEqual(coverOf(present.coverage, instead).console, [], `${instead} is not made by the console`)
    }
  })

  it('is said in a document that is up to date: node test/spec-coverage.ts writes it', async () => {
    assert.ok(
      readFileSync(new URL(`../${DOCUMENT}`, import.meta.url), 'utf8') === (await currentDocument()),
      `${DOCUMENT} is not what the sources say: node test/spec-coverage.ts writes it`,
    )
  })
})

test('a test counts only if something beside it that it tries is part of a program', () => {
  const source = (path: string, from: string) => readSource(path, `import { x } from '${from}'\n`)
  const reached = new Set(['features/a/server/used.ts'])
  assert.ok(isOfProduct(source('features/a/server/used.test.ts', './used.ts'), reached))
  assert.ok(!isOfProduct(source('features/a/server/unused.test.ts', './unused.ts'), reached))
  assert.ok(isOfProduct(source('test/e2e/pages.test.ts', './browser.ts'), reached), 'a test of the whole product')
})

test('an import is read with its names however it is written, and a type is none', () => {
  const text = [
    "import * as calls from '../contract.ts'",
    "import {\n  one,\n  type Two,\n  three as four,\n} from './parts.ts'",
    "import type { Five } from './types.ts'",
    "export { six } from './six.ts'",
    "const page = () => import('./page.tsx')",
    "import z from 'zod'",
  ].join('\n')
  const { imports } = readSource('features/a/server/x.ts', text)
  assert.deepEqual(
    imports.map(({ path, names }) => [path, Object.fromEntries(names)]),
    [
      ['features/a/contract.ts', { calls: '*' }],
      ['features/a/server/parts.ts', { one: 'one', four: 'three' }],
      ['features/a/server/types.ts', {}],
      ['features/a/server/six.ts', { six: 'six' }],
      ['features/a/server/page.tsx', {}],
    ],
  )
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

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { chooseTests, type TestTree } from './choose-tests.ts'

const sources: Record<string, string> = {
  'features/a/server/states.test.ts': "describe('a payment', () => {\n  it('is paid once', () => {})\n})",
  'features/a/server/other.test.ts': "test('is paid twice, which isn\\'t allowed', () => {})",
  'packages/b/src/c.test.ts': 'it(`is paid ${n} times`, () => {})',
  'apps/s/src/all.test.ts': "import { suite } from './refusals.suite.ts'\nsuite()",
  'test/e2e/story-of.test.ts': "import { story } from './story.ts'\nstep('a payment is paid', async () => {})",
}
const suites: Record<string, string> = { 'apps/s/src/refusals.suite.ts': "it('refuses a stranger', () => {})" }
const tree: TestTree = { steps: ['types', 'unit'], files: Object.keys(sources), read: (path) => (sources[path] ?? suites[path])! }
const choose = (...given: string[]) => chooseTests(given, tree)

describe('what npm test is asked for', () => {
  it('is a step by its name', () => assert.deepEqual(choose('unit', 'types'), { steps: ['unit', 'types'], files: [], unmatched: [] }))

  it('is a file or a folder by its path', () => {
    assert.deepEqual(choose('./packages/b/src/c.test.ts').files, [{ path: 'packages/b/src/c.test.ts', titles: [] }])
    assert.deepEqual(
      choose('features/a/').files.map(({ path }) => path),
      ['features/a/server/states.test.ts', 'features/a/server/other.test.ts'],
    )
    assert.deepEqual(choose('features/a/serve').unmatched, ['features/a/serve'])
  })

  it('is a part of a title of a test or of a group', () => {
    assert.deepEqual(choose('paid once').files, [{ path: 'features/a/server/states.test.ts', titles: ['paid once'] }])
    assert.deepEqual(choose("isn't allowed").files, [{ path: 'features/a/server/other.test.ts', titles: ["isn't allowed"] }])
  })

  it('is a part of a title in a suite that a test file runs', () =>
    assert.deepEqual(choose('a stranger').files, [{ path: 'apps/s/src/all.test.ts', titles: ['a stranger'] }]))

  it('is a title in the paths that are given with it', () =>
    assert.deepEqual(choose('is paid', 'packages').files, [{ path: 'packages/b/src/c.test.ts', titles: ['is paid'] }]))

  it('is a story as a whole, because its steps stand on each other', () =>
    assert.deepEqual(choose('a payment is').files, [{ path: 'test/e2e/story-of.test.ts', titles: [] }]))

  it('exits with 2 and lists the steps if nothing has that name', () => {
    const { status, stderr } = spawnSync('node', ['test/run-all.ts', 'tipes'], { encoding: 'utf8' })
    assert.equal(status, 2)
    assert.match(stderr, /tipes[\s\S]*types, format, lint/)
  })
})

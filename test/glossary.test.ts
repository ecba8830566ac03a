import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const ROOT = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

/** Every text that people read in a language, without its keys. */
function textsOf(language: 'en-US' | 'zh-CN'): string[] {
  const paths = globSync(`{apps,features,packages}/**/locales/{,pages/}${language}.json`, { cwd: ROOT.pathname, exclude: ['**/node_modules/**', '**/dist/**'] })
  assert.ok(paths.length > 15)
  return paths.flatMap((path) => valuesOf(JSON.parse(read(path))))
}
const valuesOf = (value: unknown): string[] => (typeof value === 'string' ? [value] : Object.values(value as object).flatMap(valuesOf))

/** Rows of the glossary: term, meaning, in code, on screen in both languages, words that are not used. */
const rows = read('docs/glossary.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| term |'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, term = '', meaning = '', code = '', english = '', chinese = '', unused = '']) => ({ term, meaning, code, english, chinese, unused }))

const asWord = (words: string) => new RegExp(`(?<![\\p{L}\\d])${words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\d])`, 'iu')

test('a term of the glossary stands on the screen in the words that it names, in both languages', () => {
  assert.ok(rows.length > 40)
  const [english, chinese] = [textsOf('en-US'), textsOf('zh-CN')]
  for (const row of rows) {
    assert.ok(row.term !== '' && row.meaning !== '' && row.code !== '', JSON.stringify(row))
    assert.ok(row.english !== '' && english.some((text) => asWord(row.english).test(text)), `${row.term}: nothing on screen says "${row.english}"`)
    assert.ok(row.chinese !== '' && chinese.some((text) => text.includes(row.chinese)), `${row.term}: nothing on screen says "${row.chinese}"`)
  }
})

test('no word that the glossary does not use stands on the screen', () => {
  const texts = textsOf('en-US')
  const unused = rows.flatMap((row) => row.unused.split(',').map((each) => each.trim())).filter((each) => each !== '')
  assert.ok(unused.length > 20)
  assert.deepEqual(
    unused.flatMap((words) => texts.filter((text) => asWord(words).test(text)).map((text) => `"${words}" in: ${text}`)),
    [],
  )
})

test('no two rows of the glossary are about one term', () => {
  const terms = rows.map(({ term }) => term)
  assert.deepEqual([...new Set(terms)], terms)
})

/** Words of before that names in the code do not take up again: where, and the names that stay, because they are stored, signed or answered. */
const UNUSED_IN_CODE: readonly { words: readonly string[]; where: RegExp; but?: readonly string[] }[] = [
  { words: ['voice', 'voices'], where: /^(features|apps)\// },
  { words: ['bid', 'bids', 'books'], where: /^(features|packages|apps)\//, but: ['books', 'books_broken'] },
  { words: ['letter', 'letters'], where: /^(features\/(mail|notification)|packages\/mail)\//, but: ['letters'] },
  { words: ['receiver', 'receivers'], where: /^features\/notification\//, but: ['receiver', 'receivers', 'too_many_receivers'] },
  { words: ['pull', 'pulls', 'pulled'], where: /^features\//, but: ['pull', 'pull_id', 'token_pull'] },
  { words: ['lift', 'lifts', 'lifted'], where: /^(features\/(deposit|transfer)|packages\/(chains|ledger))\//, but: ['lifts', 'lift_x'] },
  { words: ['filing', 'filed'], where: /^features\// },
  { words: ['behave', 'behaves'], where: /^(features|test)\// },
]

/** Every name that a source uses, without its comments and texts. */
function namesIn(path: string): string[] {
  const code = read(path)
    .replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '')
    .replaceAll(/'[^'\n]*'|"[^"\n]*"/g, '')
  return code.match(/[A-Za-z_]\w*/g) ?? []
}
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]/)

test('no name in the code takes up a word that the glossary has replaced', () => {
  const paths = globSync('{apps,features,packages,test}/**/*.{ts,tsx}', { cwd: ROOT.pathname, exclude: ['**/node_modules/**', '**/dist/**'] })
  assert.ok(paths.length > 1_000)
  const found = UNUSED_IN_CODE.flatMap(({ words, where, but = [] }) =>
    paths
      .filter((path) => where.test(path))
      .flatMap((path) =>
        namesIn(path).flatMap((name) => (!but.includes(name) && wordsOf(name).some((word) => words.includes(word)) ? [`${path}: ${name}`] : [])),
      ),
  )
  assert.deepEqual([...new Set(found)], [])
})

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const ROOT = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

/** Every text that people read in a language, without its keys. */
function textsOf(language: 'en-US' | 'zh-CN'): string[] {
  const paths = globSync(`{apps,features,packages}/**/locales/${language}.json`, { cwd: ROOT.pathname, exclude: ['**/node_modules/**', '**/dist/**'] })
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

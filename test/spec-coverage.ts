import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** A sentence the console is built to, in our own words, with the routes below /mpc that it names. */
export type Sentence = {
  id: string
  says: string
  routes?: string[]
  /** Its pages do not exist yet: their paths are paths that nobody knows, and a test of that names the sentence. */
  missing?: boolean
  /** Its rules are written and tested, and no page or call uses them: nobody who works with the product meets it. */
  unused?: boolean
}

/** A test whose title ends in `(spec 2.7)` or `(spec 2.7, 2.8)`. */
export type Mark = { id: string; path: string; title: string }

export const DOCUMENT = 'docs/spec-coverage.md'

const SECTIONS: Record<string, string> = {
  1: 'Languages',
  2: 'Screens and routes',
  3: 'What is kept',
  4: 'States',
  5: 'Validation',
  6: 'Permissions',
  7: 'Calls',
  8: 'Errors',
  9: 'Constants and limits',
}

export function readSentences(): Sentence[] {
  return JSON.parse(readFileSync(new URL('spec/sentences.json', import.meta.url), 'utf8')) as Sentence[]
}

/** The marks in the titles of a test file. A skipped test promises nothing and is not read. */
export function marksIn(path: string, source: string): Mark[] {
  const titles = [...source.matchAll(/\btest\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g)].map((match) => (match[2] ?? '').replace(/\\(.)/g, '$1'))
  return titles.flatMap((title) => {
    const mark = /\s*\(spec ([\d., ]+)\)/.exec(title)
    return (mark?.[1] ?? '')
      .split(/,\s*/)
      .filter((id) => id !== '')
      .map((id) => ({ id, path, title: title.replace(mark?.[0] ?? '', '') }))
  })
}

/** The marks of every test of the project. */
export function readLabels(): Mark[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts'], { encoding: 'utf8' })
  const paths = listed.split('\n').filter((path) => path !== '' && path !== 'test/spec-coverage.test.ts' && existsSync(path))
  return paths.toSorted().flatMap((path) => marksIn(path, readFileSync(path, 'utf8')))
}

/** The document that says which test keeps which sentence. */
export function coverageDocument(sentences: readonly Sentence[], marks: readonly Mark[]): string {
  const kept = sentences.filter(({ id }) => marks.some((mark) => mark.id === id))
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
  const row = ({ id, says, missing, unused }: Sentence) => {
    const tests = marks.filter((mark) => mark.id === id).map(({ path, title }) => `\`${path}\`: ${cell(title)}`)
    return `| ${id} | ${missing ? '*Not there yet.* ' : unused ? '*Rules only, not used yet.* ' : ''}${cell(says)} | ${tests.join('<br>') || '**none**'} |`
  }
  const sections = Object.entries(SECTIONS).flatMap(([number, name]) => {
    const own = sentences.filter(({ id }) => id.startsWith(`${number}.`))
    return own.length === 0 ? [] : [`\n## ${number}. ${name}\n`, '| | what the console does | the test that names it |', '|---|---|---|', ...own.map(row)]
  })
  const head = [
    '# The console, sentence by sentence',
    '',
    'Made by `node test/spec-coverage.ts` from `test/spec/sentences.json` and the marks, such as `(spec 2.7)`, in the titles of tests; never written by hand.',
    `${kept.length} of ${sentences.length} sentences have a test. ${sentences.filter(({ missing }) => missing).length} of them are of pages that do not exist yet:`,
    'until a page exists its path is one nobody knows (2.4), and what is tested is that it leads to the wallets and stands in no menu.',
    `${sentences.filter(({ unused }) => unused).length} more are rules that no page and no call uses yet: their tests show the rules and nothing that a person meets.`,
    `That leaves ${kept.filter(({ missing, unused }) => !missing && !unused).length} that hold for who works with the console.`,
  ]
  return `${[...head, ...sections].join('\n')}\n`
}

if (import.meta.main) writeFileSync(new URL(`../${DOCUMENT}`, import.meta.url), coverageDocument(readSentences(), readLabels()))

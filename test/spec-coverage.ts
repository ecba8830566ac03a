import { readFileSync, writeFileSync } from 'node:fs'
import { type CallArea, callsSection, coverOf, type Coverage, isAnswered, readCallAreas, readCoverage } from './call-coverage.ts'
import { isOfTests, reachedByPrograms, readSources, type Source } from './read-imports.ts'

/** A sentence the console is built to, in our own words, with the routes below /mpc and the calls without which it cannot hold. */
export type Sentence = { id: string; says: string; routes?: string[]; calls?: string[] }

/** What there is: the routes that have a page, the calls with what there is of each, and the files that the programs consist of. */
export type Present = { pages: ReadonlySet<string>; coverage: Coverage; reached: ReadonlySet<string> }

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

/** The marks of every test of the project, whether its code is part of a program or not. */
export function readLabels(sources: ReadonlyMap<string, Source>): Mark[] {
  const tests = [...sources.values()].filter(({ path }) => path.endsWith('.test.ts') && path !== 'test/spec-coverage.test.ts')
  return tests.flatMap(({ path, text }) => marksIn(path, text))
}

/** The routes below /mpc that have a page. */
export function readPages(sources: ReadonlyMap<string, Source>): Set<string> {
  const halves = [...sources.values()].filter(({ path }) => /^features\/[^/]+\/console\/index\.ts$/.test(path))
  return new Set(halves.flatMap(({ text }) => [...text.matchAll(/'?([\w/:]+)'?: \(\) =>\s+import\('[^']*-page\.tsx'\)/g)].map((match) => match[1] ?? '')))
}

export async function readPresent(sources: ReadonlyMap<string, Source>): Promise<Present> {
  return { pages: readPages(sources), coverage: await readCoverage(sources), reached: reachedByPrograms(sources) }
}

/** What a sentence names and there is not: routes without a page, calls that nothing answers. */
export function lackedBy({ routes = [], calls = [] }: Sentence, { pages, coverage }: Pick<Present, 'pages' | 'coverage'>): string[] {
  return [...routes.filter((route) => !pages.has(route)), ...calls.filter((call) => !isAnswered(coverOf(coverage, call)))]
}

/** Whether what a test tries, of what stands beside it, is part of a program; a test of the whole product tries nothing beside it. */
export function isOfProduct(test: Pick<Source, 'path' | 'imports'>, reached: ReadonlySet<string>): boolean {
  const folder = test.path.replace(/[^/]*$/, '')
  const tried = test.path.startsWith('test/') ? [] : test.imports.filter(({ path }) => path.startsWith(folder) && !isOfTests(path))
  return tried.length === 0 || tried.some(({ path }) => reached.has(path))
}

/** The marks that count: those of tests that try what is part of a program. */
export function marksThatCount(marks: readonly Mark[], sources: ReadonlyMap<string, Source>, { reached }: Pick<Present, 'reached'>): Mark[] {
  return marks.filter(({ path }) => {
    const test = sources.get(path)
    return test !== undefined && isOfProduct(test, reached)
  })
}

type Parts = { sentences: readonly Sentence[]; marks: readonly Mark[]; counting: readonly Mark[]; present: Present; areas: readonly CallArea[] }

/** How a sentence stands: tests keep it, what it names is not there, its rules are written and nothing uses them, or no test names it. */
export function standingOf(sentence: Sentence, { marks, counting, present }: Pick<Parts, 'marks' | 'counting' | 'present'>) {
  if (lackedBy(sentence, present).length > 0) return 'missing' as const
  if (counting.some(({ id }) => id === sentence.id)) return 'kept' as const
  return marks.some(({ id }) => id === sentence.id) ? ('unused' as const) : ('untested' as const)
}

/** The document that says which test keeps which sentence, and what there is of each call. */
export function coverageDocument(parts: Parts): string {
  const { sentences, marks, counting, present, areas } = parts
  const standing = (wanted: ReturnType<typeof standingOf>) => sentences.filter((each) => standingOf(each, parts) === wanted).length
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
  const row = (sentence: Sentence) => {
    const named = (some: readonly Mark[]) => some.filter(({ id }) => id === sentence.id).map(({ path, title }) => `\`${path}\`: ${cell(title)}`)
    const lacked = lackedBy(sentence, present).map((each) => `\`${each}\``)
    const tests = {
      kept: named(counting).join('<br>'),
      missing: `**missing**: ${lacked.join(', ')}`,
      unused: `**nothing uses it**: ${named(marks).join('<br>')}`,
      untested: '**no test**',
    }[standingOf(sentence, parts)]
    return `| ${sentence.id} | ${cell(sentence.says)} | ${tests} |`
  }
  const sections = Object.entries(SECTIONS).flatMap(([number, name]) => {
    const own = sentences.filter(({ id }) => id.startsWith(`${number}.`))
    return own.length === 0 ? [] : [`\n## ${number}. ${name}\n`, '| | what the console does | the test that keeps it |', '|---|---|---|', ...own.map(row)]
  })
  const head = [
    '# The console, sentence by sentence and call by call',
    '',
    'Made by `node test/spec-coverage.ts` from `test/spec/`, the marks, such as `(spec 2.7)`, in the titles of tests, and the sources; never written by hand.',
    `${standing('kept')} of ${sentences.length} sentences are kept by a test. ${standing('missing')} name a page or a call that does not exist. ${standing('unused')} are rules that are written and`,
    'tested, and that no program uses: nobody who works with the console meets them, so they do not count.',
  ]
  return `${[...head, ...sections, ...callsSection(areas, present.coverage)].join('\n')}\n`
}

/** The document as the sources have it. */
export async function currentDocument(): Promise<string> {
  const sources = readSources()
  const present = await readPresent(sources)
  const marks = readLabels(sources)
  return coverageDocument({ sentences: readSentences(), marks, counting: marksThatCount(marks, sources, present), present, areas: readCallAreas() })
}

if (import.meta.main) writeFileSync(new URL(`../${DOCUMENT}`, import.meta.url), await currentDocument())

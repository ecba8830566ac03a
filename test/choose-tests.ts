import { posix } from 'node:path'

/** What `npm test` was asked for: steps by name, and test files with the titles that are wanted of each (none: all of them). */
export interface Choice {
  steps: string[]
  files: ChosenFile[]
  /** What was given and is neither a step, nor a path with tests, nor a part of a title. */
  unmatched: string[]
}

export interface ChosenFile {
  path: string
  titles: string[]
}

export interface TestTree {
  steps: readonly string[]
  /** The paths of all test files, from the project's root. */
  files: readonly string[]
  read: (path: string) => string
}

/** A title as the sources write it: the first argument of a test, a group of tests or a step of a story. */
const TITLE = /\b(?:describe|it|test|step)(?:\.\w+)?\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g
/** Steps of a story stand on the ones before, so a story is run whole. */
const IS_STORY = /from '\.\/story\.ts'/

/** Suites that a test file runs stand in files of their own. */
const SUITE = /^import .* from '(\.[^']*\.suite\.ts)'/gm

const titlesIn = (source: string): string[] =>
  [...source.matchAll(TITLE)].map(([, single, double, template]) => (single ?? double ?? template ?? '').replaceAll(/\\(.)/g, '$1'))

const titlesOf = (path: string, source: string, read: (path: string) => string): string[] => [
  ...titlesIn(source),
  ...[...source.matchAll(SUITE)].flatMap(([, suite = '']) => titlesIn(read(posix.join(posix.dirname(path), suite)))),
]

const lies = (path: string, under: string): boolean => path === under || path.startsWith(`${under}/`)

/**
 * Each of `given` is the name of a step, a test file, a folder, or a part of a title. Paths together with titles mean those titles in those
 * paths; titles alone are looked for in all files.
 */
export function chooseTests(given: readonly string[], { steps, files, read }: TestTree): Choice {
  const choice: Choice = { steps: [], files: [], unmatched: [] }
  const titles: string[] = []
  const inPaths = new Set<string>()
  for (const each of given) {
    const path = each.replace(/^\.\//, '').replace(/\/+$/, '')
    const found = files.filter((file) => lies(file, path))
    if (steps.includes(each)) choice.steps.push(each)
    else if (found.length > 0) for (const file of found) inPaths.add(file)
    else titles.push(each)
  }
  if (titles.length === 0) return { ...choice, files: [...inPaths].map((path) => ({ path, titles: [] })) }
  const searched = inPaths.size > 0 ? [...inPaths] : files
  const missing = new Set(titles)
  for (const path of searched) {
    const source = read(path)
    const written = titlesOf(path, source, read)
    const here = titles.filter((part) => written.some((title) => title.includes(part)))
    for (const part of here) missing.delete(part)
    if (here.length > 0) choice.files.push({ path, titles: IS_STORY.test(source) ? [] : here })
  }
  return { ...choice, unmatched: [...missing] }
}

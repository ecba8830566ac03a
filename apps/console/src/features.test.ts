import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../../..')
const list = readFileSync(join(import.meta.dirname, 'features.ts'), 'utf8')
const halves = globSync(`${ROOT}/features/*/console/index.ts`).map((path) => ({ path: relative(ROOT, path), source: readFileSync(path, 'utf8') }))
const bringing = halves.filter(({ source }) => source.includes('export const feature: ConsoleFeature'))

test('every feature that brings something to the console is listed', () => {
  const imported = new Map(
    [...list.matchAll(/import \{ feature as (\w+) \} from '@holdfast\/(features\/[^']+)'/g)].map(([, name = '', from]) => [`${from}/index.ts`, name]),
  )
  const listed: string[] = (/readonly ConsoleFeature\[\] = \[([^\]]*)\]/.exec(list)?.[1] ?? '').match(/\w+/g) ?? []
  assert.ok(bringing.length > 10)
  assert.deepEqual(
    bringing.filter(({ path }) => !listed.includes(imported.get(path) ?? '')).map(({ path }) => path),
    [],
  )
})

test('no two features bring the same page, or stand at the same place of the navigation', () => {
  const all = (pattern: RegExp) => bringing.flatMap(({ source }) => [...source.matchAll(pattern)].map(([, found = '']) => found))
  const pages = all(/'?([\w/:]+)'?: \(\) =>\s+import\('[^']*-page\.tsx'\)/g)
  const shortcuts = all(/shortcut: '([^']+)'/g)
  const places = all(/shortcut: '[^']+',[^}]*?\border: (\d+)/g)
  assert.equal(places.length, shortcuts.length, 'each entry of the navigation names its place')
  for (const found of [pages, shortcuts, places]) {
    assert.ok(found.length > 20)
    const twice = found.filter((each, index) => found.indexOf(each) !== index)
    assert.deepEqual(twice, [], `Each of these is taken. Taken are: ${found.toSorted().join(', ')}`)
  }
})

test('a link of the console leads to a page that there is', () => {
  const pages = bringing.flatMap(({ source }) => [...source.matchAll(/'?([\w/:]+)'?: \(\) =>\s+import\('[^']*-page\.tsx'\)/g)].map(([, path = '']) => path))
  const others = ['login', 'setup']
  const files = globSync(`${ROOT}/{features/*/console,apps/console/src}/**/*.tsx`)
  const links = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/(?:navigate\(|\bto=\{?)(['"`])(\/.*?)\1/g)].map(([, , to = '']) => ({ path: relative(ROOT, path), to })),
  )
  assert.ok(links.length > 50)
  const leads = (to: string) => {
    // What is put in is the end of a path, or stands behind its question mark.
    const [, known = '', end] = /^\/(?:mpc\/)?([^?$]*)(.*)$/.exec(to) ?? []
    const isWhole = !end?.startsWith('$')
    const isUnder = to.startsWith('/mpc/') || known === 'login'
    return isUnder && [...pages, ...others].some((page) => (isWhole ? page.replace(/\/:.*/, '') === known : page.startsWith(known)))
  }
  assert.deepEqual(
    links.filter(({ to }) => !leads(to)),
    [],
  )
})

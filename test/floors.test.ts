import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'

// That no feature imports one of a higher floor is kept by .dependency-cruiser.cjs; this keeps the list of floors, and that no two features need each other.

type Floors = { floors: { name: string; features: string[] }[] }

const { floors } = JSON.parse(readFileSync('features/floors.json', 'utf8')) as Floors
const NO_FEATURE = ['node_modules', 'testing']
const SPECIFIER = /(?:from|import\() ?'([^']+)'/g

const featureOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1]

/** The features that a file imports, types too. */
function importedBy(path: string): string[] {
  const own = featureOf(path)
  const specifiers = [...readFileSync(path, 'utf8').matchAll(SPECIFIER)].map((match) => match[1] ?? '')
  const paths = specifiers.map((each) => (each.startsWith('.') ? posix.join(posix.dirname(path), each) : each.replace('@holdfast/features/', 'features/')))
  return paths.map(featureOf).filter((each) => each !== undefined && each !== own) as string[]
}

const files = globSync('features/*/**/*.{ts,tsx}').filter((path) => !/\.test\.tsx?$|\/testing\/|\.suite\.ts$|node_modules/.test(path))
const arrows = files.flatMap((path) => importedBy(path).map((to) => ({ path, from: featureOf(path) ?? '', to })))

test('every feature stands on one floor', () => {
  const folders = readdirSync('features', { withFileTypes: true }).filter((entry) => entry.isDirectory() && !NO_FEATURE.includes(entry.name))
  assert.deepEqual(floors.flatMap(({ features }) => features).toSorted(), folders.map(({ name }) => name).toSorted())
})

test('no two features need each other, by however many steps', () => {
  assert.ok(arrows.length > 200, `${arrows.length} imports`)
  const needs = new Map<string, Set<string>>()
  for (const { from, to } of arrows) needs.set(from, (needs.get(from) ?? new Set()).add(to))
  const rings: string[] = []
  const walk = (feature: string, way: readonly string[]) => {
    if (way.includes(feature)) return void rings.push([...way.slice(way.indexOf(feature)), feature].join(' -> '))
    for (const next of needs.get(feature) ?? []) walk(next, [...way, feature])
    // What has been walked through leads to no further ring.
    needs.delete(feature)
  }
  for (const feature of needs.keys()) walk(feature, [])
  assert.deepEqual(rings, [])
})

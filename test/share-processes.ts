import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** How many files one process runs: enough that what all of them import weighs little, few enough that no group ends long after the others. */
const FILES_MAX = 8

/** What a file could leave behind for those after it, what it asks of a whole process, and where it starts others. */
const NEEDS_ITS_OWN = [
  /\bmock\b|\bglobalThis\b|\bconfigureGlobal\b|\bregisterHooks\b|\bWorker\(/,
  /\bprocess\.(?!env\b|cwd\b|pid\b|platform\b|hrtime\b)|\bdelete process\b|\bprocess\.env(?:\.\w+|\[[^\]]+\])? *(?:\?\?|\|\|)?=(?!=)/,
  /child_process|[cC]hromium|\/anvil\.ts/,
]
/** A database is a server that lives as long as its process; those over a world of a feature are chosen by their rooms. */
const OPENS_DATABASE = /[dD]atabase|\/testing\/test-world\.ts/
/** It is loaded at once, so neither it nor what it imports may wait while it is loaded. */
const WAITS_WHILE_LOADED = /^(?!.*\basync\b)(?=[^\s/*]).*\bawait\b|^if \(.*\b(?:import\.meta|argv)\b/m
const IMPORTED = /\bfrom '(\.{1,2}\/[^']+)'/g

/**
 * Answers whether what a test file says lets it share a process: it replaces nothing that others use, starts no process, chain or database, and is loaded
 * without waiting, which is also asked of all that it imports by a path. `read` answers the text of a file by its path. What else its imports do is not seen
 * here; the next file would fail by it.
 */
export function sharingByText(read: (path: string) => string): (path: string) => boolean {
  const waits = new Map<string, boolean>()
  const waitsWhileLoaded = (path: string): boolean => {
    const known = waits.get(path)
    if (known !== undefined) return known
    waits.set(path, false)
    const text = read(path)
    const imported = [...text.matchAll(IMPORTED)].map(([, from = '']) => join(dirname(path), from))
    const found = WAITS_WHILE_LOADED.test(text) || imported.some(waitsWhileLoaded)
    waits.set(path, found)
    return found
  }
  return (path) => {
    const text = read(path)
    return !OPENS_DATABASE.test(text) && NEEDS_ITS_OWN.every((each) => !each.test(text)) && !waitsWhileLoaded(path)
  }
}

/**
 * What tests import takes longer to load than most of them take to run, and so does starting the PostgreSQL of those that have one. So these files run eight
 * to a process, one after the other, each in a group that has its path for a name: hooks of a file stay its own. Writes a test file for each such process
 * into `folder`, which it empties first. Answers the paths of those test files, each with what it runs.
 */
export function shareProcesses(paths: readonly string[], { root, folder }: { root: string; folder: string }): Map<string, string[]> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const shared = new Map<string, string[]>()
  for (let i = 0; i < paths.length; i += FILES_MAX) {
    const group = paths.slice(i, i + FILES_MAX)
    // The longest are told by their names.
    const features = [...new Set(group.map((path) => path.split('/')[1]))].join('+')
    const path = `${folder}/${i / FILES_MAX}-${features}.test.mjs`
    writeFileSync(path, sourceOf(root, group))
    shared.set(path, group)
  }
  return shared
}

/**
 * Tests and hooks of a file are those of the group in which it is loaded at once. One that cannot be loaded is a test that fails, since a group that fails
 * counts for nothing.
 */
const sourceOf = (root: string, paths: readonly string[]) => `import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
const load = createRequire(import.meta.url)
for (const path of ${JSON.stringify(paths)})
  describe(path, () => {
    try {
      load(${JSON.stringify(root)} + path)
    } catch (cause) {
      it('can be loaded', () => {
        throw cause
      })
    }
  })
`

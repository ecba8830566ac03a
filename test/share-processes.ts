import { mkdirSync, rmSync, writeFileSync } from 'node:fs'

/** How many files one process runs: enough that what all of them import weighs little, few enough that no group ends long after the others. */
const FILES_MAX = 8

/**
 * What the tests of a feature's server import takes longer to load than most of them take to run, and so does starting their PostgreSQL. So
 * these files run eight to a process, one after the other, each in a group that has its path for a name: hooks of a file stay its own. Writes a test file for
 * each such process into `folder`, which it empties first. Answers the paths of those test files, each with what it runs.
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

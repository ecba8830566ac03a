import { globSync } from 'node:fs'
import type { OwnCalls } from '../../../features/testing/own-things.ts'

const ROOT = new URL('../../../', import.meta.url)

/** The own calls that each feature has in its folder, by the feature's name. */
export async function ownCallsByFeature(): Promise<Record<string, OwnCalls>> {
  const paths = globSync('features/*/testing/own-calls.ts', { cwd: ROOT.pathname }).sort()
  const load = async (path: string) => (await import(new URL(path, ROOT).href)) as { OWN_CALLS: OwnCalls }
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path.split('/')[1], (await load(path)).OWN_CALLS])))
}

/** All of them in one table. Throws if two features name the same call. */
export function joinOwnCalls(features: Record<string, OwnCalls>): OwnCalls {
  const owners = new Map<string, string>()
  for (const [feature, calls] of Object.entries(features)) {
    for (const name of Object.keys(calls)) {
      const other = owners.get(name)
      if (other !== undefined) throw new Error(`${name} is among the own calls of ${other} and of ${feature}: leave it to the one whose contract declares it`)
      owners.set(name, feature)
    }
  }
  return Object.assign({}, ...Object.values(features)) as OwnCalls
}

/** For every endpoint a call that a member may make with their own organisation's things. */
export const OWN_CALLS = joinOwnCalls(await ownCallsByFeature())

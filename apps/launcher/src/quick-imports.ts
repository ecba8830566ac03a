import { registerHooks } from 'node:module'

/*
 * Loaded before anything else by each program that the launcher starts from the sources, and by every test file. Most of them import a thousand files, and
 * finding each by the whole of Node's rules takes longer than what they then do to be ready. Our own sources name each other by their paths, and files of one
 * workspace find a package in the same folder: both are answered here as Node answers them, without looking again. A program that is started by itself, as in
 * production, finds its files by itself.
 */

const ROOT = new URL('../../..', import.meta.url).href
const WORKSPACE = /^(?:packages\/chains|packages|apps)\/[^/]+|^[^/]+/

type Found = { url: string; format?: string | null | undefined; shortCircuit?: boolean }
/** Where packages were found, by workspace and name. */
const packages = new Map<string, Found>()

registerHooks({
  resolve: (specifier, context, next) => {
    const { parentURL = '', conditions, importAttributes } = context
    const isOurs = parentURL.startsWith(ROOT) && !parentURL.includes('/node_modules/')
    if (!isOurs || !conditions.includes('import') || Object.keys(importAttributes).length > 0) return next(specifier, context)
    if (/^\.\.?\/.*\.ts$/.test(specifier)) return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true }
    if (!/^[@a-z]/.test(specifier)) return next(specifier, context)
    const name = `${WORKSPACE.exec(parentURL.slice(ROOT.length))?.[0]} ${specifier}`
    const found = packages.get(name) ?? { ...next(specifier, context), shortCircuit: true }
    packages.set(name, found)
    return found
  },
})

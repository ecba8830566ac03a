import { registerHooks } from 'node:module'

/*
 * Loaded before anything else by each program that the launcher starts from the sources, and by every test file. Most of them import a thousand files, and
 * finding each by the whole of Node's rules takes longer than what they then do to be ready. Our own sources name each other by their paths, files of one
 * workspace find a package in the same folder, and what a package imports is told by the folder of the file that imports it: all are answered here as Node
 * answers them, without looking again. A program that is started by itself, as in production, finds its files by itself.
 */

const ROOT = new URL('../../..', import.meta.url).href
const WORKSPACE = /^(?:packages\/chains|packages|apps)\/[^/]+|^[^/]+/

type Found = { url: string; format?: string | null | undefined; shortCircuit?: boolean }
/** Where packages were found, by the workspace or the folder that asked, and by name. */
const packages = new Map<string, Found>()
/** What the `.js` files in a folder of a package are. One package.json says it for the whole folder. */
const formats = new Map<string, string>()

const folderOf = (url: string) => url.slice(0, url.lastIndexOf('/') + 1)

registerHooks({
  resolve: (specifier, context, next) => {
    const { parentURL = '', conditions, importAttributes } = context
    if (!parentURL.startsWith(ROOT) || !conditions.includes('import') || Object.keys(importAttributes).length > 0) return next(specifier, context)
    const isOurs = !parentURL.includes('/node_modules/')
    if (isOurs && /^\.\.?\/.*\.ts$/.test(specifier)) return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true }
    if (!isOurs && /^\.\.?\/.*\.js$/.test(specifier)) {
      const { href: url } = new URL(specifier, parentURL)
      const format = formats.get(folderOf(url))
      if (format) return { url, format, shortCircuit: true }
      const found = next(specifier, context)
      if (found.url === url && found.format) formats.set(folderOf(url), found.format)
      return found
    }
    if (!/^[@a-z]/.test(specifier)) return next(specifier, context)
    const name = `${isOurs ? WORKSPACE.exec(parentURL.slice(ROOT.length))?.[0] : folderOf(parentURL)} ${specifier}`
    const found = packages.get(name) ?? { ...next(specifier, context), shortCircuit: true }
    packages.set(name, found)
    return found
  },
})

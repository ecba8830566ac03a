import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { createServer } from 'vite'
import { DEFAULT_NAMESPACE, namespaceOf, NAMESPACES } from './namespaces.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const LOCALES = ['en-US', 'zh-CN'] as const

type Part = { name: string; namespace: string; words: Record<(typeof LOCALES)[number], Map<string, string>>; sources: { path: string; text: string }[] }

function leavesOf(tree: object, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value] as [string, string]] : leavesOf(value as object, `${prefix}${key}.`),
  )
}

function sourcesIn(folder: string): Part['sources'] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, 'utf8') }))
}

function readPart(name: string, localeFolder: string, sourceFolder: string): Part {
  const files = (locale: string) => globSync(`${localeFolder}/{,pages/}${locale}.json`, { cwd: ROOT })
  const read = (locale: string) => new Map(files(locale).flatMap((file) => leavesOf(JSON.parse(readFileSync(join(ROOT, file), 'utf8')))))
  return {
    name,
    namespace: namespaceOf(/^features\/(.+)/.exec(name)?.[1]),
    words: { 'en-US': read('en-US'), 'zh-CN': read('zh-CN') },
    sources: sourcesIn(sourceFolder),
  }
}

function readParts(): Part[] {
  const features = readdirSync(join(ROOT, 'features'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(join(ROOT, 'features', entry.name)).includes('locales'))
    .filter((entry) => readdirSync(join(ROOT, 'features', entry.name, 'locales')).length > 0)
    .map((entry) => `features/${entry.name}`)
  return [
    readPart('packages/ui', 'packages/ui/src/locales', 'packages/ui/src'),
    readPart('apps/console', 'apps/console/locales', 'apps/console/src'),
    ...features.map((name) => readPart(name, `${name}/locales`, `${name}/console`)),
  ]
}

/** A key without the ending that says how many: the two languages have other ones. */
const base = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '')

/** What a source asks for: fixed keys, and patterns for keys that are put together. */
function demandsOf(text: string): { fixed: string[]; patterns: RegExp[]; called: string[] } {
  const fixed = [...text.matchAll(/'([A-Za-z]\w*(?:\.\w+)*)'/g)].map((match) => match[1] ?? '')
  const called = [...text.matchAll(/\bt\(\s*'([^']+)'/g)].map((match) => match[1] ?? '')
  const templates = [...text.matchAll(/`([A-Za-z][\w.]*\.\$\{[^`{}]*\}[\w.]*(?:\$\{[^`{}]*\}[\w.]*)*)`/g)].map((match) => match[1] ?? '')
  const patterns = templates.map(
    (template) =>
      new RegExp(
        `^${template
          .split(/\$\{[^`{}]*\}/)
          .map((piece) => piece.replaceAll('.', '\\.'))
          .join('[^.]+')}$`,
      ),
  )
  return { fixed, patterns, called }
}

const parts = readParts()
const everyKey = (namespace: string) =>
  new Set(parts.filter((part) => part.namespace === namespace).flatMap((part) => [...part.words['en-US'].keys()].map(base)))

test('English and Chinese have the same keys (spec 1.1)', () => {
  for (const { name, words } of parts) {
    const [english, chinese] = LOCALES.map((locale) => [...new Set([...words[locale].keys()].map(base))].toSorted())
    assert.deepEqual(chinese, english, name)
  }
})

test('no translation is empty, and both languages fill in the same values', () => {
  const valuesIn = (text: string) => [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]))].toSorted()
  for (const { name, words } of parts) {
    for (const [key, text] of words['en-US']) {
      assert.notEqual(text.trim(), '', `${name} ${key}`)
      const chinese = words['zh-CN'].get(key) ?? words['zh-CN'].get(`${base(key)}_other`) ?? ''
      assert.notEqual(chinese.trim(), '', `${name} ${key}`)
      assert.deepEqual(valuesIn(chinese), valuesIn(text), `${name} ${key}`)
    }
  }
})

test('every key that is asked for exists', () => {
  for (const { namespace, sources } of parts) {
    for (const { path, text } of sources) {
      const spaces = [...text.matchAll(/useTranslation\((?:'(\w+)')?\)/g)].map(([, named = namespace]) => named)
      const known = new Set((spaces.length > 0 ? spaces : [namespace]).flatMap((each) => [...everyKey(each)]))
      for (const key of demandsOf(text).called) assert.ok(known.has(key), `${path} asks for ${key}`)
    }
  }
})

test('a text that is missing is seen: only what the server names may stand in for it, and never nothing', () => {
  for (const { path, text } of parts.flatMap((part) => part.sources)) {
    assert.doesNotMatch(text, /defaultValue:\s*(''|""|``|undefined|null)/, `${path} shows nothing where a text is missing`)
    assert.doesNotMatch(text, /\bt\(\s*'[^']+',\s*\{[^}]*defaultValue/, `${path} asks for a fixed key, which exists or is a fault`)
  }
})

test('every key is used', () => {
  const all = parts.flatMap((part) => part.sources.map((source) => demandsOf(source.text)))
  const fixed = new Set(all.flatMap((demand) => demand.fixed))
  const patterns = all.flatMap((demand) => demand.patterns)
  const unused = parts.flatMap(({ name, words }) =>
    [...words['en-US'].keys()]
      .map(base)
      .filter((key) => !fixed.has(key) && !patterns.some((pattern) => pattern.test(key)))
      .map((key) => `${name} ${key}`),
  )
  assert.deepEqual(unused, [])
})

test('no two parts of a namespace begin with the same word', () => {
  for (const namespace of NAMESPACES) {
    const roots = parts
      .filter((part) => part.namespace === namespace)
      .flatMap((part) => [...new Set([...part.words['en-US'].keys()].map((key) => key.split('.')[0]))])
    assert.deepEqual(roots.toSorted(), [...new Set(roots)].toSorted(), namespace)
  }
})

test('the namespaces are those agreed, and the default one is translation (spec 1.3, 1.4)', () => {
  assert.deepEqual(
    NAMESPACES,
    'translation apiPage btcAddress coSigner coldWallet collection invoice kyt privateKeyRecovery strategyEngine teamMember tools trade whiteAddress'.split(
      ' ',
    ),
  )
  assert.equal(NAMESPACES[0], DEFAULT_NAMESPACE)
})

test('the words of every part are fetched in the namespace of the part, in both languages (spec 1.1, 1.4)', async () => {
  // As the build reads it.
  const vite = await createServer({
    configFile: false,
    root: join(import.meta.dirname, '../..'),
    server: { middlewareMode: true, ws: false },
    optimizeDeps: { noDiscovery: true },
    logLevel: 'error',
  })
  after(() => vite.close())
  const module = (await vite.ssrLoadModule(join(import.meta.dirname, 'texts.ts'))) as typeof import('./texts.ts')
  for (const locale of LOCALES) {
    const fetched = await Promise.all([module.loadTexts(locale, 'entry'), module.loadTexts(locale, 'pages'), module.loadTexts(locale, 'late')])
    const keysIn = (namespace: string) => new Set(fetched.flatMap((texts) => leavesOf((texts[namespace] ?? {}) as object).map(([key]) => key)))
    for (const texts of fetched) for (const namespace of Object.keys(texts)) assert.ok(NAMESPACES.includes(namespace), namespace)
    for (const { name, namespace, words } of parts) {
      const known = keysIn(namespace)
      for (const key of words[locale].keys()) assert.ok(known.has(key), `${locale}: ${key} of ${name} is not in ${namespace}`)
    }
  }
})

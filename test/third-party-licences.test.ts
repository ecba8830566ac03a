import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DOCUMENT, licencesDocument, type Lockfile, productionPackages, readLockfile, refusedLicences } from './third-party-licences.ts'

const packages = productionPackages(readLockfile())

test('what runs in production asks for no more than to be named', () => {
  assert.ok(packages.length > 100)
  assert.deepEqual(
    refusedLicences(packages).map(({ name, version, license }) => `${name} ${version}: ${license}`),
    [],
    'take another library, or read the licence and say in test/third-party-licences.ts why it may be taken',
  )
})

test('the page of licences is up to date: npm run licences writes it', () => {
  assert.equal(readFileSync(new URL(`../${DOCUMENT}`, import.meta.url), 'utf8'), licencesDocument(packages))
})

test('what a package needs is found where Node finds it, once, and what is only for development is not', () => {
  const lock: Lockfile = {
    '': { dependencies: {} },
    'packages/a': { dependencies: { b: '1', ours: '1' } },
    'apps/devnet': { dependencies: { toy: '1' } },
    'node_modules/ours': { link: true, resolved: 'packages/a' },
    'node_modules/b': { version: '1.0.0', license: 'MIT', dependencies: { c: '1', d: '1' } },
    'node_modules/b/node_modules/c': { version: '2.0.0', license: 'GPL-3.0', dependencies: { b: '1' } },
    'node_modules/c': { version: '1.0.0', license: 'MIT' },
    'node_modules/d': { version: '1.0.0' },
    'node_modules/toy': { version: '1.0.0', license: 'GPL-3.0' },
  }
  const found = productionPackages(lock)
  assert.deepEqual(
    found.map(({ name, version }) => `${name} ${version}`),
    ['b 1.0.0', 'c 2.0.0', 'd 1.0.0'],
  )
  assert.deepEqual(
    refusedLicences(found).map(({ name }) => name),
    ['c', 'd'],
    'copyleft and unknown',
  )
  const of = (license: string) => refusedLicences([{ name: 'x', version: '1', license, isOptional: false, path: '' }]).length === 0
  assert.deepEqual(['MIT', '(MIT OR GPL-3.0)', '(MIT AND Zlib)', '(MIT AND GPL-3.0)', 'MPL-2.0', 'LGPL-3.0-or-later', 'OFL-1.1', 'SEE LICENSE IN x'].map(of), [
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})

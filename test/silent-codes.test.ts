import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { errorCatalogue, type ErrorName } from '@holdfast/features/error-catalogue'
import { coverOf, readCoverage } from './call-coverage.ts'
import { callRefusals } from './call-refusals.ts'
import { readSources } from './read-imports.ts'

// A silent code is shown by nobody but the page that made the call, so a code without such a page is a refusal that people never see.

/** Codes of areas that do not exist, each with a call of the area that would answer it. */
const NOT_YET: Partial<Record<ErrorName, string>> = {
  kyt_duplicate: 'POST /api/mpc/kyt/update_status',
  kyt_review_duplicate: 'POST /api/mpc/kyt/manual/config',
  swap_authorise_processing: 'POST /api/mpc/swap/create_approve',
}

const sources = readSources()
const coverage = await readCoverage(sources)
const refusals = callRefusals()
const silent = Object.values(errorCatalogue).filter(({ reaction }) => reaction === 'silent')

/** The calls that can end in a refusal, as `POST /api/...`. */
async function callsRefusing(name: ErrorName): Promise<string[]> {
  const names = new Set([...refusals].filter(([, all]) => all.includes(name)).map(([call]) => call))
  const contracts = [...sources.keys()].filter((path) => /^features\/[^/]+\/[a-z-]*contract\.ts$/.test(path))
  const modules = await Promise.all(contracts.map((path) => import(new URL(`../${path}`, import.meta.url).href) as Promise<Record<string, unknown>>))
  const found = modules.flatMap((module) => Object.entries(module).filter(([each]) => names.has(each)))
  return [...new Set(found.map(([, value]) => value as { method: string; path: string }).map(({ method, path }) => `${method} ${path}`))]
}

for (const { name, code } of silent) {
  test(`${code} (${name}) is answered by a call, and a page that makes the call says it in place`, async () => {
    const calls = await callsRefusing(name as ErrorName)
    const area = NOT_YET[name as ErrorName]
    if (area !== undefined) {
      assert.deepEqual(calls, [], 'it is answered now: take it off the list of what is not there yet')
      assert.equal(coverOf(coverage, area).permission, null, `${area} exists now: it is to answer ${code}`)
      return
    }
    assert.notDeepEqual(calls, [], 'nothing answers it')
    const callers = [...new Set(calls.flatMap((call) => coverOf(coverage, call).console))]
    const telling = callers.filter((path) => {
      const text = readFileSync(path, 'utf8')
      return new RegExp(`\\.${name}\\b`).test(text) || /\.error\b|\bisError\b/.test(text)
    })
    assert.notDeepEqual(telling, [], `none of ${callers.join(', ')} looks at it`)
  })
}

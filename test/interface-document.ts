import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { type DescribedCall, type Endpoint, openApi } from '@holdfast/contract'
import { errorCatalogue } from '@holdfast/features/error-catalogue'
import { webhooks } from '@holdfast/features/notification/webhook-contract'
import { callRefusals } from './call-refusals.ts'

const ROOT = new URL('../', import.meta.url)
/** Where the document of the interface stands, so that a change of the interface is seen in review; the server answers it as /openapi.json. */
export const DOCUMENT = 'docs/openapi.json'

/** The document as the sources have it: names and features from the contracts, refusals from the code, webhooks from what is sent. */
export async function interfaceDocument(): Promise<string> {
  const refusals = callRefusals()
  const calls: DescribedCall[] = []
  for (const path of globSync('features/*/contract.ts', { cwd: ROOT.pathname }).toSorted()) {
    const contract = (await import(new URL(path, ROOT).href)) as Record<string, unknown>
    for (const [name, endpoint] of Object.entries(contract)) {
      if (!isEndpoint(endpoint)) continue
      const own = refusals.get(name)
      if (!own) throw new Error(`${path}: nothing handles ${name}`)
      calls.push({ name, feature: path.split('/')[1] ?? '', endpoint, refusals: own })
    }
  }
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { version: string }
  return `${laidOut(JSON.parse(JSON.stringify(openApi(version, { calls, webhooks, errors: errorCatalogue }))))}\n`
}

const WIDTH = 160

/** JSON in which whatever fits stands in one line: a changed field is a changed line, and a call can be read at a glance. */
function laidOut(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value)
  if (indent.length + flat.length <= WIDTH || value === null || typeof value !== 'object') return flat
  const inner = `${indent} `
  const lines = Array.isArray(value)
    ? value.map((each) => laidOut(each, inner))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${laidOut(each, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${indent}${close}`
}

function isEndpoint(value: unknown): value is Endpoint {
  return value !== null && typeof value === 'object' && 'method' in value && 'path' in value && 'permission' in value && 'input' in value
}

if (import.meta.main) writeFileSync(new URL(DOCUMENT, ROOT), await interfaceDocument())

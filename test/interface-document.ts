import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { type DescribedCall, type Endpoint, openApi, type OpenApiDocument } from '@holdfast/contract'
import { errorCatalogue } from '@holdfast/features/error-catalogue'
import { webhooks } from '@holdfast/features/notification/webhook-contract'
import * as batchTransfer from '@holdfast/features/batch-transfer/contract'
import * as contractCall from '@holdfast/features/contract-call/contract'
import * as depositAddress from '@holdfast/features/deposit-address/contract'
import * as notification from '@holdfast/features/notification/contract'
import { openApiErrors } from '@holdfast/features/open-api/errors'
import { OWN_CALLS, SHARED_CALLS } from '../features/open-api/open-contract.ts'
import * as transaction from '@holdfast/features/transaction/contract'
import * as transfer from '@holdfast/features/transfer/contract'
import * as wallet from '@holdfast/features/wallet/contract'
import * as withdrawal from '@holdfast/features/withdrawal/contract'
import { callRefusals } from './call-refusals.ts'
import { clientCalls } from './open-client-calls.ts'

const ROOT = new URL('../', import.meta.url)
/** Where the document of the interface stands, so that a change of the interface is seen in review; the server answers it as /openapi.json. */
export const DOCUMENT = 'docs/openapi.json'

/** Where the document of what programs call with API keys stands; the server answers it as /open/v1/openapi.json. */
export const DOOR_DOCUMENT = 'docs/open-api.json'

/** What the door refuses before the code of a call is reached. */
const DOOR_REFUSALS = [...Object.keys(openApiErrors), 'key_off', 'key_expired', 'key_not_permitted', 'signature_check_failed', 'invalid_ip']

/** The document of exactly what is served to programs, as the sources have it. */
export function doorDocument(): string {
  const refusals = callRefusals()
  const nameOf = new Map(Object.entries(contracts()).map(([name, endpoint]): [unknown, string] => [endpoint, name]))
  const calls = [
    ...Object.entries(SHARED_CALLS).map(([name, { of, at }]) => ({ name, handled: nameOf.get(of) ?? '', at })),
    ...Object.entries(OWN_CALLS).map(([name, { at }]) => ({ name, handled: name, at })),
  ].map(({ name, handled, at }): DescribedCall => {
    const own = refusals.get(handled)
    if (!own) throw new Error(`nothing handles ${name}`)
    return { name, feature: 'open-api', endpoint: at as unknown as Endpoint, refusals: own }
  })
  return `${laidOut(JSON.parse(JSON.stringify(openApi(version(), { calls, errors: errorCatalogue, door: { refusals: DOOR_REFUSALS } }))))}\n`
}

const contracts = (): Record<string, unknown> => ({
  ...wallet,
  ...batchTransfer,
  ...contractCall,
  ...depositAddress,
  ...withdrawal,
  ...transaction,
  ...transfer,
  ...notification,
})

const version = () => (JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { version: string }).version

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
  return `${laidOut(JSON.parse(JSON.stringify(openApi(version(), { calls, webhooks, errors: errorCatalogue }))))}\n`
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

if (import.meta.main) {
  writeFileSync(new URL(DOCUMENT, ROOT), await interfaceDocument())
  writeFileSync(new URL(DOOR_DOCUMENT, ROOT), doorDocument())
  for (const [path, text] of clientCalls(JSON.parse(doorDocument()) as OpenApiDocument)) writeFileSync(new URL(path, ROOT), text)
}

import { globSync } from 'node:fs'
import type { Endpoint } from '@holdfast/contract'
import { toJSONSchema } from 'zod'
import type { LocalSettings } from '../../../apps/launcher/src/local-settings.ts'

/** `GET /api/…`: how an endpoint is named in tables and messages. */
export function nameOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} ${path}`
}

/** The endpoints of each feature's contract, by the feature's name. */
export async function endpointsByFeature(): Promise<Record<string, Endpoint[]>> {
  const root = new URL('../../../', import.meta.url)
  const load = async (path: string) => (await import(new URL(path, root).href)) as Record<string, unknown>
  const paths = globSync('features/*/contract.ts', { cwd: root.pathname })
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path.split('/')[1], Object.values(await load(path)).filter(isEndpoint)])))
}

/** Every endpoint of every feature's contract. */
export async function contractEndpoints(): Promise<Endpoint[]> {
  return Object.values(await endpointsByFeature()).flat()
}

function isEndpoint(value: unknown): value is Endpoint {
  return value !== null && typeof value === 'object' && 'method' in value && 'path' in value && 'permission' in value && 'input' in value
}

type OpenApi = { paths: Record<string, Record<string, unknown>> }

/** The names of the endpoints that the running server says it has. */
export async function servedEndpoints(settings: LocalSettings): Promise<string[]> {
  const { paths } = (await (await fetch(`${settings.consoleOrigin}/openapi.json`)).json()) as OpenApi
  return Object.entries(paths)
    .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`))
    .sort()
}

/** The fields of an endpoint that take a UUID, so name something that is somewhere. */
export function idFieldsOf({ input }: Endpoint): string[] {
  const { properties = {} } = toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as { properties?: Record<string, unknown> }
  return Object.entries(properties).flatMap(([name, schema]) => (/"format":"uuid"/.test(JSON.stringify(schema)) ? [name] : []))
}

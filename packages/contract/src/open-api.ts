import * as z from 'zod'
import type { Endpoint } from './define-endpoint.ts'
import { errorCatalogue } from './error-catalogue.ts'

export type OpenApiDocument = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  paths: Record<string, unknown>
  components: unknown
}

type JsonSchema = Record<string, unknown> & { properties?: Record<string, unknown>; required?: string[] }

function schemaOf(type: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any', target: 'draft-2020-12' })
  return schema as JsonSchema
}

function envelopeOf(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['code', 'msg', 'data'],
    properties: { code: { type: 'string', description: '"0" is success' }, msg: { type: 'string' }, data: { anyOf: [data, { type: 'null' }] } },
  }
}

function operationOf(endpoint: Endpoint): Record<string, unknown> {
  const input = schemaOf(endpoint.input, 'input')
  const required = new Set(input.required)
  const parameters = Object.entries(input.properties ?? {}).map(([name, schema]) => ({ name, in: 'query', required: required.has(name), schema }))
  const description = 'Envelope: code "0" and the data, or a code of x-error-codes and the reason.'
  return {
    operationId: `${endpoint.method.toLowerCase()}${endpoint.path.replace(/^\/api/, '').replaceAll('/', '_')}`,
    summary: endpoint.summary,
    'x-permission': endpoint.permission,
    'x-timeout-ms': endpoint.timeoutMs ?? 10_000,
    ...(endpoint.tenantParameters ? { 'x-tenant-parameters': endpoint.tenantParameters } : {}),
    ...(endpoint.hasEffect ? { 'x-has-effect': true } : {}),
    ...(endpoint.method === 'GET' ? { parameters } : { requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: input } } } }),
    responses: { 200: { description, content: { 'application/json': { schema: envelopeOf(schemaOf(endpoint.output, 'input')) } } } },
  }
}

/** The OpenAPI 3.1 document of the endpoints: form-encoded bodies, query parameters, envelopes, and each permission as `x-permission`. */
export function openApi(endpoints: readonly Endpoint[], info: { title: string; version: string } = { title: 'Holdfast', version: '0' }): OpenApiDocument {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {})
    const method = endpoint.method.toLowerCase()
    if (path[method]) throw new Error(`two endpoints answer ${endpoint.method} ${endpoint.path}`)
    path[method] = operationOf(endpoint)
  }
  const errorCodes = Object.entries(errorCatalogue).map(([name, { httpStatus, ...rest }]) => ({ name, http_status: httpStatus, ...rest }))
  return {
    openapi: '3.1.0',
    info: { ...info, description: 'Calls take form fields and answer {code, msg, data}. Money is text. Times are milliseconds since the epoch.' },
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: '__Host-holdfast' },
        openToken: { type: 'apiKey', in: 'header', name: 'openToken' },
        xsrf: { type: 'apiKey', in: 'header', name: 'X-XSRF-TOKEN' },
      },
      'x-error-codes': errorCodes,
    },
  }
}

import * as z from 'zod'
import { type Endpoint, isMutating, takesFile } from './define-endpoint.ts'
import type { Refusal } from './define-errors.ts'
import type { SystemErrorName } from './system-errors.ts'

type Errors = readonly Refusal[]

/** A call as the document describes it. */
export type DescribedCall = {
  /** The contract's own name of it, such as `createWithdrawal`. */
  name: string
  feature: string
  endpoint: Endpoint
  /** What its code can refuse with, beside what every call can. */
  refusals: readonly string[]
}

/** A kind of request that the server sends to an organisation's own systems. */
export type DescribedWebhook = { event: string; summary: string; body: z.ZodType }

export type OpenApiDocument = {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  tags: readonly { name: string }[]
  paths: Record<string, Record<string, unknown>>
  webhooks: Record<string, unknown>
  components: Record<string, unknown>
}

type JsonSchema = Record<string, unknown> & { properties?: Record<string, unknown>; required?: string[] }

const ABOUT = [
  'Calls take form fields (application/x-www-form-urlencoded, or multipart/form-data where a field is a file) or query parameters, and answer {code, msg, data}: code "0" is success, any other one a refusal.',
  'Money is decimal text. Times are milliseconds since the epoch. `x-refusals` are the names in components.x-error-codes of what a call can refuse with, as far',
  'as its code tells, beside `x-refusals-of-every-call`; take a code that you do not know for a refusal too. docs/api.md says how to call.',
].join(' ')

/** Refusals that no rule of a call makes: its fields, or the server as a whole. */
const OF_EVERY_CALL: readonly SystemErrorName[] = [
  'invalid_parameters',
  'request_refused',
  'rate_limited',
  'system_error',
  'busy',
  'database_away',
  'answer_late',
]

function schemaOf(type: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => plain(jsonSchema),
  })
  return schema as JsonSchema
}

/** Leaves out what only says that a number is one that JSON can carry, and that a UUID is one. */
function plain(schema: JsonSchema): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum']
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum']
  if (schema['format'] === 'uuid') delete schema['pattern']
}

function envelopeOf(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['code', 'msg', 'data'],
    properties: { code: { type: 'string', description: '"0" is success' }, msg: { type: 'string' }, data: { anyOf: [data, { type: 'null' }] } },
  }
}

/** What may refuse a call before its own code is reached. */
function refusedBefore(endpoint: Endpoint): SystemErrorName[] {
  const { permission, method } = endpoint
  return [
    ...OF_EVERY_CALL,
    ...(method === 'POST' ? (['body_too_large', 'unsupported_content'] as const) : []),
    ...(permission === 'public' ? [] : (['signed_out'] as const)),
    ...(permission === 'public' || permission === 'member' ? [] : (['not_permitted'] as const)),
    ...(permission !== 'public' && isMutating(endpoint) ? (['open_token_stale'] as const) : []),
  ]
}

/** What a caller has to bring along. The session's cookie comes with the page; the two tokens are read from it and from the session's state. */
function securityOf(endpoint: Endpoint): object[] {
  if (endpoint.bootstrap) return []
  if (endpoint.permission === 'public') return [{ session: [], xsrf: [] }]
  return [{ session: [], xsrf: [], ...(isMutating(endpoint) ? { openToken: [] } : {}) }]
}

function operationOf({ name, feature, endpoint, refusals }: DescribedCall, errors: Errors, door?: Door): Record<string, unknown> {
  const input = schemaOf(endpoint.input, 'input')
  const required = new Set(input.required)
  const parameters = Object.entries(input.properties ?? {}).map(([field, schema]) => ({ name: field, in: 'query', required: required.has(field), schema }))
  const all = new Set<string>([...(door ? [...OF_EVERY_CALL, ...door.refusals] : refusedBefore(endpoint)), ...refusals])
  const statuses = new Set(
    errors
      .filter(({ name: each }) => all.has(each))
      .map(({ httpStatus }) => httpStatus)
      .filter((status) => status !== 200),
  )
  const answer = { description: 'The data, or a refusal with its code and the reason.', content: json(envelopeOf(schemaOf(endpoint.output, 'input'))) }
  return {
    operationId: name,
    tags: [feature],
    summary: endpoint.summary,
    security: door ? [{ signature: [] }] : securityOf(endpoint),
    'x-permission': endpoint.permission,
    'x-timeout-ms': endpoint.timeoutMs ?? 10_000,
    'x-refusals': [...all].filter((each) => !OF_EVERY_CALL.some((other) => other === each)).toSorted(),
    ...(endpoint.tenantParameters ? { 'x-tenant-parameters': endpoint.tenantParameters } : {}),
    ...(endpoint.hasEffect ? { 'x-has-effect': true } : {}),
    ...(endpoint.method === 'GET'
      ? { parameters }
      : {
          requestBody: { required: true, content: { [takesFile(endpoint) ? 'multipart/form-data' : 'application/x-www-form-urlencoded']: { schema: input } } },
        }),
    responses: Object.fromEntries([
      ['200', answer],
      ...[...statuses].toSorted((a, b) => a - b).map((status) => [String(status), { $ref: `#/components/responses/${status}` }]),
    ]),
  }
}

const json = (schema: object) => ({ 'application/json': { schema } })

/** The answers that come with another status than 200: what was asked never reached a rule of the business. */
function refusingResponses(errors: Errors): Record<string, unknown> {
  const byStatus = Map.groupBy(errors, ({ httpStatus }) => httpStatus)
  byStatus.delete(200)
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, entries]) => {
        const said = entries.map(({ name, code }) => `${code} ${name}`).join(', ')
        return [String(status), { description: `Refused: ${said}`, content: json({ $ref: '#/components/schemas/Refusal' }) }]
      }),
  )
}

function webhookOf({ event, summary, body }: DescribedWebhook): object {
  return {
    post: {
      operationId: event,
      tags: ['webhooks'],
      summary,
      parameters: [{ $ref: '#/components/parameters/Signature' }, { $ref: '#/components/parameters/Timestamp' }, { $ref: '#/components/parameters/KeyId' }],
      requestBody: { required: true, content: json(schemaOf(body, 'output')) },
      responses: { '2XX': { description: 'Received. Anything else, or the word FAILURE as the body, and it is sent again.' } },
    },
  }
}

const header = (name: string, description: string) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } })

/** Programs call, and sign each call: what refuses one before its own code is reached. Without it people call, with a session. */
type Door = { refusals: readonly string[] }

const SECURITY = {
  people: {
    session: { type: 'apiKey', in: 'cookie', name: '__Host-holdfast' },
    openToken: { type: 'apiKey', in: 'header', name: 'openToken' },
    xsrf: { type: 'apiKey', in: 'header', name: 'X-XSRF-TOKEN' },
  },
  programs: {
    signature: {
      type: 'apiKey',
      in: 'header',
      name: 'Signature',
      description:
        'HTTP message signature (RFC 9421) by the key of an API key, Ed25519 or ECDSA P-256, with Signature-Input and, for a POST, Content-Digest. docs/api.md says of what',
    },
  },
} as const

/**
 * The OpenAPI 3.1 document of the interface: form-encoded bodies, query parameters, envelopes, what each call can refuse with, each permission as
 * `x-permission`, and what is sent to webhooks.
 */
export function openApi(
  version: string,
  {
    calls,
    webhooks = [],
    errors,
    door,
  }: { calls: readonly DescribedCall[]; webhooks?: readonly DescribedWebhook[]; errors: Readonly<Record<string, Refusal>>; door?: Door },
): OpenApiDocument {
  // In an order that does not change when one moves in the sources.
  const byCode = Object.values(errors).toSorted((one, other) => Number(one.code) - Number(other.code))
  const paths: OpenApiDocument['paths'] = {}
  const names = new Set<string>()
  for (const call of calls) {
    const { endpoint, name } = call
    const path = (paths[endpoint.path] ??= {})
    const method = endpoint.method.toLowerCase()
    if (path[method]) throw new Error(`two endpoints answer ${endpoint.method} ${endpoint.path}`)
    if (names.has(name)) throw new Error(`two calls are called ${name}`)
    names.add(name)
    path[method] = operationOf(call, byCode, door)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Holdfast', version, description: ABOUT },
    tags: [...new Set(calls.map(({ feature }) => feature)), ...(webhooks.length > 0 ? ['webhooks'] : [])].map((name) => ({ name })),
    paths,
    webhooks: Object.fromEntries(webhooks.map((webhook) => [webhook.event, webhookOf(webhook)])),
    components: {
      schemas: { Refusal: envelopeOf({ type: 'object', description: 'What the reason names, such as retry_after' }) },
      responses: refusingResponses(byCode),
      parameters: {
        Signature: header('X-Holdfast-Signature', 'Ed25519 in base64 over the timestamp, a full stop and the raw body'),
        Timestamp: header('X-Holdfast-Timestamp', 'When this try was signed, in milliseconds since the epoch'),
        KeyId: header('X-Holdfast-Key-Id', 'Which of the keys of getWebhookEndpoints has signed'),
      },
      securitySchemes: SECURITY[door ? 'programs' : 'people'],
      'x-refusals-of-every-call': OF_EVERY_CALL,
      'x-error-codes': byCode.map(({ name, httpStatus, ...rest }) => ({ name, http_status: httpStatus, ...rest })),
    },
  }
}

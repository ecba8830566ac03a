import type { OpenApiDocument } from '@holdfast/contract'

type Schema = Record<string, unknown>
type Operation = {
  operationId: string
  summary: string
  parameters?: { name: string; required: boolean; schema: Schema }[]
  requestBody?: Schema
  responses: Schema
}

/** Where the types of the calls of programs stand, for the client. */
const FOLDER = 'packages/open-client/src'
const WRITTEN = '// Written by npm run openapi from the contracts of the calls.\n\n'

/** The calls of a document as types, a file each, and the list of them with where each is: texts by their paths. */
export function clientCalls({ paths }: Pick<OpenApiDocument, 'paths'>): Map<string, string> {
  const calls = Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation: operation as Operation })),
    )
    .map(({ operation, ...at }) => ({ ...at, name: operation.operationId, file: fileOf(operation.operationId), operation }))
  const imports = calls
    .toSorted((one, other) => (one.file < other.file ? -1 : 1))
    .map(({ name, file }) => `import type { ${typeName(name)} } from './calls/${file}'`)
  const types = calls.map(({ name }) => `  ${name}: ${typeName(name)}`)
  const places = calls.map(({ method, path, name }) => `  ${name}: { method: '${method}', path: '${path}' },`)
  const list = `${imports.join('\n')}\n\nexport type OpenCalls = {\n${types.join('\n')}\n}\n\n/** Where each call is. */\nexport const CALLS = {\n${places.join('\n')}\n} as const satisfies Record<keyof OpenCalls, { method: 'GET' | 'POST'; path: string }>\n`
  return new Map([
    [`${FOLDER}/calls.ts`, WRITTEN + list],
    ...calls.map(({ file, operation }): [string, string] => [`${FOLDER}/calls/${file}`, oneCall(operation)]),
  ])
}

const typeName = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1)
const fileOf = (name: string): string => `${name.replaceAll(/[A-Z]/g, (each) => `-${each.toLowerCase()}`)}.ts`

function oneCall(operation: Operation): string {
  const [input, output] = [inputOf(operation), outputOf(operation)].map((each) => typeOf(each, '  '))
  return `${WRITTEN}/** ${operation.summary}. */\nexport type ${typeName(operation.operationId)} = {\n  input: ${input}\n  output: ${output}\n}\n`
}

function inputOf({ parameters, requestBody }: Operation): Schema {
  if (requestBody) return Object.values((requestBody as { content: Record<string, { schema: Schema }> }).content)[0]?.schema ?? {}
  return {
    type: 'object',
    properties: Object.fromEntries((parameters ?? []).map(({ name, schema }) => [name, schema])),
    required: (parameters ?? []).filter(({ required }) => required).map(({ name }) => name),
  }
}

function outputOf({ responses }: Operation): Schema {
  const answer = responses['200'] as { content: { 'application/json': { schema: { properties: { data: { anyOf: [Schema] } } } } } }
  return answer.content['application/json'].schema.properties.data.anyOf[0]
}

function typeOf(schema: Schema, indent: string): string {
  const { enum: values, const: one, anyOf, type, items, properties, required = [] } = schema as Schema & { required?: string[] }
  if (values) return (values as unknown[]).map(literal).join(' | ')
  if (one !== undefined) return literal(one)
  if (anyOf) return [...new Set((anyOf as Schema[]).map((each) => typeOf(each, indent)))].join(' | ')
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each as unknown }, indent)).join(' | ')
  if (type === 'array') {
    const each = typeOf(items as Schema, indent)
    return `readonly ${each.startsWith('{') || !each.includes(' | ') ? each : `(${each})`}[]`
  }
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' || type === 'boolean' || type === 'null') return type
  if (type !== 'object') return 'unknown'
  const fields = Object.entries((properties ?? {}) as Record<string, Schema>)
  if (fields.length === 0) return 'Record<string, never>'
  const inner = `${indent}  `
  const lines = fields.map(([name, each]) => `${inner}${name}${required.includes(name) ? '' : '?'}: ${typeOf(each, inner)}`)
  return `{\n${lines.join('\n')}\n${indent}}`
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

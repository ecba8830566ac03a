import type * as z from 'zod'
import type { Topic } from './topics.ts'

/**
 * Who may call: `public` is everybody, `member` is everybody who is signed in, any other text is a permission
 * (such as `withdraw.create`) that the session must hold.
 */
export type Permission = 'public' | 'member' | (string & {})

export type EndpointDefinition<
  Path extends string = string,
  Needed extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> = {
  method: 'GET' | 'POST'
  /** The path as the console calls it, without parameters in it. */
  path: Path
  permission: Needed
  /** One schema for each form field: from text to value. Use the field types of this package. */
  input: Input
  /** The shape of `data` as it travels. Money is text. What is not in the shape is not sent. */
  output: Output
  /** One sentence for the OpenAPI document. */
  summary: string
  /** How long the caller waits and the server works; 10 s where absent. */
  timeoutMs?: number
  /** How many bytes of body the server reads, a file in it included; 64 KiB where absent. */
  maxBodyBytes?: number
  /** The input fields that name something of an organisation; the cross-tenant test is made from them. */
  tenantParameters?: readonly (keyof z.output<Input> & string)[]
  /** What makes an answer stale, so that a page that shows it asks again. A member's call that reads says it, if only `[]`. */
  staleOn?: readonly Topic[]
  /** What a call that went well has changed: every page's answers that are stale on it are asked for again. A member's call that writes says it. */
  changes?: readonly Topic[]
  /**
   * An answer rests on the database and on the clock alone, and what the clock does to it may be this late. So the server may answer the same again for so
   * long, to the same person, while the database says that nothing was written since (ADR 65). Only of a member's GET without effect.
   */
  keptForMs?: number
  /** A GET that changes something. It then needs the open token, as a POST does. */
  hasEffect?: boolean
  /** The one kind of call that needs no XSRF token, because it hands the token out. Only a public GET without effect. */
  bootstrap?: boolean
}

export type Endpoint = EndpointDefinition

/** What a handler gets: every field parsed. */
export type InputOf<E extends Endpoint> = z.output<E['input']>

/** What a handler answers: the value as it travels. */
export type ReplyOf<E extends Endpoint> = z.input<E['output']>

/** What a caller gets: the reply parsed. */
export type OutputOf<E extends Endpoint> = z.output<E['output']>

type Fields<E extends Endpoint> = E['input'] extends z.ZodObject<infer Shape> ? Shape : never
type OptionalNames<F> = { [K in keyof F]: F[K] extends z.ZodType ? (undefined extends z.input<F[K]> ? K : never) : never }[keyof F]
type Given<F, K extends keyof F> = F[K] extends z.ZodType ? z.output<F[K]> : never

/** What a caller gives: the values (numbers, booleans, objects), not their text; fields with a default may be left out. */
export type CallInput<E extends Endpoint> = { [K in Exclude<keyof Fields<E>, OptionalNames<Fields<E>>>]: Given<Fields<E>, K> } & {
  [K in OptionalNames<Fields<E>>]?: Given<Fields<E>, K & keyof Fields<E>> | undefined
}

const PATH = /^\/(api|open\/v1)(\/[A-Za-z0-9_]+)+$/
const PERMISSION = /^(public|member|[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+)$/

/** Fields whose value gives whoever reads it a right. */
const SECRET = /(^|_)(token|secret|password|invite|google_code)$/

/**
 * One call of the interface, as a value: the handler's types, the parsing, the reply check, the console's `call`
 * and the OpenAPI document all come from it. Throws where the definition would open a hole.
 */
export function defineEndpoint<const Path extends string, const Needed extends Permission, Input extends z.ZodObject, Output extends z.ZodType>(
  definition: EndpointDefinition<Path, Needed, Input, Output>,
): EndpointDefinition<Path, Needed, Input, Output> {
  const { method, path, permission, input, bootstrap, hasEffect } = definition
  const refuse = (why: string): never => {
    throw new Error(`endpoint ${method} ${path}: ${why}`)
  }
  if (method !== 'GET' && method !== 'POST') refuse('the method is GET or POST')
  if (!PATH.test(path)) refuse('the path starts with /api, or with /open/v1 for programs, and has only letters, digits and underscores between slashes')
  if (typeof permission !== 'string' || !PERMISSION.test(permission)) refuse('it needs a permission: public, member, or one like withdraw.create')
  if (bootstrap && (method !== 'GET' || permission !== 'public' || hasEffect)) refuse('only a public GET without effect may be a bootstrap call')
  if (definition.keptForMs !== undefined && (method !== 'GET' || permission === 'public' || hasEffect))
    refuse("only answers of a member's GET without effect are kept")
  for (const name of definition.tenantParameters ?? []) {
    if (!Object.hasOwn(input.shape, name)) refuse(`the tenant parameter ${name} is not an input field`)
  }
  const secret = method === 'GET' && Object.keys(input.shape).find(isSecretField)
  if (secret) refuse(`${secret} would stand in the address, which browsers and proxies keep: make it a POST`)
  return Object.freeze(definition)
}

/** A call as it stands at another path, with everything else of it as it is. */
export function atPath<E extends Endpoint, const Path extends string>(endpoint: E, path: Path): Omit<E, 'path'> & { path: Path } {
  return defineEndpoint({ ...endpoint, path }) as never
}

/** Whether a field gives whoever reads it a right, so that it is kept out of addresses and of what is remembered of a call. */
export const isSecretField = (name: string): boolean => SECRET.test(name)

/** Whether a call can change something, so that the session cookie alone is not enough. */
export function isMutating(endpoint: Endpoint): boolean {
  return endpoint.method === 'POST' || endpoint.hasEffect === true
}

/** Whether a call takes a file (`z.file()` among its fields), so that its form travels in parts (multipart/form-data). */
export function takesFile({ input }: Pick<Endpoint, 'input'>): boolean {
  return Object.values(input.shape).some((field) => (field as z.ZodType).def.type === 'file')
}

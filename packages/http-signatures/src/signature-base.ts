/** What is signed of a call. Names of headers are in lower case; `query` is without its "?". */
export type Message = { method: string; authority: string; path: string; query: string; headers: Readonly<Record<string, string | undefined>> }

/** The value of a component; undefined where the message has none of that name, or it is one that nobody may sign here. */
function valueOf({ method, authority, path, query, headers }: Message, component: string): string | undefined {
  if (component === '@method') return method
  if (component === '@authority') return authority.toLowerCase()
  if (component === '@path') return path === '' ? '/' : path
  if (component === '@query') return `?${query}`
  return component.startsWith('@') || !Object.hasOwn(headers, component) ? undefined : headers[component]?.trim()
}

/**
 * The text that is signed (RFC 9421, section 2.5): a line for each component, and the parameters as they were written. Undefined where the message lacks a
 * component, or one has a line break in it.
 */
export function signatureBase(message: Message, components: readonly string[], params: string): string | undefined {
  const lines: string[] = []
  for (const component of components) {
    const value = valueOf(message, component)
    if (value === undefined || !/^[\x20-\x7e]*$/.test(value)) return undefined
    lines.push(`"${component}": ${value}`)
  }
  return [...lines, `"@signature-params": ${params}`].join('\n')
}

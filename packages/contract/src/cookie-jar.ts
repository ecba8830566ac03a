/**
 * The cookies of one origin, for terminals and tests under Node, where there is no browser to keep them.
 * It keeps names and values only: expiry other than deletion, paths and domains do not matter for one origin.
 */
export type CookieJar = {
  /** The `Cookie` header, or undefined if there is nothing. */
  header(): string | undefined
  get(name: string): string | undefined
  set(name: string, value: string): void
  /** Takes the `Set-Cookie` headers of an answer. */
  accept(headers: Headers): void
  clear(): void
}

/** An empty cookie jar. */
export function createCookieJar(): CookieJar {
  const cookies = new Map<string, string>()
  return {
    header: () => (cookies.size === 0 ? undefined : [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')),
    get: (name) => cookies.get(name),
    set: (name, value) => void cookies.set(name, value),
    accept: (headers) => {
      for (const line of headers.getSetCookie()) {
        const [pair = '', ...attributes] = line.split(';')
        const equals = pair.indexOf('=')
        if (equals < 1) continue
        const name = pair.slice(0, equals).trim()
        if (attributes.some((each) => /^\s*max-age\s*=\s*(0|-\d+)\s*$/i.test(each))) cookies.delete(name)
        else cookies.set(name, pair.slice(equals + 1).trim())
      }
    },
    clear: () => cookies.clear(),
  }
}

/** The value of a cookie in a `document.cookie` or `Cookie` text, or undefined. */
export function readCookie(text: string, name: string): string | undefined {
  for (const pair of text.split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

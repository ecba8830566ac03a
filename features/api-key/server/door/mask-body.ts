const LENGTH_MAX = 4000

/** The beginning of a text that somebody sent, as the database keeps it: it refuses NUL, and half of a character is none. */
export const keptText = (text: string, lengthMax: number): string => text.slice(0, lengthMax).replaceAll('\0', '\ufffd').toWellFormed()

/** Names of fields whose values are not for a log. */
const SECRET = /code|password|secret|token|private|signature|^sign$|mnemonic|seed|otp/i
const MASK = '***'

/**
 * What a log of calls keeps of a body, at most 4,000 characters: values of fields that look secret are masked, in a form, in JSON, and in JSON within a form.
 * What is neither is not kept at all.
 */
export function maskBody(body: string): string {
  const trimmed = body.trim()
  if (trimmed === '') return ''
  const json = readJson(trimmed)
  if (json !== undefined) return keptText(JSON.stringify(masked(json)), LENGTH_MAX)
  if (!/^[\w.[\]%-]+=/.test(trimmed)) return MASK
  const fields = [...new URLSearchParams(trimmed)].map(([name, value]) => {
    if (SECRET.test(name)) return [name, MASK]
    const inner = readJson(value)
    return [name, inner === undefined ? value : JSON.stringify(masked(inner))]
  })
  return keptText(fields.map(([name, value]) => `${name}=${value}`).join('&'), LENGTH_MAX)
}

/** An object or a list; undefined where the text is neither. */
function readJson(text: string): object | undefined {
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, SECRET.test(name) ? MASK : masked(inner)]))
}

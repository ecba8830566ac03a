import * as z from 'zod'
import { textFault } from './parse-form.ts'

/**
 * The types of form fields. Each takes the field's text and gives its value; `formEncode` is the way back.
 * Messages are parts of a sentence: they follow 'Check "field": '.
 */

/** A decimal number as text, exactly as typed: no sign, no exponent, no leading zeros, at most 78 + 36 digits. Never a float. */
export const amountText = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})(\.\d{1,36})?$/, 'it must be a plain decimal number such as 12.5')
  .describe('Decimal number as text')

/** An `amountText` above zero. */
export const positiveAmountText = amountText.refine((text) => /[1-9]/.test(text), 'it must be above zero')

/** A UUID; letters come out in lower case. */
export const idText = z.uuid('it must be an id (UUID)').toLowerCase()

/** Ids separated by commas, one to `maxCount`, none twice. A list as `formEncode` writes it, `["…","…"]`, is the same. */
export function idListText(maxCount = 200) {
  return z
    .codec(z.string().max(maxCount * 39 + 1), z.array(idText).min(1).max(maxCount), {
      decode: (text) => (/^\["[^"\\]*"(,"[^"\\]*")*\]$/.test(text) ? text.slice(2, -2).split('","') : text.split(',')),
      encode: (ids) => ids.join(','),
    })
    .refine((ids) => new Set(ids).size === ids.length, 'an id was given twice')
}

/** A whole number between `min` and `max`, as text without sign tricks or leading zeros. */
export function wholeNumberText(min: number, max: number) {
  return z.codec(z.string().regex(/^(0|-?[1-9]\d{0,15})$/, 'it must be a whole number'), z.int().min(min).max(max), {
    decode: Number,
    encode: String,
  })
}

/** Page of a list, from 1; 1 where absent. */
export const pageNumber = wholeNumberText(1, 1_000_000).default(1)

/** Rows of a page, 1 to 200; 20 where absent. */
export const pageSize = wholeNumberText(1, 200).default(20)

/** Milliseconds since the epoch. */
export const timeMsText = wholeNumberText(0, 8_640_000_000_000_000)

/** "true" or "false". */
export const boolText = z.codec(z.enum(['true', 'false'], 'it must be true or false'), z.boolean(), {
  decode: (text) => text === 'true',
  encode: (value) => (value ? 'true' : 'false'),
})

/** An address of any chain: 1 to 200 printable ASCII characters without spaces. The chain's codec judges the rest. */
export const addressText = z.string().regex(/^[!-~]{1,200}$/, 'it must be an address without spaces')

/** The six digits of the authenticator app. */
export const totpText = z.string().regex(/^\d{6}$/, 'it must be the six digits of your authenticator app')

/** An id that the client makes for each create call, so that a retry is recognised. */
export const requestIdText = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/, 'it must be 8 to 64 letters, digits, "-" or "_"')

// Characters that change how their neighbours are drawn, or that cannot be seen: bidirectional controls, zero width, format and control characters.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\u115f\u1160\u3164\uffa0]/u
const UNSEEN_BUT_LINES = /[\p{Cf}\p{Co}\p{Cn}\u2028\u2029]|(?![\n\t])\p{Cc}/u

function limited(minCharacters: number, maxCharacters: number, unseen: RegExp) {
  return (
    z
      .string()
      // A code point is at most two units: a cheap bound before the exact one.
      .max(maxCharacters * 2, `it must have at most ${maxCharacters} characters`)
      .refine((text) => [...text].length <= maxCharacters, `it must have at most ${maxCharacters} characters`)
      .refine((text) => [...text].length >= minCharacters, minCharacters === 1 ? 'it must not be empty' : `it must have at least ${minCharacters} characters`)
      .refine((text) => !unseen.test(text), 'it has characters that cannot be seen; type it instead of pasting it')
  )
}

/** A name that people see: 1 to `maxCharacters` code points on one line, nothing invisible, no space at the ends. */
export function labelText(maxCharacters: number) {
  return limited(1, maxCharacters, UNSEEN).refine((text) => text === text.trim(), 'it must not start or end with a space')
}

/** A note of up to `maxCharacters` code points; lines allowed; may be empty. 200 is the console's remark. */
export function remarkText(maxCharacters = 200) {
  return limited(0, maxCharacters, UNSEEN_BUT_LINES)
}

/** A search word of at most 100 characters; may be empty. */
export const keywordText = limited(0, 100, UNSEEN)

function jsonFault(value: unknown, depth = 0): string | undefined {
  if (depth > 16) return 'it is nested too deeply'
  if (typeof value === 'string') return textFault(value)
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__' || key === 'constructor' || key === 'prototype') return 'it has a field name that is not allowed'
    const fault = textFault(key) ?? jsonFault(inner, depth + 1)
    if (fault) return fault
  }
  return undefined
}

/** JSON text in a field, with the shape `schema`; every text in it is well-formed NFC without NUL, 16 levels at most. */
export function jsonField<S extends z.ZodType>(schema: S) {
  return z.codec(z.string(), schema, {
    decode: (text, context) => {
      let value: unknown
      let reason: string | undefined
      try {
        value = JSON.parse(text)
        reason = jsonFault(value)
      } catch {
        reason = 'it must be JSON text'
      }
      if (reason === undefined) return value as z.input<S>
      context.issues.push({ code: 'custom', input: text, message: reason })
      return z.NEVER
    },
    encode: (value) => JSON.stringify(value),
  })
}

/** What a person pays for a place in a block, the lowest first. */
export const feeTier = z.enum(['economy', 'normal', 'fast'])

/** The number of one token of a collection, in decimal digits: at most 256 bits. */
export const tokenIdText = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})$/, 'it must be a token id in decimal digits')
  .refine((text) => /^\d{1,78}$/.test(text) && BigInt(text) >> 256n === 0n, 'no token has so high a number')

/** A page of a list, as every list call answers it. */
export function pageOf<S extends z.ZodType>(row: S) {
  return z.object({ pageTotal: z.int(), has_more: z.boolean(), list: z.array(row) })
}

/** The same of a list that is also read on from its last row, so that rows which come and go meanwhile move nothing. */
export function partOf<S extends z.ZodType>(row: S) {
  return pageOf(row).extend({
    next: z.string().nullable().describe('Where the next part begins: its `after`, or `max_id` of transactions; null where this is the last'),
  })
}

/** One page of a list as every list call answers it: what is on it, of how many, and whether more follow. */
export function answerPage<T>({ page_no, page_size }: { page_no: number; page_size: number }, total: number, list: T[]) {
  return { pageTotal: total, has_more: (page_no - 1) * page_size + list.length < total, list }
}

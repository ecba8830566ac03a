import { AppError } from './app-error.ts'

export const MAX_FORM_KEYS = 200
export const MAX_FORM_BYTES = 64 * 1024

const KEY = /^[A-Za-z][A-Za-z0-9_]{0,63}$/
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
// A form-encoded text is printable ASCII; everything else travels percent-encoded.
const ENCODED = /^(?:[!-$'-~]|%[0-9A-Fa-f]{2})*$/
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function refuse(field: string, reason: string): never {
  throw new AppError('invalid_parameters', { details: { field, reason } })
}

/** Why a text may not enter the system, or undefined if it may. NUL is out because PostgreSQL cannot hold it. */
export function textFault(text: string): string | undefined {
  if (!text.isWellFormed()) return 'the text is not valid Unicode'
  if (text.includes('\0')) return 'the text contains a NUL character'
  if (text.normalize('NFC') !== text) return 'the text is not in Unicode normal form C'
  return undefined
}

function decodeComponent(encoded: string, field: string): string {
  if (!ENCODED.test(encoded)) refuse(field, 'it is not form-encoded')
  const bytes = new Uint8Array(encoded.length)
  let length = 0
  for (let at = 0; at < encoded.length; at++) {
    const unit = encoded.charCodeAt(at)
    if (unit === 0x25) {
      bytes[length++] = Number.parseInt(encoded.slice(at + 1, at + 3), 16)
      at += 2
    } else {
      bytes[length++] = unit === 0x2b ? 0x20 : unit
    }
  }
  try {
    return strictUtf8.decode(bytes.subarray(0, length))
  } catch {
    return refuse(field, 'it is not valid UTF-8')
  }
}

/**
 * The fields of a form-encoded body or a query string (without its "?"). Flat and strict: no brackets, no duplicates,
 * no empty names, at most 200 fields and `maxBytes` (64 KiB) of text, every value well-formed NFC without NUL.
 * The result has no prototype. Throws AppError `invalid_parameters` or `body_too_large`, nothing else.
 */
export function parseForm(text: string, maxBytes = MAX_FORM_BYTES): Record<string, string> {
  if (text.length > maxBytes) throw new AppError('body_too_large', { details: { limit: maxBytes } })
  const fields: Record<string, string> = Object.create(null)
  if (text === '') return fields
  // Splitting stops one past the limit, so that a flood of "&" costs no memory.
  const pairs = text.split('&', MAX_FORM_KEYS + 1)
  if (pairs.length > MAX_FORM_KEYS) refuse('form', `it has more than ${MAX_FORM_KEYS} fields`)
  for (const pair of pairs) {
    const equals = pair.indexOf('=')
    if (equals < 0) refuse('form', 'a field has no "="')
    const key = decodeComponent(pair.slice(0, equals), 'form')
    demandNewKey(fields, key)
    putText(fields, key, decodeComponent(pair.slice(equals + 1), key))
  }
  return fields
}

/** Throws AppError `invalid_parameters` unless a form may have a field of this name, and has none yet. */
export function demandNewKey(fields: Readonly<Record<string, unknown>>, key: string): void {
  if (!KEY.test(key) || FORBIDDEN_KEYS.has(key)) refuse('form', 'a field name is not letters, digits and underscores')
  if (Object.hasOwn(fields, key)) refuse(key, 'it was given twice')
}

/** Puts a text into a form. Throws AppError `invalid_parameters` for one that may not enter the system. */
export function putText(fields: Record<string, unknown>, key: string, value: string): void {
  const fault = textFault(value)
  if (fault) refuse(key, fault)
  fields[key] = value
}

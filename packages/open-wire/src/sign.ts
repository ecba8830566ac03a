import { createHash, createSign, createVerify, type KeyObject } from 'node:crypto'

/** The fields of a withdrawal, and of a call of a contract, that its `sign` is over. */
export const WITHDRAWAL_FIELDS = ['request_id', 'sub_wallet_id', 'symbol', 'address_to', 'amount', 'memo', 'outputs'] as const
export const CALL_FIELDS = ['request_id', 'sub_wallet_id', 'main_chain_symbol', 'interactive_contract', 'amount', 'input_data'] as const

type Fields = Readonly<Record<string, unknown>>

/**
 * The text that `sign` stands for: fields that are not empty, sorted, `name=value` with `&` between, in small letters, an amount without zeros at its end.
 * Undefined where a value holds `&`: that text would stand for other fields as well.
 */
export function signedText(fields: Fields, names: readonly string[]): string | undefined {
  const given = names.toSorted().flatMap((name) => {
    const value = textOf(fields[name])
    return value === '' ? [] : [[name, name === 'amount' ? withoutZeros(value) : value] as const]
  })
  if (given.some(([, value]) => value.includes('&'))) return undefined
  return given
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
    .toLowerCase()
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

function withoutZeros(amount: string): string {
  if (!/\.\d*$/.test(amount)) return amount
  return amount.replace(/0+$/, '').replace(/\.$/, '')
}

/** What is signed: the 32 hexadecimal letters of the MD5 of the text. */
const signedBytes = (text: string): Buffer => Buffer.from(createHash('md5').update(text, 'utf8').digest('hex'), 'utf8')

/** Signs fields. Undefined where they have no text that stands for them alone. */
export function makeSign(fields: Fields, names: readonly string[], key: KeyObject): string | undefined {
  const text = signedText(fields, names)
  return text === undefined ? undefined : createSign('sha256').update(signedBytes(text)).sign(key, 'base64')
}

/** Whether `sign` is over these fields, by this key. */
export function isSignOf(sign: unknown, fields: Fields, names: readonly string[], key: KeyObject): boolean {
  const text = signedText(fields, names)
  if (text === undefined || typeof sign !== 'string' || !/^[A-Za-z0-9+/]{342}==$/.test(sign)) return false
  return createVerify('sha256').update(signedBytes(text)).verify(key, sign, 'base64')
}

import { ChainError } from '@holdfast/chain-core'
import { concatBytes, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'

/** An account: its workchain, -1 for the masterchain and 0 for all others, and 32 bytes. */
export type Address = { workchain: number; hash: Uint8Array }

const BOUNCEABLE = 0x11
const NON_BOUNCEABLE = 0x51
const TEST_ONLY = 0x80
// 36 bytes in base64: no bit is left over, so that 48 characters are one address.
const FRIENDLY = /^(?:[A-Za-z0-9_-]{48}|[A-Za-z0-9+/]{48})$/
const RAW = /^(-1|0):([0-9a-fA-F]{64})$/
const CRC_POLYNOMIAL = 0x1021

/**
 * The canonical text of an address: the user-friendly form that says "do not bounce" (`UQ…`, on test networks `0Q…`), since a payment
 * to it never bounces either, whatever stands there.
 */
export function addressText({ workchain, hash }: Address, isTest: boolean): string {
  if ((workchain !== 0 && workchain !== -1) || hash.length !== 32) throw new ChainError(`there is no workchain ${workchain}`)
  const body = concatBytes(Uint8Array.of(NON_BOUNCEABLE | (isTest ? TEST_ONLY : 0), workchain & 0xff), hash)
  const text = btoa(String.fromCharCode(...body, ...crc16(body)))
  return text.replaceAll('+', '-').replaceAll('/', '_')
}

/** The raw form, `<workchain>:<64 hexadecimal digits>`, which says no network. */
export function rawAddress({ workchain, hash }: Address): string {
  return `${workchain}:${toHex(hash)}`
}

/** The account that a text names, in any of its forms, or undefined if it names none of this network. */
export function parseAddress(text: string, isTest: boolean): Address | undefined {
  const raw = RAW.exec(text)
  if (raw) return { workchain: Number(raw[1]), hash: fromHex(at(raw, 2)) }
  if (!FRIENDLY.test(text)) return undefined
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
  const body = bytes.subarray(0, 34)
  if (!equalBytes(crc16(body), bytes.subarray(34))) return undefined
  const flags = at(body, 0) & ~TEST_ONLY
  if ((flags !== BOUNCEABLE && flags !== NON_BOUNCEABLE) || isTest !== ((at(body, 0) & TEST_ONLY) !== 0)) return undefined
  const workchain = (at(body, 1) << 24) >> 24
  return workchain === 0 || workchain === -1 ? { workchain, hash: body.slice(2) } : undefined
}

/** The account of a text. Throws ChainError if it names none of this network. */
export function requireAddress(text: string, isTest: boolean): Address {
  const address = parseAddress(text, isTest)
  if (!address) throw new ChainError(`not an address of this chain: ${JSON.stringify(text.slice(0, 60))}; check every character`)
  return address
}

export function sameAddress(a: Address, b: Address): boolean {
  return a.workchain === b.workchain && equalBytes(a.hash, b.hash)
}

/** CRC-16/XMODEM, as the user-friendly form ends with. */
function crc16(bytes: Uint8Array): Uint8Array {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let i = 0; i < 8; i++) crc = crc & 0x8000 ? ((crc << 1) ^ CRC_POLYNOMIAL) & 0xffff : (crc << 1) & 0xffff
  }
  return Uint8Array.of(crc >> 8, crc & 0xff)
}

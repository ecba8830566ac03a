import { readPaymentCode } from '@holdfast/chain-registry/payment-code'
import { type AddressGuess, guessAddress } from '@holdfast/chain-registry/guess-address'

type Place = { chain: string; contract_address: string | null }

/** What stands in the field of a destination; `code` is a payment code that cannot be taken, and why. */
export type Destination = AddressGuess | { kind: 'empty' } | { kind: 'code'; fault: string; name: string }

const CODE = /^(?:bitcoin|ethereum|tron|ton|litecoin|dogecoin|bitcoincash|monero|ripple|solana):/i

/** Whether a text is written as a payment code is, whatever is in it. */
export const isPaymentCode = (text: string): boolean => CODE.test(text.trim())

/** Reads what a person put into the field of a destination. Never throws. */
export function readDestination(text: string, coin: Place | undefined): Destination {
  if (text.trim() === '') return { kind: 'empty' }
  if (coin === undefined) return { kind: 'unknown' }
  if (!isPaymentCode(text)) return guessAddress(text, coin.chain)
  const code = readPaymentCode(text, { chain: coin.chain, contract: coin.contract_address })
  return 'fault' in code ? { kind: 'code', fault: code.fault, name: 'name' in code ? code.name : '' } : { kind: 'unknown' }
}

/** The places where an address contradicts its checksum, each with the characters beside it, as `…aB…`. */
export function differingPlaces(address: string, places: readonly number[]): string {
  return places.map((at) => `…${address.slice(Math.max(0, at - 2), at)}[${address.charAt(at)}]${address.slice(at + 1, at + 3)}…`).join(' ')
}

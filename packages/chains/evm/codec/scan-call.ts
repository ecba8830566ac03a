import { parseSignature } from './abi-type.ts'
import { ADDRESS_LENGTH, checksumAddress } from './address.ts'
import { SELECTOR_LENGTH, selectorOf, WORD } from './call-data.ts'
import type { Deed, KnownFunction } from './known-function.ts'
import { KNOWN_FUNCTIONS } from './known-functions.ts'
import { bytesToUint } from './uint.ts'

/**
 * A function found in call data that moves something or gives a right. `carried`: it stands somewhere inside. `amount`: base units, null if the function
 * has none that could be counted; one that should be there and cannot be read is `UNREADABLE`. `to`: who gets it, in EIP-55, null if it does not say.
 * `takesBack`: it ends a right.
 */
export type Find = {
  signature: string
  deed: Exclude<Deed, 'carries'>
  carried: boolean
  amount: bigint | null
  to: string | null
  adds: boolean
  takesBack: boolean
}

/** More than any amount. */
export const UNREADABLE = (1n << 256n) - 1n

const BY_SELECTOR = new Map(KNOWN_FUNCTIONS.map((known) => [parseSignature(known.signature).selector, known]))
// Most bytes begin no selector: this spares writing four of them as text at every place.
const FIRST_BYTES = new Set([...BY_SELECTOR.keys()].map((selector) => Number.parseInt(selector.slice(0, 2), 16)))

/** The signature of a function of the table, by the digits that call data begins with. */
export function knownSignatureOf(data: Uint8Array): string | undefined {
  return BY_SELECTOR.get(selectorOf(data))?.signature
}

/**
 * Every function of the table that call data names: the one it calls, and whatever stands in it at any place, since a contract may run what it is handed from
 * anywhere. Four bytes of chance can look like one of them: among a thousand random bytes once in ten thousand times. Then the call is refused where it could
 * have passed.
 */
export function findDeeds(data: Uint8Array): Find[] {
  const finds: Find[] = []
  for (let at = 0; at + SELECTOR_LENGTH <= data.length; at++) {
    // The words of the call itself begin behind its own selector.
    if (at > 0 && at < SELECTOR_LENGTH) continue
    if (!FIRST_BYTES.has(data[at] ?? -1)) continue
    const known = BY_SELECTOR.get(selectorOf(data.subarray(at)))
    if (known && known.deed !== 'carries') finds.push(readFind({ ...known, deed: known.deed }, data, at))
  }
  return finds
}

function readFind({ signature, deed, places, adds }: KnownFunction & Pick<Find, 'deed'>, data: Uint8Array, at: number): Find {
  const words = data.subarray(at + SELECTOR_LENGTH)
  const amount = places.amount !== undefined ? wordAt(words, places.amount * WORD) : places.amounts !== undefined ? sumAt(words, places.amounts) : null
  const to = places.to === undefined ? null : addressAt(words, places.to)
  const isOff = (place: number | undefined) => place !== undefined && wordAt(words, place * WORD) === 0n
  const takesBack = deed === 'grants' && (isOff(places.flag) || isOff(places.amount))
  return { signature, deed, carried: at > 0, amount, to, adds: adds === true, takesBack }
}

/** The number that stands at a place; beyond the end there are zeros, as contracts read it. */
function wordAt(words: Uint8Array, at: number): bigint {
  const word = new Uint8Array(WORD)
  word.set(words.subarray(at, at + WORD))
  return bytesToUint(word)
}

function addressAt(words: Uint8Array, place: number): string {
  const word = new Uint8Array(WORD)
  word.set(words.subarray(place * WORD, (place + 1) * WORD))
  return checksumAddress(word.subarray(WORD - ADDRESS_LENGTH))
}

/** What the numbers of a list come to, whose place the word at `place` says. */
function sumAt(words: Uint8Array, place: number): bigint {
  const start = wordAt(words, place * WORD)
  if (start + BigInt(WORD) > BigInt(words.length)) return UNREADABLE
  const first = Number(start) + WORD
  const length = wordAt(words, Number(start))
  if (length * BigInt(WORD) > BigInt(words.length - first)) return UNREADABLE
  return Array.from({ length: Number(length) }, (_, i) => wordAt(words, first + i * WORD)).reduce((sum, each) => sum + each, 0n)
}

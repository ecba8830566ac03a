import type { ChainId } from './index.ts'

/** What is to be paid: a network, and where that is known which coin; `null` is the network's own. */
export type WantedPayment = { chain: ChainId; contract?: string | null }

/** What a code asks for, as far as it is about the wanted coin. Nothing of it is checked but its form: it is a stranger's word. */
export type PaymentCode = {
  /** As the code has it: whether it is an address of the network is for the network's codec to say. */
  to: string
  /** In base units of the wanted coin. */
  amount?: bigint
  memo?: string
  /** The code says an amount, and no standard says of what unit. */
  hasUnclearAmount?: true
}

/**
 * Why a code is not taken. `unknown`: neither an address nor a payment in a form known here. `network`: for another network, which `name` tells. `coin`:
 * it asks
 * for another coin. `call`: for a call of a contract. `name`: it names who is paid by a name. `requires`: it must not be paid by who does not know `name`.
 * `malformed`: it breaks the rules of its own form.
 */
export type CodeFault = { fault: 'unknown' | 'coin' | 'call' | 'name' | 'malformed' } | { fault: 'network' | 'requires'; name: string }

const LENGTH_MAX = 2_000
/** What addresses are written with, those of TON in base64 and in the raw form among them. */
const ADDRESS = /^[0-9A-Za-z_:+/-]{10,120}$/
const URI = /^([a-z][a-z0-9+.-]{0,30}):(.*)$/is
const WORD_MAX = 1n << 256n

/** Networks that no wallet here is on, by the names of their codes. */
const OTHERS = new Map([
  ['bitcoincash', 'Bitcoin Cash'],
  ['dogecoin', 'Dogecoin'],
  ['litecoin', 'Litecoin'],
  ['monero', 'Monero'],
  ['ripple', 'XRP'],
  ['solana', 'Solana'],
])

class PaymentCodeFault extends Error {
  readonly fault: CodeFault
  constructor(fault: CodeFault) {
    super(fault.fault)
    this.fault = fault
  }
}
/** Ends the reading of a code. */
export const refuse = (fault: Exclude<CodeFault['fault'], 'network' | 'requires'>): never => {
  throw new PaymentCodeFault({ fault })
}

/** How codes of a payment are written for the networks of a family. */
export type CodeScheme = {
  /** What stands before the colon, in small letters. */
  scheme: string
  /** The CAIP-2 names of the networks that it is for, and what people call them. */
  chains: RegExp
  name: string
  /** Reads what stands between the colon and a question mark, and what stands after that. Ends by `refuse` if it is no payment that is understood whole. */
  read(path: string, query: string | undefined, wanted: WantedPayment): PaymentCode
}

/** Reads what a QR code says: an address alone, or a payment in one of the schemes. Never throws. An amount is answered only if it is of the wanted coin. */
export function readCode(schemes: readonly CodeScheme[], text: string, wanted: WantedPayment): PaymentCode | CodeFault {
  const code = text.trim()
  if (code.length > LENGTH_MAX) return { fault: 'unknown' }
  const [, scheme, rest] = URI.exec(code) ?? []
  if (scheme === undefined || rest === undefined) return ADDRESS.test(code) ? { to: code } : { fault: 'unknown' }
  try {
    return readUri(schemes, scheme.toLowerCase(), rest, wanted)
  } catch (cause) {
    if (cause instanceof PaymentCodeFault) return cause.fault
    throw cause
  }
}

function readUri(schemes: readonly CodeScheme[], scheme: string, rest: string, wanted: WantedPayment): PaymentCode {
  const [, path = '', query] = /^([^?#]*)(?:\?([^#]*))?$/s.exec(rest) ?? refuse('malformed')
  const known = schemes.find((each) => each.scheme === scheme)
  if (known?.chains.test(wanted.chain)) return known.read(path, query, wanted)
  const name = known?.name ?? OTHERS.get(scheme)
  return name === undefined ? refuse('unknown') : refuseNetwork(name)
}

/** Ends the reading of a code that is for another network. */
export function refuseNetwork(name: string): never {
  throw new PaymentCodeFault({ fault: 'network', name })
}

/** Ends the reading of a code that must not be paid by who does not know `name`. */
export function refuseUnmet(name: string): never {
  throw new PaymentCodeFault({ fault: 'requires', name })
}

/** The parameters of a query by their names in small letters. One that stands twice says nothing for certain. */
export function parametersOf(query = ''): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const part of query.split('&').filter((each) => each !== '')) {
    const at = part.indexOf('=')
    const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
    const known = unescaped(name).toLowerCase()
    if (found.has(known)) return refuse('malformed')
    found.set(known, unescaped(value))
  }
  return found
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return refuse('malformed')
  }
}

/** Whom a code names, and how much it asks for. */
export function codeOf(to: string, amount: bigint | undefined): PaymentCode {
  if (!ADDRESS.test(to)) return refuse('malformed')
  // A payment of nothing is what some codes say that mean no amount.
  return { to, ...(amount ? { amount } : {}) }
}

/** A whole number below 2^256, as ERC-681 writes it: also as `2.014e18`. */
export function wholeNumber(text: string): bigint {
  const [, whole = '', fraction = '', exponent = '0'] = /^\+?(\d{0,78})(?:\.(\d{1,78}))?(?:e(\d{1,2}))?$/i.exec(text) ?? refuse('malformed')
  const places = Number(exponent)
  if (whole + fraction === '' || fraction.length > places) return refuse('malformed')
  const value = BigInt(whole + fraction.padEnd(places, '0'))
  return value < WORD_MAX ? value : refuse('malformed')
}

import { at, visibleText } from '@holdfast/units'
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
const MEMO_MAX = 256
const WORD_MAX = 1n << 256n
const BITCOIN_DECIMALS = 8

/** Networks that no wallet here is on, by the names of their codes. */
const OTHERS = new Map([
  ['bitcoincash', 'Bitcoin Cash'],
  ['dogecoin', 'Dogecoin'],
  ['litecoin', 'Litecoin'],
  ['monero', 'Monero'],
  ['ripple', 'XRP'],
  ['solana', 'Solana'],
])

class Refused extends Error {
  readonly fault: CodeFault
  constructor(fault: CodeFault) {
    super(fault.fault)
    this.fault = fault
  }
}
const refuse = (fault: Exclude<CodeFault['fault'], 'network' | 'requires'>): never => {
  throw new Refused({ fault })
}

/**
 * Reads what a QR code says of a payment: an address alone, `bitcoin:` (BIP 21), `ethereum:` (ERC-681: a payment in the network's coin, or the `transfer` of a
 * token), `ton://transfer/` or `tron:`. Never throws. An amount is answered only where the code says it is of the wanted coin.
 */
export function readPaymentCode(text: string, wanted: WantedPayment): PaymentCode | CodeFault {
  const code = text.trim()
  if (code.length > LENGTH_MAX) return { fault: 'unknown' }
  const [, scheme, rest] = URI.exec(code) ?? []
  if (scheme === undefined || rest === undefined) return ADDRESS.test(code) ? { to: code } : { fault: 'unknown' }
  try {
    return readUri(scheme.toLowerCase(), rest, wanted)
  } catch (cause) {
    if (cause instanceof Refused) return cause.fault
    throw cause
  }
}

function readUri(scheme: string, rest: string, wanted: WantedPayment): PaymentCode {
  const [, path = '', query] = /^([^?#]*)(?:\?([^#]*))?$/s.exec(rest) ?? refuse('malformed')
  switch (scheme) {
    case 'bitcoin':
      requireNetwork(wanted, /^bip122:/, 'Bitcoin')
      return readBitcoin(path, parametersOf(query), wanted)
    case 'ethereum':
      requireNetwork(wanted, /^eip155:/, 'Ethereum')
      return readEthereum(path, parametersOf(query), wanted)
    case 'ton':
      requireNetwork(wanted, /^ton:/, 'TON')
      // Wallets read these parameters as those of a web form, in which a plus is a space.
      return readTon(path, parametersOf(query?.replaceAll('+', ' ')), wanted)
    case 'tron':
      requireNetwork(wanted, /^tron:/, 'TRON')
      return readTron(path, parametersOf(query), wanted)
    default: {
      const name = OTHERS.get(scheme)
      if (name !== undefined) throw new Refused({ fault: 'network', name })
      return refuse('unknown')
    }
  }
}

function requireNetwork({ chain }: WantedPayment, own: RegExp, name: string): void {
  if (!own.test(chain)) throw new Refused({ fault: 'network', name })
}

/** BIP 21. Parameters that are not known may be left out of account, unless they say that they may not. The network is for the address to tell. */
function readBitcoin(path: string, given: ReadonlyMap<string, string>, { contract }: WantedPayment): PaymentCode {
  const required = [...given.keys()].find((name) => name.startsWith('req-'))
  if (required !== undefined) throw new Refused({ fault: 'requires', name: required.slice(0, 40) })
  const amount = given.has('amount') ? decimalAmount(given.get('amount')!, BITCOIN_DECIMALS) : undefined
  if (amount !== undefined && typeof contract === 'string') return refuse('coin')
  return codeOf(path, amount)
}

/** ERC-681. What it asks for besides a payment that is understood whole makes it another thing, so nothing is left out of account but gas. */
function readEthereum(path: string, given: ReadonlyMap<string, string>, wanted: WantedPayment): PaymentCode {
  const [, target = '', , chain, , called] = /^(?:pay-)?([^@/]*)(@(\d{1,30}))?(\/(.*))?$/s.exec(path) ?? refuse('malformed')
  if (chain !== undefined && `eip155:${BigInt(chain)}` !== wanted.chain) throw new Refused({ fault: 'network', name: `EVM ${BigInt(chain)}` })
  const asked = [...given.keys()].filter((name) => !/^gas(limit|price)?$/.test(name))
  if (called === undefined) {
    if (asked.some((name) => name !== 'value')) return refuse('call')
    const value = given.has('value') ? wholeNumber(given.get('value')!) : undefined
    if (value !== undefined && typeof wanted.contract === 'string') return refuse('coin')
    return codeOf(evmAddress(target), value)
  }
  if (called !== 'transfer' || asked.some((name) => name !== 'address' && name !== 'uint256')) return refuse('call')
  if (wanted.contract !== undefined && wanted.contract?.toLowerCase() !== evmAddress(target).toLowerCase()) return refuse('coin')
  return codeOf(evmAddress(given.get('address') ?? ''), given.has('uint256') ? wholeNumber(given.get('uint256')!) : undefined)
}

/** `ton://transfer/<address>`: the amount in base units of the coin, or of the jetton it names; the text is the comment. */
function readTon(path: string, given: ReadonlyMap<string, string>, { contract }: WantedPayment): PaymentCode {
  const [, to = ''] = /^\/\/transfer\/([^/]*)\/?$/i.exec(path) ?? refuse('unknown')
  if ([...given.keys()].some((name) => !['amount', 'text', 'jetton'].includes(name))) return refuse('call')
  const [digits, jetton, memo] = [given.get('amount'), given.get('jetton'), given.get('text')?.trim()]
  const amount = digits === undefined ? undefined : wholeNumber(digits)
  if (jetton !== undefined && contract !== undefined && (contract === null || !isSameTonAccount(jetton, contract))) return refuse('coin')
  if (jetton === undefined && amount !== undefined && typeof contract === 'string') return refuse('coin')
  if (memo !== undefined && (memo.length > MEMO_MAX || visibleText(memo) !== memo)) return refuse('malformed')
  return { ...codeOf(to, amount), ...(memo ? { memo } : {}) }
}

/** There is no standard of this form: wallets agree on the address and on nothing else, and write amounts in the coin or in its millionths. */
function readTron(path: string, given: ReadonlyMap<string, string>, { contract }: WantedPayment): PaymentCode {
  const { amount, token, contract: named, ...others } = Object.fromEntries(given)
  const asked = token ?? named
  if (asked !== undefined && contract !== undefined && asked !== contract) return refuse('coin')
  if (Object.keys(others).some((name) => name !== 'label' && name !== 'message')) return refuse('call')
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(path)) return refuse('call')
  return { ...codeOf(path, undefined), ...(amount === undefined || contract === undefined ? {} : { hasUnclearAmount: true }) }
}

/** The parameters of a query by their names in small letters. One that stands twice says nothing for certain. */
function parametersOf(query = ''): ReadonlyMap<string, string> {
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

function codeOf(to: string, amount: bigint | undefined): PaymentCode {
  if (!ADDRESS.test(to)) return refuse('malformed')
  // A payment of nothing is what some codes say that mean no amount.
  return { to, ...(amount ? { amount } : {}) }
}

function evmAddress(text: string): string {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return text
  return refuse(text.includes('.') ? 'name' : 'malformed')
}

/** Decimal text of a coin in its base units, as BIP 21 writes it: no sign, no exponent, no separators. */
function decimalAmount(text: string, decimals: number): bigint {
  const [, whole = '', fraction = ''] = /^(\d{0,12})(?:\.(\d*))?$/.exec(text) ?? refuse('malformed')
  if (whole + fraction === '' || fraction.length > decimals) return refuse('malformed')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** A whole number below 2^256, as ERC-681 writes it: also as `2.014e18`. */
function wholeNumber(text: string): bigint {
  const [, whole = '', fraction = '', exponent = '0'] = /^\+?(\d{0,78})(?:\.(\d{1,78}))?(?:e(\d{1,2}))?$/i.exec(text) ?? refuse('malformed')
  const places = Number(exponent)
  if (whole + fraction === '' || fraction.length > places) return refuse('malformed')
  const value = BigInt(whole + fraction.padEnd(places, '0'))
  return value < WORD_MAX ? value : refuse('malformed')
}

/** Whether two texts name one account of TON: the forms of an address differ in flags and in letters, and mean the same. */
function isSameTonAccount(one: string, other: string): boolean {
  const account = tonAccount(one)
  return account !== undefined && account === tonAccount(other)
}

function tonAccount(text: string): string | undefined {
  if (/^(-1|0):[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  if (!/^[A-Za-z0-9_+/-]{48}$/.test(text)) return undefined
  const bytes = Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
  return `${(at(bytes, 1) << 24) >> 24}:${bytes
    .slice(2, 34)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}`
}

import { BRC20_DECIMALS, ChainError } from '@holdfast/chain-core'
import type { Inscription } from './inscription.ts'

export type Brc20Operation =
  | { op: 'deploy'; ticker: string; max: bigint; limit: bigint; decimals: number }
  /** `digits` is how many the amount has behind its point, as it is written: a token allows at most its `decimals`. */
  | { op: 'mint' | 'transfer'; ticker: string; amount: bigint; digits: number }

const CONTENT_TYPES = /^(text\/plain|application\/json)(;|$)/
/**
 * The BRC-20 operation an inscription asks for, or undefined if it is none: content, protocol, operation and every number have to be as the standard
 * has them.
 * Whether it takes effect is for an index of all of them to say. Tickers have four bytes, and large and small letters are the same.
 */
export function readBrc20({ contentType, body }: Pick<Inscription, 'contentType' | 'body'>): Brc20Operation | undefined {
  if (!contentType || !CONTENT_TYPES.test(contentType)) return undefined
  const claim = parse(body)
  if (claim?.p !== 'brc-20' || typeof claim.tick !== 'string' || new TextEncoder().encode(claim.tick).length !== 4) return undefined
  const ticker = claim.tick.toLowerCase()
  if (claim.op === 'deploy') {
    const decimals = claim.dec === undefined ? BRC20_DECIMALS : typeof claim.dec === 'string' && /^\d{1,2}$/.test(claim.dec) ? Number(claim.dec) : -1
    if (decimals < 0 || decimals > BRC20_DECIMALS) return undefined
    const max = amountOf(claim.max)
    const limit = claim.lim === undefined ? max : amountOf(claim.lim)
    if (!max || !limit || max.digits > decimals || limit.digits > decimals) return undefined
    return { op: 'deploy', ticker, max: max.amount, limit: limit.amount, decimals }
  }
  const read = amountOf(claim.amt)
  if ((claim.op !== 'mint' && claim.op !== 'transfer') || !read) return undefined
  return { op: claim.op, ticker, ...read }
}

/** The text of a BRC-20 transfer; `amount` in parts of 10^-18. Throws ChainError if the standard has no such transfer. */
export function writeBrc20Transfer(ticker: string, amount: bigint): { contentType: string; body: Uint8Array } {
  const body = new TextEncoder().encode(JSON.stringify({ p: 'brc-20', op: 'transfer', tick: ticker, amt: formatParts(amount) }))
  const contentType = 'text/plain;charset=utf-8'
  const read = readBrc20({ contentType, body })
  if (read?.op !== 'transfer' || read.amount !== amount) throw new ChainError('a BRC-20 transfer needs a ticker of four bytes and an amount above zero')
  return { contentType, body }
}

function parse(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    const claim: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return typeof claim === 'object' && claim !== null && !Array.isArray(claim) ? (claim as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const AMOUNT_MAX = ((1n << 64n) - 1n) * 10n ** BigInt(BRC20_DECIMALS)

function amountOf(text: unknown): { amount: bigint; digits: number } | undefined {
  const [, whole, fraction = ''] = (typeof text === 'string' && /^(\d{1,20})(?:\.(\d{1,18}))?$/.exec(text)) || []
  if (whole === undefined) return undefined
  const amount = BigInt(whole + fraction.padEnd(BRC20_DECIMALS, '0'))
  return amount > 0n && amount <= AMOUNT_MAX ? { amount, digits: fraction.length } : undefined
}

function formatParts(amount: bigint): string {
  const digits = amount.toString().padStart(BRC20_DECIMALS + 1, '0')
  const fraction = digits.slice(-BRC20_DECIMALS).replace(/0+$/, '')
  return digits.slice(0, -BRC20_DECIMALS) + (fraction === '' ? '' : `.${fraction}`)
}

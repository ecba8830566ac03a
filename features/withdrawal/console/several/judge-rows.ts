import { deadAddress, looksAlike } from '@holdfast/chain-core'
import { guessAddress } from '@holdfast/chain-registry/guess-address'
import { CallError } from '@holdfast/contract'
import { formatAmount, parseAmount } from '@holdfast/units'
import { type AddressCheck, type AmountFault, amountFault, type Coin, isGrave, warningsOf } from '../draft.ts'
import type { Line } from './read-lines.ts'

/** A line of the table while it is filled in. */
export type Row = Line & { key: number }

/** Why nothing is paid to an address among several. */
export type AddressFault = 'twice' | 'lost' | 'invalid' | 'self' | 'memo' | 'grave'

export type JudgedRow = Row & {
  /** From 1, as people count. */
  line: number
  /** The address that stands there; undefined if none does. */
  address: string | undefined
  /** The line before it that pays the same address, or one of those that begin and end alike. */
  twin: number | undefined
  alike: number | undefined
  /** What the server says of the address; undefined while it has not been asked. */
  check: AddressCheck | undefined
  addressFault: AddressFault | undefined
  amountFault: AmountFault | undefined
  /** Nothing is wrong or missing. */
  isReady: boolean
}

type Place = { subWalletId: string; coin: Pick<Coin, 'chain' | 'decimals' | 'normal_balance'>; checks: ReadonlyMap<string, AddressCheck> }

/** Says of every line that is not empty what is wrong with it, as far as that is known now, and what the amounts come to, before fees. */
export function judgeRows(rows: readonly Row[], { subWalletId, coin, checks }: Place): { rows: JudgedRow[]; total: string; isCovered: boolean } {
  const judged: JudgedRow[] = []
  let sum = 0n
  // One account of TON is written in several ways: which is whose, the server says.
  const named = (text: string) => spelled(checks.get(text)?.canonical ?? text)
  for (const [i, row] of rows.entries()) {
    if (row.to.trim() === '' && row.amount.trim() === '') continue
    const address = addressIn(row, coin.chain)
    const before = judged.filter((each) => each.address !== undefined)
    const twin = before.find((each) => named(each.address ?? '') === named(address ?? ''))?.line
    const alike = address === undefined ? undefined : before.find((each) => looksAlike(each.address ?? '', address))?.line
    const check = address === undefined ? undefined : checks.get(address)
    const isDead = address !== undefined && deadAddress(coin.chain, spelled(address)) !== undefined
    const fault = twin !== undefined ? 'twice' : isDead ? 'lost' : check && faultOfCheck(check, subWalletId)
    const amount = row.amount.trim() === '' ? undefined : amountFault(row.amount.trim(), coin)
    if (row.amount.trim() !== '' && (amount === undefined || amount === 'exceeds')) sum += parseAmount(row.amount.trim(), coin.decimals)
    const isReady = check !== undefined && fault === undefined && row.amount.trim() !== '' && amount === undefined
    judged.push({ ...row, line: i + 1, address, twin, alike, check, addressFault: fault, amountFault: amount, isReady })
  }
  return { rows: judged, total: formatAmount(sum, coin.decimals), isCovered: sum <= parseAmount(coin.normal_balance, coin.decimals) }
}

/** The addresses of all lines, each once, as they are asked about. */
export const addressesIn = (rows: readonly Line[], chain: string): string[] => [...new Set(rows.flatMap((row) => addressIn(row, chain) ?? []))]

const addressIn = ({ to }: Line, chain: string): string | undefined => (guessAddress(to, chain).kind === 'address' ? to.trim() : undefined)

/** What keeps an address out of a payment to several: it is none, or a person has to read or write something for it alone. */
function faultOfCheck(check: AddressCheck, subWalletId: string): AddressFault | undefined {
  if (check.is_lost) return 'lost'
  if (!check.valid || check.canonical === null) return 'invalid'
  if (check.own?.sub_wallet_id === subWalletId) return 'self'
  if (check.memo_required) return 'memo'
  return warningsOf(check).some(isGrave) ? 'grave' : undefined
}

/** QR codes hold segwit addresses in capitals, and the checksum of others is written in the case of their letters. The server says whether it is valid. */
const spelled = (address: string): string => (/^(?:(?:BC|TB|BCRT)1|0[xX])/.test(address) ? address.toLowerCase() : address)

/** The line that a refusal is about, and its message; undefined if it names none of the recipients. */
export function faultOf(error: unknown, lines: readonly number[]): { line: number; reason: string } | undefined {
  const number = error instanceof CallError ? (error.data as { recipient?: unknown } | null)?.recipient : undefined
  const line = typeof number === 'number' ? lines[number - 1] : undefined
  return line === undefined ? undefined : { line, reason: (error as CallError).message }
}

import { deadAddress } from '@holdfast/chain-core'
import { CallError } from '@holdfast/contract'
import { formatAmount, parseAmount } from '@holdfast/units'

export type Recipient = { address_to: string; amount: string }

export type ReadRecipients = { recipients: Recipient[]; lines: number[]; total: string; faulty: number[]; lost: number[] }

/**
 * Recipients as people paste them, one on each line: address and amount, separated by spaces, a tab, a comma or a semicolon. `faulty` names the
 * invalid lines and those that repeat an address of a line before them, and `lost` those whose address nobody has the key of; `lines` are those of the
 * recipients.
 */
export function readRecipients(text: string, { chain, decimals }: { chain: string; decimals: number }): ReadRecipients {
  const recipients: Recipient[] = []
  const lines: number[] = []
  const faulty: number[] = []
  const lost: number[] = []
  const named = new Set<string>()
  let sum = 0n
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const [address_to = '', amount = '', ...more] = line.trim().split(/[\s,;]+/)
    const value = valueOf(amount, decimals)
    const address = spelled(address_to)
    if (value === undefined || more.length > 0 || named.has(address)) faulty.push(i + 1)
    else if (deadAddress(chain, address) !== undefined) lost.push(i + 1)
    else {
      named.add(address)
      recipients.push({ address_to, amount })
      lines.push(i + 1)
      sum += value
    }
  }
  return { recipients, lines, total: formatAmount(sum, decimals), faulty, lost }
}

/** QR codes hold segwit addresses in capitals; every other address has one spelling. The server says whether it is valid. */
const spelled = (address: string): string => (/^(BC|TB|BCRT)1/.test(address) ? address.toLowerCase() : address)

/** The line that a refusal is about, and its message; undefined if it names none of the recipients. */
export function faultOf(error: unknown, lines: readonly number[]): { line: number; reason: string } | undefined {
  const number = error instanceof CallError ? (error.data as { recipient?: unknown } | null)?.recipient : undefined
  const line = typeof number === 'number' ? lines[number - 1] : undefined
  return line === undefined ? undefined : { line, reason: (error as CallError).message }
}

function valueOf(amount: string, decimals: number): bigint | undefined {
  try {
    const value = parseAmount(amount, decimals)
    return value > 0n ? value : undefined
  } catch {
    return undefined
  }
}

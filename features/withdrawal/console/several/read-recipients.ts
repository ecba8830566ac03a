import { deadAddress } from '@holdfast/chain-core'
import { guessAddress } from '@holdfast/chain-registry/guess-address'
import { CallError } from '@holdfast/contract'
import { formatAmount, parseAmount } from '@holdfast/units'
import { OUTPUTS_MAX } from '../../contract.ts'

export type Recipient = { address_to: string; amount: string }

export type ReadRecipients = { recipients: Recipient[]; lines: number[]; total: string; faulty: number[]; lost: number[] }

/** The address, or a contact's name, which may have spaces; then the amount. */
const LINE = /^(.+?)[\s,;]+([\d.]+)$/
/** The first line of a table says what stands in its columns, and no amount. */
const HEADING = /^[^\d]+$/

/**
 * Recipients as people paste them or as a CSV file has them, one on each line: address or the name of a contact, then the amount, separated by spaces, a tab, a
 * comma or a semicolon. `faulty` names the invalid lines and those that repeat an address of a line before them, and `lost` those whose address nobody has
 * the key of; `lines` are those of the recipients. `contacts` are addresses by the name in small letters.
 */
export function readRecipients(
  text: string,
  { chain, decimals }: { chain: string; decimals: number },
  contacts: ReadonlyMap<string, string> = new Map(),
): ReadRecipients {
  const recipients: Recipient[] = []
  const lines: number[] = []
  const faulty: number[] = []
  const lost: number[] = []
  const named = new Set<string>()
  let sum = 0n
  for (const [i, written] of text.split('\n').entries()) {
    const line = written.replaceAll('"', '').trim()
    if (line === '' || (i === 0 && HEADING.test(line) && line.search(/[\s,;]/) !== -1)) continue
    const [, who = '', amount = ''] = LINE.exec(line) ?? []
    const value = valueOf(amount, decimals)
    const address_to = contacts.get(who.toLocaleLowerCase()) ?? who
    const address = spelled(address_to)
    const isRecipient = value !== undefined && guessAddress(address_to, chain).kind === 'address' && !named.has(address)
    if (!isRecipient || recipients.length === OUTPUTS_MAX) faulty.push(i + 1)
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

/** QR codes hold segwit addresses in capitals, and the checksum of others is written in the case of their letters. The server says whether it is valid. */
const spelled = (address: string): string => (/^(?:(?:BC|TB|BCRT)1|0[xX])/.test(address) ? address.toLowerCase() : address)

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

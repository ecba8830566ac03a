import { formatAmount, parseAmount } from '@holdfast/units'

export type Recipient = { address_to: string; amount: string }

/**
 * Recipients as people paste them, one a line: address and amount, apart by spaces, a tab, a comma or a semicolon. `faulty` names the
 * lines that are none, or name an address that a line before them names.
 */
export function readRecipients(text: string, decimals: number): { recipients: Recipient[]; total: string; faulty: number[] } {
  const recipients: Recipient[] = []
  const faulty: number[] = []
  let sum = 0n
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const [address_to = '', amount = '', ...more] = line.trim().split(/[\s,;]+/)
    const value = valueOf(amount, decimals)
    const isNamed = recipients.some((each) => each.address_to === address_to)
    if (value === undefined || more.length > 0 || isNamed) faulty.push(i + 1)
    else {
      recipients.push({ address_to, amount })
      sum += value
    }
  }
  return { recipients, total: formatAmount(sum, decimals), faulty }
}

function valueOf(amount: string, decimals: number): bigint | undefined {
  try {
    const value = parseAmount(amount, decimals)
    return value > 0n ? value : undefined
  } catch {
    return undefined
  }
}

/** What the server says of a deposit address: the symbol, whether deposits are open, and words. */
export type DepositFacts = { symbol: string; network: string; enableDeposit: boolean }

export type CopyNotice = { key: 'depositAddress.copied' | 'depositAddress.stopped'; isWarning: boolean; values: { symbol: string; network: string } }

/**
 * What is said when a deposit address was copied: which coin and network it is for; where deposits are closed, that
 * deposits of the symbol have stopped and that nobody must transfer to this address.
 */
export function copyNotice({ symbol, network, enableDeposit }: DepositFacts): CopyNotice {
  return { key: enableDeposit ? 'depositAddress.copied' : 'depositAddress.stopped', isWarning: !enableDeposit, values: { symbol, network } }
}

const NAMED_MAX = 4

/** The coins that an address takes, in short: a network may have more than a sentence can hold. */
export function coinNames(symbols: readonly string[]): string {
  const rest = symbols.length - NAMED_MAX
  return rest > 0 ? `${symbols.slice(0, NAMED_MAX).join(', ')} +${rest}` : symbols.join(', ')
}

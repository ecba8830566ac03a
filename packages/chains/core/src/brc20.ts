/*
 * A token of BRC-20 is an asset that no contract keeps: it goes by its ticker in small letters wherever an asset's contract stands, and is always counted in
 * the smallest parts that the standard allows.
 */
const PREFIX = 'brc20:'

/** Decimals in which amounts of BRC-20 are counted here, whatever a token itself allows. */
export const BRC20_DECIMALS = 18

/** The text that names a token of BRC-20 among assets. */
export const brc20Asset = (ticker: string): string => `${PREFIX}${ticker.toLowerCase()}`

/** The ticker that an asset's contract text names, or undefined if it names anything else. Tickers have four bytes; large and small letters are the same. */
export function readBrc20Asset(contract: string | null): string | undefined {
  if (!contract?.startsWith(PREFIX)) return undefined
  const ticker = contract.slice(PREFIX.length)
  const isTicker = new TextEncoder().encode(ticker).length === 4 && ticker === ticker.toLowerCase()
  return isTicker ? ticker : undefined
}

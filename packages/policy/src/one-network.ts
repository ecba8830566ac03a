/**
 * Families of chains whose transactions do not say for which of their networks they are made: TRON, where the hash of a late block binds them, and Bitcoin,
 * where the coins do that are spent. No signer can know either. An order of test money could be prepared for the main network and would move real money there.
 */
const UNNAMED = ['tron', 'bip122']

const familyOf = (chain: string): string => chain.slice(0, chain.indexOf(':'))

/**
 * Two networks that one key must never serve both, among chains by their CAIP-2 names, or undefined. An organisation uses one network of
 * such a family, in every version of its policy.
 */
export function networksApart(chains: Iterable<string>): [string, string] | undefined {
  const used = new Map<string, string>()
  for (const chain of chains) {
    const family = familyOf(chain)
    if (!UNNAMED.includes(family)) continue
    const other = used.get(family) ?? chain
    if (other !== chain) return [other, chain]
    used.set(family, chain)
  }
  return undefined
}

/** The networks that every later version must go on naming, so that none can give their place to another one. */
export const lastingNetworks = (chains: readonly string[]): string[] => [...new Set(chains.filter((chain) => UNNAMED.includes(familyOf(chain))))]

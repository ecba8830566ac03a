import { FAMILIES, type Family, familyByName } from '@holdfast/chain-registry/families'

/**
 * The family of a chain if transactions of it do not say for which of its networks they are made. What binds them is nothing that a signer can know: an order
 * of test money could be prepared for the main network and would move real money there.
 */
function unnamedFamilyOf(chain: string): Family | undefined {
  const family = familyByName(chain)
  return family !== undefined && !FAMILIES[family].bytesSayNetwork ? family : undefined
}

/**
 * Two networks that one key must never serve both, among chains by their CAIP-2 names, or undefined. An organisation uses one network of
 * such a family, in every version of its policy.
 */
export function networksApart(chains: Iterable<string>): [string, string] | undefined {
  const used = new Map<Family, string>()
  for (const chain of chains) {
    const family = unnamedFamilyOf(chain)
    if (family === undefined) continue
    const other = used.get(family) ?? chain
    if (other !== chain) return [other, chain]
    used.set(family, chain)
  }
  return undefined
}

/** The networks that every later version must go on naming, so that none can give their place to another one. */
export const lastingNetworks = (chains: readonly string[]): string[] => [...new Set(chains.filter((chain) => unnamedFamilyOf(chain) !== undefined))]

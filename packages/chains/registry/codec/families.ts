/**
 * The families of chains: what stands before the colon in the CAIP-2 names of their networks, and whether the bytes of a transaction say for which of
 * these it is made. A family is added here first: the compiler names every list that lacks it then.
 */
export const FAMILIES = {
  evm: { namespace: 'eip155', bytesSayNetwork: true },
  // The coins that are spent bind a transaction.
  bitcoin: { namespace: 'bip122', bytesSayNetwork: false },
  // The hash of a late block binds a transaction.
  tron: { namespace: 'tron', bytesSayNetwork: false },
  ton: { namespace: 'ton', bytesSayNetwork: true },
} as const satisfies Record<string, { namespace: string; bytesSayNetwork: boolean }>

export type Family = keyof typeof FAMILIES

export const FAMILY_NAMES = Object.keys(FAMILIES) as Family[]

/** The family whose networks are named like a chain, by the CAIP-2 name alone: whether there is such a network is for the family's codec to say. */
export function familyByName(chain: string): Family | undefined {
  return FAMILY_NAMES.find((family) => chain.startsWith(`${FAMILIES[family].namespace}:`))
}

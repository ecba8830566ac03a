/** Where words without a namespace of their own live. */
export const DEFAULT_NAMESPACE = 'translation'

/**
 * The namespaces of the words, and the feature whose words live in each; one without a feature waits for its area. What several
 * areas share, and every feature that is not named here, lives in the default one, under the feature's own first key.
 */
export const FEATURE_OF_NAMESPACE: Readonly<Record<string, string | undefined>> = {
  apiPage: 'api-key',
  btcAddress: undefined,
  coSigner: 'co-signer',
  coldWallet: 'cold-wallet',
  collection: 'collection',
  invoice: 'invoice',
  kyt: 'kyt',
  privateKeyRecovery: 'key-recovery',
  strategyEngine: 'policy',
  teamMember: 'team',
  tools: 'tools',
  trade: 'trade',
  whiteAddress: 'address-book',
}

/** The namespace of a feature's words; of what is no feature, the default one. */
export function namespaceOf(feature: string | undefined): string {
  return Object.keys(FEATURE_OF_NAMESPACE).find((namespace) => feature !== undefined && FEATURE_OF_NAMESPACE[namespace] === feature) ?? DEFAULT_NAMESPACE
}

export const NAMESPACES: readonly string[] = [DEFAULT_NAMESPACE, ...Object.keys(FEATURE_OF_NAMESPACE)]

/** Where words without a namespace of their own live. */
export const DEFAULT_NAMESPACE = 'translation'

/**
 * The namespaces of the words, and the features whose words live in each, which begin with other words; one without a feature waits for its area. What several
 * areas share, and every feature that is not named here, lives in the default one, under the feature's own first key.
 */
const FEATURES_OF_NAMESPACE: Readonly<Record<string, readonly string[]>> = {
  apiPage: ['api-key'],
  btcAddress: [],
  coSigner: ['co-signer', 'standing-order'],
  coldWallet: ['cold-wallet'],
  collection: ['collection'],
  invoice: ['invoice'],
  kyt: ['kyt'],
  privateKeyRecovery: ['key-recovery'],
  strategyEngine: ['policy', 'rule-analysis', 'strategy', 'valuation', 'workspace'],
  teamMember: ['team'],
  tools: ['batch-transfer', 'tron-tools'],
  trade: ['trade'],
  whiteAddress: ['address-book'],
}

/** The namespace of a feature's words; of what is no feature, the default one. */
export function namespaceOf(feature: string | undefined): string {
  return (
    Object.keys(FEATURES_OF_NAMESPACE).find((namespace) => feature !== undefined && FEATURES_OF_NAMESPACE[namespace]?.includes(feature)) ?? DEFAULT_NAMESPACE
  )
}

export const NAMESPACES: readonly string[] = [DEFAULT_NAMESPACE, ...Object.keys(FEATURES_OF_NAMESPACE)]

/** How a call is signed, by the names of RFC 9421, section 6.2.2. */
export const SIGNING_ALGORITHMS = ['ed25519', 'ecdsa-p256-sha256'] as const
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number]

/** The components that a call signs: with a body, also its digest and its type. */
export type Components = readonly string[]

const OF_EVERY_CALL = ['@method', '@authority', '@path', '@query']

/** The components that say all of a call. */
export const componentsOf = (hasBody: boolean): Components => (hasBody ? [...OF_EVERY_CALL, 'content-type', 'content-digest'] : OF_EVERY_CALL)

type Params = { created: number; nonce: string; keyId: string; algorithm: SigningAlgorithm }

/** The parameters of a signature as they are written: the components, when it was made in seconds, one use of it, whose key, and of what algorithm that is. */
export const signatureParams = (components: Components, { created, nonce, keyId, algorithm }: Params): string =>
  `(${components.map((each) => `"${each}"`).join(' ')});created=${created};nonce="${nonce}";keyid="${keyId}";alg="${algorithm}"`

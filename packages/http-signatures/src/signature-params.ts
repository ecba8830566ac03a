/** The components that a call signs: with a body, also its digest and its type. */
export type Components = readonly string[]

const OF_EVERY_CALL = ['@method', '@authority', '@path', '@query']

/** The components that say all of a call. */
export const componentsOf = (hasBody: boolean): Components => (hasBody ? [...OF_EVERY_CALL, 'content-type', 'content-digest'] : OF_EVERY_CALL)

/** The parameters of a signature as they are written: the components, when it was made in seconds, one use of it, and whose key. */
export const signatureParams = (components: Components, { created, nonce, keyId }: { created: number; nonce: string; keyId: string }): string =>
  `(${components.map((each) => `"${each}"`).join(' ')});created=${created};nonce="${nonce}";keyid="${keyId}";alg="ed25519"`

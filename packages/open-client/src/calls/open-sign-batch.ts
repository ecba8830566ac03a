// Written by npm run openapi from the contracts of the calls.

/** Hands in that the key asks for an order, signed by it. The same again answers the same. */
export type OpenSignBatch = {
  input: {
    id: string
    signature: string
  }
  output: {
    state: string
    missing: number
  }
}

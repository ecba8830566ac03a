// Written by npm run openapi from the contracts of the calls.

/** The bytes of an order that the key asked for, which it has to sign: read in them what was asked for before you do. */
export type OpenBatchIntent = {
  input: {
    id: string
  }
  output: {
    intent: string
    intent_hash: string
    state: string
  }
}

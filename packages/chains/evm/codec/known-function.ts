/**
 * What a function does that call data may name. `moves`: tokens or coin leave somebody. `grants`: somebody may take tokens from then on. `rights`: somebody
 * else gets a say over a contract, an account or a name. `carries`: call data that the contract runs; it does nothing by itself.
 */
export type Deed = 'moves' | 'grants' | 'rights' | 'carries'

/**
 * Where in the call data a thing stands, counted in words of 32 bytes from the first behind the selector. `amount`: base units. `amounts`: the word that says
 * where a list of amounts begins. `to`: who gets them, or the right. `flag`: the word that is zero if the right is taken back. A function without an
 * amount cannot be counted.
 */
export type Places = { amount?: number; amounts?: number; to?: number; flag?: number }

/** `asTransfer`: it is ordered as a transfer and never as a call. `adds`: what is allowed comes on top of what was. */
export type KnownFunction = { signature: string; deed: Deed; places: Places; source: string; asTransfer?: true; adds?: true }

type Row = readonly [signature: string, places: Places, more?: 'asTransfer' | 'adds']

/** Rows of the table that have source and deed in common. */
export const given = (source: string, deed: Deed, rows: readonly Row[]): KnownFunction[] =>
  rows.map(([signature, places, more]) => ({ signature, deed, places, source, ...(more && { [more]: true as const }) }))

export const to = (place: number): Places => ({ to: place })
/** Nothing that could be counted stands in words of its own. */
export const none: Places = {}

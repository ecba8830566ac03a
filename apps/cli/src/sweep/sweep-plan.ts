import { ChainError } from '@holdfast/chain-core'
import { UsageError } from '../command.ts'

const DECIMALS_MAX = 77n

/** One address to be emptied. What else the plan says of it is for its network to read. */
export type SweepSource = { address: string; path: number[] | null; fields: Fields }

/** What an operator writes down before the machine goes offline: the addresses, what is on them, the fees, and where everything goes. */
export type SweepPlan = { chain: string; destination: string; sources: SweepSource[]; fields: Fields }

/** The same with the public key that was found for each address, as signatures are verified under it. */
export type OwnedSweepSource = SweepSource & { publicKey: Uint8Array }
export type OwnedSweepPlan = Omit<SweepPlan, 'sources'> & { sources: OwnedSweepSource[] }

/**
 * An unsigned transaction that takes something away from `from`. `decimals` and `symbol` are the plan's word on the asset, for the sentence that tells
 * of it.
 */
export type SweepStep = { from: string; unsigned: Uint8Array; symbol: string | null; decimals: number | null }

/** `left` says what stays on an address, because it is worth less than moving it costs. */
export type BuiltSweep = { steps: SweepStep[]; left: { address: string; amount: bigint }[] }

/**
 * Builds the transactions that move everything the plan names, in the order in which they are to be sent. Throws UsageError for what cannot be carried
 * out.
 */
export type SweepBuilder = (plan: OwnedSweepPlan) => BuiltSweep

/** The plan in a JSON text. Throws UsageError that says what to write. */
export function readSweepPlan(text: string): SweepPlan {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`the plan is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
  const fields = new Fields(parsed, 'the plan')
  const sources = fields
    .list('sources')
    .map((each): SweepSource => ({ address: each.text('address'), path: readPath(each.optionalText('path')), fields: each }))
  if (sources.length === 0) throw new UsageError('the plan names no address under "sources"')
  return { chain: fields.text('chain'), destination: fields.text('destination'), sources, fields }
}

function readPath(text: string | null): number[] | null {
  if (text === null) return null
  const path = text.replace(/^m\//, '').split('/')
  if (path.length > 8 || !path.every((index) => /^(0|[1-9][0-9]{0,9})$/.test(index))) throw new UsageError(`${JSON.stringify(text)} is not a path such as 3/0`)
  return path.map(Number)
}

/** What the plan says of a token on an address. */
export function readToken(address: string, fields: Fields): { contract: string; amount: bigint; symbol: string | null; decimals: number | null } {
  const decimals = fields.optionalAmount('decimals')
  if (decimals !== null && decimals > DECIMALS_MAX) throw new UsageError(`a token of ${address} has ${decimals} decimals: at most ${DECIMALS_MAX} are possible`)
  const symbol = fields.optionalText('symbol')
  return { contract: fields.text('contract'), amount: fields.amount('balance'), symbol, decimals: decimals === null ? null : Number(decimals) }
}

/** What `build` makes of a transaction that is not signed yet. Throws UsageError if its chain refuses what the plan says. */
export function unsignedOf<T>(address: string, build: () => T): T {
  try {
    return build()
  } catch (cause) {
    if (cause instanceof ChainError) throw new UsageError(`no transaction from ${address} can be built: ${cause.message}`, { cause })
    throw cause
  }
}

/** The fields of one JSON object, each read once. What nobody read is refused by `done`: a word that is misspelt must not go unseen. */
export class Fields {
  readonly #where: string
  readonly #values: Map<string, unknown>
  readonly #children: Fields[] = []

  constructor(value: unknown, where: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new UsageError(`${where} must be a JSON object`)
    this.#where = where
    this.#values = new Map(Object.entries(value))
  }

  text(name: string): string {
    const text = this.optionalText(name)
    if (text === null) throw new UsageError(`${this.#where} lacks "${name}"`)
    return text
  }

  optionalText(name: string): string | null {
    const value = this.#take(name)
    if (value === undefined) return null
    if (typeof value !== 'string' || value === '') throw new UsageError(`"${name}" of ${this.#where} must be a text in quotes`)
    return value
  }

  /** An amount in base units. A JSON number would lose the last digits of one. */
  amount(name: string): bigint {
    const amount = this.optionalAmount(name)
    if (amount === null) throw new UsageError(`${this.#where} lacks "${name}"`)
    return amount
  }

  optionalAmount(name: string): bigint | null {
    const text = this.optionalText(name)
    if (text !== null && !/^(0|[1-9][0-9]{0,77})$/.test(text))
      throw new UsageError(`"${name}" of ${this.#where} must be a whole number of base units in quotes, such as "21000"`)
    return text === null ? null : BigInt(text)
  }

  list(name: string): Fields[] {
    const value = this.#take(name)
    if (value === undefined) return []
    if (!Array.isArray(value)) throw new UsageError(`"${name}" of ${this.#where} must be a list`)
    const items = value.map((each, i) => new Fields(each, `${name}[${i}] of ${this.#where}`))
    this.#children.push(...items)
    return items
  }

  /** Throws UsageError if something stands here or below that nobody asked for. */
  done(): void {
    const [unknown] = this.#values.keys()
    if (unknown !== undefined) throw new UsageError(`${this.#where} has "${unknown}", which means nothing here`)
    for (const child of this.#children) child.done()
  }

  #take(name: string): unknown {
    const value = this.#values.get(name)
    this.#values.delete(name)
    return value
  }
}

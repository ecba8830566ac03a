import type { Act, ScreeningLevel } from '@holdfast/intent'
import type { Given } from '../conditions/index.ts'
import type { Rule } from '../rules/rule-shapes.ts'

/** Whole numbers from one to another, both of them included; without end if `to` is null. */
export type Band = { from: bigint; to: bigint | null }

/** An address that rules name, with the memo that goes along. */
export type Place = { name: string; address: string; memo: string }

/** What a value is: one that rules name or, if it is null, any other; or a number of a type whose least is `least`. */
export type ToldValue = { value: string | boolean | Uint8Array | null } | (Band & { least: bigint })

/** What stands at a place of the arguments (`Path`): a value; or a list that is so long, with elements of all of these sorts at each compared place in them. */
export type ToldParameter = {
  path: readonly bigint[]
  is: ToldValue | { length: Band; elements: readonly { path: readonly bigint[]; are: readonly ToldValue[] }[] }
}

/** What the pieces of a dimension have in common: what people read of them. */
export type Told =
  | ({ kind: 'asset'; chain: string; asset: string } & Band)
  | { kind: 'asker'; person: Uint8Array }
  | { kind: 'source'; wallet: { name: string; keyId: Uint8Array; path: readonly bigint[] } | null }
  | {
      kind: 'destination'
      own: boolean | null
      listed: 'no' | 'yes' | null
      lists: readonly string[]
      paidBefore: boolean | null
      /** Whether a memo goes along; null where no rule asks. */
      memo: boolean | null
      /** Addresses that rules name, each with its memo or an empty one; empty for any other, null where no rule names one. */
      addresses: readonly Place[] | null
    }
  | { kind: 'time'; fromMs: number; untilMs: number }
  | { kind: 'contract'; address: string }
  | { kind: 'payer'; address: string | null }
  | { kind: 'call'; signature: string | null; value: Band; tokens: Band | 'endless'; parameters: readonly ToldParameter[] }
  | { kind: 'stake'; action: string; receiver: string | null; lockBlocks: Band | null }
  | { kind: 'amount'; amount: Band }
  /** An asset that is given for another one, both as rules name them, and how much of it. */
  | { kind: 'pair'; chain: string; gives: string; gets: string; given: Band }
  /** What is got at least, in hundredths of a percent of what is given at most, by what they are worth. */
  | { kind: 'share'; share: Band }
  /** Milliseconds until the deadline; null if there is none. */
  | { kind: 'deadline'; left: Band | null }
  /** What each screener whom rules name said; null where it said nothing that counts. */
  | { kind: 'screening'; says: readonly { machine: string; level: ScreeningLevel | null }[] }

/** A part of a dimension in which no border of any rule lies, with an order in it. */
export type Piece = { told: Told; act: Partial<Act>; given?: Given }

/** One of the things that rules look at: its pieces, those that no rule tells apart in one class, and which classes each rule covers. */
export type Dimension = { classes: readonly (readonly Piece[])[]; all: bigint; sideOf: (rule: Rule) => bigint }

/** Sorts pieces into classes by what the rules say of them. */
export function dimensionOf(pieces: readonly Piece[], rules: readonly Rule[], isCovered: (rule: Rule, piece: Piece) => boolean): Dimension {
  const classes = new Map<string, { pieces: Piece[]; covered: boolean[] }>()
  for (const piece of pieces) {
    const covered = rules.map((rule) => isCovered(rule, piece))
    const name = covered.map(Number).join('')
    const found = classes.get(name)
    if (found) found.pieces.push(piece)
    else classes.set(name, { pieces: [piece], covered })
  }
  const each = [...classes.values()]
  const sides = new Map(rules.map((rule, r) => [rule, bits(each.map(({ covered }) => covered[r] === true))]))
  return { classes: each.map(({ pieces: inside }) => inside), all: bits(each.map(() => true)), sideOf: (rule) => sides.get(rule) ?? 0n }
}

const bits = (set: readonly boolean[]): bigint => set.reduce((sum, isIn, i) => (isIn ? sum | (1n << BigInt(i)) : sum), 0n)

/** The pieces of the classes in one side of a region. */
export const piecesIn = ({ classes }: Dimension, side: bigint): Piece[] => classes.flatMap((pieces, i) => (((side >> BigInt(i)) & 1n) === 1n ? pieces : []))

/** The bands between borders, each of which is the last number of one of them. */
export function bandsOf(borders: readonly bigint[], first: bigint): Band[] {
  const ends = [...new Set(borders)].filter((border) => border >= first).toSorted((a, b) => (a < b ? -1 : 1))
  return [...ends, null].map((to, i) => ({ from: i === 0 ? first : (ends[i - 1] ?? 0n) + 1n, to }))
}

import { at, known } from '@holdfast/units'
import type { CoinLocks } from './coin-locks.ts'
import { type Inscription, readInscriptions } from './inscription.ts'

/** A transaction of a block, as far as the way of satoshis goes; amounts in satoshi. */
export type MovingTransaction = {
  txid: string
  isCoinbase: boolean
  inputs: readonly { outpoint: string; spent: { amount: bigint }; witness: readonly Uint8Array[] }[]
  outputs: readonly { amount: bigint }[]
}

/** An inscription on its satoshi: the one at `offset` of a coin. `id` is `<txid>i<number>` of the revealing transaction. */
export type Inscribed = { id: string; outpoint: string; offset: bigint; inscription: Inscription }

/** Where inscriptions are after a transaction, those that moved and those that it revealed; `lost` were paid to whoever mined. */
export type Followed = { inscribed: Inscribed[]; lost: Inscribed[] }

/**
 * Follows inscribed satoshis through a transaction, by the order that ord numbers them in: the first satoshi of the inputs is the first of the outputs,
 * and what
 * is left over goes to whoever mines. Transactions have to be given in the order of the chain.
 */
export function followInscriptions(before: readonly Inscribed[], transaction: MovingTransaction): Followed {
  const { inputs, outputs, isCoinbase, txid } = transaction
  if (isCoinbase) return { inscribed: [...before], lost: [] }
  const starts = new Map<string, bigint>()
  let total = 0n
  for (const { outpoint, spent } of inputs) {
    starts.set(outpoint, total)
    total += spent.amount
  }
  const inscribed = before.filter(({ outpoint }) => !starts.has(outpoint))
  const lost: Inscribed[] = []
  const placeIn = placesOf(outputs)
  const put = (each: Inscribed, place: bigint) => {
    const at = placeIn(place)
    if (at) inscribed.push({ ...each, outpoint: `${txid}:${at.index}`, offset: at.offset })
    else lost.push(each)
  }
  for (const each of before) {
    const start = starts.get(each.outpoint)
    if (start !== undefined) put(each, start + each.offset)
  }
  // By its place, how many lie on a satoshi and whether one of them is not cursed: whoever likes reveals tens of thousands in one transaction.
  const present = new Map<bigint, { count: number; hasSound: boolean }>()
  const lay = (place: bigint, { isCursed }: Inscription) => {
    const { count, hasSound } = present.get(place) ?? { count: 0, hasSound: false }
    present.set(place, { count: count + 1, hasSound: hasSound || !isCursed })
  }
  for (const { outpoint, offset, inscription } of before) {
    const start = starts.get(outpoint)
    if (start !== undefined) lay(start + offset, inscription)
  }
  let number = 0
  for (const [i, { outpoint, witness }] of inputs.entries()) {
    for (const inscription of readInscriptions(witness)) {
      const { pointer } = inscription
      const isPointed = pointer !== undefined && placeIn(pointer) !== undefined
      const place = isPointed ? pointer : known(starts.get(outpoint), `the place of coin ${outpoint}`)
      const there = present.get(place)
      // ord: only the first envelope of the first input, and on a satoshi that carries nothing yet, or one cursed inscription alone.
      const isAgain = there !== undefined && (there.count > 1 || there.hasSound)
      const laid = { ...inscription, isCursed: inscription.isCursed || i > 0 || number > 0 || isAgain }
      lay(place, laid)
      put({ id: `${txid}i${number++}`, outpoint, offset: 0n, inscription: laid }, place)
    }
  }
  return { inscribed, lost }
}

/**
 * A step of an inscription: `now` is where it is after the transaction, undefined if it went to whoever mined; `from` is the coin it came from, null if
 * it was revealed.
 */
export type InscriptionMove = {
  txid: string
  id: string
  inscription: Inscription
  from: string | null
  now: Pick<Inscribed, 'outpoint' | 'offset'> | undefined
}

/** What a transaction did to inscriptions, those that `carried` are on its inputs and those it reveals, in the order of its outputs' satoshis. */
export function movesOf(carried: readonly Inscribed[], transaction: MovingTransaction): InscriptionMove[] {
  const { txid, outputs } = transaction
  const { inscribed, lost } = followInscriptions(carried, transaction)
  const before = new Map(carried.map(({ id, outpoint }) => [id, outpoint]))
  const starts: bigint[] = []
  for (const [i] of outputs.entries()) starts.push(i === 0 ? 0n : at(starts, i - 1) + at(outputs, i - 1).amount)
  const placeOf = ({ outpoint, offset }: Inscribed) => at(starts, Number(outpoint.slice(outpoint.indexOf(':') + 1))) + offset
  const stepOf = (each: Inscribed, now: InscriptionMove['now']): InscriptionMove => ({
    txid,
    id: each.id,
    inscription: each.inscription,
    from: before.get(each.id) ?? null,
    now,
  })
  const landed = inscribed
    .filter(({ outpoint }) => outpoint.startsWith(txid))
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : placeOf(a) > placeOf(b) ? 1 : 0))
  return [...landed.map((each) => stepOf(each, { outpoint: each.outpoint, offset: each.offset })), ...lost.map((each) => stepOf(each, undefined))]
}

/** Where a satoshi of the outputs is, counted from their first one; undefined past their last. */
function placesOf(outputs: MovingTransaction['outputs']): (place: bigint) => { index: number; offset: bigint } | undefined {
  const ends: bigint[] = []
  for (const { amount } of outputs) ends.push((ends.at(-1) ?? 0n) + amount)
  return (place) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (place < at(ends, middle)) high = middle
      else low = middle + 1
    }
    return low === ends.length ? undefined : { index: low, offset: place - (ends[low - 1] ?? 0n) }
  }
}

/** Locks every coin that carries an inscription, so that no payment spends it as plain coin. Locks for other reasons stay as they are. */
export function lockInscribed(locks: CoinLocks, inscribed: readonly Inscribed[]): CoinLocks {
  const added = inscribed
    .filter(({ outpoint }) => !locks[outpoint])
    .map(({ id, outpoint }) => [outpoint, { reason: 'inscription' as const, note: id }] as const)
  return { ...locks, ...Object.fromEntries(added) }
}

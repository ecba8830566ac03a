import { decode, equalBytes, toHex } from '@holdfast/encoding'
import { freezeHash, freezeShape, FREEZES_MAX } from '@holdfast/intent'
import { FROZEN_MAX } from '@holdfast/protocol'
import type { JournalEvent } from './journal-events.ts'
import type { Register } from './register.ts'

type Freezes = Pick<Register, 'freezes' | 'lifted'>

/**
 * What the journal is to hold of a freeze: nothing of one that is known. Of each person the one that is heard now is in force until a lift names it, and so is
 * the one of those before that says the latest time. Older ones count no more, so that nobody floods a signer. Two are kept, and by what they say, because a
 * server that hands over an old one late must not have it take the place of the newest.
 */
export function heardFreeze(encoded: Uint8Array, { freezes, lifted }: Freezes): { hash: string; events: JournalEvent[] } {
  const { statement } = decode(freezeShape, encoded)
  const ownHash = freezeHash(statement)
  const hash = toHex(ownHash)
  if (freezes.has(hash) || lifted.has(hash)) return { hash, events: [] }
  const before = [...freezes.values()].toReversed().map((each) => decode(freezeShape, each).statement)
  const latestFirst = before.filter(({ person }) => equalBytes(person, statement.person)).toSorted((a, b) => Number(b.atMs - a.atMs))
  const replaced = latestFirst.slice(1, 1 + FREEZES_MAX).map(freezeHash)
  const events: JournalEvent[] = [{ kind: 'frozen', freeze: encoded }]
  if (replaced.length > 0) events.push({ kind: 'freezesLifted', intentHash: ownHash, freezes: replaced })
  return { hash, events }
}

/** The freezes that this signer tells of: the newest of each person first, so that many of one leave nobody else's out. */
export function freezesToTell({ freezes }: Freezes): Uint8Array[] {
  const all = [...freezes.values()]
  const newest = new Map(all.map((each) => [toHex(decode(freezeShape, each).statement.person), each]))
  return [...new Set([...newest.values(), ...all])].slice(0, FROZEN_MAX)
}

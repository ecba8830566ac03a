import { equalBytes, type Infer } from '@holdfast/encoding'
import { type SessionRequest, type Signed, signerCalls } from '@holdfast/protocol'
import { at } from '@holdfast/units'
import { CoSignerError } from './co-signers.ts'
import type { CoSigners } from './types.ts'

const PARTIES = [1, 2, 3]

/**
 * What every signer says on the session that these joins make, all at once. The one that takes no part may be missing where both others say that people
 * approved that it is away; it is never left out because it is slow. Throws CoSignerError.
 */
export async function gatherWords(call: CoSigners['call'], { genesis, parties }: SessionRequest, joins: Signed[]): Promise<Signed[]> {
  const asked = await Promise.allSettled(PARTIES.map((party) => call(party, signerCalls.giveWord, { genesis, joins })))
  const isTaking = (party: number) => parties.includes(BigInt(party))
  for (const [i, each] of asked.entries()) if (each.status === 'rejected' && isTaking(at(PARTIES, i))) throw each.reason
  for (const [i, each] of asked.entries()) {
    if (each.status === 'fulfilled') continue
    const missing = at(PARTIES, i)
    // One that is there and gives no word, because it was put back, is away as well where people say so.
    const away = await Promise.all(parties.map(async (party) => (await call(Number(party), signerCalls.status, { genesis })).away?.party))
    if (away.every((party) => party === BigInt(missing))) continue
    if (!isAway(each.reason)) throw each.reason
    throw new CoSignerError({ kind: 'unavailable', party: missing, check: '', message: noWordOf(missing) })
  }
  return asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
}

const isAway = (cause: unknown) => cause instanceof CoSignerError && cause.kind === 'unavailable'

export const noWordOf = (party: number): string =>
  `Signer ${party} does not answer. Payments go on when it is back, or when the people who govern approve that it is away.`

/** An absence that people approved and the signers follow. */
export type AbsenceInForce = { party: number; untilMs: number; intentHash: Uint8Array }

/** The signer that is away by the word of people, as all signers say that are there; `unknown` where fewer than two are there to say so. */
export async function absenceInForce({ coSigners }: { coSigners: CoSigners }, genesis: Uint8Array): Promise<AbsenceInForce | 'none' | 'unknown'> {
  const asked = await Promise.allSettled(coSigners.online().map((party) => coSigners.call(party, signerCalls.status, { genesis })))
  const said = asked.flatMap((each) => (each.status === 'fulfilled' && each.value.pinned ? [each.value.away] : []))
  if (said.length < 2) return 'unknown'
  const [first] = said
  if (!first || !said.every((each) => each?.party === first.party && equalBytes(each.intentHash, first.intentHash))) return 'none'
  return { party: Number(first.party), untilMs: Number(first.untilMs), intentHash: first.intentHash }
}

/** The party of `absenceInForce`; undefined if there is none, or nobody knows. */
export async function signerAway(needs: { coSigners: CoSigners }, genesis: Uint8Array): Promise<number | undefined> {
  const absence = await absenceInForce(needs, genesis)
  return typeof absence === 'string' ? undefined : absence.party
}

/** Whether somebody stopped all signing, as any signer says that is there: then none of them signs. */
export async function isSigningStopped({ coSigners }: { coSigners: CoSigners }, genesis: Uint8Array): Promise<boolean> {
  const asked = await Promise.allSettled(coSigners.online().map((party) => coSigners.call(party, signerCalls.status, { genesis })))
  return asked.some((each) => each.status === 'fulfilled' && each.value.frozen.length > 0)
}

type Endorsements = { given: Signed[]; refusals: CoSignerError[]; missing: number[] }

/**
 * What every signer but those of `without` says of something that they are to follow one by one: the words of those that would, why the others would not, and who
 * did not answer.
 */
export async function gatherEndorsements(
  { coSigners }: { coSigners: CoSigners },
  asked: Infer<typeof signerCalls.endorse.request>,
  without: readonly number[] = [],
): Promise<Endorsements> {
  const parties = PARTIES.filter((party) => !without.includes(party))
  const settled = await Promise.allSettled(parties.map((party) => coSigners.call(party, signerCalls.endorse, asked)))
  const endorsements: Endorsements = { given: [], refusals: [], missing: [] }
  settled.forEach((each, i) => {
    if (each.status === 'fulfilled') endorsements.given.push(each.value)
    else if (each.reason instanceof CoSignerError && each.reason.kind === 'refused') endorsements.refusals.push(each.reason)
    else if (each.reason instanceof CoSignerError) endorsements.missing.push(at(parties, i))
    else throw each.reason
  })
  return endorsements
}

import { encode, fromHex, toHex } from '@holdfast/encoding'
import { freezeHash, freezeShape, type FreezeStatement, stopHash, stopShape, type StopStatement } from '@holdfast/intent'
import { checkFreeze, checkStop, FreezeRefused, mayFreeze, mayStopStandingOrders, type Person, type Policy } from '@holdfast/policy'
import type { App } from './app.ts'
import { signWith } from './decide.ts'
import type { KeyRecord } from './keys/key-store.ts'
import { PageError } from './page-error.ts'
import { type Method, methodsOf } from './read/list-approvers.ts'
import type { StandingReply, StopReply } from './read/signer-api.ts'

/** Somebody who may stop something alone, and with what they can say so. */
export type Stopper = Method & { person: Person }

/** As long as the reason may be that comes with a stop, in bytes; Chinese takes three for a character. */
export const REASON_MAX_BYTES = 500

/** Whether a reason is short enough, as it is signed. */
export const fitsReason = (text: string): boolean => new TextEncoder().encode(reasonOf(text)).length <= REASON_MAX_BYTES

const reasonOf = (text: string): string => text.trim().normalize('NFC')

/** The people who may stop all signing, or standing orders alone, and with what they can say so from this browser: first what this browser knows. */
export function stoppersIn(policy: Policy, what: 'signing' | 'standing', keys: readonly KeyRecord[], origin: string): Stopper[] {
  const may = what === 'signing' ? mayFreeze : mayStopStandingOrders
  const people = policy.people.filter(({ id }) => may(policy, id))
  const stoppers = people.flatMap((person) => methodsOf(person, policy, keys, origin).map((each) => ({ person, ...each })))
  return stoppers.sort((a, b) => Number(b.knownHere) - Number(a.knownHere))
}

export type Stopping = { fingerprint: string; policy: Policy; stopper: Stopper; reason: string }

/** Signs a freeze with one person's key, checks it as signers will, and hands it to the signer of this page. Throws PageError. */
export async function freezeAs(app: App, stopping: Stopping): Promise<StopReply> {
  const statement: FreezeStatement = statementOf(app, stopping)
  const freeze = { statement, assertion: await signWith(app, stopping.stopper.method, freezeHash(statement)) }
  checkCounts(() => checkFreeze(freeze, stopping.policy, statement.genesis))
  return app.api.stopSigning(toHex(encode(freezeShape, freeze)))
}

/** Signs with one person's key that standing orders are stopped, checks it as signers will, and hands it to the signer of this page. Throws PageError. */
export async function stopOrdersAs(app: App, stopping: Stopping, orders: StopStatement['orders']): Promise<StopReply & StandingReply> {
  const statement: StopStatement = { ...statementOf(app, stopping), orders }
  const stop = { statement, assertion: await signWith(app, stopping.stopper.method, stopHash(statement)) }
  checkCounts(() => checkStop(stop, stopping.policy, statement.genesis))
  return app.api.stopStandingOrders(toHex(encode(stopShape, stop)))
}

const statementOf = ({ clock, random }: App, { fingerprint, stopper, reason }: Stopping): FreezeStatement => ({
  genesis: fromHex(fingerprint),
  person: stopper.person.id,
  atMs: BigInt(clock.nowMs()),
  nonce: random.bytes(32),
  reason: reasonOf(reason),
})

function checkCounts(check: () => unknown): void {
  try {
    check()
  } catch (cause) {
    if (cause instanceof FreezeRefused) throw new PageError('wouldNotCount', '', { cause, refusal: cause.refusal })
    throw cause
  }
}

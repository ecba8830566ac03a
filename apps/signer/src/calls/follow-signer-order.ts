import {
  type AbsenceIntent,
  type AddressBookIntent,
  freezeHash,
  intentHash,
  type LiftFreezeIntent,
  type SignerOrderIntent,
  type StandingOrderIntent,
} from '@holdfast/intent'
import { type Infer, equalBytes, toHex } from '@holdfast/encoding'
import type { signerCalls } from '@holdfast/protocol'
import { checkEndorsements } from '../state/endorsements.ts'
import type { Organisation } from '../state/organisation.ts'
import type { Signer } from '../signer.ts'
import { followsStandingOrder } from '../state/keep-standing-order.ts'
import { coolingHere } from '../checks/book-order.ts'
import { verifySignerOrder } from '../checks/verify-signer-order.ts'

type Asked = Infer<typeof signerCalls.followSignerOrder.request>

/**
 * Goes on without a signer that is away, lifts freezes, changes the whitelist, or keeps a standing order, as approved. It is on disk before the answer leaves.
 * Throws Refused.
 */
export async function followSignerOrder({ options }: Signer, organisation: Organisation, { endorsements, ...asked }: Asked): Promise<void> {
  const { party, register } = organisation
  const nowMs = options.ports.clock.nowMs()
  const intent = verifySignerOrder(asked, { party, register, nowMs, codecFor: options.codecFor })
  checkEndorsements(organisation, intent, endorsements, { nowMs, without: intent.kind === 'absence' ? [intent.party] : [] })
  await carryOut(organisation, intent, asked.intent, nowMs)
}

function carryOut(organisation: Organisation, intent: SignerOrderIntent, encoded: Uint8Array, nowMs: number): Promise<unknown> {
  switch (intent.kind) {
    case 'absence':
      return acceptAbsence(organisation, intent)
    case 'liftFreeze':
      return liftFreezes(organisation, intent)
    case 'addressBook':
      return changeBook(organisation, intent, encoded, nowMs)
    case 'standingOrder':
      return keepOrder(organisation, intent, encoded)
  }
}

async function acceptAbsence({ register, journal }: Organisation, intent: AbsenceIntent): Promise<void> {
  const hash = intentHash(intent)
  if (register.absence && equalBytes(register.absence.intentHash, hash)) return journal.settled()
  await journal.write([{ kind: 'absenceAccepted', intentHash: hash, party: intent.party, untilMs: intent.untilMs }])
}

async function liftFreezes({ register, journal }: Organisation, intent: LiftFreezeIntent): Promise<void> {
  const freezes = intent.freezes.map(freezeHash)
  if (freezes.every((hash) => register.lifted.has(toHex(hash)))) return journal.settled()
  await journal.write([{ kind: 'freezesLifted', intentHash: intentHash(intent), freezes }])
}

/** Transfers that the standing order covers are signed from now on; whatever versions of it were before are over. */
async function keepOrder({ register, journal }: Organisation, intent: StandingOrderIntent, encoded: Uint8Array): Promise<void> {
  if (followsStandingOrder(intent, register)) return journal.settled()
  await journal.write([{ kind: 'standingOrderFollowed', intent: encoded }])
}

/** The whitelist from now on: what is taken off counts no more, what is put on counts after its waiting period by this signer's clock, put back or not. */
async function changeBook({ register, journal }: Organisation, intent: AddressBookIntent, encoded: Uint8Array, nowMs: number): Promise<void> {
  if (register.book.orders.has(toHex(intentHash(intent)))) return journal.settled()
  await journal.write([{ kind: 'bookChanged', intent: encoded, usableAtMs: BigInt(Math.max(nowMs, register.latestMs) + coolingHere(intent, register)) }])
}

import { toHex } from '@holdfast/encoding'
import { askersOf, delegationOf, type Intent, type MachineSignature, seatOf, type Vote } from '@holdfast/intent'
import { known } from '@holdfast/units'
import { boundByApprovals, checkApproval } from './check-approval.ts'
import { checkMachineSignature } from './people/check-machine.ts'
import { eligibleIn, fillBySeats, mayStopFor, type Step, stepsFor } from './evaluate/steps.ts'
import { isAmong } from './people/is-among.ts'
import { asksUnsigned, partyOfMachine } from './people/machines.ts'
import { findSpeaker, type Speaker } from './people/speaker.ts'
import { findPerson, type Policy } from './policy.ts'

/**
 * Who has spoken. `met` is true only where distinct eligible people fill every step, co-signers fill theirs, nobody eligible rejected, and the machine that asks,
 * if one does, signed that it asks; `filled` says who stands in which step. All three lists are of seats: of whose word counts, also where somebody else gave it
 * for them (`by`). Who spoke for themselves and for another is named in both places, and stands in one of them.
 */
export type Tally = { met: boolean; approvedBy: Speaker[]; rejectedBy: Speaker[]; missing: number; filled: Uint8Array[][] }

/**
 * Counts distinct people, and machines where they stand. Every approval given must be valid (throws ApprovalRefused otherwise): a bundle with a bad
 * approval in it is not one to reason about. One word of each human counts, whether for herself or for one other, and one for each seat: the person's own before her
 * delegate's, and of those the one by the newest statement. A no of each counts. Whoever asked is never eligible, whatever keys they hold, but in the step of those who ask.
 */
export function countApprovals(input: {
  policy: Policy
  directory?: Policy
  intent: Intent
  approvals: readonly Vote[]
  /** What machines signed of the order. */
  machines?: readonly MachineSignature[]
  /** The clock of whoever decides: a machine that has expired by then counts no more. */
  atMs?: number
  steps: readonly Step[]
  /** Whose no is enough, where those are more than the people of the steps. */
  mayStop?: readonly Uint8Array[]
  /** For proofs of the past: see `boundByApprovals`. */
  allowsEarlierWords?: boolean
}): Tally {
  const { policy, intent, approvals, machines = [], atMs, allowsEarlierWords = false } = input
  const bound = boundByApprovals(intent, policy, { allowsEarlierWords })
  const steps = stepsFor(input.steps, askersOf(intent))
  const eligible = eligibleIn(steps)
  const mayStop = mayStopFor(input.mayStop ?? eligible, steps, askersOf(intent))
  const approvedBy = new Map<string, Speaker>()
  const rejectedBy = new Map<string, Speaker>()
  const hear = (speaker: Speaker, isNo: boolean) => {
    if (isAmong(isNo ? mayStop : eligible, speaker.id)) (isNo ? rejectedBy : approvedBy).set(toHex(speaker.id), speaker)
  }
  // Whoever comes later stands in the place of who came before: the person's own word is the last.
  for (const approval of approvals.toSorted(byPrecedence)) {
    const person = checkApproval(approval, intent, policy, input.directory, { bound, atMs })
    const isDelegated = delegationOf(approval) !== undefined
    const seat = isDelegated ? known(findPerson(policy, seatOf(approval)), 'who signed a statement that was checked') : person
    hear({ ...seat, ...(isDelegated && { by: person }) }, approval.decision !== 'approve')
  }
  for (const signed of machines) {
    const party = partyOfMachine(checkMachineSignature(signed, intent, policy, atMs))
    hear(known(findSpeaker(policy, party), 'a machine of the policy'), signed.decision === 'reject')
  }
  const { filled, missing: missingInSteps } = fillBySeats(steps, seatsByHuman([...approvedBy.values()]))
  // The signature by which a rule passes an order is missing once, not twice.
  const isCounted = steps.some((step, i) => step.isAskers && (filled[i] ?? []).length < step.need)
  const lacksAsk = isUnasked(policy, intent, machines) && !isCounted
  const missing = missingInSteps + (lacksAsk ? 1 : 0)
  const asksForPeople = steps.length > 0 && steps.every(({ need }) => need >= 1)
  const met = asksForPeople && missing === 0 && rejectedBy.size === 0
  return { met, approvedBy: [...approvedBy.values()], rejectedBy: [...rejectedBy.values()], missing, filled }
}

/** Whether an order names a machine that signs what it asks for, and none of what was signed, each of which was checked, says so. */
const isUnasked = (policy: Policy, { initiator }: Intent, machines: readonly MachineSignature[]): boolean =>
  (findSpeaker(policy, initiator)?.isMachine ?? false) && !asksUnsigned(policy, initiator) && !machines.some(({ decision }) => decision === 'ask')

/** Words for others before people's own, and words by an older statement before those by a newer. */
function byPrecedence(one: Vote, other: Vote): number {
  const rank = (vote: Vote) => Number(delegationOf(vote)?.statement.sequence ?? Number.POSITIVE_INFINITY)
  const [a, b] = [rank(one), rank(other)]
  return a === b ? 0 : a - b
}

/** The seats for which each human spoke, their own first. */
export function seatsByHuman(speakers: readonly Speaker[]): Uint8Array[][] {
  const seats = new Map<string, Uint8Array[]>()
  const ownFirst = [...speakers.filter(({ by }) => !by), ...speakers.filter(({ by }) => by)]
  for (const { id, by } of ownFirst) {
    const human = toHex(by?.id ?? id)
    seats.set(human, [...(seats.get(human) ?? []), id])
  }
  return [...seats.values()]
}

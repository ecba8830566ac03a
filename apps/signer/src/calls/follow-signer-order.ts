import { type AbsenceIntent, freezeHash, intentHash, type LiftFreezeIntent } from '@holdfast/intent'
import { type Infer, equalBytes, toHex } from '@holdfast/encoding'
import type { signerCalls } from '@holdfast/protocol'
import { checkEndorsements } from '../state/endorsements.ts'
import type { Organisation } from '../state/organisation.ts'
import type { Signer } from '../signer.ts'
import { verifySignerOrder } from '../checks/verify-signer-order.ts'

type Asked = Infer<typeof signerCalls.followSignerOrder.request>

/** Goes on without a signer that is away, or lifts freezes, as approved. What it did is on disk before the answer leaves. Throws Refused. */
export async function followSignerOrder({ options }: Signer, organisation: Organisation, { endorsements, ...asked }: Asked): Promise<void> {
  const { party, register } = organisation
  const nowMs = options.ports.clock.nowMs()
  const intent = verifySignerOrder(asked, { party, register, nowMs })
  checkEndorsements(organisation, intent, endorsements, { nowMs, without: intent.kind === 'absence' ? [intent.party] : [] })
  await (intent.kind === 'absence' ? acceptAbsence(organisation, intent) : liftFreezes(organisation, intent))
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

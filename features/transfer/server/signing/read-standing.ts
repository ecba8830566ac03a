import { type CosignedCheckpoint, loggedAt, readApprovals } from '@holdfast/features/evidence/server'
import { readSignerOrderByIntent } from '@holdfast/features/policy/server'
import { type Evidence, openSigned, type Signed, signatureStatementShape } from '@holdfast/protocol'
import type { SignerIdentity } from '@holdfast/policy'
import { known, type OrganisationId } from '@holdfast/units'
import type { SignNeeds } from './types.ts'

type Standing = Pick<Extract<Evidence, { kind: 'witnessed' }>, 'words' | 'absence'>
type Given = {
  orgId: OrganisationId
  signers: readonly SignerIdentity[]
  checkpoint: CosignedCheckpoint
  words: readonly Signed[]
  statements: readonly Signed[]
}

/** The statement in the evidence for the signer that took no part: its word, or the order that says it is away, as reported by those that signed. */
export async function readStanding(needs: SignNeeds, { orgId, signers, checkpoint, words, statements }: Given): Promise<Standing> {
  const opened = statements.map((signed) => statementOf(signed, signers))
  const said = opened.flatMap((each) => (each.kind === 'witnessed' ? [each] : []))
  const witnesses = said.map(({ witness }) => witness)
  const absence = said.find((each) => each.absence !== null)?.absence
  return {
    words: words.filter((word) => witnesses.includes(word.party)),
    absence: absence ? await readAbsence(needs, orgId, checkpoint, absence) : null,
  }
}

/** What a signer says of a signature, as checked when it came. */
function statementOf(signed: Signed, signers: readonly SignerIdentity[]) {
  const who = `signer ${signed.party}`
  const { signKey } = known(
    signers.find(({ party }) => party === signed.party),
    who,
  )
  return known(openSigned(signatureStatementShape, signed, signKey), `the word of ${who}`)
}

async function readAbsence(needs: SignNeeds, orgId: OrganisationId, checkpoint: CosignedCheckpoint, hash: Uint8Array): Promise<Standing['absence']> {
  const found = await needs.db.asOrganisation(orgId, async (tx) => ({
    order: await readSignerOrderByIntent(tx, hash),
    approvals: (await readApprovals(tx, hash)).filter((each) => each.approval.decision === 'approve'),
  }))
  if (!found.order) return null
  const { row, places } = found.order
  const sequences = [
    places.intent,
    ...found.approvals.map(({ personId }) => known(places.words[personId], `the place in the log of the approval of ${personId}`)),
  ]
  return {
    intent: new Uint8Array(row.intent),
    approvals: found.approvals.map((each) => each.bytes),
    logged: await loggedAt(needs, orgId, checkpoint.size, sequences),
  }
}

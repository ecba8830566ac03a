import type { SystemTx } from '@holdfast/db'
import { bytes, digest, struct, text } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { invitePath } from '@holdfast/features/session/invite-link'
import { createInvite } from '@holdfast/features/session/server'
import { at, known } from '@holdfast/units'
import { changeDraft, type Draft, secretOf } from './draft.ts'

const sealShape = struct('holdfast/setup-invite-seal/v1', { secret: bytes(16), personId: text(64) })

/**
 * The founding members' links to choose a way to sign in, made once, also where two pages of the founder ask at the same time. The draft keeps them sealed
 * under the founder's token, so that they can be shown to the founder again and cannot be read from the database.
 */
export async function inviteUrls(draft: Draft, founderToken: string, context: Pick<ServerContext, 'db' | 'ports' | 'settings'>): Promise<Map<string, string>> {
  const isWhole = draft.members.every(({ sealedInvite }) => sealedInvite !== undefined)
  const { members } = isWhole ? draft : await changeDraft(context.db, draft, (present, tx) => makeInvites(tx, present, founderToken, context))
  const url = (token: string) => `${context.settings.consoleOrigin}${invitePath(token)}`
  return new Map(
    members.map((member) => [member.personId, url(unseal(known(member.sealedInvite, `the invitation of ${member.name}`), founderToken, member.personId))]),
  )
}

async function makeInvites(
  tx: SystemTx,
  { members, organisationId: orgId }: Draft,
  founderToken: string,
  { ports }: Pick<ServerContext, 'ports'>,
): Promise<void> {
  for (const member of members) {
    if (member.sealedInvite !== undefined) continue
    const { token } = await createInvite(tx, ports, { orgId, personId: member.personId })
    member.sealedInvite = seal(token, founderToken, member.personId)
  }
}

// The key is used for this one token only, so the exclusive or of the two is a one-time pad.
function seal(invite: string, founderToken: string, personId: string): string {
  return exclusiveOr(Buffer.from(invite, 'base64url'), founderToken, personId).toString('base64url')
}

function unseal(sealed: string, founderToken: string, personId: string): string {
  return exclusiveOr(Buffer.from(sealed, 'base64url'), founderToken, personId).toString('base64url')
}

function exclusiveOr(value: Buffer, founderToken: string, personId: string): Buffer {
  const key = digest(sealShape, { secret: secretOf(founderToken), personId })
  if (value.length !== key.length) throw new Error('an invitation has 32 bytes')
  return Buffer.from(value.map((byte, i) => byte ^ at(key, i)))
}

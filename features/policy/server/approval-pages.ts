import type { OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { decode, toHex } from '@holdfast/encoding'
import { type ApprovalPage, getApprovalPages } from '@holdfast/features/approval-page/contract'
import { approvalPages } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { credentialShape } from '@holdfast/intent'
import { approversOf, findPerson, keyOriginOf } from '@holdfast/policy'
import { bytesToUuid, uuidToBytes } from '@holdfast/units'
import { currentPolicy, type PolicyInForce } from './current-policy.ts'
import { servedPages } from './served-pages.ts'

type Needs = Pick<ServerContext, 'db' | 'coSigners' | 'settings'>

/** Which approval pages there are, for the console, which leads people to them. */
export function approvalPageEndpoints(context: ServerContext): HandledEndpoint[] {
  return [handle(getApprovalPages, ({ orgId, personId }) => approvalPagesFor(context, orgId, personId))]
}

/** The approval pages of an organisation as one member of it sees them. */
export async function approvalPagesFor(context: Needs, orgId: string, personId: string): Promise<OutputOf<typeof getApprovalPages>> {
  const { inForce, keys } = await context.db.asOrganisation(orgId, async (tx) => {
    const found = await currentPolicy(tx)
    return { inForce: found, keys: await keysOf(tx, context, found, personId) }
  })
  const { policy } = inForce
  const served = await servedPages(context, inForce)
  const pages = approvalPages(context, policy).map((origin) => ({
    origin,
    up: served.some((page) => page.origin === origin),
    key: keys.get(origin) ?? ('none' as const),
  }))
  const deciding = [...policy.rules.flatMap((rule) => approversOf(rule, policy)), ...policy.governance.approvers]
  return { pages, approves: deciding.some((id) => bytesToUuid(id) === personId) }
}

/** At which pages a person has keys. What does not say where it was made is from the time of the one page. */
async function keysOf(tx: OrganisationTx, { settings }: Needs, { policy }: PolicyInForce, personId: string): Promise<Map<string, ApprovalPage['key']>> {
  const named = findPerson(policy, uuidToBytes(personId))?.credentials ?? []
  const rows = await tx
    .selectFrom('approval_key')
    .select(['credential', 'page'])
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('denied_at', 'is', null)
    .execute()
  const counting = new Set(named.map((key) => toHex(key.id)))
  const waiting = rows.filter((row) => !counting.has(toHex(decode(credentialShape, new Uint8Array(row.credential)).id)))
  return new Map([
    ...waiting.map((row) => [row.page ?? settings.approvalOrigin, 'waits'] as const),
    ...named.map((key) => [keyOriginOf(key.label).origin?.page ?? settings.approvalOrigin, 'counts'] as const),
  ])
}

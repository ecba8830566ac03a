import type { OrganisationTx } from '@holdfast/db'
import { toHex } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import type { SecondFactor } from '@holdfast/features/server-feature'
import type { MemberContext, RequestKey } from '@holdfast/http'
import type { KeyChange } from './key-change.ts'
import type { KeyProposal } from './propose-key-change.ts'

type Caller = MemberContext & { request: RequestKey }
type AboutKey = { wallet_id: string; key_kind?: string | undefined; google_code?: string | undefined }
type Propose = (tx: OrganisationTx, asked: Omit<KeyProposal, 'action' | 'party'>) => Promise<{ change: KeyChange; fresh: boolean }>

/** What every call that proposes something about a key gives the proposal, and answers. */
export function proposingFromCalls(context: ServerContext, session: SecondFactor) {
  return async ({ orgId, personId, language, request: key }: Caller, input: AboutKey, propose: Propose) => {
    const { change, fresh } = await context.db.asOrganisation(orgId, (tx) => {
      const demandSecondFactor = () => session.demandSecondFactorWhereSet(tx, personId, input.google_code)
      return propose(tx, { personId, language, key, walletId: input.wallet_id, kind: input.key_kind, demandSecondFactor })
    })
    const { id, intent_hash: hash } = change.row
    return { id, intent_hash: toHex(hash), approval_url: approvalUrl(context, hash), idempotent: !fresh }
  }
}

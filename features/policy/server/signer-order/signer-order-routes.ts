import { toHex } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import { signerAway } from '@holdfast/features/signer-link/server'
import type { ServerContext } from '@holdfast/features/context'
import type { SecondFactor } from '@holdfast/features/server-feature'
import { handle, type HandledEndpoint } from '@holdfast/http'
import * as contract from '../../signer-order-contract.ts'
import { currentPolicy } from '../current-policy.ts'
import { proposeAbsence, proposeLift } from './propose-signer-order.ts'
import { signerOrders, type SignerOrder } from './signer-order.ts'
import { freezesNow, signingState } from './signer-order-view.ts'

/** What stops the signers, who of them is away, and what people ask of them. Approving happens on the approval page alone. */
export function signerOrderEndpoints(context: ServerContext, session: SecondFactor): HandledEndpoint[] {
  const { db } = context
  const answer = ({ order: { row }, fresh }: { order: SignerOrder; fresh: boolean }) => ({
    id: row.id,
    intent_hash: toHex(row.intent_hash),
    approval_url: approvalUrl(context, row.intent_hash),
    idempotent: !fresh,
  })
  return [
    handle(contract.getFreezes, ({ orgId }) => db.asOrganisation(orgId, (tx) => freezesNow(tx))),
    handle(contract.getSigningState, (caller) => signingState(context, caller)),
    handle(contract.proposeAbsence, async ({ orgId, personId, language, request: key }, { reason: remark, party, days, google_code }) => {
      const { fingerprint } = await db.asOrganisation(orgId, (tx) => currentPolicy(tx))
      const away = await signerAway(context, fingerprint)
      return answer(
        await db.asOrganisation(orgId, (tx) => {
          const demandSecondFactor = () => session.demandSecondFactorWhereSet(tx, personId, google_code)
          return proposeAbsence(tx, context, { personId, language, key, remark, party, days, away, demandSecondFactor })
        }),
      )
    }),
    handle(contract.proposeLift, async ({ orgId, personId, language, request: key }, { reason: remark, freezes, google_code }) =>
      answer(
        await db.asOrganisation(orgId, (tx) => {
          const demandSecondFactor = () => session.demandSecondFactorWhereSet(tx, personId, google_code)
          return proposeLift(tx, context, { personId, language, key, remark, freezes, demandSecondFactor })
        }),
      ),
    ),
    handle(contract.withdrawSignerOrder, async ({ orgId, personId }, { id, remark }) => {
      await db.asOrganisation(orgId, (tx) => signerOrders.withdraw(tx, context, { id, personId, remark }))
      return null
    }),
  ]
}

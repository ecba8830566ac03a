import { handle, type HandledEndpoint } from '@holdfast/http'
import * as contract from '../contract.ts'
import { acknowledgeAllowanceSpend } from './acknowledge-allowance-spend.ts'
import type { ScanNeeds } from './reading/advance.ts'
import { askForClaim, confirmClaim, keepHeld, refuseClaim, withdrawClaim } from './claims.ts'

/** What people say of held payments and of allowance spends. */
export function depositEndpoints(needs: ScanNeeds): HandledEndpoint[] {
  const { db } = needs
  return [
    handle(contract.claimDeposit, async ({ orgId, personId }, { id, memo, reason }) => ({
      claim_id: await db.asOrganisation(orgId, (tx) => askForClaim(tx, needs, { depositId: id, memo, reason: reason.trim(), personId })),
    })),
    handle(contract.decideClaim, async ({ orgId, personId }, { claim_id, result, reason }) => {
      const word = { claimId: claim_id, personId, reason: reason.trim() }
      if (result === 'confirm') await confirmClaim(needs, orgId, word)
      else await db.asOrganisation(orgId, (tx) => refuseClaim(tx, needs, word))
      return { credited: result === 'confirm' }
    }),
    handle(contract.withdrawClaim, async ({ orgId, personId }, { claim_id }) => {
      await db.asOrganisation(orgId, (tx) => withdrawClaim(tx, needs, { claimId: claim_id, personId }))
      return null
    }),
    handle(contract.acknowledgeAllowanceSpend, async ({ orgId, personId }, { id }) => ({
      at: await db.asOrganisation(orgId, (tx) => acknowledgeAllowanceSpend(tx, needs, { id, personId })),
    })),
    handle(contract.keepHeld, async ({ orgId, personId }, { id, reason }) => {
      await db.asOrganisation(orgId, (tx) => keepHeld(tx, needs, { depositId: id, reason: reason.trim(), personId }))
      return null
    }),
  ]
}

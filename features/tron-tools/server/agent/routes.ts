import type { SecondFactor } from '@holdfast/features/server-feature'
import { handle, type HandledEndpoint } from '@holdfast/http'
import * as contract from '../../agent-contract.ts'
import { accountsView, operateAccounts } from './accounts.ts'
import { askFor, delegationsView, delegationView, estimateView } from './delegations.ts'
import type { AgentNeeds } from './lend.ts'
import { agentView, keepAgent, turnAgent } from './settings.ts'

/** How energy is lent to own addresses before they pay, and what came of it. */
export function agentEndpoints(context: AgentNeeds, { demandSecondFactorWhereSet }: SecondFactor): HandledEndpoint[] {
  const { db } = context
  return [
    handle(contract.getAgent, ({ orgId, language }) => agentView(context, orgId, language)),
    handle(contract.saveAgent, async ({ orgId, personId }, { google_code, ...input }) => {
      await db.asOrganisation(orgId, async (tx) => {
        await demandSecondFactorWhereSet(tx, personId, google_code)
        await keepAgent(tx, context, personId, input)
      })
      return null
    }),
    handle(contract.switchAgent, async ({ orgId, personId }, { enabled, google_code }) => {
      await db.asOrganisation(orgId, async (tx) => {
        // Off is always open: it only ends what goes on by itself.
        if (enabled) await demandSecondFactorWhereSet(tx, personId, google_code)
        await turnAgent(tx, context, personId, enabled)
      })
      return null
    }),
    handle(contract.listAgentAccounts, ({ orgId }, asked) => accountsView(context, orgId, asked)),
    handle(contract.operateAgentAccounts, async ({ orgId }, asked) => {
      await db.asOrganisation(orgId, (tx) => operateAccounts(tx, context, asked))
      return null
    }),
    handle(contract.listDelegations, ({ orgId }, asked) => db.asOrganisation(orgId, (tx) => delegationsView(tx, context, asked))),
    handle(contract.getDelegation, ({ orgId }, asked) => db.asOrganisation(orgId, (tx) => delegationView(tx, context, asked)), 'machines too'),
    handle(contract.estimateDelegation, ({ orgId }, asked) => estimateView(context, orgId, asked)),
    handle(contract.createDelegation, ({ orgId, request }, asked) => askFor(context, orgId, request, asked), 'machines too'),
  ]
}

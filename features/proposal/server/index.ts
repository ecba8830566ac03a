import type { ServerFeature } from '@holdfast/features/server-feature'
import { countWaiting } from './list-proposals.ts'
import { proposalPageCalls } from './page-calls.ts'
import { proposalEndpoints } from './routes.ts'

export { type GovernedMove, governedTable, type Places, sequencesOf } from './governed-table.ts'
export { countWaiting, listProposals } from './list-proposals.ts'
export { nameMissingDeciders } from './name-deciders.ts'
export { proposalPageCalls } from './page-calls.ts'
export { proposalEndpoints } from './routes.ts'
export { type ProposalKind, type Proposals, type Viewer } from './proposal-kind.ts'
export { type DecidesFor, IS_LAST, maySpeak, namedWords, speakersAt, speakersOf, wordFor, type WordForAnother } from './delegated.ts'
export { countedIn, governanceQuorum, peopleAmong, type Quorum, tallyOf } from './quorum.ts'
export { expiresSoon, governedItem } from './todo-item.ts'
export { takeMachineSignature } from './take-machine-signature.ts'
export { takeScreening } from './screening/take-screening.ts'
export { endStop, tellStoppers } from './tell-stoppers.ts'
export { actForAsker } from './tell-waiting.ts'
export { closeProposal, nameDeciders, noteWord, openProposal } from './write-proposal.ts'

export const feature: ServerFeature = {
  endpoints: (context, { proposals }) => proposalEndpoints(context, proposals),
  pageCalls: (context, { proposals }) => proposalPageCalls(context, proposals),
  unread: {
    todo: ({ db, ports }, { orgId, personId, proposals }) =>
      db.asOrganisation(orgId, (tx) => countWaiting(tx, proposals, { personId, nowMs: ports.clock.nowMs() })),
  },
}

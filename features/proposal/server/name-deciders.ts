import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { byApproval, type Proposals, readSubject } from './proposal-kind.ts'
import { peopleAmong } from './quorum.ts'
import { nameDeciders } from './write-proposal.ts'

/**
 * Names the people that open proposals wait for, if none are named: those that a migration put into the table, which reads no policy. An opening
 * names them itself. Runs once, when a server starts: a proposal that cannot be read is reported, and keeps no server from starting.
 */
export async function nameMissingDeciders({ db }: Pick<ServerContext, 'db'>, proposals: Proposals, report: (cause: unknown) => void): Promise<void> {
  const nameless = await db.asSystem((tx) =>
    tx
      .selectFrom('proposal')
      .select(['org_id', 'subject_id', 'kind'])
      .where('is_open', '=', true)
      .where('intent_hash', 'is not', null)
      .where((row) =>
        row.not(
          row.exists(
            row
              .selectFrom('proposal_person as waiting')
              .select('waiting.person_id')
              .whereRef('waiting.org_id', '=', 'proposal.org_id')
              .whereRef('waiting.subject_id', '=', 'proposal.subject_id')
              .where('waiting.spoken_at', 'is', null),
          ),
        ),
      )
      .execute(),
  )
  for (const { org_id: orgId, subject_id: id, kind } of nameless) await db.asOrganisation(orgId, (tx) => nameOne(tx, proposals, { id, kind })).catch(report)
}

async function nameOne(tx: OrganisationTx, proposals: Proposals, { id, kind }: { id: string; kind: string }): Promise<void> {
  const by = byApproval(proposals, kind)
  const subject = await readSubject(tx, by, id, true)
  const quorums = by.quorums(subject, await proposals.policyInForce(tx))
  await nameDeciders(
    tx,
    id,
    quorums.flatMap(({ directory, eligible }) => peopleAmong(directory, eligible)),
  )
}

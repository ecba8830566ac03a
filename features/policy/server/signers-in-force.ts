import type { ServerContext } from '@holdfast/features/context'
import type { NamedSigners } from '@holdfast/features/signer-link/server'
import { currentPolicy } from './current-policy.ts'

/** Whom the policy in force of each organisation names as its signers: these may dial in. */
export async function signersInForce({ db }: Pick<ServerContext, 'db'>): Promise<NamedSigners[]> {
  const founded = await db.asSystem((tx) => tx.selectFrom('policy_version').select('org_id').where('version', '=', 1n).execute())
  return Promise.all(
    founded.map(async ({ org_id: orgId }) => {
      const { fingerprint, signers } = await db.asOrganisation(orgId, (tx) => currentPolicy(tx))
      return { genesis: fingerprint, signKeys: signers.map(({ signKey }) => signKey) }
    }),
  )
}

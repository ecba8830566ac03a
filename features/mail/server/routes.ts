import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { isMailAddress, type Mailer } from '@holdfast/mail'
import * as contract from '../contract.ts'
import { addressOf } from './write-mail.ts'

/** What a member has chosen about e-mails to them. */
export function mailEndpoints({ db, ports }: Pick<ServerContext, 'db' | 'ports'>, mailer: Mailer | undefined): HandledEndpoint[] {
  return [
    handle(contract.getOwnMail, ({ orgId, personId }) =>
      db.asOrganisation(orgId, async (tx) => ({ server: mailer !== undefined, ...(await readChoice(tx, personId)) })),
    ),
    handle(contract.saveOwnMail, async ({ orgId, personId }, { wanted, address: given, language }) => {
      const address = given === '' ? null : given.toLowerCase()
      if (address !== null && !isMailAddress(address)) {
        throw new AppError('invalid_parameters', { details: { field: 'address', reason: 'give an e-mail address such as ann@company.example' } })
      }
      const choice = { wanted, address, language, updated_at: ports.clock.nowMs() }
      await db.asOrganisation(orgId, (tx) =>
        tx
          .insertInto('mail_choice')
          .values({ org_id: orgId, person_id: personId, ...choice })
          .onConflict((conflict) => conflict.columns(['org_id', 'person_id']).doUpdateSet(choice))
          .execute(),
      )
      return null
    }),
  ]
}

async function readChoice(tx: OrganisationTx, personId: string) {
  const { login, language, choice, ...chosen } = await tx
    .selectFrom('person as p')
    .leftJoin('mail_choice as c', (join) => join.onRef('c.org_id', '=', 'p.org_id').onRef('c.person_id', '=', 'p.id'))
    .select(['p.login', 'p.language', 'c.wanted', 'c.address', 'c.language as choice'])
    .where('p.org_id', '=', tx.orgId)
    .where('p.id', '=', personId)
    .executeTakeFirstOrThrow()
  return { wanted: chosen.wanted ?? true, address: chosen.address, account_address: addressOf({ address: null, login }), language: choice ?? language }
}

import { AppError } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import { networkErrors } from '@holdfast/features/network/errors'
import { handle, type HandledEndpoint } from '@holdfast/http'
import * as contract from '../contract.ts'
import { importPersonal } from './import-personal.ts'
import { findTwin } from './find-twin.ts'
import { listPersonal } from './list-personal.ts'
import { removePersonal, savePersonal } from './save-personal.ts'
import { similarTo } from './similar-to.ts'

/** A person's own contacts: suggestions and names, never a rule. */
export function addressBookEndpoints({ db, networks, ports }: ServerContext): HandledEndpoint[] {
  return [
    handle(contract.listPersonalBook, ({ orgId, personId }, { keyword, chain, page_no, page_size }) =>
      db.asOrganisation(orgId, (tx) => listPersonal(tx, networks, { personId, keyword: keyword ?? '', chain, page: page_no, pageSize: page_size })),
    ),
    handle(contract.checkPersonalAddress, ({ orgId, personId }, { chain, address, memo }) => {
      const network = networks.find(chain)
      if (!network) throw new AppError(networkErrors.unsupported_coin)
      const canonical = network.codec.canonicalAddress(address)
      if (canonical === undefined) return Promise.resolve({ valid: false, canonical: null, duplicate_of: null, similar_to: [] })
      return db.asOrganisation(orgId, async (tx) => {
        const twin = await findTwin(tx, { personId, chain, address: canonical, memo })
        return {
          valid: true,
          canonical,
          duplicate_of: twin && twin.removed_at === null ? twin.name : null,
          similar_to: await similarTo(tx, personId, canonical),
        }
      })
    }),
    handle(contract.savePersonal, ({ orgId, personId }, input) =>
      db.asOrganisation(orgId, async (tx) => ({ id: await savePersonal(tx, { ports, networks, personId }, input) })),
    ),
    handle(contract.removePersonal, ({ orgId, personId }, { ids }) =>
      db.asOrganisation(orgId, async (tx) => ({ removed: await removePersonal(tx, { ports, personId }, ids) })),
    ),
    handle(contract.importPersonal, ({ orgId, personId }, { rows }) =>
      db.asOrganisation(orgId, (tx) => importPersonal(tx, { ports, networks, personId }, rows)),
    ),
  ]
}

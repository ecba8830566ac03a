import type { OrderId, OrganisationId } from '@holdfast/units'
import type { Json, Once, TimeOnce } from '../../columns.ts'

declare module '../schema.ts' {
  /** Tables of features/contract-call. */
  interface Schema {
    contract_call: ContractCall
  }
}

type ContractCall = {
  org_id: Once<OrganisationId>
  order_id: Once<OrderId>
  dapp_name: Once<string>
  dapp_url: Once<string>
  dapp_img: Once<string>
  simulation: Json
  created_at: TimeOnce
}

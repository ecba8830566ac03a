import type { Json, Once, TimeOnce } from './schema.ts'

/** What is known of a call of a contract beside its order. */
export type CallTables = {
  contract_call: {
    org_id: Once<string>
    order_id: Once<string>
    dapp_name: Once<string>
    dapp_url: Once<string>
    dapp_img: Once<string>
    simulation: Json
    created_at: TimeOnce
  }
}

import type { Json, Once, Time, TimeOnce } from '../../columns.ts'

declare module '../schema.ts' {
  /** Tables of features/co-signer. */
  interface Schema {
    collecting_plan: CollectingPlan
    collecting_import: CollectingImport
  }
}

type CollectingPlan = {
  org_id: Once<string>
  wallet_id: Once<string>
  version: Once<number>
  document: Json
  action: Once<string>
  remark: Once<string>
  changed_by: Once<string>
  changed_at: TimeOnce
}

type CollectingImport = {
  org_id: Once<string>
  id: Once<string>
  wallet_id: Once<string>
  lines: Json
  state: 'checked' | 'taken'
  asked_by: Once<string>
  created_at: TimeOnce
  updated_at: Time
}

import type { ColumnType } from 'kysely'
import type { Once, Time, TimeOnce, TimeOrNull } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/network. */
  interface Schema {
    /** Written through `asSystem`; every organisation sees it. */
    asset: Asset
    added_token: AddedToken
    asset_alarm: AssetAlarm
    uneven_token: UnevenToken
    /** Read and written through `asSystem`. */
    chain_halt: ChainHalt
  }
}

type Asset = { chain: string; contract: string; symbol: string; name: string; decimals: number; created_at: Time }

type AddedToken = {
  org_id: Once<string>
  id: Once<string>
  chain: Once<string>
  contract: Once<string>
  symbol: Once<string>
  decimals: Once<number>
  name: Once<string>
  reason: string
  state: 'applied' | 'open' | 'refused'
  from_height: bigint | null
  opened_height: ColumnType<bigint | null, bigint | null | undefined, bigint | null>
  read_height: ColumnType<bigint | null, bigint | null | undefined, bigint | null>
  requested_by: string
  created_at: TimeOnce
  opened_at: TimeOrNull
  refused_by: ColumnType<string | null, string | null | undefined, string | null>
  refused_at: TimeOrNull
  refusal: ColumnType<string | null, string | null | undefined, string | null>
}

type AssetAlarm = {
  org_id: Once<string>
  chain: Once<string>
  contract: Once<string>
  cause: Once<'books' | 'missing' | 'surplus' | 'control' | 'untold' | 'odd_log' | 'uncredited'>
  place: Once<string>
  reason: string
  since_at: Time
  over_at: TimeOrNull
  excess: ColumnType<bigint | null, bigint | null | undefined, bigint | null>
  accepted: ColumnType<bigint, bigint | undefined, bigint>
  acknowledged_by: ColumnType<string | null, string | null | undefined, string | null>
  acknowledged_at: TimeOrNull
}

type UnevenToken = {
  org_id: Once<string>
  chain: Once<string>
  contract: Once<string>
  reason: string
  marked_by: string
  marked_at: Time
  ended_by: ColumnType<string | null, string | null | undefined, string | null>
  ended_at: TimeOrNull
}

type ChainHalt = { chain: Once<string>; reason: string; since_at: TimeOnce }

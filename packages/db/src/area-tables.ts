import type { CoinTables } from './coin-tables.ts'
import type { KeyTables } from './key-tables.ts'
import type { OrderTables } from './order-tables.ts'
import type { TeamTables } from './team-tables.ts'

/** Tables of an organisation that are described by area. */
export type AreaTables = CoinTables & KeyTables & OrderTables & TeamTables

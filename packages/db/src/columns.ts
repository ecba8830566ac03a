import type { ColumnType } from 'kysely'

/** Written with its row, without a right to change it afterwards. */
export type Once<T> = ColumnType<T, T, never>
/** Null in rows that are older than the column. */
export type Later<T> = ColumnType<T | null, T | null | undefined, never>
/** The database fills it in where a row says nothing of it. */
export type Filled<T> = ColumnType<T, T | undefined, T>
/** Milliseconds since 1970; a number is accepted if a clock gives one. */
export type Time = ColumnType<bigint, bigint | number, bigint | number>
export type TimeOnce = ColumnType<bigint, bigint | number, never>
export type TimeOrNull = ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>
export type Json<T = unknown> = ColumnType<T, string, string>

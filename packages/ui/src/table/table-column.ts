import type { ReactNode } from 'react'
import type { ColumnChoices } from './table-memory.ts'

export type Column<Row> = {
  key: string
  title: string
  /** The title is for those who cannot see the column: of buttons that speak for themselves. */
  hidesTitle?: boolean
  render(row: Row): ReactNode
  align?: 'start' | 'end'
  width?: number | string
  /** Left out where the page is as narrow as a telephone. */
  wideOnly?: boolean
  /** Not shown until somebody asks for it in the table's settings. */
  startsHidden?: boolean
}

/** The first column says what a row is, and a column of buttons is what people come for: both stay. */
export function canHide<Row>(column: Column<Row>, at: number): boolean {
  return at > 0 && !column.hidesTitle
}

/** Whether a person sees a column: their own choice, else the table's. */
export function isShown<Row>(column: Column<Row>, at: number, choices: ColumnChoices): boolean {
  if (!canHide(column, at)) return true
  return Object.hasOwn(choices, column.key) ? choices[column.key] === true : !column.startsHidden
}

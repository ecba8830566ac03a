import { useMemo, useSyncExternalStore } from 'react'
import { type Column, isShown } from './table-column.ts'
import { type ColumnChoices, createTableMemory, type Density, type TableMemory } from './table-memory.ts'

let memory: TableMemory | undefined

/** How this browser remembers tables. */
export function tableMemory(): TableMemory {
  return (memory ??= createTableMemory(localStorage))
}

export function useDensity(): Density {
  return useSyncExternalStore(tableMemory().subscribe, tableMemory().density)
}

const NO_CHOICES: ColumnChoices = {}

export function useColumnChoices(table: string | undefined): ColumnChoices {
  return useSyncExternalStore(tableMemory().subscribe, () => (table === undefined ? NO_CHOICES : tableMemory().columns(table)))
}

/** The columns a person sees of a table. */
export function useShownColumns<Row>(table: string | undefined, columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const choices = useColumnChoices(table)
  return useMemo(() => columns.filter((column, at) => isShown(column, at, choices)), [columns, choices])
}

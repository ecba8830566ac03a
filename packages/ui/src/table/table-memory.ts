/** How high the rows of tables are. One choice for every table. */
export type Density = 'comfortable' | 'compact'

type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export type TableMemory = {
  density(): Density
  setDensity(density: Density): void
  /** The keys of the columns that a person hid or showed otherwise than the table does by itself. */
  columns(table: string): ColumnChoices
  setColumn(table: string, column: string, isShown: boolean): void
  restoreColumns(table: string): void
  subscribe(listener: () => void): () => void
}

export type ColumnChoices = Readonly<Record<string, boolean>>

const DENSITY_KEY = 'holdfast.density'
const NO_CHOICES: ColumnChoices = {}
const tableKey = (table: string) => `holdfast.table.${table}`

function readChoices(storage: KeyValueStorage, table: string): ColumnChoices {
  try {
    const kept: unknown = JSON.parse(storage.getItem(tableKey(table)) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return NO_CHOICES
    return Object.fromEntries(Object.entries(kept).filter(([, isShown]) => typeof isShown === 'boolean')) as ColumnChoices
  } catch {
    return NO_CHOICES
  }
}

/** Remembers how a person likes tables: names of tables and keys of columns, nothing of what stands in them. */
export function createTableMemory(storage: KeyValueStorage): TableMemory {
  const known = new Map<string, ColumnChoices>()
  const listeners = new Set<() => void>()
  let density: Density = storage.getItem(DENSITY_KEY) === 'compact' ? 'compact' : 'comfortable'
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const columns = (table: string): ColumnChoices => {
    const choices = known.get(table) ?? readChoices(storage, table)
    known.set(table, choices)
    return choices
  }
  return {
    density: () => density,
    setDensity: (next) => {
      density = next
      if (next === 'compact') storage.setItem(DENSITY_KEY, next)
      else storage.removeItem(DENSITY_KEY)
      tell()
    },
    columns,
    setColumn: (table, column, isShown) => {
      const choices = { ...columns(table), [column]: isShown }
      known.set(table, choices)
      storage.setItem(tableKey(table), JSON.stringify(choices))
      tell()
    },
    restoreColumns: (table) => {
      known.set(table, NO_CHOICES)
      storage.removeItem(tableKey(table))
      tell()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

import { sql } from 'kysely'
import type { Tx } from './run-transaction.ts'

export type TableInfo = {
  name: string
  columns: { name: string; type: string }[]
  primaryKey: string[]
  /** The columns by which a row names another row of the same table, and the columns they name. */
  refersToItself: { from: string; to: string }[]
}

/** The runner's own; a database has them before anything else. */
const OWN_TABLES = ['migration', 'lease']

type Row = { name: string; columns: TableInfo['columns']; primary_key: string[]; refers_to_itself: TableInfo['refersToItself'] | null; needs: string[] }

/** Every table of ours, as the database describes it, each after the tables its rows refer to. */
export async function readTables(tx: Tx): Promise<TableInfo[]> {
  const { rows } = await sql<Row>`
    select c.relname::text as name,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select json_agg(a.attname order by k.position) from pg_constraint p, unnest(p.conkey) with ordinality as k (attnum, position), pg_attribute a
        where p.conrelid = c.oid and p.contype = 'p' and a.attrelid = c.oid and a.attnum = k.attnum) as primary_key,
      (select json_agg(json_build_object('from', f.attname, 'to', t.attname) order by k.position)
        from pg_constraint r, unnest(r.conkey, r.confkey) with ordinality as k (from_attnum, to_attnum, position), pg_attribute f, pg_attribute t
        where r.conrelid = c.oid and r.confrelid = c.oid and r.contype = 'f'
          and f.attrelid = c.oid and f.attnum = k.from_attnum and t.attrelid = c.oid and t.attnum = k.to_attnum) as refers_to_itself,
      (select coalesce(json_agg(distinct o.relname), '[]') from pg_constraint r join pg_class o on o.oid = r.confrelid
        where r.conrelid = c.oid and r.contype = 'f' and r.confrelid <> c.oid) as needs
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> all(${OWN_TABLES}::text[])
    order by c.relname`.execute(tx)
  return inOrderOfNeed(rows).map(({ name, columns, primary_key, refers_to_itself }) => ({
    name,
    columns,
    primaryKey: primary_key,
    refersToItself: refers_to_itself ?? [],
  }))
}

function inOrderOfNeed(rows: Row[]): Row[] {
  const ordered: Row[] = []
  const placed = new Set<string>()
  while (ordered.length < rows.length) {
    const next = rows.find((row) => !placed.has(row.name) && row.needs.every((need) => placed.has(need)))
    if (!next) throw new Error('tables refer to each other in a circle')
    ordered.push(next)
    placed.add(next.name)
  }
  return ordered
}

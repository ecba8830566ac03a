/**
 * The floor of a read: a bare Fastify that answers each path with the rows of one prepared query, by the login that owns the tables, and asks nobody who
 * they are. `node bench/bare-server.ts <database> <reads as JSON>` prints its port and serves until it is ended.
 */
import Fastify from 'fastify'
import pg from 'pg'

export type BareRead = { text: string; values: unknown[] }

const [url, reads] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url!, max: 20 })
const app = Fastify()
for (const [name, { text, values }] of Object.entries(JSON.parse(reads!) as Record<string, BareRead>))
  app.get(`/${name}`, async () => (await pool.query({ name, text, values })).rows)
await app.listen({ port: 0, host: '127.0.0.1' })
console.log((app.server.address() as { port: number }).port)

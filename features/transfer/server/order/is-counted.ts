import { sql } from 'kysely'

/** When the signers of an order were last told to begin. A value and no `exists`, which the database might answer by reading the starts of all orders. */
const BEGUN_AT = sql`(select max(begun.handed_over_at) from signing_start as begun where begun.org_id = o.org_id and begun.order_id = o.id)`

/**
 * Whether limits count an order, which the query calls `o`: one that signers may count, and one that still waits. One that ended before any signer was told to
 * begin is not counted, though it had its slot: a signer counts an order from when it joins a session, and where that ends without its beginning it forgets
 * the order (`release` in the signer's register). Nothing can be paid twice by that: what was told to begin counts here, and the signers, who count by
 * themselves and believe no server, refuse with c9 what is too much.
 */
export const isCounted = sql<boolean>`(not o.is_final or o.txid is not null or (o.state = 'refused' and o.slot is not null) or ${BEGUN_AT} is not null)`

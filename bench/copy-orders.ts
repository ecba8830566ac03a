import { createHash, randomUUID } from 'node:crypto'
import { decode, encode } from '@holdfast/encoding'
import { intentHash, intentShape, type TransferIntent } from '@holdfast/intent'
import { uuidToBytes } from '@holdfast/units'
import type pg from 'pg'

/** Orders that are written at once. */
const BATCH = 5_000
/** How far apart two of them were asked for. */
const STEP_MS = 172_800

/**
 * Copies the first order of an organisation until it has so many more, half an hour's part apart, the oldest first as they come, each with an address, an
 * amount and an intent of its own. By the owner of the tables, who may leave out what looks whether rows refer to anything: all of them do.
 */
export async function copyOrders(owner: pg.ClientBase, orgId: string, count: number): Promise<void> {
  await owner.query("set session_replication_role = 'replica'")
  const { rows } = await owner.query<{ id: string; intent: Uint8Array }>(
    'select id, intent from transfer_order where org_id = $1 order by created_at limit 1',
    [orgId],
  )
  const { id, intent } = rows[0]!
  const sample = decode(intentShape, new Uint8Array(intent))
  if (sample.kind !== 'transfer') throw new Error('the first order is no payment')
  for (let first = count; first > 0; first -= BATCH) {
    const copies = Array.from({ length: Math.min(BATCH, first) }, (_, at) => copyOf(sample, first - at))
    await owner.query(
      `insert into transfer_order (org_id, id, kind, wallet_id, sub_wallet_id, chain, contract, symbol, amount, fee_cap, address_from, address_to,
        address_to_end, memo, remark, intent, intent_hash, policy_version,
        initiator, state, sub_status, is_final, slot, txid, block_height, block_hash, fee_paid, expires_at,
        created_at, updated_at, version)
        select org_id, copy.id, kind, wallet_id, sub_wallet_id, chain, contract, symbol, amount + i, fee_cap, address_from,
          copy.address, right(copy.address, 4), memo, 'invoice ' || i, copy.intent, copy.hash, policy_version, initiator,
          (array['completed', 'rejected', 'failed', 'completed', 'completed'])[1 + i % 5], 'ok', true, i, '0x' || md5(i::text) || md5('c' || i),
          i, '0x1', 1, created_at, greatest(created_at - i::bigint * ${STEP_MS}, i % 1000), created_at, 1
        from transfer_order o, unnest($1::int[], $2::uuid[], $3::text[], $4::bytea[], $5::bytea[]) copy (i, id, address, intent, hash)
        where o.org_id = $6 and o.id = $7`,
      [
        copies.map((each) => each.i),
        copies.map((each) => each.id),
        copies.map((each) => each.to),
        copies.map((each) => each.bytes),
        copies.map((each) => each.hash),
      ].concat([orgId, id] as never[]),
    )
  }
  await copyProposals(owner, orgId)
}

/** The proposal of each copied order, decided a minute after it was asked for by all who decided the first one. */
async function copyProposals(owner: pg.ClientBase, orgId: string): Promise<void> {
  await owner.query(
    `with first as (select p.* from proposal p join transfer_order o on o.org_id = p.org_id and o.id = p.subject_id where p.org_id = $1 order by o.created_at limit 1),
      made as (insert into proposal (org_id, subject_id, kind, intent_hash, initiator, wallet_id, rank, words, is_open, expires_at, created_at)
        select o.org_id, o.id, first.kind, o.intent_hash, o.initiator, o.wallet_id, first.rank, first.words, false, o.expires_at, o.created_at
        from transfer_order o, first where o.org_id = $1 and not exists (select from proposal p where p.org_id = o.org_id and p.subject_id = o.id)
        returning subject_id, created_at)
      insert into proposal_person (org_id, subject_id, person_id, spoken_at)
        select $1, made.subject_id, w.person_id, made.created_at + 60000 from made, first join proposal_person w on w.org_id = $1 and w.subject_id = first.subject_id`,
    [orgId],
  )
}

/** An order like another, to somebody else, with the bytes that its hash is of. */
function copyOf(sample: TransferIntent, i: number) {
  const id = randomUUID()
  const to = `0x${createHash('sha256').update(String(i)).digest('hex').slice(0, 40)}`
  const intent = { ...sample, orderId: uuidToBytes(id), to, amount: sample.amount + BigInt(i) }
  return { i, id, to, bytes: Buffer.from(encode(intentShape, intent)), hash: Buffer.from(intentHash(intent)) }
}

/** Copies the first deposit of an organisation in the same way. */
export async function copyDeposits(owner: pg.ClientBase, orgId: string, count: number): Promise<void> {
  await owner.query("set session_replication_role = 'replica'")
  await owner.query(
    `insert into deposit (org_id, id, chain, txid, tx_index, block_hash, height, sub_wallet_id, address, contract, symbol, amount, from_address, state,
      sub_status, confirmations, credited_at, created_at, updated_at)
      select d.org_id, gen_random_uuid(), chain, '0x' || md5(random()::text) || md5('e' || i), 0, '0x1', i, sub_wallet_id, address, contract, symbol, amount + i,
        '0x' || left(md5('f' || i) || md5('g' || i), 40), 'credited', null, 2, greatest(created_at - i::bigint * ${STEP_MS}, i % 1000), greatest(created_at - i::bigint * ${STEP_MS}, i % 1000), created_at
      from (select * from deposit where org_id = $1 order by created_at limit 1) d, generate_series($2::int, 1, -1) i`,
    [orgId, count],
  )
}

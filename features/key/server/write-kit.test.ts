import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { decode, encode } from '@holdfast/encoding'
import { currentPolicy } from '@holdfast/features/policy/server'
import { KIT_ADDRESSES_MAX, recoveryKitShape } from '@holdfast/protocol'
import { at } from '@holdfast/units'
import { sql } from 'kysely'
import { makeWallet, openWorld, type World } from '../../testing/test-world.ts'
import { readWalletKeys } from './read-key.ts'
import { assembleKit } from './write-kit.ts'

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world.close())

it('a kit is written also where there are more addresses than it has room for: those of the first sub-wallets stand in it', async () => {
  const { walletId, subWalletId } = await makeWallet(world)
  const kit = await world.db.asOrganisation(world.orgId, async (tx) => {
    // As many networks, which is the same to the kit and soon made.
    await sql`insert into address (org_id, chain, address, address_end, sub_wallet_id, path, attestations, created_at)
      select ${tx.orgId}::uuid, 'eip155:' || (1000000 + number), 'address ' || number, 'end', ${subWalletId}::uuid, array[0, 0], '[]', 1
      from generate_series(1, ${KIT_ADDRESSES_MAX}::int) number`.execute(tx)
    await sql`insert into sub_wallet (org_id, id, wallet_id, number, name, hidden, created_at)
      values (${tx.orgId}::uuid, ${walletId}::uuid, ${walletId}::uuid, 9, 'Late', false, 1)`.execute(tx)
    await sql`insert into address (org_id, chain, address, address_end, sub_wallet_id, path, attestations, created_at)
      values (${tx.orgId}::uuid, 'eip155:1000000', 'late', 'end', ${walletId}::uuid, array[9, 0], '[]', 1)`.execute(tx)
    const key = at(await readWalletKeys(tx, walletId), 0)
    return assembleKit(tx, { key, inForce: await currentPolicy(tx), shares: [], nowMs: 1 })
  })
  const { addresses } = decode(recoveryKitShape, encode(recoveryKitShape, kit))
  assert.equal(addresses.length, KIT_ADDRESSES_MAX)
  assert.ok(addresses.every(({ path }) => path[0] === 0n))
})

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { AppError } from '@holdfast/contract'
import { asOwner } from '@holdfast/db/test'
import { depositAddressErrors } from '@holdfast/features/deposit-address/errors'
import { startAddresses } from '../../../deposit-address/server/making/run-addresses.ts'
import { DRILL_INTERVAL_MS } from '../../../key/server/recovery-state.ts'
import { setAlarms } from '../../../network/server/halts.ts'
import { openWireWorld, type WireWorld } from '../testing/wire-world.ts'

const { code: CLOSED } = new AppError(depositAddressErrors.deposits_closed)

let wire: WireWorld
before(async () => {
  wire = await openWireWorld()
  await wire.set({ permissions: ['wallet.read', 'address.read', 'address.create'] })
})
after(() => wire.world.close())

const proveRecovery = (at: number) =>
  asOwner(wire.world.db, (owner) => owner.query(`update recovery_kit set drill = '\\x01', created_at = least(created_at, $1), verified_at = $1`, [at]))
const nowMs = () => wire.world.context.ports.clock.nowMs()
const told = async (max_id?: number) => {
  const { code, data } = await wire.ask('/sub_wallet/get/address/list', {
    sub_wallet_id: await wire.walletNumber(),
    symbol: 'ETH',
    ...(max_id !== undefined && { max_id }),
  })
  return code === '0' ? (data as { id: number; address: string }[]) : code
}
const idsOf = (list: Awaited<ReturnType<typeof told>>) => (typeof list === 'string' ? list : list.map(({ id }) => id))

it('a key is told the addresses that may be given to who pays, by their numbers, and no other', async (t) => {
  const { world } = wire
  assert.equal(await told(), CLOSED, 'of a key whose recovery was never proven none is told')
  await proveRecovery(nowMs())
  const makes = startAddresses(world.context)
  t.after(() => makes.stop())
  const made: { address: string }[] = []
  for (let i = 0; i < 3; i++) {
    const { code, msg, data } = await wire.ask('/sub_wallet/create/address', { sub_wallet_id: await wire.walletNumber(), symbol: 'ETH' })
    assert.equal(code, '0', msg)
    made.push(data as { address: string })
  }
  assert.deepEqual(idsOf(await told()), [1, 2, 3, 4])
  assert.deepEqual(idsOf(await told(2)), [3, 4])
  const places = made.slice(0, 1).map(({ address }) => ({ chain: world.network.chain, contract: '', place: address }))
  await world.db.asOrganisation(world.orgId, (tx) =>
    setAlarms(
      tx,
      world.context.ports,
      ['control'],
      places,
      places.map((place) => ({ ...place, cause: 'control' as const, reason: 'another may sign' })),
    ),
  )
  assert.deepEqual(idsOf(await told()), [1, 3, 4], 'one for which somebody else may sign is told')
  assert.deepEqual(idsOf(await told(1)), [3, 4])
  const [row] = await world.db.asOrganisation(world.orgId, (tx) =>
    tx
      .selectFrom('address')
      .select('created_at')
      .where('address', '=', made[2]?.address ?? '')
      .execute(),
  )
  await proveRecovery(Number(row?.created_at) - DRILL_INTERVAL_MS)
  assert.deepEqual(idsOf(await told()), [1, 3], 'one that was made after the last proof had grown too old is told')
})

import { endOf, startOf } from '@holdfast/chain-core'
import { newId } from '@holdfast/units'
import type { World } from '../../../testing/test-world.ts'

/** A sub-wallet of a wallet with one address, of any chain. Returns its id. */
export async function addPayee(
  { db, orgId, context: { ports } }: World,
  { walletId, number, chain, address }: { walletId: string; number: number; chain: string; address: string },
): Promise<string> {
  const id = newId(ports.clock.nowMs(), ports.random)
  const own = { org_id: orgId, created_at: ports.clock.nowMs() }
  await db.asOrganisation(orgId, async (tx) => {
    await tx
      .insertInto('sub_wallet')
      .values({ ...own, id, wallet_id: walletId, number, name: `Payee ${number}`, hidden: false })
      .execute()
    await tx
      .insertInto('address')
      .values({
        ...own,
        chain,
        address,
        address_end: endOf(address),
        address_start: startOf(address),
        sub_wallet_id: id,
        path: [0, number],
        label: null,
        attestations: '[]',
      })
      .execute()
  })
  return id
}

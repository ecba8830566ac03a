import { type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import type { HandledEndpoint, MemberContext } from '@holdfast/http'
import { known } from '@holdfast/units'
import { broadcastOrder } from '../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../transfer/server/signing/sign-order.ts'
import { TOKEN } from './scripted-chain.ts'
import { approve, ETH, fund, makeWallet, openWorld, requestWithdrawal, scan, type Wallet, type World } from './test-world.ts'

type Calls = { world: World; endpoints: readonly HandledEndpoint[]; member?: number }

/** Calls an endpoint as a member of a test organisation, the first if none is named, through the same parsing as over the network. */
export async function callAs<E extends Endpoint>({ world, endpoints, member = 0 }: Calls, endpoint: E, input: Record<string, unknown>): Promise<OutputOf<E>> {
  const handled = known(
    endpoints.find((each) => each.endpoint === endpoint),
    `the answer to ${endpoint.path}`,
  )
  const context = { orgId: world.orgId, personId: world.members[member]!.id, language: 'en_US', ports: world.context.ports } as unknown as MemberContext
  return endpoint.output.parse(await handled.handler(context, readInput(endpoint, parseForm(formEncode(input))) as never)) as OutputOf<E>
}

/** A treasury whose books hold a deposit of ten ether, a payment that is final and one that waits. */
export type BookedWorld = { world: World; wallet: Wallet; depositId: string; paidId: string; openId: string }

/** Opens a test organisation with something in its books, and as much of the token as is said. */
export async function openBookedWorld(token = 0n): Promise<BookedWorld> {
  const world = await openWorld()
  const wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
  const deposit = await world.db.asOrganisation(world.orgId, (tx) =>
    tx.selectFrom('deposit').select('id').where('org_id', '=', tx.orgId).executeTakeFirstOrThrow(),
  )
  if (token > 0n) await fund(world, wallet, token, TOKEN)
  const paidId = (await requestWithdrawal(world, wallet, { amount: '2.5', remark: '=cmd|calc, "March"', requestId: 'the-rent-of-march' })).order.row.id
  await approve(world, paidId, world.members[1], world.members[2])
  await signOrder(world.context, world.orgId, paidId)
  await broadcastOrder(world.context, world.orgId, paidId)
  world.chain.mine(3)
  await scan(world)
  const openId = (await requestWithdrawal(world, wallet, { amount: '0.000000000000000001', by: world.members[1] })).order.row.id
  return { world, wallet, depositId: deposit.id, paidId, openId }
}

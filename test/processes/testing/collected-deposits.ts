import type { InputOf } from '@holdfast/contract'
import { createAddresses, listUserAddresses } from '@holdfast/features/deposit-address/contract'
import { listStandingOrders, proposeStandingOrder } from '@holdfast/features/standing-order/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { known } from '@holdfast/units'
import { LOCAL_CHAIN } from '../../../apps/launcher/src/local-settings.ts'
import { makeWallet } from '../../../apps/launcher/src/make-wallet.ts'
import { proveRecovery } from '../../../apps/launcher/src/prove-recovery.ts'
import { waitUntil } from '../../../apps/launcher/src/wait-until.ts'
import type { FundedOrganisation } from './funded-organisation.ts'
import type { TestStack } from './start-test-stack.ts'

/* Many deposit addresses of an organisation on the local network, and standing orders under which what arrives there is collected. */

export type Place = { walletId: string; subWalletId: string }
type Asker = Pick<FundedOrganisation, 'alice' | 'bruno' | 'chiara'>

/** A wallet whose recovery is proven. */
export async function openWallet({ settings }: Pick<TestStack, 'settings'>, { alice }: Asker, name: string): Promise<Place> {
  const place = await makeWallet(ports, alice, name)
  await proveRecovery(ports, settings, alice, place.walletId)
  return place
}

/** Addresses for as many customers, each attested by all signers. */
export async function makeAddresses({ alice: { client } }: Asker, { subWalletId }: Place, count: number): Promise<string[]> {
  await client.call(createAddresses, { request_id: 'customers-of-all', sub_wallet_id: subWalletId, chain: LOCAL_CHAIN, count })
  const page = (number: number) => client.call(listUserAddresses, { sub_wallet_id: subWalletId, chain: LOCAL_CHAIN, page_size: 200, page_no: number })
  await waitUntil(ports, 'the addresses', async () => ((await page(1)).pageTotal >= count ? true : undefined))
  const pages = await Promise.all(Array.from({ length: Math.ceil((count + 1) / 200) }, (_, i) => page(i + 1)))
  return pages
    .flatMap(({ list }) => list)
    .map(({ address }) => known(address ?? undefined, 'an address'))
    .slice(0, count)
}

const hashIn = (url: string) => known(/[0-9a-f]{64}/.exec(url)?.[0], 'the hash of what is approved')

/** The two others approve what stands at an address of the approval page. */
export async function approveAt(url: string, { bruno, chiara }: Asker): Promise<void> {
  for (const member of [bruno, chiara]) await member.decide(hashIn(url), 'approve')
}

type Draft = InputOf<typeof proposeStandingOrder>['draft']
export const placed = ({ walletId, subWalletId }: Place) => ({ wallet_id: walletId, sub_wallet_id: subWalletId })

/** Asks for a standing order that pays one own sub-wallet, has it approved, and waits until the signers follow it. */
export async function follow(by: Asker, changes: Pick<Draft, 'kind' | 'name' | 'sources' | 'assets'> & { to: Place }): Promise<void> {
  const { to, ...asked } = changes
  const draft = {
    ...{ ...asked, id: null, targets: [{ kind: 'own' as const, ...placed(to) }] },
    fees: [{ chain: LOCAL_CHAIN, max: '0.01', max_share: 100 }],
    ...{ transfers: 100_000, never: [], days: 30 },
  }
  const { approval_url: url } = await by.alice.client.call(proposeStandingOrder, { request_id: `standing-${draft.kind}`, draft, remark: '' })
  await approveAt(url, by)
  await waitUntil(ports, 'the signers follow it', async () => (await collectedUnder(by, [draft.name])).follows && true)
}

/** Whether standing orders of these names are followed, how many transfers they have made, and how many are on their way. */
export async function collectedUnder({ alice }: Asker, names: readonly string[]): Promise<{ follows: true | undefined; counts: number[]; moving: number }> {
  const { list } = await alice.client.call(listStandingOrders, {})
  const found = names.map((name) => list.find((each) => each.name === name))
  return {
    follows: found.every((each) => each !== undefined) || undefined,
    counts: found.map((each) => (each?.moved ?? []).reduce((sum, { count }) => sum + count, 0)),
    moving: found.reduce((sum, each) => sum + (each?.moving ?? 0), 0),
  }
}

import { looksAlike } from '@holdfast/chain-core'
import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import type { Network } from '@holdfast/features/network/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { namedSubWalletsOf } from '@holdfast/features/wallet/server'
import { namesContract } from '@holdfast/policy'
import { type Looks, looksOf, mayLookLike, paidLike } from './paid-addresses.ts'
import type { SubWalletId } from '@holdfast/units'

type Similar = { address: string; kind: 'own' | 'paid_before' }

/** What the organisation itself knows of a destination. `isNamed`: its policy names it as a contract. */
export type KnownAddress = {
  own: { sub_wallet_id: SubWalletId; wallet_name: string; sub_wallet_name: string } | null
  firstSeen: boolean
  similarTo: Similar[]
  isNamed: boolean
}

/**
 * Looks a canonical address up among the organisation's own and those it has paid. Only addresses that a payment was signed
 * for count as paid before: what others send to us, or a draft names, teaches nothing.
 */
export async function inspectAddress(tx: OrganisationTx, network: Network, address: string): Promise<KnownAddress> {
  const looks = looksOf([address])
  const [[own], payments, alike, { policy }] = await Promise.all([
    askOwn(tx, { orgId: tx.orgId, chain: network.chain, address }),
    paidLike(tx, looks),
    askOwnLike(tx, { orgId: tx.orgId, ...looks }),
    currentPolicy(tx),
  ])
  const paid = payments.map((each) => each.address)
  return {
    own: own ?? null,
    firstSeen: !paid.includes(address),
    similarTo: similarAddresses(address, { own: alike.map((each) => each.address), paid }),
    isNamed: namesContract(policy, network.chain, address),
  }
}

const askOwn = writtenOnce((db, { orgId, chain, address }: { orgId: string; chain: string; address: string }) =>
  db
    .selectFrom('address')
    .innerJoin(namedSubWalletsOf(db, orgId).as('named'), 'named.sub_wallet_id', 'address.sub_wallet_id')
    .select(['named.sub_wallet_id', 'named.wallet_name', 'named.sub_wallet_name'])
    .where('address.org_id', '=', orgId)
    .where('address.chain', '=', chain)
    .where('address.address', '=', address),
)

const askOwnLike = writtenOnce((db, { orgId, ends, starts }: Looks & { orgId: string }) =>
  db.selectFrom('address').select('address').distinct().where('org_id', '=', orgId).where(mayLookLike('address', { ends, starts })),
)

/** Those of ours, and of those that were paid, that can be taken for an address. */
function similarAddresses(address: string, { own, paid }: { own: readonly string[]; paid: readonly string[] }): Similar[] {
  const similar = [...own.map((each): Similar => ({ address: each, kind: 'own' })), ...paid.map((each): Similar => ({ address: each, kind: 'paid_before' }))]
  return similar.filter((each, i) => looksAlike(each.address, address) && similar.findIndex((first) => first.address === each.address) === i)
}

import type { OrganisationTx } from '@holdfast/db'
import { listsOfBook } from '@holdfast/features/address-book/server'
import type { ServerContext } from '@holdfast/features/context'
import { currentPolicy } from '@holdfast/features/policy/server'
import { handle, type HandledEndpoint, type MemberContext } from '@holdfast/http'
import type { Policy } from '@holdfast/policy'
import { listAddressLists, listCoinChoices, listContractChoices, listGroupChoices, listMemberChoices, listSubWalletChoices } from '../contract.ts'
import { coinChoices, contractChoices, groupChoices, memberChoices, requireWallet, subWalletChoices } from './choices.ts'

type Asked = { wallet_id?: string | undefined; keyword?: string | undefined }

/** What a rule can name. With a wallet, on the networks of it. */
export function choiceEndpoints({ db, networks, ports }: ServerContext): HandledEndpoint[] {
  const asking = <T>(
    { orgId }: MemberContext,
    { wallet_id: walletId, keyword = '' }: Asked,
    read: (tx: OrganisationTx, policy: Policy, chains: ReadonlySet<string>) => Promise<T[]> | T[],
  ) =>
    db.asOrganisation(orgId, async (tx) => {
      const found = await read(tx, (await currentPolicy(tx)).policy, await chainsOf(tx, walletId))
      const word = keyword.trim().toLowerCase()
      return word === ''
        ? found
        : found.filter((each) => Object.values(each as object).some((value) => typeof value === 'string' && value.toLowerCase().includes(word)))
    })
  const isOn =
    (chains: ReadonlySet<string>) =>
    ({ chain }: { chain: string }) =>
      chains.has(chain)
  const chainsOf = async (tx: OrganisationTx, walletId: string | undefined): Promise<ReadonlySet<string>> => {
    const all = networks.list().map(({ chain }) => chain)
    if (walletId === undefined) return new Set([...all, ...(await currentPolicy(tx)).policy.assets.map(({ chain }) => chain)])
    await requireWallet(tx, walletId)
    const used = await tx
      .selectFrom('address')
      .innerJoin('sub_wallet', (join) => join.onRef('sub_wallet.org_id', '=', 'address.org_id').onRef('sub_wallet.id', '=', 'address.sub_wallet_id'))
      .select('address.chain')
      .distinct()
      .where('address.org_id', '=', tx.orgId)
      .where('address.number', '=', 0)
      .where('sub_wallet.wallet_id', '=', walletId)
      .execute()
    return new Set(used.map(({ chain }) => chain))
  }
  return [
    handle(listSubWalletChoices, (caller, asked) => asking(caller, asked, (tx) => subWalletChoices(tx, asked.wallet_id))),
    handle(listMemberChoices, (caller, asked) =>
      asking(caller, asked, async (tx, policy) => {
        const members = await memberChoices(tx, policy)
        return members.filter(({ state, role }) => ['active', 'invited'].includes(state) && (asked.role === undefined || role === asked.role))
      }),
    ),
    handle(listCoinChoices, (caller, asked) => asking(caller, asked, (_, policy, chains) => coinChoices(policy, networks).filter(isOn(chains)))),
    handle(listContractChoices, (caller, asked) => asking(caller, asked, (_, policy, chains) => contractChoices(policy, networks).filter(isOn(chains)))),
    handle(listAddressLists, (caller, asked) => asking(caller, asked, (tx) => listsOfBook(tx, ports.clock.nowMs()))),
    handle(listGroupChoices, (caller, asked) => asking(caller, asked, (_, policy) => groupChoices(policy))),
  ]
}

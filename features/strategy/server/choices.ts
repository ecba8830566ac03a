import { AppError } from '@holdfast/contract'
import { readTokenWallets } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import { toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { readDirectory } from '@holdfast/features/policy/server'
import { subWalletPath } from '@holdfast/features/wallet/server'
import { callBoundsOf, findPerson, hasThirdForm, type Policy, rulesOf } from '@holdfast/policy'
import { bytesToUuid, uuidToBytes, withinBytes } from '@holdfast/units'

/** A sub-wallet as rules name it: the keys of its wallet, and where its addresses begin under each. */
export type SubWalletChoice = {
  sub_wallet_id: string
  name: string
  wallet_id: string
  wallet: string
  sources: { key_id: string; path: number[] }[]
}

/** The sub-wallets that rules can be for. Throws AppError `wallet_not_found` for a wallet that is not there. */
export async function subWalletChoices(tx: OrganisationTx, walletId?: string): Promise<SubWalletChoice[]> {
  let asked = tx
    .selectFrom('sub_wallet as sub')
    .innerJoin('wallet', (join) => join.onRef('wallet.org_id', '=', 'sub.org_id').onRef('wallet.id', '=', 'sub.wallet_id'))
    .select(['sub.id', 'sub.number', 'sub.name', 'sub.wallet_id', 'wallet.name as wallet'])
    .where('sub.org_id', '=', tx.orgId)
    .where('wallet.archived_at', 'is', null)
  if (walletId !== undefined) {
    await requireWallet(tx, walletId)
    asked = asked.where('sub.wallet_id', '=', walletId)
  }
  const rows = await asked.orderBy('wallet.created_at').orderBy('sub.number').execute()
  const keys = await tx
    .selectFrom('key_of_wallet')
    .select(['wallet_id', 'key_id'])
    .where('org_id', '=', tx.orgId)
    .where('retired_at', 'is', null)
    .orderBy('protocol')
    .execute()
  return rows.map(({ id, number, name, wallet_id, wallet }) => ({
    sub_wallet_id: id,
    name,
    wallet_id,
    wallet,
    sources: keys.filter((key) => key.wallet_id === wallet_id).map((key) => ({ key_id: toHex(new Uint8Array(key.key_id)), path: [number] })),
  }))
}

/** Throws AppError `wallet_not_found`. */
export async function requireWallet(tx: OrganisationTx, walletId: string): Promise<void> {
  const wallet = await tx.selectFrom('wallet').select('id').where('org_id', '=', tx.orgId).where('id', '=', walletId).executeTakeFirst()
  if (!wallet) throw new AppError('wallet_not_found')
}

/** A sub-wallet as people name it, at most as long as what is signed may be. */
export const nameOfChoice = ({ wallet, name }: Pick<SubWalletChoice, 'wallet' | 'name'>): string => {
  const whole = subWalletPath({ wallet_name: wallet, sub_wallet_name: name })
  return new TextEncoder().encode(whole).length <= 64 ? whole : withinBytes(name, 64)
}

/** Who can ask or approve, and whether the policy names a key of theirs. */
export async function memberChoices(tx: OrganisationTx, policy: Policy) {
  const { members, keys } = await readDirectory(tx)
  const inPolicy = new Set(policy.people.flatMap(({ credentials }) => credentials.map(({ id }) => toHex(id))))
  return [...members]
    .filter(([id, { state }]) => state !== 'removed' || findPerson(policy, uuidToBytes(id)) !== undefined)
    .map(([id, { name, role, state }]) => ({
      person_id: id,
      name,
      role,
      state,
      has_key: (findPerson(policy, uuidToBytes(id))?.credentials.length ?? 0) > 0,
      is_in_policy: findPerson(policy, uuidToBytes(id)) !== undefined,
      new_keys: keys.filter((key) => key.personId === id && !inPolicy.has(toHex(key.credential.id))).map(({ credential }) => toHex(credential.id)),
    }))
}

/** The assets that the policy pins, without what is pinned beside a token. */
export const coinChoices = (policy: Policy, networks: ServerContext['networks']) =>
  policy.assets
    .filter(({ contract }) => !readTokenWallets(contract))
    .map(({ chain, contract, symbol, decimals }) => ({
      chain,
      network: networks.find(chain)?.name ?? chain,
      asset: contract ?? '',
      symbol,
      decimals: Number(decimals),
    }))

/** The contracts that rules let be called, with the functions that they name. */
export function contractChoices(policy: Policy, networks: ServerContext['networks']) {
  const named = new Map<string, { chain: string; network: string; contract: string; functions: string[] }>()
  for (const rule of rulesOf(policy)) {
    const bounds = callBoundsOf(rule)
    for (const contract of bounds?.contracts ?? []) {
      if (!bounds) continue
      const { chain, functions } = bounds
      const known = named.get(`${chain}|${contract}`)?.functions ?? []
      const all = [...new Set([...known, ...(functions ?? [])])]
      named.set(`${chain}|${contract}`, { chain, network: networks.find(chain)?.name ?? chain, contract, functions: all })
    }
  }
  return [...named.values()]
}

/** The groups of the policy, with the people in them. */
export const groupChoices = (policy: Policy) =>
  (hasThirdForm(policy) ? policy.groups : []).map(({ id, name, members }) => ({
    id,
    name,
    members: members.map((each) => ({ person_id: bytesToUuid(each), name: findPerson(policy, each)?.name ?? '' })),
  }))

import type { SystemTx } from '@holdfast/db'
import { sweepForSigners } from '@holdfast/features/signer-link/server'
import { networksOfKind } from '@holdfast/features/network/server'
import { currentPolicy, type PolicyInForce } from '@holdfast/features/policy/server'
import { announce, type Repeating } from '@holdfast/jobs'
import { PROTOCOLS, signatureKindOf } from '@holdfast/mpc'
import { at } from '@holdfast/units'
import { attestAddresses, missingAddresses } from './attest-addresses.ts'
import { type KeyNeeds, takeKeyStep } from './make-key.ts'
import { readWalletKey, readWalletKeys, type WalletKeyRow } from './read-key.ts'

type Due = { orgId: string; walletId: string }

const sweeps = sweepForSigners()

/** Has the wallets of this process looked at now, where it looks after wallets at all. */
export const pokeKeys: typeof sweeps.poke = sweeps.poke

/** Makes the keys of wallets that wait for some, and the addresses that are missing, until stopped. */
export function startKeys(needs: KeyNeeds, report: (cause: unknown) => void = () => {}): Repeating {
  return sweeps.start(needs, { report }, async ({ isStopped, attend }) => {
    const due = await dueWallets(needs)
    await Promise.all(due.map((each) => attend(each.walletId, () => attendWallet(needs, each, isStopped))))
  })
}

async function dueWallets({ db, networks }: KeyNeeds): Promise<Due[]> {
  return db.asSystem(async (tx) => {
    const creating = await tx.selectFrom('wallet').select(['org_id', 'id']).where('state', '=', 'creating').execute()
    const added = await tx
      .selectFrom('added_key')
      .innerJoin('wallet_key', (join) => join.onRef('wallet_key.org_id', '=', 'added_key.org_id').onRef('wallet_key.key_id', '=', 'added_key.key_id'))
      .select(['added_key.org_id', 'added_key.wallet_id as id'])
      .where('added_key.owned_at', 'is', null)
      .where('wallet_key.state', '!=', 'failed')
      .execute()
    const lacking = (await Promise.all(PROTOCOLS.map((protocol) => lackingAddresses(tx, networks, protocol)))).flat()
    const ids = new Map([...creating, ...added, ...lacking].map(({ org_id, id }) => [id, { orgId: org_id, walletId: id }]))
    return [...ids.values()]
  })
}

/** Wallets with keys of a protocol of which a sub-wallet has fewer addresses than there are networks for it. */
function lackingAddresses(tx: SystemTx, networks: KeyNeeds['networks'], protocol: string): Promise<{ org_id: string; id: string }[]> {
  const chains = networksOfKind(networks, signatureKindOf(protocol)).map(({ chain }) => chain)
  if (chains.length === 0) return Promise.resolve([])
  return tx
    .selectFrom('sub_wallet')
    .innerJoin('wallet', (join) => join.onRef('wallet.id', '=', 'sub_wallet.wallet_id').onRef('wallet.org_id', '=', 'sub_wallet.org_id'))
    .innerJoin('key_of_wallet', (join) => join.onRef('key_of_wallet.org_id', '=', 'wallet.org_id').onRef('key_of_wallet.wallet_id', '=', 'wallet.id'))
    .leftJoin('address', (join) =>
      join
        .onRef('address.sub_wallet_id', '=', 'sub_wallet.id')
        .onRef('address.org_id', '=', 'sub_wallet.org_id')
        .on('address.number', '=', 0)
        .on('address.chain', 'in', chains),
    )
    .select(['wallet.org_id', 'wallet.id'])
    .where('wallet.state', '=', 'active')
    .where('key_of_wallet.protocol', '=', protocol)
    .where('key_of_wallet.retired_at', 'is', null)
    .groupBy(['wallet.org_id', 'wallet.id', 'sub_wallet.id'])
    .having((row) => row.fn.count('address.chain').distinct(), '<', chains.length)
    .execute()
}

/** Takes steps as long as they succeed. True if nothing is left to do. */
async function attendWallet(needs: KeyNeeds, { orgId, walletId }: Due, isStopped: () => boolean): Promise<boolean> {
  let outcome: 'again' | 'wait' | 'done' = 'again'
  while (outcome === 'again' && !isStopped()) outcome = await takeKeyStep(needs, orgId, walletId)
  if (outcome !== 'done') return false
  await completeAddresses(needs, orgId, walletId)
  return true
}

/** Gives sub-wallets that came later, and networks that were added later, their addresses. */
async function completeAddresses(needs: KeyNeeds, orgId: string, walletId: string): Promise<void> {
  const { lacking, inForce } = await needs.db.asOrganisation(orgId, async (tx) => {
    const inUse = (await readWalletKeys(tx, walletId)).filter((key) => key.walletState === 'active' && key.retiredAtMs === null)
    const missing = await Promise.all(inUse.map((key) => missingAddresses(tx, needs, key)))
    return { lacking: inUse.filter((_, i) => at(missing, i).length > 0), inForce: await currentPolicy(tx) }
  })
  for (const key of lacking) await attestMissing(needs, orgId, key, inForce)
}

async function attestMissing(needs: KeyNeeds, orgId: string, key: WalletKeyRow, inForce: PolicyInForce): Promise<void> {
  const write = await attestAddresses(needs, orgId, key, inForce)
  await needs.db.asOrganisation(orgId, async (tx) => {
    if (!(await readWalletKey(tx, key.walletId, key.keyId, true))) return
    await write(tx)
    await announce(tx, needs.ports, 'wallet.changed', { wallet_id: key.walletId })
  })
}

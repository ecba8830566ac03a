import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { Networks } from '@holdfast/features/network/server'
import { announce } from '@holdfast/jobs'
import type { Ports } from '@holdfast/ports'
import { protocolsToAdd } from './added-keys.ts'
import { insertKey } from './insert-key.ts'
import { readKeysInMaking } from './read-key.ts'

/**
 * Begins another key of a wallet, which is made as the first ones were and becomes one of its keys once it is finished. Throws AppError `state_changed` where
 * the wallet cannot have it, has it, or is getting one; one that failed is begun anew.
 */
export async function addKey(
  tx: OrganisationTx,
  { networks, ports }: { networks: Pick<Networks, 'list'>; ports: Pick<Ports, 'clock' | 'random'> },
  { walletId, protocol }: { walletId: string; protocol: string },
): Promise<void> {
  const keys = await readKeysInMaking(tx, walletId, true)
  const own = keys.filter(({ isAdded }) => !isAdded)
  const [first] = own
  if (!first) throw new AppError('wallet_not_found')
  const isGetting = keys.some(({ isAdded, keyState }) => isAdded && keyState !== 'failed')
  const isOver = first.walletState !== 'active' || own.every(({ retiredAtMs }) => retiredAtMs !== null)
  const addable = protocolsToAdd(
    networks,
    own.map((key) => key.protocol),
  )
  if (isGetting || isOver || !addable.includes(protocol)) throw new AppError('state_changed')
  await insertKey(tx, ports, { walletId, protocol, generations: 0, isAdded: true })
  await announce(tx, ports, 'wallet.changed', { wallet_id: walletId })
}

import type { AccountControl, Permission } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { addressBytes } from '../codec/address.ts'
import { address as addressOf, count, list, record } from './answers.ts'
import type { Rpc } from './rpc.ts'

/**
 * Who may sign for an account. An account that nobody changed is signed for by its own key alone, under the owner's permission and the one active one
 * that every
 * account has; one that the chain does not have yet will be.
 */
export async function readControl(rpc: Rpc, address: string): Promise<AccountControl> {
  const account = record(await rpc('wallet/getaccount', { address: toHex(addressBytes(address)) }), 'account')
  const single = [account.owner_permission, account.witness_permission].filter((claim) => claim !== undefined)
  const permissions = [...single, ...list(account.active_permission, 'list of permissions')].map(permissionOf)
  const isOwn = permissions.every(({ threshold, keys }) => keys.length === 1 && at(keys, 0).address === address && at(keys, 0).weight >= threshold)
  return { isOwn, permissions }
}

function permissionOf(claim: unknown): Permission {
  const { id, permission_name: name, threshold, keys } = record(claim, 'permission')
  return {
    id: count(id, 'id of a permission'),
    name: typeof name === 'string' ? name.slice(0, 32) : '',
    threshold: count(threshold, 'threshold of a permission'),
    keys: list(keys, 'keys of a permission').map((each) => {
      const key = record(each, 'key of a permission')
      return { address: addressOf(key.address, 'key of a permission'), weight: count(key.weight, 'weight of a key') }
    }),
  }
}

import type { KeyRecovery } from '@holdfast/features/key/server'
import { type Networks, protocolFor } from '@holdfast/features/network/server'

type Key = Pick<KeyRecovery, 'protocol' | 'retired' | 'depositsOpen'>

/** Whether deposits are open, and the networks on which they are not, because the key in use there is not proven. Where no key is in use, nothing is open. */
export function depositsOf(networks: Pick<Networks, 'list'>, keys: readonly Key[]): { deposits: 'open' | 'part' | 'closed'; closed_networks: string[] } {
  const protocols = keys.map(({ protocol }) => protocol)
  const signing = networks.list().flatMap(({ chain, name }) => {
    const inUse = keys.filter(({ protocol, retired }) => !retired && protocol === protocolFor(chain, protocols))
    return inUse.map(({ depositsOpen }) => ({ name, isOpen: depositsOpen }))
  })
  const closed = signing.flatMap(({ name, isOpen }) => (isOpen ? [] : [name]))
  return { deposits: closed.length === signing.length ? 'closed' : closed.length > 0 ? 'part' : 'open', closed_networks: closed }
}

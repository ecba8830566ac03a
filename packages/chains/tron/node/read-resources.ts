import { toHex } from '@holdfast/encoding'
import { addressBytes } from '../codec/address.ts'
import { count, record } from './answers.ts'
import type { Rpc } from './rpc.ts'

/** What an account may still use today without burning coin, and its limits a day. Bandwidth in bytes. */
export type AccountResources = {
  bandwidthStaked: bigint
  bandwidthFree: bigint
  energy: bigint
  limits: { bandwidthStaked: bigint; bandwidthFree: bigint; energy: bigint }
}

export async function readResources(rpc: Rpc, address: string): Promise<AccountResources> {
  const answer = record(await rpc('wallet/getaccountresource', { address: toHex(addressBytes(address)) }), 'resources of an account')
  const left = (limit: string, used: string) => {
    const [most, gone] = [count(answer[limit], limit), count(answer[used], used)]
    return most > gone ? most - gone : 0n
  }
  const limits = {
    bandwidthStaked: count(answer.NetLimit, 'NetLimit'),
    bandwidthFree: count(answer.freeNetLimit, 'freeNetLimit'),
    energy: count(answer.EnergyLimit, 'EnergyLimit'),
  }
  return { bandwidthStaked: left('NetLimit', 'NetUsed'), bandwidthFree: left('freeNetLimit', 'freeNetUsed'), energy: left('EnergyLimit', 'EnergyUsed'), limits }
}

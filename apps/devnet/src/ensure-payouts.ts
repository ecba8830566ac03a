import { payouts } from '@holdfast/chain-evm/payouts'
import { toHex } from '@holdfast/encoding'
import type { Address } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { minedOk } from './ensure-token.ts'
import { MNEMONIC, type Network } from './open-network.ts'

/** Who deploys it: an account that does nothing else, so that no other contract's address depends on when. */
const deployer = mnemonicToAccount(MNEMONIC, { addressIndex: 3 })

/** Has the contract stand that pays many by one transaction, as it does on networks where somebody deployed it. */
export async function ensurePayouts(network: Network): Promise<void> {
  if ((await network.getCode({ address: payouts.address as Address })) !== undefined) return
  const { contract, data } = payouts.deployment
  await minedOk(network, await network.sendTransaction({ account: deployer, to: contract as Address, data: `0x${toHex(data)}` }))
}

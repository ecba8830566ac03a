import type { Ports } from '@holdfast/ports'
import { findBitcoind, runBitcoind } from './run-bitcoind.ts'
import { type BitcoinDevnet, type BitcoinDevnetConfig, startBitcoinEmulator } from './start-emulator.ts'

/**
 * Starts the Bitcoin network of this machine: a real `bitcoind` where one is set (DEVNET_BITCOIND) or on the PATH, else the emulator. Its label says which.
 * Where `config.blockTimeMs` is set, blocks come by themselves.
 */
export async function startBitcoin(ports: Ports, config: BitcoinDevnetConfig & { dataFolder: string }): Promise<BitcoinDevnet> {
  const binary = await findBitcoind(ports)
  return binary === undefined ? startBitcoinEmulator(ports, config) : runBitcoind(ports, binary, { ...config, dataFolder: `${config.dataFolder}/bitcoind` })
}

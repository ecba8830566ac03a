import { type BitcoinDevnet, findBitcoind, runBitcoind, startBitcoinEmulator } from '@holdfast/devnet/bitcoin'
import { nodePorts } from '@holdfast/ports/node'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Started = Omit<BitcoinDevnet, 'label'>
export type TestNetwork = { name: string; start: ((options?: { foreign?: boolean }) => Promise<Started>) | undefined }

const binary = await findBitcoind(nodePorts)

/** The networks that tests run against: the emulator always, and a real node where this machine has one. */
export const testNetworks: TestNetwork[] = [
  { name: 'the emulator', start: ({ foreign = false } = {}) => startBitcoinEmulator(nodePorts, { rpcPort: 0, network: foreign ? 'signet' : 'regtest' }) },
  { name: 'a real bitcoind', start: binary === undefined ? undefined : ({ foreign = false } = {}) => startReal(binary, foreign) },
]

/** Why tests against a real node are left out. */
export const NO_BITCOIND = 'there is no bitcoind on the PATH, and DEVNET_BITCOIND names none'

async function startReal(path: string, foreign: boolean): Promise<Started> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'bitcoind-'))
  const network = await runBitcoind(nodePorts, path, { rpcPort: 0, dataFolder, password: 'the-same-everywhere', network: foreign ? 'signet' : 'regtest' })
  const stop = async () => {
    await network.stop()
    await rm(dataFolder, { recursive: true, force: true })
  }
  return { ...network, stop }
}

import type { ChildProcess, Ports } from '@holdfast/ports'
import { createRequire } from 'node:module'
import { stopChild, waitUntilReady } from './child-program.ts'
import { freePort, HOST } from './local-port.ts'
import { CHAIN_ID, MNEMONIC, type Network, openNetwork } from './open-network.ts'

export type Anvil = { port: number; rpcUrl: string; network: Network; child: ChildProcess; stop(): Promise<void> }

// Play money enough for years of faucet requests, in whole coins.
const BALANCE_ETH = 1_000_000_000
const SETPRIV = '/usr/bin/setpriv'

/** Starts the network's program on an empty chain that mines only when it is told to, and waits until it answers. */
export async function runAnvil(
  ports: Ports,
  wantedPort: number,
  logPath: string,
  { chainId, variable }: { chainId: number; variable: string } = { chainId: CHAIN_ID, variable: 'DEVNET_PORT' },
): Promise<Anvil> {
  const port = await freePort(ports, wantedPort, variable)
  const args = [
    '--host',
    HOST,
    '--port',
    String(port),
    '--chain-id',
    String(chainId),
    '--mnemonic',
    MNEMONIC,
    '--balance',
    String(BALANCE_ETH),
    '--no-mining',
    // As low as empty blocks bring it: a fee that was told a moment ago still holds, also while the network is young.
    '--block-base-fee-per-gas',
    '7',
    // Without pruning it writes every block's whole state into the home folder, some hundred kilobytes each. The latest states stay
    // in memory: the server asks what an address had a few blocks ago.
    '--prune-history',
    '64',
    // A saved state comes back as one large request. Pages of other origins have no business here.
    '--no-request-size-limit',
    '--no-cors',
    '--quiet',
  ]
  // Detached, so that a Ctrl-C in the terminal reaches us alone and we save the state before we stop it.
  const [command = '', ...prefix] = await withParentDeathSignal(ports, anvilBinary(ports))
  const child = ports.process.spawn(command, [...prefix, ...args], { logPath, detached: true })
  const rpcUrl = `http://${HOST}:${port}`
  const network = openNetwork(ports, rpcUrl, chainId)
  const stop = () => stopChild(ports, child)
  try {
    await waitUntilReady(ports, { child, logPath, what: 'the local network' }, async () => (await network.getChainId()) === network.chain.id)
  } catch (cause) {
    await stop()
    throw cause
  }
  return { port, rpcUrl, network, child, stop }
}

/** The path of the program that npm installed for this kind of machine. */
function anvilBinary(ports: Ports): string {
  const { platform, arch } = ports.process.host
  const target = `${platform}-${arch === 'x64' ? 'amd64' : arch}`
  try {
    return createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${target}/bin/anvil`)
  } catch {
    throw new Error(`the local network's program is not installed for ${target}: run npm ci, on linux or darwin, amd64 or arm64`)
  }
}

/** Where the system can, ties the network's life to ours: even when we are killed outright it does not stay behind and hold the port. */
async function withParentDeathSignal(ports: Ports, binary: string): Promise<string[]> {
  const hasSetpriv = ports.process.host.platform === 'linux' && (await ports.disk.stat(SETPRIV)) !== undefined
  return hasSetpriv ? [SETPRIV, '--pdeathsig', 'TERM', '--', binary] : [binary]
}

import type { ChildProcess, Ports } from '@holdfast/ports'
import { createRequire } from 'node:module'
import { CHAIN_ID, MNEMONIC, type Network, openNetwork } from './open-network.ts'

export const HOST = '127.0.0.1'

export type Anvil = { port: number; rpcUrl: string; network: Network; child: ChildProcess; stop(): Promise<void> }

const READY_TIMEOUT_MS = 20_000
const STOP_TIMEOUT_MS = 5_000
const PORT_TIMEOUT_MS = 2_000
const POLL_MS = 20
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
  const [command, ...prefix] = await withParentDeathSignal(ports, anvilBinary(ports))
  const child = ports.process.spawn(command!, [...prefix, ...args], { logPath, detached: true })
  const rpcUrl = `http://${HOST}:${port}`
  const network = openNetwork(ports, rpcUrl, chainId)
  const stop = async () => {
    child.kill('SIGTERM')
    const cancel = ports.timer.after(STOP_TIMEOUT_MS, () => child.kill('SIGKILL'))
    await child.exited
    cancel()
  }
  try {
    await waitUntilReady(ports, network, child, logPath)
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

/** The wanted port once nobody listens on it, or any free one for 0. Waits a moment, since a predecessor may be about to end. */
async function freePort(ports: Ports, wantedPort: number, variable: string): Promise<number> {
  const startedMs = ports.clock.monotonicMs()
  for (;;) {
    try {
      const probe = await ports.net.listen(HOST, wantedPort, (connection) => connection.close())
      await probe.close()
      return probe.port
    } catch (cause) {
      if (ports.clock.monotonicMs() - startedMs > PORT_TIMEOUT_MS) throw inUse(cause, wantedPort, variable)
      await ports.timer.sleep(POLL_MS)
    }
  }
}

/** Turns a failure to listen into what to do about it. */
export function inUse(cause: unknown, port: number, variable: string): Error {
  const { code, message } = cause as { code?: string; message?: string }
  if (code === 'EADDRINUSE') return new Error(`port ${port} is in use by another program: stop that program, or set ${variable} to a free port`)
  return new Error(`cannot listen on port ${port}: ${message}; set ${variable} to another port`)
}

async function waitUntilReady(ports: Ports, network: Network, child: ChildProcess, logPath: string): Promise<void> {
  let ended = false
  void child.exited.then(() => {
    ended = true
  })
  const startedMs = ports.clock.monotonicMs()
  while (
    !(await network.getChainId().then(
      (id) => id === network.chain.id,
      () => false,
    ))
  ) {
    if (ended || ports.clock.monotonicMs() - startedMs > READY_TIMEOUT_MS) {
      const log = new TextDecoder()
        .decode(await ports.disk.read(logPath))
        .trim()
        .slice(-1000)
      throw new Error(`the local network did not start${log === '' ? '' : `: ${log}`} (its log is ${logPath})`)
    }
    await ports.timer.sleep(POLL_MS)
  }
}

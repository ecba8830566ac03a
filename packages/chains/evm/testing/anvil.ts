import { nodePorts } from '@holdfast/ports/node'
import { createRequire } from 'node:module'
import { createTestClient, createWalletClient, http, publicActions } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { anvil as anvilChain } from 'viem/chains'

const { resolve } = createRequire(import.meta.url)
const MNEMONIC = 'test test test test test test test test test test test junk'

export type Anvil = Awaited<ReturnType<typeof startAnvil>>

/** A real local network for tests: a block for every transaction unless told otherwise. `rollup`: one of the OP stack. */
export async function startAnvil(options: { chainId?: number; port?: number; rollup?: boolean } = {}) {
  const port = options.port ?? (await freePort())
  const rpcUrl = `http://127.0.0.1:${port}`
  const args = [
    '--port',
    String(port),
    '--chain-id',
    String(options.chainId ?? anvilChain.id),
    '--max-persisted-states',
    '0',
    '--quiet',
    ...(options.rollup ? ['--network', 'optimism'] : []),
  ]
  const child = nodePorts.process.spawn(anvilBinary(), args, { logPath: '/dev/null' })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const chain = { ...anvilChain, id: options.chainId ?? anvilChain.id }
  const transport = http(rpcUrl, { retryCount: 0 })
  const network = createTestClient({ mode: 'anvil', chain, transport, cacheTime: 0, pollingInterval: 20 }).extend(publicActions)
  while (
    !(await network.getChainId().then(
      () => true,
      () => false,
    ))
  )
    await nodePorts.timer.sleep(10)
  const walletOf = (addressIndex: number) => createWalletClient({ account: mnemonicToAccount(MNEMONIC, { addressIndex }), chain, transport })
  const stop = async () => {
    kill()
    await child.exited
    process.removeListener('exit', kill)
  }
  /** Puts the network back to how it was before `run`, also where that fails: a smaller example is then tried on the same network. */
  const undone = async (run: () => Promise<void>) => {
    const id = await network.snapshot()
    await run().finally(() => network.revert({ id }))
  }
  return { rpcUrl, port, network, walletOf, undone, stop }
}

function anvilBinary(): string {
  for (const target of ['linux-amd64', 'linux-arm64', 'darwin-arm64', 'darwin-amd64']) {
    try {
      return resolve(`@foundry-rs/anvil-${target}/bin/anvil`)
    } catch {
      // Only the package of this machine's own kind is installed.
    }
  }
  throw new Error('anvil is not installed: run npm ci')
}

async function freePort(): Promise<number> {
  const { port, close } = await nodePorts.net.listen('127.0.0.1', 0, (connection) => connection.close())
  await close()
  return port
}

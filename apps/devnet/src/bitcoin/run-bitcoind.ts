import { bitcoinChain, networkOf } from '@holdfast/chain-bitcoin/codec'
import { toHex } from '@holdfast/encoding'
import type { Ports } from '@holdfast/ports'
import { stopChild, waitUntilReady } from '../child-program.ts'
import { freePort, HOST } from '../local-port.ts'
import { mineBlocks, type MiningPlan, type MiningSwitch } from '../mine-blocks.ts'
import { type CallBitcoin, callerOf } from './call-bitcoin.ts'
import { openPayer } from './faucet.ts'
import type { BitcoinDevnet, BitcoinDevnetConfig } from './start-emulator.ts'

const FIRST_BLOCKS = 110
const USER = 'holdfast'

/** `password` is that of its JSON-RPC; without it, one is drawn. */
export type BitcoindConfig = BitcoinDevnetConfig & { dataFolder: string; password?: string }

/** The path of a real `bitcoind`: the one that is set, else the first on the PATH, else undefined. Throws where the set one is not there. */
export async function findBitcoind(ports: Pick<Ports, 'disk' | 'process'>, setting = ports.process.env.DEVNET_BITCOIND): Promise<string | undefined> {
  if (setting) {
    if ((await ports.disk.stat(setting)) === undefined) throw new Error(`DEVNET_BITCOIND is ${setting}, where there is no program: correct it, or leave it out`)
    return setting
  }
  for (const folder of (ports.process.env.PATH ?? '').split(':').filter((each) => each !== '')) {
    if ((await ports.disk.stat(`${folder}/bitcoind`)) !== undefined) return `${folder}/bitcoind`
  }
  return undefined
}

/** Starts a real node on a regtest network of its own, in place of the emulator: the same methods, the same faucet. */
export async function runBitcoind(ports: Ports, binary: string, config: BitcoindConfig): Promise<BitcoinDevnet> {
  const network = config.network ?? 'regtest'
  const port = await freePort(ports, config.rpcPort, 'DEVNET_BITCOIN_PORT')
  const password = config.password ?? toHex(ports.random.bytes(16))
  await ports.disk.makeFolder(config.dataFolder)
  const logPath = `${config.dataFolder}/bitcoind.log`
  const options = [
    `-datadir=${config.dataFolder}`,
    `-rpcport=${port}`,
    `-rpcuser=${USER}`,
    `-rpcpassword=${password}`,
    '-rpcbind=127.0.0.1',
    '-rpcallowip=127.0.0.1',
  ]
  const isolated = ['-listen=0', '-connect=0', '-dnsseed=0', '-txindex=1', '-dbcache=16', '-printtoconsole=0', '-server=1']
  const child = ports.process.spawn(binary, [`-chain=${network}`, ...options, ...isolated], { logPath, detached: true })
  const call = callerOf(ports, `http://${USER}:${password}@${HOST}:${port}`)
  const abort = new AbortController()
  let mining: Promise<void> | undefined
  const stop = async () => {
    abort.abort()
    await mining?.catch(() => undefined)
    await stopChild(ports, child)
  }
  try {
    await waitUntilReady(ports, { child, logPath, what: 'bitcoind' }, async () => (await call('getblockcount')) !== undefined)
    const switched: MiningSwitch = { paused: false }
    const payer = openPayer(call, networkOf(bitcoinChain(network)))
    if (network === 'regtest' && (await call('getblockcount')) === 0) await payer.mine(FIRST_BLOCKS)
    if (config.blockTimeMs !== undefined) {
      const plan = { blockTimeMs: config.blockTimeMs, mining: switched, signal: abort.signal, afterBlock: async () => {} }
      mining = mineInTime(ports, call, payer.mine, plan)
    }
    const rpcUrl = `http://${USER}:${password}@${HOST}:${port}`
    return {
      chain: bitcoinChain(network),
      rpcUrl,
      label: `Bitcoin node of this machine (${network})`,
      isEmulator: false,
      call,
      ...payer,
      mining: switched,
      stop,
    }
  } catch (cause) {
    await stop()
    throw cause
  }
}

/** As the other networks of this program do: after a while without transactions blocks come rarer. */
function mineInTime(ports: Ports, call: CallBitcoin, mine: (blocks: number) => Promise<void>, plan: MiningPlan): Promise<void> {
  const getTxpoolStatus = async () => ({ pending: ((await call('getmempoolinfo')) as { size: number }).size, queued: 0 })
  return mineBlocks(ports.timer, { getTxpoolStatus, mine: () => mine(1) }, plan)
}

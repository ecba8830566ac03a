export type DevnetConfig = {
  /** Port of the network's JSON-RPC on this machine; 0 takes any free one. */
  rpcPort: number
  /** Port of the faucet page and its API on this machine; 0 takes any free one. */
  faucetPort: number
  /** Where the network's state is kept from one start to the next. */
  dataFolder: string
  blockTimeMs: number
  /** Port of the second EVM network's JSON-RPC; absent if there is to be none. */
  secondPort?: number
  /** Port of the TRON emulator's HTTP interface; absent if there is to be none. */
  tronPort?: number
  /** Port of the TON emulator's HTTP interface; absent if there is to be none. */
  tonPort?: number
  /** Port of the Bitcoin network's JSON-RPC; absent if there is to be none. */
  bitcoinPort?: number
}

type Env = Record<string, string | undefined>

/** The configuration by environment variables. Throws an Error that names the variable and says what to write. */
export function readConfig(env: Env): DevnetConfig {
  const rpcPort = port(env, 'DEVNET_PORT', 8545)
  const faucetPort = port(env, 'DEVNET_FAUCET_PORT', 8546)
  if (rpcPort === faucetPort && rpcPort !== 0) throw new Error(`DEVNET_PORT and DEVNET_FAUCET_PORT are both ${rpcPort}: give each its own port`)
  return {
    rpcPort,
    faucetPort,
    dataFolder: env.DEVNET_DATA || 'var/devnet',
    blockTimeMs: blockTime(env),
    secondPort: env.DEVNET_SECOND_PORT === 'off' ? undefined : port(env, 'DEVNET_SECOND_PORT', 8550),
    tronPort: env.DEVNET_TRON_PORT === 'off' ? undefined : port(env, 'DEVNET_TRON_PORT', 8547),
    tonPort: env.DEVNET_TON_PORT === 'off' ? undefined : port(env, 'DEVNET_TON_PORT', 8549),
    bitcoinPort: env.DEVNET_BITCOIN_PORT === 'off' ? undefined : port(env, 'DEVNET_BITCOIN_PORT', 8548),
  }
}

function port(env: Env, name: string, fallback: number): number {
  const text = env[name] || String(fallback)
  const number = /^\d{1,5}$/.test(text) ? Number(text) : -1
  if (number < 0 || number > 65_535) throw new Error(`${name} is ${JSON.stringify(text)}: write a port from 0 to 65535, such as ${fallback}`)
  return number
}

function blockTime(env: Env): number {
  const text = env.DEVNET_BLOCK_TIME_S || '1'
  const seconds = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : 0
  if (seconds < 0.05 || seconds > 3600) throw new Error(`DEVNET_BLOCK_TIME_S is ${JSON.stringify(text)}: write seconds from 0.05 to 3600, such as 1`)
  return Math.round(seconds * 1000)
}

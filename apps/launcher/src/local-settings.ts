import type { Family } from '@holdfast/chain-registry/codec'
import type { Ports } from '@holdfast/ports'
import type { PageName } from './build-pages.ts'

/** The chain that the local network is, by its CAIP-2 name. */
export const LOCAL_CHAIN = 'eip155:31337'
/** The chain that the second EVM network is. */
export const LOCAL_SECOND = 'eip155:31338'
/** The chain that the emulated TRON network is. */
export const LOCAL_TRON = 'tron:0xa419a01f'

/** The chain that the emulated TON network is. */
export const LOCAL_TON = 'ton:-31337'
/** The chain that the Bitcoin network of this machine is. */
export const LOCAL_BITCOIN = 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328'

/** The families of which this machine runs one network beside the EVM ones. One that it runs nothing of is left out here. */
export type LocalFamily = Exclude<Family, 'evm'>

/** Where everything of a local installation lives and listens. */
export type LocalSettings = {
  root: string
  /** The one folder with all state. */
  folder: string
  ports: {
    console: number
    link: number
    /** Where co-signers dial in. */
    machines: number
    approval: number
    secondApproval: number
    rpc: number
    faucet: number
    drills: number
    second: number
  } & Record<LocalFamily, number>
  consoleOrigin: string
  approvalOrigin: string
  /** The page that signer 2 serves, for when signer 1 is away. */
  secondApprovalOrigin: string
  faucetUrl: string
  rpcUrl: string
  /** Whether there is a second EVM network. */
  hasSecond: boolean
  openSetup: boolean
  blockTimeS: string
  /** Calls that the server lets one session make in a second; the server's own default where absent. */
  ratePerSession: string | undefined
  /** The pages to build before the start. */
  pages: readonly PageName[]
}

/** From HOLDFAST_DATA (default: `var` in the checkout) and HOLDFAST_PORT (the first of 32 ports, default 7000). */
export function localSettings(ports: Pick<Ports, 'process'>, root: string): LocalSettings {
  const { env } = ports.process
  const first = Number(env.HOLDFAST_PORT ?? '7000')
  if (!Number.isInteger(first) || first < 1024 || first > 65_000) throw new Error('HOLDFAST_PORT: give a port between 1024 and 65000')
  const numbers = {
    console: first,
    link: first + 10,
    machines: first + 11,
    approval: first + 20,
    secondApproval: first + 21,
    rpc: first + 30,
    faucet: first + 31,
    tron: first + 29,
    bitcoin: first + 28,
    ton: first + 27,
    second: first + 26,
    drills: first + 25,
  }
  return {
    root,
    folder: env.HOLDFAST_DATA ?? `${root}/var`,
    ports: numbers,
    consoleOrigin: `http://localhost:${numbers.console}`,
    // A host of its own, so that the console cannot use the passkeys that approve.
    approvalOrigin: `http://approve.localhost:${numbers.approval}`,
    secondApprovalOrigin: `http://approve-2.localhost:${numbers.secondApproval}`,
    faucetUrl: `http://localhost:${numbers.faucet}`,
    rpcUrl: `http://127.0.0.1:${numbers.rpc}`,
    hasSecond: true,
    openSetup: env.HOLDFAST_OPEN_SETUP === 'true',
    blockTimeS: env.HOLDFAST_BLOCK_TIME_S ?? '1',
    ratePerSession: env.HOLDFAST_RATE_PER_SESSION,
    pages: ['console', 'approval page'],
  }
}

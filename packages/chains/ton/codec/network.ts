import { ChainError } from '@holdfast/chain-core'

/** A network of TON, by the number its blocks carry and wallets sign. */
export type Network = { chain: string; globalId: number; isTest: boolean }

/** The main network's number; every other network is one for tests, and its addresses say so. */
const MAIN = -239

/** The network that a CAIP-2 name such as `ton:-239` names, or undefined if it names none. */
export function networkOf(chain: string): Network | undefined {
  const [, text] = /^ton:(-[1-9]\d{0,9}|0|[1-9]\d{0,9})$/.exec(chain) ?? []
  if (text === undefined) return undefined
  const globalId = Number(text)
  return globalId === (globalId | 0) ? { chain, globalId, isTest: globalId !== MAIN } : undefined
}

/** The network of a name. Throws ChainError if it is no network of TON. */
export function requireNetwork(chain: string): Network {
  const network = networkOf(chain)
  if (!network) throw new ChainError(`not a TON chain: ${JSON.stringify(chain)}; write ton: and the number of the network, such as ton:-239`)
  return network
}

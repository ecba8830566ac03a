import type { LocalSettings } from '../../../apps/launcher/src/local-settings.ts'

export type LocalChain = {
  /** Base units of the network's own coin. */
  balanceOf(address: string): Promise<bigint>
  /** How many transactions an address has sent. */
  sentBy(address: string): Promise<bigint>
  height(): Promise<number>
  /** Sends coins `count` times from the network's own funds, all at once; answers the transactions' ids, in the order in which blocks take them. */
  send(to: string, amount: bigint, count: number): Promise<string[]>
  /** Sends coins from any address, as whoever planted an address could who has its key. */
  sendFrom(from: string, to: string, amount: bigint): Promise<void>
  /** Has whatever an address sends from now on wait in the pool, as behind one that no block takes; answers what lets it go. */
  holdBack(address: string): Promise<() => Promise<void>>
  /** When the block that holds a transaction was seen here; undefined where none does. */
  blockOf(txid: string): Promise<number | undefined>
  /** Whether its node has a transaction, in the pool or in a block. */
  knows(txid: string): Promise<boolean>
}

const hex = (value: bigint | number): string => `0x${value.toString(16)}`

/** The local network as it is, asked past the product. */
export function localChain(settings: Pick<LocalSettings, 'rpcUrl'>): LocalChain {
  const askAll = async (method: string, all: unknown[][]): Promise<unknown[]> => {
    if (all.length === 0) return []
    const response = await fetch(settings.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(all.map((params, id) => ({ jsonrpc: '2.0', id, method, params }))),
    })
    const answers = (await response.json()) as { id: number; result?: unknown; error?: { message: string } }[]
    const failed = answers.find(({ error }) => error)
    if (failed) throw new Error(`${method}: ${failed.error?.message}`)
    return answers.sort((a, b) => a.id - b.id).map(({ result }) => result)
  }
  const ask = async (method: string, params: unknown[]): Promise<unknown> => (await askAll(method, [params]))[0]
  const accounts = ask('eth_accounts', []) as Promise<string[]>
  accounts.catch(() => undefined)
  return {
    balanceOf: async (address) => BigInt((await ask('eth_getBalance', [address, 'latest'])) as string),
    sentBy: async (address) => BigInt((await ask('eth_getTransactionCount', [address, 'latest'])) as string),
    height: async () => Number((await ask('eth_blockNumber', [])) as string),
    send: async (to, amount, count) => {
      // The last of its accounts; the faucet pays from the first.
      const from = (await accounts).at(-1)!
      const nonce = Number((await ask('eth_getTransactionCount', [from, 'pending'])) as string)
      const payment = (i: number) => ({ from, to, value: hex(amount), gas: '0x5208', nonce: hex(nonce + i) })
      // The first, for which the others wait in the pool, comes last: where a block is mined amid them, the pool may never take up those that follow it.
      const others = await askAll(
        'eth_sendTransaction',
        Array.from({ length: count - 1 }, (_, i) => [payment(i + 1)]),
      )
      return [await ask('eth_sendTransaction', [payment(0)]), ...others] as string[]
    },
    sendFrom: async (from, to, amount) => {
      await ask('anvil_setBalance', [from, hex(10n ** 18n)])
      await ask('anvil_impersonateAccount', [from])
      await ask('eth_sendTransaction', [{ from, to, value: hex(amount), gas: '0x5208' }])
    },
    holdBack: async (address) => {
      const nonce = hex(BigInt((await ask('eth_getTransactionCount', [address, 'latest'])) as string) - 1n)
      await ask('anvil_setNonce', [address, nonce])
      return async () => {
        const gasPrice = 2n * BigInt((await ask('eth_gasPrice', [])) as string)
        const balance = BigInt((await ask('eth_getBalance', [address, 'latest'])) as string)
        // What the missing one costs is given to the address first, so that its ledger stays right.
        await ask('anvil_setBalance', [address, hex(balance + 21_000n * gasPrice)])
        await ask('anvil_impersonateAccount', [address])
        await ask('eth_sendTransaction', [{ from: address, to: address, value: '0x0', gas: '0x5208', gasPrice: hex(gasPrice), nonce }])
        await ask('anvil_stopImpersonatingAccount', [address])
      }
    },
    blockOf: async (txid) => {
      const receipt = (await ask('eth_getTransactionReceipt', [txid])) as { blockNumber: string } | null
      return receipt === null ? undefined : Number(receipt.blockNumber)
    },
    knows: async (txid) => (await ask('eth_getTransactionByHash', [txid])) !== null,
  }
}

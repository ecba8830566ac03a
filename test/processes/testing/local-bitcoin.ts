import { LOCAL_BITCOIN, type LocalSettings } from '../../../apps/launcher/src/local-settings.ts'

/** The local network of Bitcoin, past the product: its faucet, and any method of its node. */
export function localBitcoin({ faucetUrl, ports }: Pick<LocalSettings, 'faucetUrl' | 'ports'>) {
  const post = async (url: string, body: object, headers: Record<string, string> = {}): Promise<unknown> => {
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
    return response.json()
  }
  return {
    network: { chain: LOCAL_BITCOIN },
    /** Whether blocks are mined. While they are not, what is sent waits, also what the faucet pays. */
    pause: (paused: boolean): Promise<unknown> => post(`${faucetUrl}/api/mining`, { chain: LOCAL_BITCOIN, paused }, { origin: faucetUrl }),
    bitcoin: {
      fund: async (address: string, satoshi: bigint): Promise<{ txid: string }> => {
        const amount = `0.${satoshi.toString().padStart(8, '0')}`
        const { txid, error } = (await post(`${faucetUrl}/api/fund`, { address, chain: LOCAL_BITCOIN, asset: 'BTC', amount }, { origin: faucetUrl })) as {
          txid: string
          error?: { message: string }
        }
        if (error) throw new Error(error.message)
        return { txid }
      },
      call: async (method: string, ...params: unknown[]): Promise<unknown> => {
        const { result, error } = (await post(`http://127.0.0.1:${ports.bitcoin}/`, { jsonrpc: '1.0', id: 1, method, params })) as {
          result: unknown
          error: { message: string } | null
        }
        if (error) throw new Error(`${method}: ${error.message}`)
        return result
      },
    },
  }
}

import { callerOf } from '@holdfast/devnet/bitcoin'
import { nodePorts } from '@holdfast/ports/node'
import { LOCAL_BITCOIN, type LocalSettings } from '../../../apps/launcher/src/local-settings.ts'

/** Where its node answers, with the name and password that a real one asks for. */
export async function bitcoinUrl({ faucetUrl }: Pick<LocalSettings, 'faucetUrl'>): Promise<string> {
  const { bitcoin } = (await (await fetch(`${faucetUrl}/api/info`)).json()) as { bitcoin: { url: string } }
  return bitcoin.url
}

/** The local network of Bitcoin, past the product: its faucet, and any method of its node. */
export function localBitcoin({ faucetUrl }: Pick<LocalSettings, 'faucetUrl'>) {
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
      call: async (method: string, ...params: unknown[]): Promise<unknown> => callerOf(nodePorts, await bitcoinUrl({ faucetUrl }))(method, ...params),
    },
  }
}

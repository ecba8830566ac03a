import { AppError } from '@holdfast/contract'
import type { Network } from '@holdfast/features/network/server'
import type { Ports } from '@holdfast/ports'
import * as z from 'zod'
import { depositAddressErrors } from '../errors.ts'

const ANSWER_MS = 30_000

const refused = z.object({ error: z.object({ message: z.string().max(500) }) })

/** Whether coins without value can be had: on a network of this machine that has a faucet, and nowhere else. */
export function hasTestCoins(network: Network | undefined): network is Network & { faucetUrl: string } {
  return network !== undefined && network.local && network.faucetUrl !== null
}

/**
 * Has the faucet of a local network pay to an address. Answers the transaction. Throws AppError `no_test_coins` with what the faucet says, such as that the
 * amount is too much.
 */
export async function askFaucet(
  ports: Pick<Ports, 'fetch' | 'timer'>,
  network: Network,
  payment: { address: string; asset: string; amount: string },
): Promise<{ txid: string }> {
  if (!hasTestCoins(network)) throw new AppError('not_permitted')
  const late = new AbortController()
  const stop = ports.timer.after(ANSWER_MS, () => late.abort())
  try {
    const answer = await ports.fetch(new URL('/api/fund', network.faucetUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...payment, chain: network.chain }),
      signal: late.signal,
      redirect: 'error',
    })
    const body: unknown = await answer.json()
    if (!answer.ok) throw new AppError(depositAddressErrors.no_test_coins, { details: { reason: refused.parse(body).error.message } })
    return z.object({ txid: z.string().max(200) }).parse(body)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError(depositAddressErrors.no_test_coins, { cause, details: { reason: 'the faucet of the local networks does not answer' } })
  } finally {
    stop()
  }
}

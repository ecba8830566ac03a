/**
 * Measures calls that programs sign (RFC 9421) beside the same read by a session, in one run of the product. Run: `node bench/door.bench.ts`. Calls are signed
 * before they are measured, so that the client costs both the same.
 */
import { createOpenClient, importKey } from '@holdfast/open-client'
import { listCoinAssets } from '../features/wallet/contract.ts'
import { foundFunded } from '../test/processes/testing/funded-organisation.ts'
import { type ApiKey, makeApiKey } from '../test/processes/testing/make-api-key.ts'
import { startTestStack } from '../test/processes/testing/start-test-stack.ts'
import { CONNECTIONS, cpuMs, pathOf, productCall, rateOf, rateOfCalls } from './reads.ts'

const WARM_UP_MS = 1_000
const READ_FOR_MS = 4_000
/** A key may make 100 calls a second, and 1,000 at once: so many keys are never what bounds the figure. */
const KEYS = 4
const CALLS_EACH = 1_000

type Signed = { url: string; headers: Record<string, string> }
const round = (value: number): number => Math.round(value * 100) / 100

/** One call, signed and not sent. */
async function signed({ keyId, privateKey }: ApiKey, baseUrl: string, subWalletId: string): Promise<() => Promise<Signed>> {
  const key = await importKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  return async () => {
    let kept: Signed | undefined
    const keep = async (url: unknown, init?: RequestInit) => {
      kept = { url: String(url), headers: init?.headers as Record<string, string> }
      return Response.json({ code: '0', data: null })
    }
    await createOpenClient({ baseUrl, keyId, key, fetch: keep as typeof fetch }).call('openBalances', { sub_wallet_id: subWalletId })
    return kept!
  }
}

const stack = await startTestStack({ ratePerSession: 100_000 })
try {
  const organisation = await foundFunded(stack, { amount: '1' })
  const { alice, subWalletId } = organisation
  const calls: Signed[] = []
  for (let i = 0; i < KEYS; i++) {
    const sign = await signed(await makeApiKey(stack, organisation, `bench-${i}`), stack.settings.consoleOrigin, subWalletId)
    for (let n = 0; n < CALLS_EACH; n++) calls.push(await sign())
  }
  const server = [stack.process('server').pid!]
  const measured = async (rate: (forMs: number) => Promise<number>) => {
    await rate(WARM_UP_MS)
    const [before, from] = [cpuMs(server), performance.now()]
    const perSecond = await rate(READ_FOR_MS)
    return { perSecond, cpu: (cpuMs(server) - before) / (perSecond * ((performance.now() - from) / 1000)) }
  }
  const { url, headers } = productCall(alice, pathOf(listCoinAssets, { sub_wallet_id: subWalletId }))
  const session = await measured((forMs) => rateOf(url, headers, forMs))
  const door = await measured((forMs) => rateOfCalls(() => calls.pop(), forMs))
  const figure = {
    perSecond: round(door.perSecond),
    timesASession: round(session.perSecond / door.perSecond),
    cpuOfServerMs: round(door.cpu),
    timesCpuOfASession: round(door.cpu / session.cpu),
  }
  console.log(JSON.stringify({ figure: 'signed calls at the door for programs, coins of a sub-wallet', ...figure, connections: CONNECTIONS, keys: KEYS }))
} finally {
  await stack.dispose()
}

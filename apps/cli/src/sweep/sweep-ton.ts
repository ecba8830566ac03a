import {
  buildTransfer,
  JETTON_DATA_FORMS,
  jettonWalletAddress,
  type JettonWalletForm,
  type Network,
  parseBoc,
  requireAddress,
  requireNetwork,
  sameAddress,
  WALLET_FEE_MAX,
} from '@holdfast/chain-ton/codec'
import { UsageError } from '../command.ts'
import { type BuiltSweep, type Fields, type OwnedSweepPlan, type OwnedSweepSource, readToken, type SweepStep, unsignedOf } from './sweep-plan.ts'

/** Coin that goes along with a jetton for the work of its wallets; what they do not need comes back. */
const TOKEN_COIN = 80_000_000n
const HOUR_S = 3_600n
const HOURS = 12n
const HOURS_MAX = 24n

type Terms = { network: Network; validUntil: bigint; tokenCoin: bigint }

/**
 * Empties wallets of TON: of each first its jettons, then the coin that their fees leave. The fees are reckoned at their highest, so a little coin stays
 * behind. The orders end by themselves some hours after the time that the plan names, so they are sent in time or made anew.
 */
export function buildTonSweep(plan: OwnedSweepPlan): BuiltSweep {
  const { chain, fields } = plan
  const hours = fields.optionalAmount('hours') ?? HOURS
  if (hours === 0n || hours > HOURS_MAX) throw new UsageError(`an order can be good for 1 to ${HOURS_MAX} hours, not ${hours}`)
  const validUntil = fields.amount('blockTimeMs') / 1_000n + hours * HOUR_S
  const terms = { network: requireNetwork(chain), validUntil, tokenCoin: fields.optionalAmount('tokenCoin') ?? TOKEN_COIN }
  const built = plan.sources.map((source) => emptyWallet(plan, source, terms))
  return { steps: built.flatMap(({ steps }) => steps), left: built.flatMap(({ left }) => left) }
}

function emptyWallet({ chain, destination: to }: OwnedSweepPlan, source: OwnedSweepSource, terms: Terms): BuiltSweep {
  const { address: from, publicKey, fields } = source
  const { network, validUntil, tokenCoin } = terms
  const [first, balance] = [fields.amount('seqno'), fields.amount('balance')]
  const order = (i: number) => ({ publicKey, to, seqno: first + BigInt(i), validUntil })
  const steps = fields.list('tokens').map((each, i): SweepStep => {
    const { contract, amount, symbol, decimals } = readToken(from, each)
    const unsigned = unsignedOf(from, () => {
      const jetton = { wallets: readForm(from, contract, each, network), attached: tokenCoin }
      return buildTransfer({ ...order(i), asset: { chain, contract }, amount, jetton }, network)
    })
    return { from, unsigned, symbol, decimals }
  })
  const tokenFees = BigInt(steps.length) * (tokenCoin + WALLET_FEE_MAX)
  if (balance < tokenFees) throw new UsageError(`${from} has ${balance} for fees, but moving its tokens can cost ${tokenFees}: send it coin first`)
  const rest = balance - tokenFees
  const amount = rest - WALLET_FEE_MAX
  if (amount <= 0n) return { steps, left: rest === 0n ? [] : [{ address: from, amount: rest }] }
  const unsigned = unsignedOf(from, () => buildTransfer({ ...order(steps.length), asset: { chain, contract: null }, amount }, network))
  return { steps: [...steps, { from, unsigned, symbol: null, decimals: null }], left: [] }
}

/** From what the jetton's wallets follow: their code, as the plan gives it, and the form of their data by which the owner's wallet has the address it has. */
function readForm(owner: string, master: string, fields: Fields, { isTest }: Network): JettonWalletForm {
  const wallet = requireAddress(fields.text('wallet'), isTest)
  const code = parseBoc(Uint8Array.from(Buffer.from(fields.text('walletCode'), 'base64')))
  for (const form of JETTON_DATA_FORMS) {
    const candidate = { codeHash: code.hash, codeDepth: BigInt(code.depth), ...form }
    if (sameAddress(jettonWalletAddress(candidate, requireAddress(master, isTest), requireAddress(owner, isTest)), wallet)) return candidate
  }
  throw new UsageError(`the "wallet" of a token is not that of ${owner} by the "walletCode" in the plan: check both, and the contract`)
}

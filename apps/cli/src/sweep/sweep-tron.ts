import { buildTransfer, type Frame } from '@holdfast/chain-tron/codec'
import { fromHex } from '@holdfast/encoding'
import { UsageError } from '../command.ts'
import { type BuiltSweep, readToken, type SweepPlan, type SweepSource, type SweepStep, unsignedOf } from './sweep-plan.ts'

/** What a payment of coin may cost: making the account of the destination. */
const COIN_FEE = 1_100_000n
/** What the bytes of a token's transfer may cost besides its energy, with room. */
const TOKEN_BYTES_FEE = 500_000n
const HOUR_MS = 3_600_000n
const HOURS = 12n
/** The chain takes nothing that ends later. */
const HOURS_MAX = 23n

type Fees = { coinFee: bigint; tokenFeeLimit: bigint }

/**
 * Empties TRON addresses: of each first its tokens, then the coin that their fees leave. The transactions stand on the block that the plan names and end
 * by themselves some hours after it, so they are sent in time or made anew.
 */
export function buildTronSweep(plan: SweepPlan): BuiltSweep {
  const { fields } = plan
  const frame = readFrame(plan)
  const fees: Fees = { coinFee: fields.optionalAmount('coinFee') ?? COIN_FEE, tokenFeeLimit: fields.amount('tokenFeeLimit') }
  const built = plan.sources.map((source) => emptyAddress(plan, source, frame, fees))
  return { steps: built.flatMap(({ steps }) => steps), left: built.flatMap(({ left }) => left) }
}

function readFrame({ fields }: SweepPlan): Frame {
  const block = fields.text('block')
  if (!/^[0-9a-f]{64}$/.test(block)) throw new UsageError('"block" of the plan is the id of a late final block: 64 digits 0-9 and a-f')
  const timestampMs = fields.amount('blockTimeMs')
  const hours = fields.optionalAmount('hours') ?? HOURS
  if (hours === 0n || hours > HOURS_MAX) throw new UsageError(`a transaction can be good for 1 to ${HOURS_MAX} hours, not ${hours}`)
  return { refBlock: { bytes: fromHex(block.slice(12, 16)), hash: fromHex(block.slice(16, 32)) }, timestampMs, expirationMs: timestampMs + hours * HOUR_MS }
}

function emptyAddress({ chain, destination: to }: SweepPlan, { address: from, fields }: SweepSource, frame: Frame, fees: Fees): BuiltSweep {
  const balance = fields.amount('balance')
  const steps = fields.list('tokens').map((each): SweepStep => {
    const { contract, amount, symbol, decimals } = readToken(from, each)
    const order = { ...frame, from, to, asset: { chain, contract }, amount, feeLimit: fees.tokenFeeLimit }
    return { from, unsigned: unsignedOf(from, () => buildTransfer(order)), symbol, decimals }
  })
  const tokenFees = BigInt(steps.length) * (fees.tokenFeeLimit + TOKEN_BYTES_FEE)
  if (balance < tokenFees)
    throw new UsageError(`${from} has ${balance} for fees, but moving its tokens can cost ${tokenFees}: send it coin first, or lower the fees`)
  const rest = balance - tokenFees
  const amount = rest - fees.coinFee
  if (amount <= 0n) return { steps, left: rest === 0n ? [] : [{ address: from, amount: rest }] }
  const order = { ...frame, from, to, asset: { chain, contract: null }, amount, feeLimit: 0n }
  return { steps: [...steps, { from, unsigned: unsignedOf(from, () => buildTransfer(order)), symbol: null, decimals: null }], left: [] }
}

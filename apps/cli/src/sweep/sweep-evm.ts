import { buildTransfer, NATIVE_TRANSFER_GAS } from '@holdfast/chain-evm/codec'
import { UsageError } from '../command.ts'
import { type BuiltSweep, readToken, type SweepPlan, type SweepSource, type SweepStep, unsignedOf } from './sweep-plan.ts'

const TOKEN_GAS_LIMIT = 120_000n

type Fees = { coinGasLimit: bigint; tokenGasLimit: bigint; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/**
 * Empties EVM addresses: of each first its tokens, then the coin that their fees leave. The fees are reckoned at their highest, so a little coin may stay
 * behind; nothing does where the priority fee is the whole fee, for then every unit of gas costs exactly that.
 */
export function buildEvmSweep(plan: SweepPlan): BuiltSweep {
  const { fields } = plan
  const fees: Fees = {
    coinGasLimit: fields.optionalAmount('coinGasLimit') ?? NATIVE_TRANSFER_GAS,
    tokenGasLimit: fields.optionalAmount('tokenGasLimit') ?? TOKEN_GAS_LIMIT,
    maxFeePerGas: fields.amount('maxFeePerGas'),
    maxPriorityFeePerGas: fields.amount('maxPriorityFeePerGas'),
  }
  const built = plan.sources.map((source) => emptyAddress(plan, source, fees))
  return { steps: built.flatMap(({ steps }) => steps), left: built.flatMap(({ left }) => left) }
}

function emptyAddress(plan: SweepPlan, { address, fields }: SweepSource, fees: Fees): BuiltSweep {
  const { maxFeePerGas, maxPriorityFeePerGas, tokenGasLimit, coinGasLimit } = fees
  const firstNonce = fields.amount('nonce')
  const balance = fields.amount('balance')
  const common = { to: plan.destination, maxFeePerGas, maxPriorityFeePerGas }
  const asset = (contract: string | null) => ({ chain: plan.chain, contract })
  const steps = fields.list('tokens').map((token, i): SweepStep => {
    const { contract, amount, symbol, decimals } = readToken(address, token)
    const order = { ...common, from: address, asset: asset(contract), amount, nonce: firstNonce + BigInt(i), gasLimit: tokenGasLimit }
    return { from: address, unsigned: unsignedOf(address, () => buildTransfer(order)), symbol, decimals }
  })
  const tokenFees = BigInt(steps.length) * tokenGasLimit * maxFeePerGas
  if (balance < tokenFees) {
    throw new UsageError(`${address} has ${balance} for fees, but moving its tokens can cost ${tokenFees}: send it coin first, or lower the fees`)
  }
  const rest = balance - tokenFees
  const amount = rest - coinGasLimit * maxFeePerGas
  if (amount <= 0n) return { steps, left: rest === 0n ? [] : [{ address, amount: rest }] }
  const coin = { ...common, asset: asset(null), amount, nonce: firstNonce + BigInt(steps.length), gasLimit: coinGasLimit }
  return { steps: [...steps, { from: address, unsigned: unsignedOf(address, () => buildTransfer(coin)), symbol: null, decimals: null }], left: [] }
}

import { ChainError, type Simulation } from '@holdfast/chain-core'
import { type Grant, readCall } from '@holdfast/chain-evm/codec'
import { AppError, type Language } from '@holdfast/contract'
import { assetByContract, nameOfAsset, type Network } from '@holdfast/features/network/server'
import { transferErrors } from '@holdfast/features/transfer/errors'
import { describeCall } from '@holdfast/intent'
import { approvalContext, type Policy } from '@holdfast/policy'
import { formatAmount } from '@holdfast/units'
import type { CallInput } from './read-call-input.ts'

const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const

/** What a call says, read as the signers read it and told in the same words. */
export function decodedView(
  { network, contract, value, data, signature, from }: Pick<CallInput, 'contract' | 'value' | 'data' | 'signature'> & { network: Network; from?: string },
  policy: Policy,
  language: Language,
) {
  const call = { to: contract, data, signature, asset: { chain: network.chain }, amount: value, ...(from !== undefined && { from }) }
  const { title, trade, grants, finds, args, warnings, isGrave } = describeCall(call, approvalContext(policy), LOCALE[language])
  return {
    method: signature,
    title,
    trade: trade.map(({ label, value: text }) => ({ label, value: text })),
    grants: [...grants, ...finds.map(({ value }) => value)],
    args,
    warnings,
    grave: isGrave,
  }
}

/** The rights over tokens that a call gives. Throws `build_failed` with the reason where it cannot be read, so that nothing is proposed that no signer signs. */
export function grantsOf({ contract, data, signature }: Pick<CallInput, 'contract' | 'data' | 'signature'>): Grant[] {
  try {
    return readCall({ contract, data, signature }).grants
  } catch (cause) {
    if (cause instanceof ChainError) throw new AppError(transferErrors.build_failed, { cause, details: { reason: cause.message } })
    throw cause
  }
}

/** Asks the node what the call would do. Throws `fee_estimate_failed` if it does not answer. */
export async function simulate({ network, contract, value, data }: CallInput, from: string): Promise<Simulation> {
  try {
    return await network.node.contracts.simulateCall(from, { contract, value, data })
  } catch (cause) {
    if (cause instanceof ChainError) throw new AppError(transferErrors.fee_estimate_failed, { cause })
    throw cause
  }
}

/**
 * The simulation as people see it. `block`: it would fail. `warn`: it gives rights, takes something, cannot be read, or the node cannot tell what would change.
 */
export function simulationView(
  told: Simulation,
  { network, from, value, isGrave, grants }: { network: Network; from: string; value: bigint; isGrave: boolean; grants: number },
) {
  if (told.fails !== null) return { fails: told.fails, changes: null, risk: 'block' as const }
  const changes =
    told.changes?.map(({ asset, delta }) => {
      const known = assetByContract(network, asset.contract ?? '')
      const sign = delta < 0n ? '-' : ''
      const size = delta < 0n ? -delta : delta
      // A token that nobody lists is told in base units under its address: its own words prove nothing.
      const shown = known ? formatAmount(size, known.decimals) : String(size)
      return { symbol: known ? nameOfAsset(known) : '', contract_address: asset.contract, delta: `${sign}${shown}`, address: from }
    }) ?? null
  const takes = told.changes === null || told.changes.some(({ delta }) => delta < 0n) || value > 0n
  return { fails: null, changes, risk: isGrave || grants > 0 || takes ? ('warn' as const) : ('none' as const) }
}

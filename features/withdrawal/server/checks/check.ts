import type { InputOf } from '@holdfast/contract'
import type { Payer } from '@holdfast/features/transfer/server'
import type { OrganisationId } from '@holdfast/units'
import type { createWithdrawal as endpoint } from '../../contract.ts'
import type { Tiers } from '../estimate-gas.ts'
import type { KnownAddress } from '@holdfast/features/known-address/server'
import type { Needs, Withdrawal } from '../read-request.ts'

/** A requested payment, before there is an order. */
export type Asked = {
  orgId: OrganisationId
  request: Withdrawal
  input: Pick<InputOf<typeof endpoint>, 'ack'>
  payer: Payer
  /** The recipients, in canonical text: one, or several in their order. */
  recipients: readonly string[]
  /** What the ledger has of the asset, in base units. */
  available: bigint
  /** What is wrong with its comment, if it goes to a shared address of the organisation itself. */
  commentFault: string | null
}

/** Further facts: about each recipient by the organisation itself, and by the chain. */
export type Told = Asked & {
  addresses: readonly KnownAddress[]
  /** Whether a contract runs at the destination. */
  isContract: boolean
  /** Whether somebody else may sign for the destination, or for the payer. */
  isControlledByOthers: boolean
  payerIsControlledByOthers: boolean
  /** Of the network's own coin: what the ledger has and no payment can use, because people locked its coins. Base units. */
  locked: bigint
  tiers: Tiers
}

/**
 * One reason for which a payment is not even proposed. Each throws AppError with what to do. `known` runs before the chain is asked anything, so that a
 * hopeless request costs it no question; `told` runs with the chain's answers.
 */
export type Check = {
  known?: (asked: Asked) => void
  told?: (needs: Needs, told: Told) => void | Promise<void>
}

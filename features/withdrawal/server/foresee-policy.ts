import { AppError, type InputOf, type OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { networkErrors } from '@holdfast/features/network/errors'
import type { checkStrategy } from '@holdfast/features/policy/contract'
import { currentPolicy, type DescribedOutcome, describeOutcome } from '@holdfast/features/policy/server'
import { foreseeOutcome } from '@holdfast/features/transfer/server'
import { amountOf } from '@holdfast/http'
import { evaluatePayment, findSpeaker, type Policy } from '@holdfast/policy'
import { bytesToUuid, type PersonId, uuidToBytes } from '@holdfast/units'
import { addressOf, type Caller, memoOf, type Needs } from './read-request.ts'

type Input = InputOf<typeof checkStrategy>
type Viewer = Pick<Caller, 'language'> & { personId: PersonId }

/** As long as an order is open where nobody says otherwise. */
const LIFE_MS = 168 * 3_600_000

/** What the policy would say of a payment, before it is asked for: of this very destination and amount, if it is said where it goes. Throws AppError. */
export async function foreseePolicy(tx: OrganisationTx, needs: Needs, viewer: Viewer, input: Input): Promise<OutputOf<typeof checkStrategy>> {
  const owned = await tx.selectFrom('sub_wallet').select('id').where('org_id', '=', tx.orgId).where('id', '=', input.sub_wallet_id).executeTakeFirst()
  if (!owned) throw new AppError('wallet_not_found')
  const { described, policy } = await decide(tx, needs, viewer, input)
  return { ...described, eligible: described.eligible.map((id) => ({ person_id: bytesToUuid(id), name: findSpeaker(policy, id)?.name ?? '' })) }
}

type Decided = { described: DescribedOutcome; policy: Policy }

async function decide(tx: OrganisationTx, needs: Needs, { personId, language }: Viewer, input: Input): Promise<Decided> {
  const network = needs.networks.find(input.chain)
  const asset = needs.networks.asset(input.chain, input.symbol, input.token_id === undefined ? undefined : BigInt(input.token_id))
  const coin = network?.assets.find(({ contract }) => contract === null)
  if (!network || !asset || !coin) throw new AppError(networkErrors.unsupported_coin)
  const amount = amountOf(input.amount, asset)
  if (input.address_to === undefined) {
    const { policy } = await currentPolicy(tx)
    const payment = { chain: asset.chain, contract: asset.contract, amount, initiator: uuidToBytes(personId) }
    return { described: describeOutcome(evaluatePayment(policy, payment), policy, payment.initiator, language), policy }
  }
  const subject = { kind: 'transfer' as const, to: addressOf(network, input.address_to), paid: { asset, amount }, memo: memoOf(input.memo ?? '', network) }
  // What the fee may reach is chosen beside this, and judged once the payment is asked for.
  const feeCap = { asset: coin, amount: 0n }
  const payer = { subWalletId: input.sub_wallet_id, ...(input.from === undefined ? {} : { from: addressOf(network, input.from) }) }
  return foreseeOutcome(tx, needs, { ...payer, subject, network, feeCap, remark: '', initiator: personId, language, lifeMs: LIFE_MS })
}

import { AppError } from '@holdfast/contract'
import { amountOf, handle, type HandledEndpoint } from '@holdfast/http'
import type { ServerContext } from '@holdfast/features/context'
import { networkErrors } from '@holdfast/features/network/errors'
import { findPerson, evaluatePayment } from '@holdfast/policy'
import { bytesToUuid, uuidToBytes } from '@holdfast/units'
import { checkStrategy, listOwnStrategies as ownEndpoint } from '../contract.ts'
import { currentPolicy } from './current-policy.ts'
import { describeOutcome } from './describe-outcome.ts'
import { listOwnStrategies } from './list-own-strategies.ts'

/** What the policy would say, before anything is asked for. */
export function strategyEndpoints({ db, networks }: ServerContext): HandledEndpoint[] {
  return [
    handle(checkStrategy, async (context, input) => {
      const asset = networks.asset(input.chain, input.symbol, input.token_id === undefined ? undefined : BigInt(input.token_id))
      if (!asset) throw new AppError(networkErrors.unsupported_coin)
      const inForce = await db.asOrganisation(context.orgId, async (tx) => {
        const owned = await tx.selectFrom('sub_wallet').select('id').where('org_id', '=', tx.orgId).where('id', '=', input.sub_wallet_id).executeTakeFirst()
        if (!owned) throw new AppError('wallet_not_found')
        return currentPolicy(tx)
      })
      const initiator = uuidToBytes(context.personId)
      const outcome = evaluatePayment(inForce.policy, { chain: asset.chain, contract: asset.contract, amount: amountOf(input.amount, asset), initiator })
      const described = describeOutcome(outcome, inForce.policy, initiator, context.language)
      return {
        ...described,
        eligible: described.eligible.map((id) => ({ person_id: bytesToUuid(id), name: findPerson(inForce.policy, id)?.name ?? '' })),
      }
    }),
    handle(ownEndpoint, ({ orgId, personId, language }, input) =>
      db.asOrganisation(orgId, (tx) => listOwnStrategies({ tx, networks, personId, language }, input)),
    ),
  ]
}

import { AppError, remarkText } from '@holdfast/contract'
import { fromHex, toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { readApprovals } from '@holdfast/features/evidence/server'
import { organisationOfKeyChange, readKeyChangeByIntent } from '@holdfast/features/key-recovery/server'
import { keepFreeze, organisationOfChange, pokeSignerOrders, readPolicyChangeByIntent } from '@holdfast/features/strategy/server'
import { readOrderByIntent } from '@holdfast/features/transfer/server'
import * as z from 'zod'
import { approveOrder, organisationOf } from './approve.ts'
import { askSigners } from './ask-signers.ts'
import { askIfContract, destinationFacts } from './destination-facts.ts'

const getBody = z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/) })
const witnessBody = getBody.extend({ challenge: z.string().regex(/^[0-9a-f]{64}$/) })
const freezeBody = z.object({ freeze: z.string().regex(/^([0-9a-f]{2}){1,16384}$/) })
const approveBody = z.object({ approval: z.string().max(131_072), remark: remarkText().optional() })

/**
 * What the approval page asks, by way of its signer. Whoever knows an intent's hash may read it; what is decided is proven
 * by the approver's own signature and by nothing else, so there is no session here.
 */
export function approvalPageCalls(
  context: Pick<ServerContext, 'db' | 'ports' | 'networks' | 'coSigners'>,
): Record<string, (body: unknown) => Promise<unknown>> {
  return {
    'order.get': async (body) => {
      const hash = fromHex(getBody.parse(body).hash)
      const orgId = (await organisationOfChange(context, hash)) ?? (await organisationOfKeyChange(context, hash)) ?? (await organisationOf(context, hash))
      const isContract = await askIfContract(context, orgId, hash)
      return context.db.asOrganisation(orgId, async (tx) => {
        const decided = (await readPolicyChangeByIntent(tx, hash)) ?? (await readKeyChangeByIntent(tx, hash)) ?? (await readOrderByIntent(tx, hash))
        if (!decided) throw new AppError('order_not_found')
        const approvals = await readApprovals(tx, hash)
        const facts = 'slot' in decided.row ? await destinationFacts(tx, context.networks, decided.row, isContract) : null
        return { intent: toHex(decided.row.intent), approvals: approvals.map((each) => toHex(each.bytes)), state: decided.row.state, facts }
      })
    },
    'organisation.freeze': async (body) => {
      const answer = await keepFreeze(context, fromHex(freezeBody.parse(body).freeze))
      pokeSignerOrders(context)
      return answer
    },
    'order.witness': async (body) => {
      const { hash, challenge } = witnessBody.parse(body)
      return { statements: await askSigners(context, fromHex(hash), fromHex(challenge)) }
    },
    'order.approve': (body) => {
      const { approval, remark } = approveBody.parse(body)
      return approveOrder(context, approval, remark)
    },
  }
}

import { remarkText } from '@holdfast/contract'
import { fromHex, toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import type { PageCalls } from '@holdfast/features/server-feature'
import { readApprovals } from '@holdfast/features/evidence/server'
import type { OrganisationTx } from '@holdfast/db'
import { closingOrders, type ClosingOrders, keepFreeze, pokeSignerOrders, policyAt } from '@holdfast/features/policy/server'
import * as z from 'zod'
import { approveOrder } from './approve.ts'
import { askSigners } from './ask-signers.ts'
import { coinOfPlace } from './coin-of-place.ts'
import { askIfContract, type DestinationFacts, destinationFacts } from './destination-facts.ts'
import { placeOf, readDecided } from './find-decided.ts'

const getBody = z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/) })
const witnessBody = getBody.extend({ challenge: z.string().regex(/^[0-9a-f]{64}$/) })
const freezeBody = z.object({ freeze: z.string().regex(/^([0-9a-f]{2}){1,16384}$/) })
const approveBody = z.object({ approval: z.string().max(131_072), remark: remarkText().optional() })

/** How many orders a change of the policy closes, and some of them by name in every language of the page: nothing of it is signed. */
async function closedBy(tx: OrganisationTx, version: bigint) {
  const { policy } = await policyAt(tx, version)
  const [english, chinese] = [await closingOrders(tx, policy, 'en_US'), await closingOrders(tx, policy, 'zh_CN')]
  const titles = ({ named }: ClosingOrders) => named.map(({ title }) => title)
  return { count: english.count, named: { 'en-US': titles(english), 'zh-CN': titles(chinese) } }
}

/**
 * What the approval page asks, by way of its signer. Whoever knows an intent's hash may read it; what is decided is proven
 * by the approver's own signature and by nothing else, so there is no session here.
 */
export function approvalPageCalls(context: Pick<ServerContext, 'db' | 'ports' | 'networks' | 'coSigners'>): PageCalls {
  return {
    'order.get': async (body) => {
      const hash = fromHex(getBody.parse(body).hash)
      const { orgId, table } = await placeOf(context, hash)
      const { decided, approvals, known, closes, coin } = await context.db.asOrganisation(orgId, async (tx) => {
        const decided = await readDecided(tx, hash, table)
        const approvals = await readApprovals(tx, hash)
        const known = decided.kind === 'order' ? await destinationFacts(tx, context, decided.row) : null
        const closes = decided.kind === 'change' ? await closedBy(tx, decided.row.base_version) : null
        const coin = decided.kind === 'order' ? await coinOfPlace(tx, context.networks, decided.row) : null
        return { decided, approvals, known, closes, coin }
      })
      const facts: DestinationFacts | null = known && decided.kind === 'order' ? { ...known, contract: await askIfContract(context, decided.row) } : null
      return { intent: toHex(decided.row.intent), approvals: approvals.map((each) => toHex(each.bytes)), state: decided.row.state, facts, closes, coin }
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

import { remarkText } from '@holdfast/contract'
import { decode, EncodingFault, fromHex, toHex } from '@holdfast/encoding'
import type { ServerContext } from '@holdfast/features/context'
import { newestScreenings, readApprovals, readMachineWords, screeningsOf } from '@holdfast/features/evidence/server'
import { machineSignatureShape } from '@holdfast/intent'
import * as z from 'zod'
import { approveProposal } from './approve.ts'
import { askSigners } from './ask-signers.ts'
import { mayBeDelegated } from './delegated.ts'
import { findProposal } from './find-proposal.ts'
import { noteOpened } from './qr-code.ts'
import { takeMachineSignature } from './take-machine-signature.ts'
import { tellWaiting } from './tell-waiting.ts'
import { byApproval, type PageFacts, type Proposals, readSubject } from './proposal-kind.ts'

const namedBody = z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/) })
/** A signer that takes a decision needs the intent alone; who reads the page needs all that is known around it. */
const getBody = namedBody.extend({ part: z.literal('intent').optional() })
const waitingBody = z.object({ genesis: z.string().regex(/^[0-9a-f]{64}$/), waiting: z.string().regex(/^([0-9a-f]{2}){1,16384}$/) })
const witnessBody = namedBody.extend({ challenge: z.string().regex(/^[0-9a-f]{64}$/) })
const approveBody = z.object({ approval: z.string().max(131_072), remark: remarkText().optional() })

const NOTHING_MORE: PageFacts = { facts: null, closes: null, coin: null, rule: null, around: null }

/**
 * The calls of the approval page, through its signer. Anybody who knows an intent's hash may read it; only the approver's own signature proves a
 * decision, so there is no session here.
 */
export function proposalPageCalls(
  context: Pick<ServerContext, 'db' | 'ports' | 'networks' | 'coSigners' | 'settings'>,
  proposals: Proposals,
): Record<string, (body: unknown) => Promise<unknown>> {
  return {
    'order.get': async (body) => {
      const { hash: named, part } = getBody.parse(body)
      const hash = fromHex(named)
      const { orgId, subjectId, kind } = await findProposal(context, hash)
      const by = byApproval(proposals, kind)
      if (part === 'intent') {
        const subject = await context.db.readOrganisationInTurns(orgId, (tx) => readSubject(tx, by, subjectId))
        return { intent: toHex(subject.row.intent) }
      }
      const { row, approvals, deciding, tell } = await context.db.asOrganisation(orgId, async (tx) => {
        const given = Promise.all([readApprovals(tx, hash), readMachineWords(tx, hash), screeningsOf(tx, hash).then(newestScreenings)])
        const [subject, approvals, deciding] = await Promise.all([
          readSubject(tx, by, subjectId),
          given,
          mayBeDelegated(kind) ? proposals.decidingNow(tx, context.ports.clock.nowMs()) : [],
          noteOpened(tx, context, hash),
        ])
        return { row: subject.row, approvals, deciding, tell: await by.page?.(tx, context, subject) }
      })
      const said = { approvals: approvals.flat().map((each) => toHex(each.bytes)), delegations: deciding.map((each) => toHex(each.record)) }
      return { intent: toHex(row.intent), ...said, state: row.state, ...NOTHING_MORE, ...(await tell?.()) }
    },
    'order.witness': async (body) => {
      const { hash, challenge } = witnessBody.parse(body)
      return { statements: await askSigners(context, proposals, fromHex(hash), fromHex(challenge)) }
    },
    'order.waiting': (body) => {
      const { genesis, waiting } = waitingBody.parse(body)
      return tellWaiting(context, proposals, { genesis: fromHex(genesis), encoded: fromHex(waiting) })
    },
    'order.approve': (body) => {
      const { approval, remark } = approveBody.parse(body)
      const signed = readMachineSignature(approval)
      return signed ? takeMachineSignature(context, proposals, signed) : approveProposal(context, proposals, approval, remark)
    },
  }
}

/** What a machine signed, where the bytes are that and no decision of a person. */
function readMachineSignature(encoded: string) {
  try {
    const bytes = fromHex(encoded)
    return { signed: decode(machineSignatureShape, bytes), bytes }
  } catch (cause) {
    if (cause instanceof EncodingFault) return undefined
    throw cause
  }
}

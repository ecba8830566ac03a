import { decode, EncodingFault, equalBytes, toHex } from '@holdfast/encoding'
import { type Intent, intentShape, type Locale, renderIntent, type Rendering } from '@holdfast/intent'
import { approvalContext, checkRecord, genesisRecordShape, type Policy, type ProvenOrganisation } from '@holdfast/policy'
import { CHECKS, EvidenceRefused, openSigned, refusalEvidenceShape, refusalStatementShape, type SessionRequest, sessionRequestShape } from '@holdfast/protocol'
import { sha256 } from '@noble/hashes/sha2.js'

/** Requests to sign in the forms of before. */
type EarlierSign = 'firstSign' | 'thirdSign' | 'fourthSign'

export type RefusalReport = {
  organisation: string
  fingerprint: string
  signer: { party: number; name: string; operator: string }
  check: string
  /** What the check demands; undefined for a check this tool does not know. */
  demand: string | undefined
  reason: string
  atMs: bigint
  request: Exclude<SessionRequest['kind'], EarlierSign> | 'other'
  /** The hash of the standing order under which the transfer was asked for; undefined if people were to have approved it. */
  standingOrder: Uint8Array | undefined
  /** The order of a request to sign in words; undefined if there is none that can be read. */
  rendering: ((locale: Locale) => Rendering) | undefined
}

/**
 * Checks the evidence of a refusal with nothing but its own bytes: the founding document stands, one of the organisation's signers signed
 * the statement, and the statement speaks of the request in the bundle. Throws EvidenceRefused naming the step that failed.
 */
export function verifyRefusal(bundle: Uint8Array, options: { fingerprint?: string | undefined }): RefusalReport {
  const evidence = step('bundle', () => decode(refusalEvidenceShape, bundle))
  const { genesis, fingerprint, policy, signers } = step('genesis', () => readGenesis(evidence.genesisRecord, options.fingerprint))
  const { signer, statement } = step('statement', () => {
    const signer = signers.find((each) => each.party === evidence.statement.party)
    const opened = signer && openSigned(refusalStatementShape, evidence.statement, signer.signKey)
    if (!opened || opened.party !== signer.party) throw new Error('no signer of this organisation made this statement')
    if (!equalBytes(opened.genesis, fingerprint)) throw new Error('the statement is about another organisation')
    return { signer, statement: opened }
  })
  step('request', () => {
    // Requests are hashed whole in their canonical form, so the hash of the bytes is the hash of the request.
    if (!equalBytes(sha256(evidence.request), statement.requestHash)) throw new Error('the statement speaks of another request than the one in the bundle')
  })
  const request = readRequest(evidence.request)
  return {
    organisation: genesis.name,
    fingerprint: toHex(fingerprint),
    signer: { party: Number(signer.party), name: signer.name, operator: signer.operator },
    check: statement.check,
    demand: Object.hasOwn(CHECKS, statement.check) ? CHECKS[statement.check as keyof typeof CHECKS] : undefined,
    reason: statement.reason,
    atMs: statement.atMs,
    request: isSign(request) ? 'sign' : (request?.kind ?? 'other'),
    standingOrder: request?.kind === 'sign' || request?.kind === 'fourthSign' ? (request.standingOrder ?? undefined) : undefined,
    rendering: renderingOf(request, policy),
  }
}

function step<T>(name: string, check: () => T): T {
  try {
    return check()
  } catch (cause) {
    throw new EvidenceRefused(name, cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

function readGenesis(encoded: Uint8Array, trusted: string | undefined): ProvenOrganisation {
  const proven = checkRecord(decode(genesisRecordShape, encoded))
  const found = toHex(proven.fingerprint)
  if (trusted !== undefined && trusted !== found) throw new Error(`the bundle is of organisation ${found}, not of ${trusted}`)
  return proven
}

function readRequest(encoded: Uint8Array): SessionRequest | undefined {
  try {
    return decode(sessionRequestShape, encoded)
  } catch (cause) {
    // Signers also refuse calls that are no session; their bytes have other shapes.
    if (cause instanceof EncodingFault) return undefined
    throw cause
  }
}

type SomeSign = Extract<SessionRequest, { kind: 'sign' | EarlierSign }>

/** Whether signers were asked to sign a transaction, in the present form or in one of before. */
const isSign = (request: SessionRequest | undefined): request is SomeSign =>
  request !== undefined && ['sign', 'fourthSign', 'thirdSign', 'firstSign'].includes(request.kind)

/** A refused order may be malformed in any way: it is shown where it can be, with the names the bundle's newest policy knows. */
function renderingOf(request: SessionRequest | undefined, policy: Policy): RefusalReport['rendering'] {
  if (!isSign(request)) return undefined
  let intent: Intent
  try {
    intent = decode(intentShape, request.intent)
    renderIntent(intent, approvalContext(policy), 'en-US')
  } catch {
    return undefined
  }
  return (locale) => renderIntent(intent, approvalContext(policy), locale)
}

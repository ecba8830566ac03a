import { encode } from '@holdfast/encoding'
import { approvalShape, intentShape, type KeyAction, type KeyChangeIntent } from '@holdfast/intent'
import { type Policy, policyHash } from '@holdfast/policy'
import type { ReshareRequest, Signed } from '@holdfast/protocol'
import { sha256 } from '@noble/hashes/sha2.js'
import { cosignAll, PAIRS, PARTIES, resultOf, runSession } from './cluster.ts'
import type { Office } from './founded-cluster.ts'
import { DAY_MS } from './organisation-of.ts'
import { approve, type ApprovalOptions, type Member } from './people.ts'
import { ann } from './world-of.ts'

export type KeyChangeOptions = {
  action?: KeyAction
  dealers?: bigint[]
  fromEpoch?: bigint
  approvers?: Member[]
  approval?: ApprovalOptions
  changes?: Partial<KeyChangeIntent>
  keyId?: Uint8Array
  policy?: Policy
  /** Two orders with another salt are two orders. */
  salt?: number
}

const seed = (text: string) => sha256(new TextEncoder().encode(text))
let runs = 0

/** An order for new shares as an honest server makes it. */
export function keyChangeOf(office: Office, options: KeyChangeOptions = {}): KeyChangeIntent {
  const { organisation, key } = office.founded
  const { action = 'refresh', fromEpoch = 0n, policy = organisation.policy, salt = 0 } = options
  const nowMs = office.time.nowMs
  return {
    kind: 'keyChange',
    genesis: organisation.fingerprint,
    orderId: seed(`key change ${salt}`).slice(0, 16),
    action,
    keyId: options.keyId ?? key.keyId,
    wallet: 'Main wallet',
    fromEpoch,
    toEpoch: fromEpoch + 1n,
    dealers: options.dealers ?? (action === 'refresh' ? [1n, 2n, 3n] : [1n, 2n]),
    notBeforeMs: BigInt(nowMs - DAY_MS),
    expiresAtMs: BigInt(nowMs + DAY_MS),
    policyVersion: policy.version,
    policyHash: policyHash(policy),
    initiator: ann.person.id,
    nonce: seed(`key change nonce ${salt}`),
    ...options.changes,
  }
}

/** The request for a session of new shares: approved by all but the one who asked, in the log, at a checkpoint all have signed. */
export async function reshareRequest(office: Office, options: KeyChangeOptions = {}): Promise<{ kind: 'reshare' } & ReshareRequest> {
  const { organisation } = office.founded
  const intent = keyChangeOf(office, options)
  const approvers = options.approvers ?? organisation.members.filter((member) => member !== ann)
  const approvals = approvers.map((member) => encode(approvalShape, approve(member, intent, options.policy ?? organisation.policy, options.approval)))
  const encoded = encode(intentShape, intent)
  const indexes = [office.log.append('intent', encoded), ...approvals.map((each) => office.log.append('approval', each))]
  await cosignAll(office, office.log)
  const dealer = Number(intent.dealers[0] ?? 1n)
  const { key } = await office.calls
    .get(dealer)!
    .keyPublic({ genesis: intent.genesis, keyId: intent.keyId, epoch: intent.fromEpoch })
    .catch(() => ({ key: encoded }))
  return {
    kind: 'reshare',
    genesis: organisation.fingerprint,
    keyId: intent.keyId,
    epoch: intent.toEpoch,
    parties: [1n, 2n, 3n],
    key,
    intent: encoded,
    approvals,
    checkpoint: office.log.note(),
    logged: indexes.map((index) => office.log.logged(index)),
    nonce: seed(`reshare ${runs++}`),
  }
}

/** Stages an epoch at all three, sets up their pairs, and takes the word of each. */
export async function stageEpoch(office: Office, request: { kind: 'reshare' } & ReshareRequest): Promise<Signed[]> {
  const outcomes = await runSession(office.calls, request)
  for (const party of PARTIES) resultOf(outcomes, party)
  await setUpPairs(office, request)
  const asked = { genesis: request.genesis, keyId: request.keyId, epoch: request.epoch }
  return Promise.all(PARTIES.map((party) => office.calls.get(party)!.attestEpoch(asked)))
}

export async function setUpPairs(office: Office, { genesis, keyId, epoch }: { genesis: Uint8Array; keyId: Uint8Array; epoch: bigint }): Promise<void> {
  for (const parties of PAIRS) {
    const outcomes = await runSession(office.calls, { kind: 'pairSetup', genesis, keyId, epoch, parties: [...parties], nonce: seed(`pair ${runs++}`) })
    for (const party of parties) resultOf(outcomes, Number(party))
  }
}

/** Takes a key to its next epoch, as a server does. */
export async function changeEpoch(office: Office, options: KeyChangeOptions = {}): Promise<Signed[]> {
  const request = await reshareRequest(office, options)
  const statements = await stageEpoch(office, request)
  const { genesis, keyId, epoch } = request
  for (const party of PARTIES) await office.calls.get(party)!.activateEpoch({ genesis, keyId, epoch, statements })
  return statements
}

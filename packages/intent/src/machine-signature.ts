import { bytes, decode, encode, type Infer, struct, text, uint, union } from '@holdfast/encoding'
import { approvalShape } from './approval.ts'
import { delegatedApprovalShape, type Vote } from './delegation.ts'
import { isOneSpelling, isSignedByKey } from './machine-key.ts'
import { type ScreeningWord, screeningWordShape } from './screening/screening-word.ts'

const statement = {
  genesis: bytes(32),
  intentHash: bytes(32),
  policyHash: bytes(32),
  /** The machine's id in the policy. */
  machine: text(64),
  decision: text(8),
  signedAtMs: uint(53),
}
const statementShape = struct('holdfast/machine-speaks/v1', statement)

/**
 * What a machine signs of one order with its key: that it asks for it (`ask`), or what it decided (`approve`, `reject`). It stands among the approvals of
 * the order: in the request to the signers, in the log and in the evidence.
 */
export const machineSignatureShape = struct('holdfast/machine-signature/v1', { ...statement, signature: bytes(64) })

/** What stands among the approvals of an order: a person's, what a machine signed, a person's for another, or what a screener found. */
export const spokenShape = union({
  person: approvalShape,
  machine: machineSignatureShape,
  delegated: delegatedApprovalShape,
  screening: screeningWordShape,
})

export type MachineSignature = Infer<typeof machineSignatureShape>
export type MachineStatement = Infer<typeof statementShape>
export type MachineDecision = 'ask' | 'approve' | 'reject'

/** What stands among the approvals of an order, apart. Throws EncodingFault. */
export function readSpoken(encoded: readonly Uint8Array[]): { approvals: Vote[]; machines: MachineSignature[]; screenings: ScreeningWord[] } {
  const spoken = encoded.map((each) => decode(spokenShape, each))
  return {
    approvals: spoken.flatMap(({ kind, ...said }) => (kind === 'person' || kind === 'delegated' ? [said as Vote] : [])),
    machines: spoken.flatMap(({ kind, ...said }) => (kind === 'machine' ? [said as MachineSignature] : [])),
    screenings: spoken.flatMap(({ kind, ...said }) => (kind === 'screening' ? [said as ScreeningWord] : [])),
  }
}

/** A vote as it travels, and as log and evidence hold it. */
export const encodeVote = (vote: Vote): Uint8Array =>
  'delegation' in vote ? encode(spokenShape, { kind: 'delegated', ...vote }) : encode(spokenShape, { kind: 'person', ...vote })

/** The bytes that a machine signs. */
export const machineMessage = ({ genesis, intentHash, policyHash, machine, decision, signedAtMs }: MachineStatement): Uint8Array =>
  encode(statementShape, { genesis, intentHash, policyHash, machine, decision, signedAtMs })

/** Whether a machine's signature is by this key, in its one spelling: log and evidence keep it, and nobody else can write it in another. */
export const isSignedByMachine = (signed: MachineSignature, publicKey: Uint8Array): boolean =>
  isOneSpelling(signed.signature, publicKey) && isSignedByKey(signed.signature, machineMessage(signed), publicKey)

import { bytes, encode, type Infer, struct, text, uint } from '@holdfast/encoding'
import { isOneSpelling, isSignedByKey } from '../machine-key.ts'
import { SCREENING_LEVELS, type ScreeningLevel } from './screening-levels.ts'

const statement = {
  genesis: bytes(32),
  /** The order that was looked at, or the batch. */
  intentHash: bytes(32),
  /** The id in the policy of the machine that says it. */
  machine: text(64),
  /** Who looked: the name of the service or the list. */
  provider: text(64),
  level: text(8),
  screenedAtMs: uint(53),
  /** SHA-256 of the report, which stays with whoever screened. */
  reportHash: bytes(32),
}
const statementShape = struct('holdfast/screening/v1', statement)

/**
 * What a machine of the kind `screener` signs of one order: which risk a screening service found in it, and when. It stands among the approvals of the order: in
 * the request to the signers, in the log and in the evidence. It approves nothing; rules can demand it.
 */
export const screeningWordShape = struct('holdfast/screening-word/v1', { ...statement, signature: bytes(64) })

export type ScreeningWord = Infer<typeof screeningWordShape>
export type ScreeningStatement = Infer<typeof statementShape>

/** The bytes that a screener signs. */
export const screeningMessage = ({ genesis, intentHash, machine, provider, level, screenedAtMs, reportHash }: ScreeningStatement): Uint8Array =>
  encode(statementShape, { genesis, intentHash, machine, provider, level, screenedAtMs, reportHash })

/** Whether a screening word is signed by this key, in its one spelling: log and evidence keep it, and nobody else can write it in another. */
export const isSignedByScreener = (word: ScreeningWord, publicKey: Uint8Array): boolean =>
  isOneSpelling(word.signature, publicKey) && isSignedByKey(word.signature, screeningMessage(word), publicKey)

/** Whether a level is one of the scale. */
export const isScreeningLevel = (level: string): level is ScreeningLevel => SCREENING_LEVELS.some((each) => each === level)

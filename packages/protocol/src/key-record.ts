import { equalBytes } from '@holdfast/encoding'
import type { SignerIdentity } from '@holdfast/policy'
import type { Signed } from './session.ts'
import { type KeyStatement, keyStatementShape, openSigned } from './statements.ts'

/** The key the three signers given agree on, or undefined unless all three say the same of the same key and epoch. */
export function verifyKeyRecord(statements: readonly Signed[], signers: readonly SignerIdentity[], fingerprint: Uint8Array): KeyStatement | undefined {
  if (statements.length !== signers.length) return undefined
  const opened = signers.map((signer) => {
    const signed = statements.find((each) => each.party === signer.party)
    const statement = signed && openSigned(keyStatementShape, signed, signer.signKey)
    return statement && statement.party === signer.party && equalBytes(statement.genesis, fingerprint) ? statement : undefined
  })
  const first = opened[0]
  return first && opened.every((each) => each !== undefined && sameKey(each, first)) ? first : undefined
}

function sameKey(a: KeyStatement, b: KeyStatement): boolean {
  const isSameKey = equalBytes(a.keyId, b.keyId) && a.epoch === b.epoch && a.protocol === b.protocol
  return isSameKey && equalBytes(a.publicKey, b.publicKey) && equalBytes(a.chainCode, b.chainCode)
}

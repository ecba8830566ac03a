import { browserPorts } from '@holdfast/ports/browser'
import { generateHybridIdentity, identityToRecipient } from 'age-encryption'

/** A recovery identity that this page made, of the kind that the recovery tool makes. Its secret half is here and nowhere else. */
export type MadeIdentity = { recipient: string; secret: string; createdAtMs: number }

/** Makes a recovery identity, post-quantum hybrid as that of the tool: ML-KEM-768 with X25519. */
export async function makeIdentity(): Promise<MadeIdentity> {
  const secret = await generateHybridIdentity()
  return { secret, recipient: await identityToRecipient(secret), createdAtMs: browserPorts.clock.nowMs() }
}

/** The identity as a file in the form of age tools, which the recovery tool takes. */
export function identityFile({ secret, recipient, createdAtMs }: MadeIdentity): string {
  return [`# created: ${new Date(createdAtMs).toISOString()}`, `# public key: ${recipient}`, secret, ''].join('\n')
}

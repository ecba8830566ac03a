import type { RecoveryRecipients } from '../policy.ts'
import { recipientFingerprint } from '../recipient-fingerprint.ts'

export const recoveryEn = {
  recovery: (party: string, recipients: string) => `Signer ${party} seals its recovery share to the holders of: ${recipients}`,
  recoveryQuorum: (party: string, threshold: string, recipients: string) =>
    `Signer ${party} seals its recovery share so that ${threshold} together of these holders open it: ${recipients}`,
}

export const recoveryZh: typeof recoveryEn = {
  recovery: (party, recipients) => `签名方 ${party} 的恢复分片加密给以下指纹的持有人：${recipients}`,
  recoveryQuorum: (party, threshold, recipients) => `签名方 ${party} 的恢复分片须由以下指纹的持有人中 ${threshold} 人共同打开：${recipients}`,
}

/** Who can open one signer's recovery share, told by the fingerprints of their recipients. */
export function describeRecovery({ party, ...recovery }: RecoveryRecipients, words: typeof recoveryEn & { comma: string }): string {
  const holders = recovery.recipients.map(recipientFingerprint).join(words.comma)
  return recovery.kind === 'single' ? words.recovery(String(party), holders) : words.recoveryQuorum(String(party), String(recovery.threshold), holders)
}

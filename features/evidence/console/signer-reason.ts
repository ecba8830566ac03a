import { useTranslation } from 'react-i18next'

const CHECKED = /^(c\d{1,2}): (.+)$/s

/**
 * A reason as stories keep it. One that a signer gave begins with the number of its check: that is said by name, in the reader's language, beside the signer's own
 * sentence, which is evidence and stays as it was signed.
 */
export function signerReason(reason: string, nameOf: (check: string) => string): string {
  const [, check, said] = CHECKED.exec(reason) ?? []
  return check === undefined ? reason : `${check} · ${nameOf(check)} · ${said}`
}

export function useSignerReason(): (reason: string) => string {
  const { t } = useTranslation()
  return (reason) => signerReason(reason, (check) => t(`evidence.check.${check}`, { defaultValue: check }))
}

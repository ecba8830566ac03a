import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import { getEvidence } from '../contract.ts'
import { Button, Command, downloadFile, Fingerprint, fromBase64, IconDownload } from '@holdfast/ui'
import { useApi } from '@holdfast/client'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'

/** One proof of an order: of the signature over its transaction `number`, or of the refusal. */
export type EvidenceItem = { kind: 'signature'; number: number; of: number } | { kind: 'refusal' }
type Evidence = OutputOf<typeof getEvidence>

/** The proof of what was signed (or refused) for an order, to hand to anybody who does not want to trust us. */
export function EvidencePart({ orderId, items }: { orderId: string; items: readonly EvidenceItem[] }) {
  const { t } = useTranslation()
  const { client } = useApi()
  const headingId = useId()
  const mayRead = usePermission('evidence.read')
  const fetchEvidence = useMutation<Evidence, Error, EvidenceItem>({
    mutationFn: (item) => client.call(getEvidence, { id: orderId, kind: item.kind, ...(item.kind === 'signature' && { number: item.number }) }),
    onSuccess: (evidence) => downloadFile(evidence.file_name, fromBase64(evidence.bundle)),
  })
  if (!mayRead || items.length === 0) return null
  return (
    <section className="hf-stack" aria-labelledby={headingId}>
      <h3 id={headingId}>{t('evidence.title')}</h3>
      {items.map((item) => (
        <div key={keyOf(item)} className="hf-spread">
          <p className="hf-muted hf-grow hf-evidence-text">{t(`evidence.${item.kind}`)}</p>
          <Button
            icon={<IconDownload />}
            loading={fetchEvidence.isPending && keyOf(fetchEvidence.variables) === keyOf(item)}
            onClick={() => fetchEvidence.mutate(item)}
          >
            {item.kind === 'signature' && item.of > 1
              ? t('evidence.download.ofMany', { number: item.number, of: item.of })
              : t(`evidence.download.${item.kind}`)}
          </Button>
        </div>
      ))}
      {fetchEvidence.data && <Verify evidence={fetchEvidence.data} />}
    </section>
  )
}

const keyOf = (item: EvidenceItem) => (item.kind === 'signature' ? `signature ${item.number}` : item.kind)

/** How anybody checks the file that was just saved, without us. */
function Verify({ evidence }: { evidence: Evidence }) {
  const { t } = useTranslation()
  return (
    <>
      <p className="hf-muted">{t('evidence.verify')}</p>
      <Command line={`npm run verify-evidence -- ${evidence.file_name} --fingerprint ${evidence.fingerprint}`} />
      <p className="hf-small hf-muted">{t('evidence.ownCopy')}</p>
      <Fingerprint hex={evidence.fingerprint} />
    </>
  )
}

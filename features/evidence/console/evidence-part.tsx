import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import { getEvidence } from '@holdfast/features/transfer/contract'
import { Button, Command, downloadFile, Fingerprint, fromBase64, IconDownload, useApi } from '@holdfast/ui'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'

type EvidenceKind = 'signature' | 'refusal'
type Evidence = OutputOf<typeof getEvidence>

/** The proof of what was signed (or refused) for an order, to hand to anybody who does not want to trust us. */
export function EvidencePart({ orderId, kinds }: { orderId: string; kinds: readonly EvidenceKind[] }) {
  const { t } = useTranslation()
  const { client } = useApi()
  const headingId = useId()
  const mayRead = usePermission('evidence.read')
  const fetchEvidence = useMutation<Evidence, Error, EvidenceKind>({
    mutationFn: (kind) => client.call(getEvidence, { id: orderId, kind }),
    onSuccess: (evidence) => downloadFile(evidence.file_name, fromBase64(evidence.bundle)),
  })
  if (!mayRead || kinds.length === 0) return null
  return (
    <section className="hf-stack" aria-labelledby={headingId}>
      <h3 id={headingId}>{t('evidence.title')}</h3>
      {kinds.map((kind) => (
        <div key={kind} className="hf-spread">
          <p className="hf-muted hf-grow hf-evidence-text">{t(`evidence.${kind}`)}</p>
          <Button icon={<IconDownload />} loading={fetchEvidence.isPending && fetchEvidence.variables === kind} onClick={() => fetchEvidence.mutate(kind)}>
            {t(`evidence.download.${kind}`)}
          </Button>
        </div>
      ))}
      {fetchEvidence.data && <Verify evidence={fetchEvidence.data} />}
    </section>
  )
}

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

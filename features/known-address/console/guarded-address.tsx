import { Address, Button, confirm, Grouped, groupsOfFour, Note, useDrawers, useToast } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { differingGroups } from './differing-groups.ts'

/** An address that may have been planted: it cannot be copied before its reader has said that they know. */
export function GuardedAddress({ address, isSuspicious }: { address: string; isSuspicious: boolean }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const toast = useToast()
  if (!isSuspicious) return <Address address={address} />
  const copy = async () => {
    const answer = await confirm(drawers, {
      type: 'warning',
      title: t('knownAddress.copyTitle'),
      content: <Grouped text={address} />,
      tip: t('knownAddress.copyTip'),
      acknowledgement: t('knownAddress.acknowledge'),
      confirmText: t('knownAddress.copy'),
    })
    if (answer.outcome !== 'confirm') return
    await navigator.clipboard.writeText(address).then(
      () => toast.error(t('knownAddress.copied'), 'copy'),
      () => toast.error(t('ui.copy.failed'), 'copy'),
    )
  }
  return (
    <span className="hf-guarded">
      <Grouped text={address} />
      <Button size="small" variant="quiet" onClick={() => void copy()}>
        {t('knownAddress.copy')}
      </Button>
    </span>
  )
}

type Paid = {
  suspicious: boolean
  /** The known address that the other side's imitates, if it does. */
  imitates: { address: string; label: string | null; kind: 'own' | 'book' | 'paid' } | null
  type: 'deposit' | 'withdraw' | 'pull'
  address_from: string | null
  address_to: string
}

/** What a row's address imitates, with the characters that differ marked in both. */
export function SuspiciousNote({ row }: { row: Paid }) {
  const { t } = useTranslation()
  if (!row.suspicious) return null
  const other = row.type === 'deposit' ? row.address_from : row.address_to
  const { imitates } = row
  if (imitates === null || other === null) return <Note tone="bad" title={t('knownAddress.marked')} />
  return (
    <Note tone="bad" title={t(`knownAddress.title.${row.type}`)}>
      <p>{t(`knownAddress.text.${row.type}`)}</p>
      <dl className="hf-alike">
        <dt>{t('knownAddress.this')}</dt>
        <dd>
          <Compared address={other} with={imitates.address} />
        </dd>
        <dt>{imitates.label === null ? t(`knownAddress.known.${imitates.kind}`) : t('knownAddress.named', { name: imitates.label })}</dt>
        <dd>
          <Compared address={imitates.address} with={other} />
        </dd>
      </dl>
    </Note>
  )
}

function Compared({ address, with: other }: { address: string; with: string }) {
  return (
    <span className="hf-grouped" translate="no">
      {differingGroups(groupsOfFour(address), groupsOfFour(other)).map(({ text, differs }, at) => (
        <span key={at} className={differs ? 'hf-group hf-group-differs' : 'hf-group'}>
          {text}
        </span>
      ))}
    </span>
  )
}

import { Button, downloadFile, IconDownload, IconKey, IconTrash, Note, StatusTag, TextField, useToast } from '@holdfast/ui'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MadeIdentity } from './make-identity.ts'
import { SIGNERS } from './founding-rules.ts'

/** An identity of this page for a signer, and whether its secret half was kept outside of it. */
export type SignerIdentity = MadeIdentity & { signer: number; number: number; isKept: boolean }

type Props = {
  made: readonly SignerIdentity[]
  onChange: (made: readonly SignerIdentity[]) => void
  /** The text field for recipients that people have already, of one signer. */
  pasted: (signer: number) => Parameters<typeof TextField>[0]
  /** Somebody tried to send the form: identities that were not kept are shown as faults. */
  isTried: boolean
  fault: string | undefined
}

/** Who can rebuild the keys: identities that are made in this page and kept outside of it, or recipients that people have already. */
export function RecoveryIdentities({ made, onChange, pasted, isTried, fault }: Props) {
  const { t } = useTranslation()
  const toast = useToast()
  const [isMaking, setMaking] = useState(false)
  const [isPasting, setPasting] = useState(false)
  const make = async (signers: readonly number[]) => {
    setMaking(true)
    try {
      const { makeIdentity } = await import('./make-identity.ts')
      const further: SignerIdentity[] = []
      for (const signer of signers) {
        const number = Math.max(0, ...made.filter((each) => each.signer === signer).map((each) => each.number)) + 1
        further.push({ ...(await makeIdentity()), signer, number, isKept: false })
      }
      onChange([...made, ...further])
    } catch {
      toast.error(t('setup.identity.failed'))
    } finally {
      setMaking(false)
    }
  }
  const keep = (kept: SignerIdentity) => onChange(made.map((each) => (each.recipient === kept.recipient ? { ...each, isKept: true } : each)))
  return (
    <div className="hf-stack">
      {made.length === 0 && (
        <div>
          <Button variant={isPasting ? 'default' : 'primary'} icon={<IconKey />} loading={isMaking} onClick={() => void make(SIGNERS)}>
            {t('setup.identity.makeThree')}
          </Button>
        </div>
      )}
      {made.length > 0 && <Note tone="warn">{t('setup.identity.keep')}</Note>}
      <ul className="hf-identities">
        {made.map((each) => (
          <li key={each.recipient}>
            <Identity identity={each} isTried={isTried} onKept={() => keep(each)} onRemove={() => onChange(made.filter((other) => other !== each))} />
          </li>
        ))}
      </ul>
      {made.length > 0 && (
        <div className="hf-row-tight">
          {SIGNERS.map((signer) => (
            <Button key={signer} size="small" loading={isMaking} onClick={() => void make([signer])}>
              {t('setup.identity.another', { signer })}
            </Button>
          ))}
        </div>
      )}
      {isPasting ? (
        SIGNERS.map((signer) => <TextField key={signer} {...pasted(signer)} rows={2} placeholder="age1…" className="hf-mono" />)
      ) : (
        <div>
          <button type="button" className="hf-text-button" onClick={() => setPasting(true)}>
            {t('setup.identity.paste')}
          </button>
        </div>
      )}
      {fault !== undefined && (
        <p className="hf-field-error" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

type IdentityProps = { identity: SignerIdentity; isTried: boolean; onKept: () => void; onRemove: () => void }

function Identity({ identity, isTried, onKept, onRemove }: IdentityProps) {
  const { t } = useTranslation()
  const { signer, number, isKept, secret } = identity
  const card = useRef<HTMLElement>(null)
  const name = t('setup.identity.name', { signer, number })
  const download = async () => {
    const { identityFile } = await import('./make-identity.ts')
    downloadFile(`holdfast-recovery-identity-${signer}-${number}.txt`, new TextEncoder().encode(identityFile(identity)))
    onKept()
  }
  const print = () => {
    const paper = card.current
    if (!paper) return
    // Everything else on the page is left out by its style for paper.
    document.documentElement.dataset.printed = ''
    paper.classList.add('hf-identity-on-paper')
    window.print()
    paper.classList.remove('hf-identity-on-paper')
    delete document.documentElement.dataset.printed
    onKept()
  }
  return (
    <section className="hf-identity" aria-label={name} ref={card}>
      <div className="hf-spread">
        <h3>{name}</h3>
        <StatusTag tone={isKept ? 'good' : isTried ? 'bad' : 'warn'} text={t(isKept ? 'setup.identity.kept' : 'setup.identity.unkept')} />
      </div>
      <code className="hf-identity-secret" translate="no">
        {secret}
      </code>
      <p className="hf-small hf-muted">{t('setup.identity.secret')}</p>
      <div className="hf-row-tight">
        <Button size="small" icon={<IconDownload />} label={`${t('setup.identity.download')}: ${name}`} onClick={() => void download()}>
          {t('setup.identity.download')}
        </Button>
        <Button size="small" label={`${t('setup.identity.print')}: ${name}`} onClick={print}>
          {t('setup.identity.print')}
        </Button>
        <Button size="small" variant="quiet" icon={<IconTrash />} label={`${t('setup.identity.remove')}: ${name}`} onClick={onRemove} />
      </div>
    </section>
  )
}

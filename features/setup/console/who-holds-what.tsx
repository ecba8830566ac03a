import { Avatar, IconKey, IconLock, Label, Note } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { SIGNERS, sparePeople } from './founding-rules.ts'

type Props = { names: readonly string[]; threshold: number; officers: readonly number[]; officersNeeded: number }

/** Who will hold what, as a picture that follows the form: people with their approval keys, signers with their shares, officers with recovery identities. */
export function WhoHoldsWhat({ names, threshold, officers, officersNeeded }: Props) {
  const { t } = useTranslation()
  const spare = sparePeople(names.length, threshold)
  return (
    <section className="hf-panel hf-holders" aria-labelledby="who-holds-what">
      <h2 id="who-holds-what">{t('setup.picture.title')}</h2>
      <Row title={t('setup.picture.people')}>
        {names.map((name, at) => (
          <li key={at}>
            <Avatar name={name === '' ? String(at + 1) : name} size={28} />
            <Label text={name === '' ? t('setup.form.member', { number: at + 1 }) : name} />
            <span className="hf-small hf-muted">{t('setup.picture.approvalKey')}</span>
          </li>
        ))}
      </Row>
      <p className="hf-holders-link">{t('setup.picture.approve', { need: threshold, of: names.length - 1 })}</p>
      <Row title={t('setup.picture.signers')}>
        {SIGNERS.map((signer) => (
          <li key={signer}>
            <IconLock aria-hidden />
            <span>{t('setup.picture.signer', { signer })}</span>
            <span className="hf-small hf-muted">{t('setup.picture.share')}</span>
          </li>
        ))}
      </Row>
      <p className="hf-holders-link">{t('setup.picture.sign')}</p>
      <Row title={t('setup.picture.officers')}>
        {SIGNERS.map((signer, at) => (
          <li key={signer}>
            <IconKey aria-hidden />
            <span>{t('setup.picture.officer', { signer })}</span>
            <span className="hf-small hf-muted">{t('setup.picture.identities', { count: officers[at] ?? 0, need: officersNeeded })}</span>
          </li>
        ))}
      </Row>
      <p className="hf-holders-link">{t('setup.picture.recover')}</p>
      {spare === 0 ? (
        <Note tone="warn" title={t('setup.spare.noneTitle')}>
          {t('setup.spare.none', { count: threshold })}
        </Note>
      ) : (
        <Note tone="good">{t('setup.spare.some', { count: spare })}</Note>
      )}
    </section>
  )
}

function Row({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <h3>{title}</h3>
      <ul className="hf-holders-row">{children}</ul>
    </div>
  )
}

import './mail.css'
import type { OutputOf } from '@holdfast/contract'
import { Button, Checkbox, ErrorState, LoadingState, Note, SelectField, TextField, useTextForm, useToast } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getOwnMail, MAIL_LANGUAGES, type MailLanguage, saveOwnMail } from '../contract.ts'

const ADDRESS_MAX = 254
const LANGUAGE_NAMES: Readonly<Record<MailLanguage, string>> = { 'en-US': 'English', 'zh-CN': '中文' }

/** Whether the reader gets e-mails, where and in which language. */
export function OwnMail() {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(getOwnMail, {})
  return (
    <section className="hf-panel hf-stack" aria-labelledby="own-mail">
      <h2 id="own-mail">{t('mail.own.title')}</h2>
      <p className="hf-muted">{t('mail.own.note')}</p>
      {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={2} />)}
      {data && !data.server && <Note tone="warn">{t('mail.own.noServer')}</Note>}
      {data && <Choice key={JSON.stringify(data)} of={data} />}
    </section>
  )
}

function Choice({ of }: { of: OutputOf<typeof getOwnMail> }) {
  const { t } = useTranslation()
  const toast = useToast()
  const [isWanted, setWanted] = useState(of.wanted)
  const [language, setLanguage] = useState<MailLanguage>(of.language)
  const { form, field, submit } = useTextForm(
    { address: { label: t('mail.own.address'), optional: true, shape: { kind: 'email' } } },
    { address: of.address ?? '' },
  )
  const save = useSend(saveOwnMail)
  const send = async (address: string) => {
    const isSaved = await save.mutateAsync({ wanted: isWanted, address: address.trim(), language }).then(
      () => true,
      () => false,
    )
    if (isSaved) toast.success(t('mail.own.saved'), 'own-mail')
  }
  const fallback = of.account_address === null ? t('mail.own.noAddress') : t('mail.own.accountAddress', { address: of.account_address })
  return (
    <form ref={form} className="hf-stack" noValidate onSubmit={(event) => submit(event, ({ address }) => void send(address))}>
      <Checkbox checked={isWanted} onChange={setWanted}>
        {t('mail.own.wanted')}
      </Checkbox>
      <div className="hf-own-mail">
        <TextField {...field('address')} hint={fallback} type="email" maxLength={ADDRESS_MAX} autoComplete="email" />
        <SelectField
          label={t('mail.own.language')}
          value={language}
          onChange={(chosen) => setLanguage(chosen as MailLanguage)}
          options={MAIL_LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        />
      </div>
      <div className="hf-row">
        <Button type="submit" loading={save.isPending}>
          {t('mail.own.save')}
        </Button>
      </div>
    </form>
  )
}

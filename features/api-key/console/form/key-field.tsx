import { Button, downloadFile, Note, TextField } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

type KeyFieldProps = { value: string; onChange: (publicKey: string) => void; fileName: string; error: string | undefined }

/** The private half in the form that programs read: PKCS #8 in PEM. */
function pemOf(pkcs8: Uint8Array): string {
  const lines = btoa(String.fromCharCode(...pkcs8)).match(/.{1,64}/g) ?? []
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n')
}

/** Makes a pair of keys in this page. The private half is nowhere but in what is given back. */
async function makePair(): Promise<{ publicKey: string; pem: string }> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new TypeError('one key is no pair')
  const [raw, pkcs8] = await Promise.all([crypto.subtle.exportKey('raw', pair.publicKey), crypto.subtle.exportKey('pkcs8', pair.privateKey)])
  const publicKey = [...new Uint8Array(raw)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { publicKey, pem: pemOf(new Uint8Array(pkcs8)) }
}

/** The public key of a machine: given, or made here, where its private half can be kept once and is then forgotten. */
export function KeyField({ value, onChange, fileName, error }: KeyFieldProps) {
  const { t } = useTranslation('apiPage')
  const [made, setMade] = useState<{ publicKey: string; pem: string }>()
  const [isUnable, setUnable] = useState(false)
  const make = async () => {
    try {
      setMade(await makePair())
    } catch {
      // A browser that knows no Ed25519: a key that a program made can be given.
      setUnable(true)
    }
  }
  const keep = () => {
    if (!made) return
    downloadFile(`${fileName}.pem`, new TextEncoder().encode(made.pem))
    // Only a key whose private half somebody keeps is proposed.
    onChange(made.publicKey)
    setMade(undefined)
  }
  return (
    <div className="hf-stack-tight">
      <TextField label={t('api.publicKey')} hint={t('api.form.publicKeyHint')} value={value} onChange={onChange} wraps maxLength={64} error={error} />
      <div className="hf-row">
        <Button size="small" onClick={() => void make()}>
          {t('api.form.make')}
        </Button>
      </div>
      {isUnable && <Note tone="bad">{t('api.form.unable')}</Note>}
      {made && (
        <Note tone="warn" title={t('api.form.keepTitle')}>
          <p>{t('api.form.keepText')}</p>
          <Button size="small" variant="primary" onClick={keep}>
            {t('api.form.keep')}
          </Button>
        </Note>
      )}
    </div>
  )
}

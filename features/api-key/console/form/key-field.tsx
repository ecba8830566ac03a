import { Button, downloadFile, Note, TextField } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readPublicKey } from './read-public-key.ts'
import { faultOfKey, type Kind } from './typed.ts'

type KeyFieldProps = { kind: Kind; value: string; onChange: (publicKey: string) => void; fileName: string; error: string | undefined }
type Pair = { publicKey: string; pem: string }

/** A key in the form that programs read: PEM of its PKCS #8 or SubjectPublicKeyInfo. */
function pemOf(label: 'PRIVATE KEY' | 'PUBLIC KEY', der: ArrayBuffer): string {
  const lines = btoa(String.fromCharCode(...new Uint8Array(der))).match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

/** Makes a pair of keys in this page. The private half is nowhere but in what is given back. A browser that knows no Ed25519 makes one of P-256 for a key. */
async function makePair(kind: Kind): Promise<Pair> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']).catch((cause: unknown) => {
    if (kind !== 'api' && kind !== 'screener') throw cause
    return crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  })
  if (!('privateKey' in pair)) throw new TypeError('one key is no pair')
  const [spki, pkcs8] = await Promise.all([crypto.subtle.exportKey('spki', pair.publicKey), crypto.subtle.exportKey('pkcs8', pair.privateKey)])
  return { publicKey: pemOf('PUBLIC KEY', spki), pem: pemOf('PRIVATE KEY', pkcs8) }
}

/** The public key of a machine: given, or made here, where its private half can be kept once and is then forgotten. */
export function KeyField({ kind, value, onChange, fileName, error }: KeyFieldProps) {
  const { t } = useTranslation('apiPage')
  const [made, setMade] = useState<Pair>()
  const [isUnable, setUnable] = useState(false)
  const read = readPublicKey(value)
  const fault = faultOfKey(value, kind)
  // Half a key that is being typed is no fault yet; a private one is one at once.
  const isSaid = error !== undefined || fault === 'private'
  const reason = fault === undefined || fault === 'unread' ? error : t(`api.keyFault.${fault}`)
  const make = async () => {
    try {
      setMade(await makePair(kind))
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
      <TextField
        label={t('api.publicKey')}
        hint={t(kind === 'api' || kind === 'screener' ? 'api.form.publicKeyHint' : 'api.form.publicKeyHintEd25519')}
        value={value}
        onChange={onChange}
        rows={4}
        maxLength={2000}
        error={isSaid ? reason : undefined}
      />
      {'hex' in read && !fault && (
        <p className="hf-small hf-api-wraps">
          {t('api.form.keyRead', { algorithm: read.algorithm })} <code translate="no">{read.hex}</code>
        </p>
      )}
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

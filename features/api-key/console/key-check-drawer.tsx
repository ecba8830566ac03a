import { newRequestId, useSend } from '@holdfast/client'
import { Button, CopyButton, DrawerBody, Note, TextField } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkKeyPair } from '../contract.ts'
import { keyCheckCommand, keyCheckText } from '../key-check-text.ts'
import type { KeyAlgorithm } from './form/read-public-key.ts'

/** Has a text that was never signed before signed where the private half is, and says whether that is the half of this key. */
export function KeyCheckDrawer({ appId, keyId, algorithm }: { appId: string; keyId: string; algorithm: KeyAlgorithm }) {
  const { t } = useTranslation('apiPage')
  const [nonce] = useState(() => newRequestId())
  const [signature, setSignature] = useState('')
  const [isTried, setTried] = useState(false)
  const check = useSend(checkKeyPair)
  const command = keyCheckCommand(keyCheckText(keyId, nonce))
  const given = signature.replaceAll(/\s/g, '')
  const isWrong = !checkKeyPair.input.shape.signature.safeParse(given).success
  const send = () => {
    setTried(true)
    if (!isWrong) check.mutate({ app_id: appId, nonce, signature: given })
  }
  return (
    <DrawerBody>
      <p>{t('api.keyCheck.text')}</p>
      <pre className="hf-api-code hf-api-command" tabIndex={0} aria-label={t('api.keyCheck.command')} translate="no">
        {command}
      </pre>
      <CopyButton text={command} label={t('api.keyCheck.copy')} showLabel />
      <form
        className="hf-stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <TextField
          label={t('api.keyCheck.signature')}
          hint={t(algorithm === 'P-256' ? 'api.keyCheck.hintP256' : 'api.keyCheck.hint')}
          value={signature}
          onChange={(text) => {
            setSignature(text)
            check.reset()
          }}
          wraps
          error={isTried && isWrong ? t('api.keyCheck.malformed') : undefined}
        />
        <div className="hf-row">
          <Button type="submit" variant="primary" loading={check.isPending}>
            {t('api.keyCheck.do')}
          </Button>
        </div>
        <div role="status">
          {check.data && <Note tone={check.data.matches ? 'good' : 'bad'}>{t(check.data.matches ? 'api.keyCheck.matches' : 'api.keyCheck.differs')}</Note>}
        </div>
      </form>
    </DrawerBody>
  )
}

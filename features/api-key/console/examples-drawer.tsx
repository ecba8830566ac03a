import { CopyButton, DrawerBody, Tabs } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KeyAlgorithm } from './form/read-public-key.ts'
import { type ExampleLanguage, exampleIn, LANGUAGES, wireExample } from './examples.ts'

type ExamplesDrawerProps = { keyId: string; systemKey: string | null; algorithm: KeyAlgorithm }

/** Programs to copy that make a first call with this very key; at door two, by the SDK whose wire it is. */
export function ExamplesDrawer({ keyId, systemKey, algorithm }: ExamplesDrawerProps) {
  const { t } = useTranslation('apiPage')
  const [language, setLanguage] = useState<ExampleLanguage>('shell')
  const text = exampleIn(language, { origin: window.location.origin, keyId, algorithm })
  if (systemKey !== null) {
    const atDoorTwo = wireExample({ keyId, systemKey })
    return (
      <DrawerBody>
        <p>{t('api.doorTwo.example')}</p>
        <pre className="hf-api-code" tabIndex={0} aria-label={t('api.examples.in.javascript')} translate="no">
          {atDoorTwo}
        </pre>
        <CopyButton text={atDoorTwo} label={t('api.examples.copy')} showLabel />
      </DrawerBody>
    )
  }
  return (
    <DrawerBody>
      <p>{t('api.examples.text')}</p>
      <Tabs
        label={t('api.examples.language')}
        tabs={LANGUAGES.map((key) => ({ key, label: t(`api.examples.in.${key}`) }))}
        active={language}
        onChange={setLanguage}
      >
        <pre className="hf-api-code" tabIndex={0} aria-label={t(`api.examples.in.${language}`)} translate="no">
          {text}
        </pre>
        <CopyButton text={text} label={t('api.examples.copy')} showLabel />
      </Tabs>
    </DrawerBody>
  )
}

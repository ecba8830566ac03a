import { CopyButton, DrawerBody, Tabs } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KeyAlgorithm } from './form/read-public-key.ts'
import { exampleIn, LANGUAGES, WIRE_LANGUAGES, type WireExampleLanguage, wireExampleIn } from './examples.ts'
import { wireBase } from './wire-base.ts'

type ExamplesDrawerProps = { keyId: string; systemKey: string | null; algorithm: KeyAlgorithm }

/** Programs to copy that make a first call with this very key, at the door at which it calls. */
export function ExamplesDrawer({ keyId, systemKey, algorithm }: ExamplesDrawerProps) {
  if (systemKey === null) {
    const { origin } = window.location
    return <Programs lead="api.examples.text" languages={LANGUAGES} textIn={(language) => exampleIn(language, { origin, keyId, algorithm })} />
  }
  const textIn = (language: WireExampleLanguage) => wireExampleIn(language, { base: wireBase(), keyId, systemKey })
  return <Programs lead="api.doorTwo.example" languages={WIRE_LANGUAGES} textIn={textIn} />
}

type ProgramsProps<Language extends WireExampleLanguage> = {
  lead: 'api.examples.text' | 'api.doorTwo.example'
  languages: readonly Language[]
  textIn(language: Language): string
}

/** The same program in several languages, of which one is shown and copied. */
function Programs<Language extends WireExampleLanguage>({ lead, languages, textIn }: ProgramsProps<Language>) {
  const { t } = useTranslation('apiPage')
  const [language, setLanguage] = useState<Language>(languages[0] as Language)
  const text = textIn(language)
  const tabs = languages.map((key) => ({ key, label: t(`api.examples.in.${key as WireExampleLanguage}`) }))
  return (
    <DrawerBody>
      <p>{t(lead)}</p>
      <Tabs label={t('api.examples.language')} tabs={tabs} active={language} onChange={setLanguage}>
        <pre className="hf-api-code" tabIndex={0} aria-label={t(`api.examples.in.${language as WireExampleLanguage}`)} translate="no">
          {text}
        </pre>
        <CopyButton text={text} label={t('api.examples.copy')} showLabel />
      </Tabs>
    </DrawerBody>
  )
}

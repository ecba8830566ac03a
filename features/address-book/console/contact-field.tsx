import { Label, Picker, shortAddress, useDebounced } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listPersonalBook } from '../contract.ts'

type ContactFieldProps = {
  /** The network to pay on. */
  chain: string
  /** The address that stands in the form. */
  address: string
  onPick: (contact: { address: string; memo: string }) => void
}

const SUGGESTIONS = 50

/** Suggests the person's own contacts on a network, and says which of them the address in the form is. It decides nothing. */
export function ContactField({ chain, address, onPick }: ContactFieldProps) {
  const { t } = useTranslation('whiteAddress')
  const [text, setText] = useState('')
  const keyword = useDebounced(text)
  const { data } = useEndpoint(
    listPersonalBook,
    { chain, page_size: SUGGESTIONS, ...(keyword === '' ? {} : { keyword }) },
    { enabled: chain !== '', keepLast: true },
  )
  const typed = useDebounced(address.trim())
  const known = useEndpoint(listPersonalBook, { chain, page_size: 1, keyword: typed }, { enabled: chain !== '' && typed.length >= 20 && typed.length <= 100 })
  const itself = known.data?.list.find((entry) => entry.address.toLowerCase() === address.trim().toLowerCase())
  if (data?.list.length === 0 && keyword === '') return null
  return (
    <div className="hf-contact-field">
      <Picker
        label={t('personal.pick')}
        placeholder={t('personal.pick')}
        value={undefined}
        options={
          data?.list.map((entry) => ({ value: entry.id, label: entry.name, detail: [shortAddress(entry.address), entry.memo].filter(Boolean).join(' · ') })) ??
          []
        }
        onSearch={setText}
        onChange={(id) => {
          const picked = data?.list.find((entry) => entry.id === id)
          if (picked) onPick(picked)
        }}
      />
      {itself && (
        <p className="hf-small hf-muted">
          {t('personal.named')} <Label text={itself.name} />
        </p>
      )}
    </div>
  )
}

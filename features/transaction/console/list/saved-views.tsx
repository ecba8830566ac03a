import { Button, closePopup, IconTrash, Label, Popup } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listSavedViews, saveView } from '../../contract.ts'

type SavedViewsProps = { query: string; onOpen: (query: string) => void }

/** The filters a person has kept under names, on every machine they sign in from; and a way to keep the present ones. */
export function SavedViews({ query, onOpen }: SavedViewsProps) {
  const { t } = useTranslation()
  const { data } = useEndpoint(listSavedViews, {})
  const save = useSend(saveView)
  const [name, setName] = useState('')
  const nameId = useId()
  const words = data && data.length > 0 ? t('transaction.views.openCount', { count: data.length }) : t('transaction.views.open')
  const keep = (event: FormEvent) => {
    event.preventDefault()
    const text = name.trim()
    if (text !== '')
      void save.mutateAsync({ name: text, query }).then(
        () => setName(''),
        () => undefined,
      )
  }
  return (
    <Popup label={words} className="hf-button hf-button-default hf-button-small" face={<span>{words}</span>}>
      <div className="hf-views">
        {data?.length === 0 && <p className="hf-small hf-muted hf-views-none">{t('transaction.views.none')}</p>}
        <ul className="hf-menu">
          {data?.map((view) => (
            <li key={view.name} className="hf-view">
              <button
                type="button"
                className={view.query === query ? 'hf-menu-item hf-view-present' : 'hf-menu-item'}
                onClick={(event) => {
                  closePopup(event.currentTarget)
                  onOpen(view.query)
                }}
              >
                <Label text={view.name} />
              </button>
              <button
                type="button"
                className="hf-icon-button"
                aria-label={t('transaction.views.remove', { name: view.name })}
                title={t('transaction.views.remove', { name: view.name })}
                onClick={() => void save.mutateAsync({ name: view.name, query: '' }).catch(() => undefined)}
              >
                <IconTrash />
              </button>
            </li>
          ))}
        </ul>
        {query !== '' && (
          <form className="hf-view-form" onSubmit={keep}>
            <label htmlFor={nameId} className="hf-small hf-muted">
              {t('transaction.views.name')}
            </label>
            <div className="hf-row-tight">
              <input id={nameId} className="hf-native-input hf-grow" value={name} maxLength={40} onChange={(event) => setName(event.target.value)} />
              <Button type="submit" variant="primary" loading={save.isPending} disabled={name.trim() === ''}>
                {t('transaction.views.save')}
              </Button>
            </div>
          </form>
        )}
      </div>
    </Popup>
  )
}

import { LabelFields, labelRules, tagsIn } from './label-fields.tsx'
import { Checkbox, DrawerForm, TextField, useDrawerPage, useTextForm } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { labelTransactions } from '../contract.ts'
import type { Labellable } from './open-label-drawer.tsx'

const NOTE_LIMIT = 500

/** Files a transaction: what kind of expense or income it is, for whom, and what to remember of it. Changes nothing of the order. */
export function LabelDrawer({ row }: { row: Labellable }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const label = useSend(labelTransactions)
  const [suspicious, setSuspicious] = useState(row.suspicious)
  const { form, field, submit } = useTextForm(
    {
      ...labelRules(t),
      note: { label: t('transaction.label.note'), optional: true },
    },
    { category: row.category ?? '', tags: row.tags.join(', '), note: row.note },
  )
  const file = async ({ category, tags, note }: { category: string; tags: string; note: string }) => {
    const isSaved = await label
      .mutateAsync({
        ids: row.id,
        type: row.type,
        category: category.trim(),
        tags: tagsIn(tags),
        note: note.trim(),
        // What the program judged stays its judgement until a person says otherwise.
        ...(suspicious === row.suspicious ? {} : { suspicious }),
      })
      .catch(() => undefined)
    if (isSaved) close()
  }
  return (
    <DrawerForm form={form} send={t('transaction.label.submit')} isSending={label.isPending} onSend={(event) => submit(event, (fields) => void file(fields))}>
      <p className="hf-muted">{t('transaction.label.text')}</p>
      <LabelFields field={field} />
      <TextField {...field('note')} rows={3} count={NOTE_LIMIT} />
      <div className="hf-stack-tight">
        <Checkbox checked={suspicious} onChange={setSuspicious}>
          {t('transaction.label.suspicious')}
        </Checkbox>
        {row.imitates && <p className="hf-small hf-muted">{t('transaction.label.suspiciousHint')}</p>}
      </div>
    </DrawerForm>
  )
}

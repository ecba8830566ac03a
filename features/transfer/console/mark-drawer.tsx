import { Button, Checkbox, DrawerBody, DrawerFooter, TextField, useDrawerPage, useEndpoint, useSend, useTextForm } from '@holdfast/ui'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDeposit, getPull, getWithdrawal, listMarks, listTransactions, markTransactions } from '../contract.ts'
import type { Markable } from './open-mark-drawer.tsx'

const NOTE_LIMIT = 500
const CATEGORY_LIMIT = 50
const MOST_TAGS = 10
const TAG = /^[^,]{1,30}$/u

/** The tags in a text that separates them by commas, Chinese ones too. */
function tagsIn(text: string): string[] {
  const tags = text.split(/[,，、]/).map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== ''))]
}

/** Files a transaction: what kind of expense or income it is, for whom, and what to remember of it. Changes nothing of the order. */
export function MarkDrawer({ row }: { row: Markable }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const { data } = useEndpoint(listMarks, {})
  const mark = useSend(markTransactions, { refresh: [listTransactions, getWithdrawal, getDeposit, getPull, listMarks] })
  const listId = useId()
  const [suspicious, setSuspicious] = useState(row.suspicious)
  const checkTags = (text: string) => {
    const tags = tagsIn(text)
    return tags.length <= MOST_TAGS && tags.every((tag) => TAG.test(tag)) ? undefined : t('transfer.mark.tagsWrong')
  }
  const { form, field, submit } = useTextForm(
    {
      category: { label: t('transfer.mark.category'), optional: true },
      tags: { label: t('transfer.mark.tags'), optional: true, check: checkTags },
      note: { label: t('transfer.mark.note'), optional: true },
    },
    { category: row.category ?? '', tags: row.tags.join(', '), note: row.note },
  )
  const file = async ({ category, tags, note }: { category: string; tags: string; note: string }) => {
    const filed = await mark
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
    if (filed) close()
  }
  return (
    <form ref={form} className="hf-drawer-form" noValidate onSubmit={(event) => submit(event, (fields) => void file(fields))}>
      <DrawerBody>
        <p className="hf-muted">{t('transfer.mark.text')}</p>
        <TextField {...field('category')} list={`${listId}-categories`} maxLength={CATEGORY_LIMIT} autoComplete="off" />
        <datalist id={`${listId}-categories`}>
          {data?.categories.map((value) => (
            <option key={value}>{value}</option>
          ))}
        </datalist>
        <TextField {...field('tags')} hint={t('transfer.mark.tagsHint')} autoComplete="off" />
        <TextField {...field('note')} rows={3} count={NOTE_LIMIT} />
        <div className="hf-stack-tight">
          <Checkbox checked={suspicious} onChange={setSuspicious}>
            {t('transfer.mark.suspicious')}
          </Checkbox>
          {row.imitates && <p className="hf-small hf-muted">{t('transfer.mark.suspiciousHint')}</p>}
        </div>
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.confirm.cancel')}</Button>
        <Button variant="primary" type="submit" loading={mark.isPending}>
          {t('transfer.mark.submit')}
        </Button>
      </DrawerFooter>
    </form>
  )
}

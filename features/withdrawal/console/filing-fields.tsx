import { listMarks } from '@holdfast/features/transfer/contract'
import { TextField, useEndpoint, type useTextForm } from '@holdfast/ui'
import type { TFunction } from 'i18next'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'

const CATEGORY_LIMIT = 50
const MOST_TAGS = 10
const TAG = /^[^,]{1,30}$/u

/** The tags in a text that separates them by commas, Chinese ones too. */
export function tagsIn(text: string): string[] {
  const tags = text.split(/[,，、]/).map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== ''))]
}

/** The fields by which a transaction is filed, for `useTextForm`. */
export function filingRules(t: TFunction) {
  const check = (text: string) => {
    const tags = tagsIn(text)
    return tags.length <= MOST_TAGS && tags.every((tag) => TAG.test(tag)) ? undefined : t('transfer.mark.tagsWrong')
  }
  return {
    category: { label: t('transfer.mark.category'), optional: true },
    tags: { label: t('transfer.mark.tags'), optional: true, check },
  }
}

/** What a transaction is filed under: a category, those in use being offered, and tags. */
export function FilingFields({ field }: { field: ReturnType<typeof useTextForm<'category' | 'tags'>>['field'] }) {
  const { t } = useTranslation()
  const { data } = useEndpoint(listMarks, {})
  const listId = useId()
  return (
    <>
      <TextField {...field('category')} list={listId} maxLength={CATEGORY_LIMIT} autoComplete="off" />
      <datalist id={listId}>
        {data?.categories.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </datalist>
      <TextField {...field('tags')} hint={t('transfer.mark.tagsHint')} autoComplete="off" />
    </>
  )
}

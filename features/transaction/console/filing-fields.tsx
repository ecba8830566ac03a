import { listMarks } from '../contract.ts'
import { type Fact, Label, TextField, type useTextForm } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
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

/** What is filed under, as an order is asked for with it: nothing where nothing is written. */
export function filingOf({ category, tags }: { category: string; tags: string }): { category?: string; tags?: string[] } {
  const [name, list] = [category.trim(), tagsIn(tags)]
  return { ...(name === '' ? {} : { category: name }), ...(list.length === 0 ? {} : { tags: list }) }
}

/** The same for reading it once more. */
export function filingFacts(t: TFunction, filed: { category: string; tags: string }): (Fact | undefined)[] {
  const { category, tags } = filingOf(filed)
  return [
    category === undefined ? undefined : { label: t('transaction.mark.category'), value: <Label text={category} wrap /> },
    tags && { label: t('transaction.mark.tags'), value: <Label text={tags.join(' · ')} wrap /> },
  ]
}

/** The fields by which a transaction is filed, for `useTextForm`. */
export function filingRules(t: TFunction) {
  const check = (text: string) => {
    const tags = tagsIn(text)
    return tags.length <= MOST_TAGS && tags.every((tag) => TAG.test(tag)) ? undefined : t('transaction.mark.tagsWrong')
  }
  return {
    category: { label: t('transaction.mark.category'), optional: true },
    tags: { label: t('transaction.mark.tags'), optional: true, check },
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
      <TextField {...field('tags')} hint={t('transaction.mark.tagsHint')} autoComplete="off" />
    </>
  )
}

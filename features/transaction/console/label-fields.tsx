import { listLabels } from '../contract.ts'
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

/** The label that an order is asked for with: no field of it that is empty. */
export function labelGiven({ category, tags }: { category: string; tags: string }): { category?: string; tags?: string[] } {
  const [name, list] = [category.trim(), tagsIn(tags)]
  return { ...(name === '' ? {} : { category: name }), ...(list.length === 0 ? {} : { tags: list }) }
}

/** The same as facts, to read it once more. */
export function labelFacts(t: TFunction, given: { category: string; tags: string }): (Fact | undefined)[] {
  const { category, tags } = labelGiven(given)
  return [
    category === undefined ? undefined : { label: t('transaction.label.category'), value: <Label text={category} wrap /> },
    tags && { label: t('transaction.label.tags'), value: <Label text={tags.join(' · ')} wrap /> },
  ]
}

/** The fields of a label, for `useTextForm`. */
export function labelRules(t: TFunction) {
  const check = (text: string) => {
    const tags = tagsIn(text)
    return tags.length <= MOST_TAGS && tags.every((tag) => TAG.test(tag)) ? undefined : t('transaction.label.tagsWrong')
  }
  return {
    category: { label: t('transaction.label.category'), optional: true },
    tags: { label: t('transaction.label.tags'), optional: true, check },
  }
}

/** The label of a transaction: a category, those in use being offered, and tags. */
export function LabelFields({ field }: { field: ReturnType<typeof useTextForm<'category' | 'tags'>>['field'] }) {
  const { t } = useTranslation()
  const { data } = useEndpoint(listLabels, {})
  const listId = useId()
  return (
    <>
      <TextField {...field('category')} list={listId} maxLength={CATEGORY_LIMIT} autoComplete="off" />
      <datalist id={listId}>
        {data?.categories.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </datalist>
      <TextField {...field('tags')} hint={t('transaction.label.tagsHint')} autoComplete="off" />
    </>
  )
}

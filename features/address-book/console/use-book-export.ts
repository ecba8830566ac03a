import { useApi } from '@holdfast/client'
import { writeCsv } from '@holdfast/units'
import { useTranslation } from 'react-i18next'
import { listPersonalBook } from '../contract.ts'
import { BOOK_COLUMNS } from './import-lines.ts'

const PAGE_SIZE = 200

/** Reads every contact that matches as a CSV file, which an import reads again. */
export function useBookExport(narrowed: { keyword?: string; chain?: string }) {
  const { t } = useTranslation('whiteAddress')
  const { client } = useApi()
  return async () => {
    const lines = [BOOK_COLUMNS.map((column) => t(`personal.column.${column}`))]
    for (let page = 1; ; page++) {
      const answer = await client.call(listPersonalBook, { ...narrowed, page_no: page, page_size: PAGE_SIZE })
      for (const { name, chain, address, memo, note } of answer.list) lines.push([name, chain, address, memo, note])
      if (page * PAGE_SIZE >= answer.pageTotal) break
    }
    return { name: t('personal.file'), csv: writeCsv(lines) }
  }
}

import { AppError, type Language, reasonIn, sentenceOf } from '@holdfast/contract'
import type { Networks } from '@holdfast/features/network/server'
import { IMPORT_LINES_MAX, ruleInput } from '../contract.ts'
import type { Rule } from './plan.ts'
import { ruleOf } from './rules.ts'

/** The columns of a file of rules, in this sequence. */
export const IMPORT_COLUMNS = ['chain', 'symbol', 'collect_min', 'single_min', 'collect_max', 'fueling_limit', 'max_fee', 'max_fee_pct', 'schedule'] as const

export type ImportFault = { line: number; field: string; msg: string }

const WORDS: Record<Language, { head: string; empty: string; many: string; twice: string }> = {
  en_US: {
    head: `the first line must name the columns: ${IMPORT_COLUMNS.join(', ')}`,
    empty: 'there is no rule in it',
    many: `a file has ${IMPORT_LINES_MAX} rules at most`,
    twice: 'this coin has a rule in a line above',
  },
  zh_CN: {
    head: `首行必须为列名：${IMPORT_COLUMNS.join('、')}`,
    empty: '文件中没有规则',
    many: `一个文件最多 ${IMPORT_LINES_MAX} 条规则`,
    twice: '该币种在前面的行中已有规则',
  },
}

/** The rules of a file's lines, and what is wrong with each line: lines count as an editor shows them, the head being the first. */
export function importRules(networks: Networks, lines: readonly string[][], language: Language): { rows: number; rules: Rule[]; errors: ImportFault[] } {
  const words = WORDS[language]
  const [head = [], ...body] = lines
  const refuse = (msg: string) => ({ rows: body.length, rules: [], errors: [{ line: 1, field: '', msg }] })
  if (IMPORT_COLUMNS.some((column, i) => head[i]?.trim() !== column)) return refuse(words.head)
  if (body.length === 0) return refuse(words.empty)
  if (body.length > IMPORT_LINES_MAX) return refuse(words.many)
  const rules: Rule[] = []
  const errors: ImportFault[] = []
  body.forEach((cells, i) => {
    const line = i + 2
    const given = Object.fromEntries(
      IMPORT_COLUMNS.flatMap((column, at) => {
        const cell = cells[at]?.trim() ?? ''
        return cell === '' && column !== 'schedule' ? [] : [[column, cell]]
      }),
    )
    const parsed = ruleInput.safeParse(given)
    if (!parsed.success) {
      // The first of each field: what else is wrong with it shows once that is mended.
      const firsts = new Map(parsed.error.issues.toReversed().map(({ path, message }) => [String(path[0] ?? ''), message]))
      errors.push(...[...firsts].toReversed().map(([field, message]) => ({ line, field, msg: reasonIn(language, message) })))
      return
    }
    try {
      const rule = ruleOf(networks, parsed.data)
      if (rules.some(({ chain, symbol }) => chain === rule.chain && symbol === rule.symbol)) errors.push({ line, field: 'symbol', msg: words.twice })
      else rules.push(rule)
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause
      errors.push({ line, field: 'symbol', msg: sentenceOf(cause, language) })
    }
  })
  return { rows: body.length, rules, errors }
}

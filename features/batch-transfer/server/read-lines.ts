import type { ChainCodec } from '@holdfast/chain-core'
import { AmountTextFault, parseAmount } from '@holdfast/units'
import { BATCH_COLUMNS } from '../contract.ts'

/** What is wrong with a line, so that it cannot be paid. */
export const LINE_FAULTS = [
  'address_missing',
  'address_wrong',
  'address_case',
  'address_other_network',
  'address_own',
  'address_lost',
  'amount_missing',
  'amount_wrong',
  'amount_precision',
  'amount_small',
  'memo_unknown',
  'memo_long',
  'memo_missing',
  'memo_wrong',
  'cells_many',
] as const
export type LineFault = (typeof LINE_FAULTS)[number]
export type LineWarning = 'duplicate' | 'lookalike' | 'contract' | 'first_seen'

/** A line as it stands in a file, with its number there. */
export type GivenLine = { line: number; address: string; amount: string; memo: string; more: boolean }

/** A line that was read: in base units and canonical text, as far as it makes sense. */
export type ReadLine = {
  line: number
  givenAddress: string
  givenAmount: string
  address: string | null
  memo: string | null
  amount: bigint | null
  faults: LineFault[]
  warnings: LineWarning[]
}

type Column = (typeof BATCH_COLUMNS)[number]

/** How the columns may be called, beside the words of the template. */
const NAMES: Record<Column, readonly string[]> = {
  address: ['address', 'address_to', 'to', 'recipient', 'destination', '地址', '收款地址', '提币地址'],
  amount: ['amount', 'value', 'quantity', '金额', '数量'],
  memo: ['memo', 'tag', 'comment', 'memo/tag', '标签', '附言', '备注'],
}

const columnOf = (cell: string): Column | undefined => BATCH_COLUMNS.find((each) => NAMES[each].includes(cell.trim().toLowerCase()))

/** The lines of a table. Its first line may name the columns, in any sequence; without one they are address, amount and memo. */
export function linesOf(table: readonly (readonly string[])[]): GivenLine[] {
  const head = table[0]?.map(columnOf) ?? []
  const isHead = head.includes('address') && head.includes('amount')
  const columns: readonly (Column | undefined)[] = isHead ? head : BATCH_COLUMNS
  const placeOf = (column: Column) => columns.indexOf(column)
  return table.slice(isHead ? 1 : 0).map((cells, i) => {
    const cell = (column: Column) => cells[placeOf(column)]?.trim() ?? ''
    const more = cells.some((each, place) => columns[place] === undefined && each.trim() !== '')
    return { line: i + 1, address: cell('address'), amount: cell('amount'), memo: cell('memo'), more }
  })
}

/** Of what network and coin lines are, and from where they are paid. */
export type LinesOf = {
  codec: Pick<ChainCodec, 'canonicalAddress' | 'memoMax' | 'leastPayment'>
  /** Whether a text is an address of another network here. */
  isOfOther(address: string): boolean
  asset: { contract: string | null; decimals: number }
  from: string
}

/** What a line says by itself, and what is wrong with that. The fault that hides the others comes alone: an address that is none has no memo to judge. */
export function readLine(given: GivenLine, of: LinesOf): ReadLine {
  const address = of.codec.canonicalAddress(given.address) ?? null
  const { amount, fault } = amountOf(given.amount, of.asset.decimals)
  const least = address !== null && of.asset.contract === null ? (of.codec.leastPayment?.(address) ?? 1n) : 1n
  const faults: (LineFault | undefined)[] = [
    given.more ? 'cells_many' : undefined,
    address === null ? addressFault(given.address, of) : address === of.from ? 'address_own' : undefined,
    fault ?? (amount !== null && amount < least ? 'amount_small' : undefined),
    memoFault(given.memo, of.codec.memoMax),
  ]
  const found = faults.filter((each) => each !== undefined)
  const memo = given.memo === '' ? null : given.memo
  const texts = { givenAddress: given.address.slice(0, 300), givenAmount: given.amount.slice(0, 120) }
  return { line: given.line, ...texts, address, memo: memo !== null && fits(memo) ? memo : null, amount, faults: found, warnings: [] }
}

const fits = (memo: string) => memo.length <= 256

function addressFault(given: string, { codec, isOfOther }: LinesOf): LineFault {
  if (given === '') return 'address_missing'
  if (codec.canonicalAddress(given.toLowerCase()) !== undefined) return 'address_case'
  return isOfOther(given) ? 'address_other_network' : 'address_wrong'
}

function amountOf(given: string, decimals: number): { amount: bigint | null; fault?: LineFault } {
  if (given === '') return { amount: null, fault: 'amount_missing' }
  try {
    const amount = parseAmount(given, decimals)
    return amount > 0n ? { amount } : { amount: null, fault: 'amount_wrong' }
  } catch (cause) {
    if (!(cause instanceof AmountTextFault)) throw cause
    const isPrecise = /^\d+\.\d+$/.test(given) && (given.split('.')[1]?.length ?? 0) > decimals
    return { amount: null, fault: isPrecise ? 'amount_precision' : 'amount_wrong' }
  }
}

function memoFault(memo: string, most: number | undefined): LineFault | undefined {
  if (memo === '') return undefined
  if (most === undefined) return 'memo_unknown'
  return new TextEncoder().encode(memo).length > most || !fits(memo) ? 'memo_long' : undefined
}

/** Whether a line can be paid. */
export const isPayable = (line: ReadLine): line is ReadLine & { address: string; amount: bigint } =>
  line.faults.length === 0 && line.address !== null && line.amount !== null

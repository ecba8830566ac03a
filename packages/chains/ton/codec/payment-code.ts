import { type CodeScheme, codeOf, parametersOf, type PaymentCode, refuse, type WantedPayment, wholeNumber } from '@holdfast/chain-core/payment-code'
import { visibleText } from '@holdfast/units'
import { parseAddress, sameAddress } from './address.ts'

const MEMO_MAX = 256

/** `ton://transfer/<address>`, in the form that the wallets of this chain agree on. */
export const tonCode: CodeScheme = {
  scheme: 'ton',
  chains: /^ton:/,
  name: 'TON',
  // Wallets read these parameters as those of a web form, in which a plus is a space.
  read: (path, query, wanted) => readTon(path, parametersOf(query?.replaceAll('+', ' ')), wanted),
}

/** The amount in base units of the coin, or of the jetton it names; the text is the comment. */
function readTon(path: string, given: ReadonlyMap<string, string>, { contract }: WantedPayment): PaymentCode {
  const [, to = ''] = /^\/\/transfer\/([^/]*)\/?$/i.exec(path) ?? refuse('unknown')
  if ([...given.keys()].some((name) => !['amount', 'text', 'jetton'].includes(name))) return refuse('call')
  const [digits, jetton, memo] = [given.get('amount'), given.get('jetton'), given.get('text')?.trim()]
  const amount = digits === undefined ? undefined : wholeNumber(digits)
  if (jetton !== undefined && contract !== undefined && (contract === null || !isSameAccount(jetton, contract))) return refuse('coin')
  if (jetton === undefined && amount !== undefined && typeof contract === 'string') return refuse('coin')
  if (memo !== undefined && (memo.length > MEMO_MAX || visibleText(memo) !== memo)) return refuse('malformed')
  return { ...codeOf(to, amount), ...(memo ? { memo } : {}) }
}

/** Whether two texts name one account: the forms of an address differ in flags and in letters, and mean the same. */
function isSameAccount(one: string, other: string): boolean {
  const [a, b] = [accountOf(one), accountOf(other)]
  return a !== undefined && b !== undefined && sameAddress(a, b)
}

const accountOf = (text: string) => parseAddress(text, false) ?? parseAddress(text, true)

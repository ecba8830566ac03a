import type { Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { attestedAddresses, recoveryOfSubWallet, recoveryOn } from '@holdfast/features/key/server'
import type { Networks } from '@holdfast/features/network/server'
import { CSV_START, last, writeCsvLine } from '@holdfast/units'
import { whyClosed } from '../deposit-address.ts'
import { amountsOf } from './list-addresses.ts'
import { countAddresses, type Narrowing, placeText, readAddresses, readPlace } from './read-addresses.ts'

/** Addresses in one part: few enough to be read and sent in a moment, however many there are. */
const PART_ROWS = 1000
const USER_ADDRESS = 1

const WORDS = {
  en_US: ['Network', 'Address', 'Path', 'Comment', 'Label', 'Balance', 'Last deposit', 'Created'],
  zh_CN: ['网络', '地址', '路径', '备注', '标签', '余额', '最近到账', '创建时间'],
} as const

/**
 * One part of the addresses of a sub-wallet as CSV; the first one begins the file. Each says where the next one begins, so that a list of any length
 * needs the memory of one part. An address that nobody may be given has its line without it.
 */
export async function exportAddresses(
  tx: OrganisationTx,
  networks: Networks,
  { after, language, ...asked }: Omit<Narrowing, 'addrType'> & { after: string | undefined; language: Language },
): Promise<{ csv: string; rows: number; total: number | null; next: string | null }> {
  const narrowing = { ...asked, addrType: USER_ADDRESS }
  const begin = after === undefined ? { offset: 0 } : { after: readPlace(after) }
  const [wallet, found] = await Promise.all([
    recoveryOfSubWallet(tx, asked.subWalletId, asked.nowMs),
    readAddresses(tx, networks, { ...narrowing, byComment: true, limit: PART_ROWS + 1, ...begin }),
  ])
  const part = found.slice(0, PART_ROWS)
  const attested = await attestedAddresses(tx, part)
  const lines = part.map((row) => {
    const { chain, address, path, comment, label, created_at, last_in_at, isTaken } = row
    const facts = { recovery: recoveryOn(chain, wallet.keys), addressMadeAtMs: Number(created_at), isTaken }
    const closed = whyClosed({ walletState: wallet.state, ...facts, isAttested: attested.has(row), language })
    const has = amountsOf(networks, row).map(({ symbol, amount }) => `${amount} ${symbol}`)
    const times = [last_in_at, created_at].map((at) => (at === null ? '' : new Date(Number(at)).toISOString()))
    const shown = closed === undefined ? [address, comment ?? ''] : ['', '']
    return [networks.find(chain)?.name ?? chain, shown[0] ?? '', `m/${path.join('/')}`, shown[1] ?? '', label ?? '', has.join('; '), ...times]
  })
  const isFirst = after === undefined
  const isLast = found.length <= PART_ROWS
  return {
    csv: (isFirst ? CSV_START + writeCsvLine([...WORDS[language]]) : '') + lines.map(writeCsvLine).join(''),
    rows: part.length,
    total: isFirst ? await countAddresses(tx, networks, narrowing) : null,
    next: isLast ? null : placeText(last(part)),
  }
}

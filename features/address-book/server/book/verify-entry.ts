import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx, Verification } from '@holdfast/db'
import { digest, struct, text } from '@holdfast/encoding'
import type { Networks } from '@holdfast/features/network/server'
import { at, formatAmount } from '@holdfast/units'
import { addressBookErrors } from '../../errors.ts'
import { type EntryRow, requireEntry } from './book-rows.ts'
import { type Editor, lockBook, writeEvent } from './save-entry.ts'

const challengeShape = struct('holdfast/address-book/challenge/v1', { organisation: text(64), entry: text(64), address: text(128) })

/** The last digits of an amount by which it is known again: 1,000 to 9,999 of the seventh place after the point. */
const DIGITS_PLACE = 7

type Owner = Pick<EntryRow, 'id' | 'address' | 'chains'>

/** What the owner of an address is to sign. It says for whom and what for, so that it proves nothing anywhere else. */
export const messageFor = (orgId: string, { id, address }: Owner): string => `I control ${address}. For the address book of organisation ${orgId}, entry ${id}.`

/** What the owner of an address is to send from it, exactly: of the coin of one of its networks, in base units. */
export function amountsFor(orgId: string, owner: Owner, networks: Networks) {
  const proof = digest(challengeShape, { organisation: orgId, entry: owner.id, address: owner.address })
  const number = 1000n + (BigInt(at(proof, 0) * 256 + at(proof, 1)) % 9000n)
  return owner.chains.flatMap((chain) => {
    const network = networks.find(chain)
    const coin = network?.assets.find(({ contract }) => contract === null)
    if (!network || !coin) return []
    const amount = number * 10n ** BigInt(Math.max(0, coin.decimals - DIGITS_PLACE))
    return [{ chain, network: network.name, symbol: coin.symbol, units: amount, amount: formatAmount(amount, coin.decimals) }]
  })
}

const REASONS = {
  en_US: {
    self: 'a second person has to do that, not the one who added the entry',
    nobody: 'say whom you called, and by which number that you knew before',
    signature: 'the signature is not one of this address over this message',
    network: 'signatures of this network cannot be verified here; use a small payment or a call',
    payment: 'no deposit of exactly this amount has arrived from this address yet',
  },
  zh_CN: {
    self: '须由添加该条目以外的另一人完成',
    nobody: '请填写通话对象及您此前已知的号码',
    signature: '该签名不是此地址对此消息的签名',
    network: '暂不支持验证该网络的签名，请使用小额转账或电话核实',
    payment: '尚未收到来自该地址且金额完全一致的充值',
  },
} as const

/** Verifies an entry, or says that it was reviewed. Throws AppError `not_verified` with the reason. */
export async function verifyEntry(
  tx: OrganisationTx,
  editor: Editor & { language: Language },
  { id, type, proof }: { id: string; type: Verification | 'review'; proof: string },
): Promise<void> {
  await lockBook(tx)
  const nowMs = editor.ports.clock.nowMs()
  const row = await requireEntry(tx, nowMs, id)
  const found = type === 'review' ? proof : await proofOf(tx, editor, row, { type, proof })
  const verified = type === 'review' ? {} : { verified: type, verified_by: editor.personId, verified_at: nowMs, proof: found }
  await tx
    .updateTable('book_entry')
    .set({ ...verified, reviewed_at: nowMs, updated_at: nowMs })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', id)
    .execute()
  await writeEvent(tx, editor, type === 'review' ? 'reviewed' : 'verified', { id, name: row.name })
}

async function proofOf(
  tx: OrganisationTx,
  { personId, language, networks }: Editor & { language: Language },
  row: EntryRow,
  { type, proof }: { type: Verification; proof: string },
): Promise<string> {
  const reasons = REASONS[language]
  const refused = (reason: keyof (typeof REASONS)['en_US']) => new AppError(addressBookErrors.not_verified, { details: { reason: reasons[reason] } })
  switch (type) {
    case 'call_back':
      if (row.created_by === personId) throw refused('self')
      if (proof.trim() === '') throw refused('nobody')
      return proof.trim()
    case 'signature':
      if (!canSign(row, networks)) throw refused('network')
      if (!isSigned(row, messageFor(tx.orgId, row), proof, networks)) throw refused('signature')
      return proof.trim()
    case 'satoshi_test': {
      const txid = await paymentFrom(tx, row, amountsFor(tx.orgId, row, networks))
      if (txid === undefined) throw refused('payment')
      return txid
    }
  }
}

type Placed = Pick<EntryRow, 'chains' | 'address'>

/** Whether signatures by the key of an address can be verified here, on each of its networks. Of some the address alone does not say whose key it is. */
export const canSign = ({ chains }: Pick<EntryRow, 'chains'>, networks: Networks): boolean =>
  chains.length > 0 && chains.every((chain) => networks.find(chain)?.codec.isSignedBy !== undefined)

const isSigned = ({ chains, address }: Placed, message: string, signature: string, networks: Networks): boolean =>
  chains.every((chain) => networks.find(chain)?.codec.isSignedBy?.(address, message, signature))

/** The deposit that came from an address, with the amount that was asked for, since it was added. */
async function paymentFrom(tx: OrganisationTx, row: EntryRow, amounts: ReturnType<typeof amountsFor>): Promise<string | undefined> {
  for (const { chain, units } of amounts) {
    const found = await tx
      .selectFrom('deposit')
      .select('txid')
      .where('org_id', '=', tx.orgId)
      .where('chain', '=', chain)
      .where('contract', '=', '')
      .where('from_address', '=', row.address)
      .where('amount', '=', units)
      .where('state', '=', 'credited')
      .where('created_at', '>=', row.created_at)
      .executeTakeFirst()
    if (found) return found.txid
  }
  return undefined
}

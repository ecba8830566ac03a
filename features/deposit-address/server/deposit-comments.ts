import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx, SystemTx } from '@holdfast/db'
import type { Networks } from '@holdfast/features/network/server'
import type { Ports } from '@holdfast/ports'
import { sql } from 'kysely'
import { networkErrors } from '@holdfast/features/network/errors'
import { depositAddressErrors } from '../errors.ts'
import { depositAddress } from './deposit-address.ts'

/** Crockford's alphabet: no letter in it is taken for a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 12
const FORM = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/** A comment of 60 random bits, so that none is guessed and none is met by a slip of the pen. */
export const newComment = (random: Ports['random']): string => [...random.bytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')

/** What a payer wrote, in the form in which our comments are kept: people add spaces and write small letters. */
export const normalComment = (memo: string): string => memo.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '').replace(/[a-z]/g, (letter) => letter.toUpperCase())

/** The same of a column, for a database. */
export const normalColumn = (column: string) => sql<string>`upper(btrim(${sql.ref(column)}, E' \t\r\n'))`

type Place = { orgId: string; address: string }

/**
 * Says of a payment to an address of an organisation why it is held: the address is shared, and the payment carries none of its
 * comments. Null if nothing is wrong with it.
 */
export async function readComments(
  tx: SystemTx | OrganisationTx,
  chain: string,
  paid: readonly (Place & { memo: string | undefined })[],
): Promise<(payment: Place & { memo: string | undefined }) => string | null> {
  const addresses = [...new Set(paid.map(({ address }) => address))]
  // A stranger's words may be anything, and of no size: what cannot be a comment is not asked for.
  const written = [...new Set(paid.map(({ memo }) => normalComment(memo ?? '')))].filter((each) => FORM.test(each))
  const { rows } = await sql<Place & { comments: string[] }>`
    select address.org_id as "orgId", address.address, array(
        select comment from deposit_comment where deposit_comment.org_id = address.org_id and deposit_comment.chain = address.chain
          and deposit_comment.address = address.address and comment = any(${written}::text[])) as comments
      from address where chain = ${chain} and address = any(${addresses}::text[])
        and exists (select from deposit_comment where deposit_comment.org_id = address.org_id and deposit_comment.chain = address.chain
          and deposit_comment.address = address.address)`.execute(tx)
  const known = new Map(rows.map(({ orgId, address, comments }) => [`${orgId}|${address}`, comments]))
  return ({ orgId, address, memo }) => {
    const comments = known.get(`${orgId}|${address}`)
    const given = normalComment(memo ?? '')
    if (!comments || comments.includes(given)) return null
    return given === '' ? 'comment_missing' : 'comment_unknown'
  }
}

type Asked = { subWalletId: string; chain: string; label: string; language: Language }

/**
 * Makes one more comment for the address of a sub-wallet on a network that carries them; with the first one the address becomes
 * shared. Throws AppError if the network carries none, and where deposits are closed: what is told to payers cannot be taken back.
 */
export async function addDepositComment(tx: OrganisationTx, networks: Networks, { clock, random }: Pick<Ports, 'clock' | 'random'>, asked: Asked) {
  const network = networks.find(asked.chain)
  const coin = network?.assets.find(({ contract }) => contract === null)
  if (!network || !coin || network.codec.memoMax === undefined) throw new AppError(networkErrors.unsupported_coin)
  const nowMs = clock.nowMs()
  const { enableDeposit, text, address } = await depositAddress(tx, networks, { ...asked, symbol: coin.symbol, nowMs })
  // With a note the address stays shown to whom it was given, and nobody new is told of it.
  if (!enableDeposit || text !== '' || address === null) throw new AppError(depositAddressErrors.deposits_closed)
  const comment = newComment(random)
  await tx
    .insertInto('deposit_comment')
    .values({ org_id: tx.orgId, chain: asked.chain, address, comment, label: asked.label === '' ? null : asked.label, created_at: nowMs })
    .execute()
  return { address, memo: comment }
}

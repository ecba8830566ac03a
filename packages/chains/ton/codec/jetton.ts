import { ChainError, tokenWalletsAsset } from '@holdfast/chain-core'
import { bool, bytes, type Infer, struct, toHex, uint } from '@holdfast/encoding'
import type { Address } from './address.ts'
import { type Cell, ordinaryCellId } from './cell.ts'
import { CellBuilder } from './cell-builder.ts'
import { CellReader } from './cell-reader.ts'
import { commentBody, commentOf } from './comment.ts'
import { stateInitId } from './wallet.ts'

// Jettons, TON's tokens. Source: TEP-74 (messages) and TEP-89 (wallets that can be computed).

export const OP_TRANSFER = 0x0f8a7ea5
export const OP_INTERNAL_TRANSFER = 0x178d4519
export const OP_NOTIFICATION = 0x7362d09c
export const OP_EXCESSES = 0xd53276db
/** Coin that goes on to the one who is paid, so that its contract hears of the payment: the least there is. */
const FORWARD = 1n

/**
 * From what the address of each holder's jetton wallet follows: the hash of its initial code and data, which name the holder and the
 * master. `hasStatus`: the data begin with 4 bits for a status; `hasCode`: they end with a reference to the wallet's code.
 */
export const jettonWalletFormShape = struct('holdfast/ton-jetton-wallet-form/v1', {
  codeHash: bytes(32),
  codeDepth: uint(10),
  hasStatus: bool(),
  hasCode: bool(),
})
export type JettonWalletForm = Infer<typeof jettonWalletFormShape>

/** The form as policies pin it, with the jetton that it is of. */
export function pinnedForm(master: string, { codeHash, codeDepth, hasStatus, hasCode }: JettonWalletForm): string {
  return tokenWalletsAsset({ token: master, codeHash: toHex(codeHash), codeDepth: Number(codeDepth), hasStatus, hasCode })
}

/** The forms of data that wallets of known jettons begin with. */
export const JETTON_DATA_FORMS = [
  { hasStatus: false, hasCode: true },
  { hasStatus: true, hasCode: false },
  { hasStatus: false, hasCode: false },
  { hasStatus: true, hasCode: true },
] as const

/** The jetton wallet of a holder. Whoever knows the form needs nobody's word for it. */
export function jettonWalletAddress(form: JettonWalletForm, master: Address, owner: Address): Address {
  const code = { hash: form.codeHash, depth: Number(form.codeDepth) }
  const data = new CellBuilder()
  if (form.hasStatus) data.uint(0, 4)
  data.coins(0n).address(owner).address(master)
  const dataId = ordinaryCellId(data.content(), form.hasCode ? [code] : [])
  return { workchain: master.workchain, hash: stateInitId(code, dataId).hash }
}

export type JettonTransfer = { queryId: bigint; amount: bigint; to: Address; response: Address; memo?: string }

/** The order to one's own jetton wallet to pay. */
export function jettonTransferBody({ queryId, amount, to, response, memo }: JettonTransfer): Cell {
  const body = new CellBuilder().uint(OP_TRANSFER, 32).uint(queryId, 64).coins(amount).address(to).address(response).bit(false).coins(FORWARD)
  return memo === undefined ? body.bit(false).cell() : body.bit(true).ref(commentBody(memo)).cell()
}

/** Reads what `jettonTransferBody` writes, and nothing else. */
export function readJettonTransfer(body: Cell): JettonTransfer {
  const reader = new CellReader(body)
  if (reader.bitsLeft < 32 || reader.number(32) !== OP_TRANSFER) throw new ChainError('the transaction orders a contract to do something unknown')
  const queryId = reader.uint(64)
  const amount = reader.coins()
  const [to, response] = [reader.address(), reader.address()]
  if (!to || !response) throw new ChainError('the jetton transfer names no account to be paid or to get back what is left')
  if (reader.bit()) throw new ChainError('the jetton transfer carries something for the wallet, which is not allowed')
  if (reader.coins() !== FORWARD) throw new ChainError(`the jetton transfer sends another amount of coin on than ${FORWARD}`)
  const memo = reader.bit() ? commentOf(reader.ref()) : undefined
  reader.end()
  return { queryId, amount, to, response, ...(memo === undefined ? {} : { memo }) }
}

/** The memo of a jetton payment, which stands in the body or in a cell of its own. */
export function forwardedComment(reader: CellReader): string | undefined {
  return commentOf(reader.bit() ? reader.ref() : reader.rest())
}

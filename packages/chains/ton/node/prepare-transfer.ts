import { BuildError, ChainError, type FeeTier, type TransferOrder } from '@holdfast/chain-core'
import { equalBytes } from '@holdfast/encoding'
import { rawAddress, requireAddress } from '../codec/address.ts'
import { serializeBoc } from '../codec/boc.ts'
import type { Network } from '../codec/network.ts'
import { buildTransfer, parseTransfer, type TransferDraft, walletFeeMax } from '../codec/transfer.ts'
import { signedBody, walletAddress, walletStateInit } from '../codec/wallet.ts'
import { type Account, readAccount } from './account.ts'
import { base64, count, record } from './answers.ts'
import { readHead, masterId, readHeader } from './blocks.ts'
import type { Forms } from './jettons.ts'
import type { Rpc } from './rpc.ts'
import { walletState } from './wallet-state.ts'

export type Preparing = {
  rpc: Rpc
  network: Network
  forms: Forms
  validForMs: number
  /** The key of an address, which the chain does not know before the wallet's first order. */
  publicKeyOf(address: string): Promise<Uint8Array | undefined>
}

type Wanted = Omit<TransferOrder, 'feeCap' | 'slot' | 'tier'>

// A place in a block cannot be bought here. What the tiers differ in is the coin that goes along for the work of the jetton's wallets; what they do
// not need comes back.
const ATTACHED = [60_000_000n, 80_000_000n, 120_000_000n] as const

/** The three tiers: for coin all the same. `parameters.walletFee` is what the wallet itself would be charged now. */
export async function estimateFee(preparing: Preparing, wanted: Wanted): Promise<[FeeTier, FeeTier, FeeTier]> {
  const draft = await draftOf(preparing, wanted)
  const walletFee = await estimateWalletFee(preparing, draft)
  const tierOf = (attached: bigint): FeeTier => {
    const { feeMax } = parseTransfer(buildTransfer(withAttached(draft, attached), preparing.network), preparing.network).effects
    return { feeMax, parameters: draft.jetton ? { walletFee, attached } : { walletFee } }
  }
  return [tierOf(ATTACHED[0]), tierOf(ATTACHED[1]), tierOf(ATTACHED[2])]
}

/** The unsigned bytes for an order. Throws ChainError if the fee cap cannot be met. */
export async function prepareTransfer(preparing: Preparing, order: TransferOrder): Promise<Uint8Array> {
  if (order.replaces) throw new ChainError('an order to a TON wallet cannot be replaced: it is carried out or its time passes')
  const { feeCap, tier } = order
  // Tried as the wallet's next order, which it may not be while others wait.
  const next = await draftOf(preparing, order)
  if (!order.quoted) await estimateWalletFee(preparing, next)
  const draft = { ...next, seqno: order.slot }
  const payments = order.payments ?? [order]
  const walletFee = walletFeeMax(payments)
  // So much of the cap is left for the coin that goes along with each payment.
  const room = (feeCap - walletFee) / BigInt(payments.length)
  const least = draft.jetton ? ATTACHED[0] : 0n
  if (feeCap < walletFee || room < least) {
    const needed = walletFee + least * BigInt(payments.length)
    const words = `the fee cap of ${feeCap} nanotons cannot be met: the transfer may cost ${needed}; raise the cap`
    throw new BuildError(words, { kind: 'fee_cap', cap: feeCap, needed })
  }
  return buildTransfer(withAttached(draft, room < ATTACHED[tier] ? room : ATTACHED[tier]), preparing.network)
}

const withAttached = (draft: TransferDraft, attached: bigint): TransferDraft => (draft.jetton ? { ...draft, jetton: { ...draft.jetton, attached } } : draft)

async function draftOf(
  { rpc, network, forms, validForMs, publicKeyOf }: Preparing,
  { from, to, asset, amount, memo, payments }: Wanted,
): Promise<TransferDraft> {
  const wallet = requireAddress(from, network.isTest)
  const account = await readAccount(rpc, wallet)
  const { seqno, publicKey = await publicKeyOf(from) } = walletState(account)
  if (!publicKey || !equalBytes(walletAddress(publicKey, network).hash, wallet.hash)) throw new ChainError(`the key of ${from} is not known`)
  const jetton = asset.contract === null ? undefined : { wallets: await forms(requireAddress(asset.contract, network.isTest)), attached: ATTACHED[0] }
  const validUntil = ((await headTimeMs(rpc)) + BigInt(validForMs)) / 1_000n
  const along = { ...(memo === undefined ? {} : { memo }), ...(payments ? { payments } : {}), ...(jetton ? { jetton } : {}) }
  return { publicKey, to, asset, amount, seqno, validUntil, ...along }
}

async function headTimeMs(rpc: Rpc): Promise<bigint> {
  const { height } = await readHead(rpc)
  const id = await masterId(rpc, height)
  if (!id) throw new ChainError('the node has gone back behind what it told before')
  return BigInt((await readHeader(rpc, id)).timeS) * 1_000n
}

/** What the wallet would be charged now for taking in and carrying out the order. Throws ChainError if that is above the codec's bound. */
async function estimateWalletFee({ rpc, network }: Preparing, draft: TransferDraft): Promise<bigint> {
  const wallet = walletAddress(draft.publicKey, network)
  const account: Account = await readAccount(rpc, wallet)
  const { cell } = parseTransfer(buildTransfer(draft, network), network)
  const [code, data] = account.contract ? [] : walletStateInit(draft.publicKey, network).refs
  const answer = record(
    await rpc('estimateFee', {
      address: rawAddress(wallet),
      body: base64(serializeBoc(signedBody(cell, new Uint8Array(64)))),
      init_code: code ? base64(serializeBoc(code)) : '',
      init_data: data ? base64(serializeBoc(data)) : '',
      ignore_chksig: true,
    }),
    'estimate of fees',
  )
  const fees = record(answer.source_fees, 'estimate of fees')
  const walletFee = ['in_fwd_fee', 'storage_fee', 'gas_fee', 'fwd_fee'].reduce((sum, name) => sum + count(fees[name], name), 0n)
  if (walletFee > walletFeeMax(draft.payments ?? [draft]))
    throw new ChainError(`the wallet would be charged ${walletFee} nanotons, more than this version bounds: update it`)
  return walletFee
}

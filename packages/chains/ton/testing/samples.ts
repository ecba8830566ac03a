import type { Signature } from '@holdfast/chain-core'
import { fromHex } from '@holdfast/encoding'
import { ed25519 } from '@noble/curves/ed25519.js'
import { addressText, buildTransfer, CellBuilder, requireNetwork, tonCodec, type TransferDraft } from '../codec/index.ts'

/** What the tests of the codec and of the node share: a key nobody uses and orders of every kind. */
export const chain = 'ton:-239'
export const network = requireNetwork(chain)
export const codec = tonCodec({ chain })
export const secretKey = fromHex('59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b786900')
export const publicKey = ed25519.getPublicKey(secretKey)
export const payer = codec.addressFromKey(publicKey)
export const recipient = codec.canonicalAddress('EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N')!
/** USDT of the main network. */
export const master = codec.canonicalAddress('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs')!
/** Stands for the code of a jetton's wallets. */
export const walletCode = new CellBuilder().uint(0x1234, 16).ref(new CellBuilder().uint(7, 3).cell()).cell()

const draft = { publicKey, to: recipient, amount: 1_234_567_890n, seqno: 7n, validUntil: 1_795_000_000n }
const wallets = { codeHash: walletCode.hash, codeDepth: BigInt(walletCode.depth), hasStatus: false, hasCode: true }
export const coinDraft: TransferDraft = { ...draft, asset: { chain, contract: null } }
export const jettonDraft: TransferDraft = { ...draft, asset: { chain, contract: master }, amount: 250_000_000n, jetton: { wallets, attached: 70_000_000n } }
/** Somebody beside the recipient. */
export const beside = (number: number) => addressText({ workchain: 0, hash: new Uint8Array(32).fill(number) }, false)
const several = [
  { to: recipient, amount: 5n, memo: '10042' },
  { to: beside(3), amount: 1n },
  { to: beside(2), amount: 7n, memo: 'für Zoë' },
]
const paid = { payments: several, amount: 13n }
export const longMemo = 'Invoice 2026-114, second part of three, for the delivery in March. '.repeat(4).trim()

export const samples = {
  'a transfer of coin': buildTransfer(coinDraft, network),
  'a jetton transfer': buildTransfer(jettonDraft, network),
  "a wallet's first transfer": buildTransfer({ ...coinDraft, seqno: 0n }, network),
  'a transfer of coin with a comment': buildTransfer({ ...coinDraft, memo: '10042' }, network),
  'a transfer of coin with a comment over several cells': buildTransfer({ ...coinDraft, memo: longMemo }, network),
  'a jetton transfer with a comment': buildTransfer({ ...jettonDraft, memo: 'für Zoë 🎁' }, network),
  'transfers of coin to several': buildTransfer({ ...coinDraft, ...paid }, network),
  'jetton transfers to several': buildTransfer({ ...jettonDraft, ...paid }, network),
}

export function sign(digest: Uint8Array): Signature {
  const bytes = ed25519.sign(digest, secretKey)
  return { r: bytes.slice(0, 32), s: bytes.slice(32), recovery: 0 }
}

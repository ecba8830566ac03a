import { nftAsset, type Signature } from '@holdfast/chain-core'
import { fromHex } from '@holdfast/encoding'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { buildTransfer, type TransferTransaction } from '../codec/index.ts'

/** What the tests of the codec and of the node share: a key nobody uses and orders that build every template. */
export const chain = 'eip155:31337'
export const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
export const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const secretKey = fromHex('59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b786900')
export const publicKey = secp256k1.getPublicKey(secretKey, true)

export const nativeOrder: TransferTransaction = {
  asset: { chain, contract: null },
  to: recipient,
  amount: 1_234_567_890_123_456_789n,
  nonce: 7n,
  gasLimit: 21_000n,
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 1_500_000_000n,
}
export const tokenOrder: TransferTransaction = { ...nativeOrder, asset: { chain, contract: token }, amount: 250_000_000n, gasLimit: 65_000n, nonce: 0n }
export const erc721Order: TransferTransaction = {
  ...tokenOrder,
  asset: { chain, contract: nftAsset({ standard: 'erc721', collection: token, tokenId: 42n }) },
  from: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  amount: 1n,
}
export const erc1155Order: TransferTransaction = {
  ...erc721Order,
  asset: { chain, contract: nftAsset({ standard: 'erc1155', collection: token, tokenId: 2n ** 255n + 7n }) },
  amount: 3n,
}

export const nativeUnsigned = buildTransfer(nativeOrder)
export const tokenUnsigned = buildTransfer(tokenOrder)

/** Signs digests with a key of tests. */
export const signWith =
  (key: Uint8Array) =>
  (digest: Uint8Array): Signature => {
    const bytes = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' })
    return { recovery: bytes[0]!, r: bytes.slice(1, 33), s: bytes.slice(33, 65) }
  }

export const sign = signWith(secretKey)

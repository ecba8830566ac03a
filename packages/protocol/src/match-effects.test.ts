import { type Effects, nftAsset } from '@holdfast/chain-core'
import { buildTransfer as buildEvmTransfer, evmCodec, type TransferTransaction as EvmTransfer } from '@holdfast/chain-evm/codec'
import { buildStake, buildTransfer, tronCodec } from '@holdfast/chain-tron/codec'
import { fromHex } from '@holdfast/encoding'
import type { TransferIntent } from '@holdfast/intent'
import { derivePublicKey } from '@holdfast/mpc'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mismatchOf } from './match-effects.ts'

const chain = 'tron:0x2b6653dc'
const codec = tronCodec({ chain })
const publicKey = secp256k1.getPublicKey(fromHex('59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b786900'), true)
const key = { keyId: new Uint8Array(32).fill(7), protocol: 'dkls23/v1', publicKey, chainCode: new Uint8Array(32).fill(9) }
const addressAt = (path: number[]) => codec.addressFromKey(derivePublicKey(key.protocol, publicKey, key.chainCode, path))
const [from, sibling] = [addressAt([0, 0]), addressAt([0, 1])]
const to = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const coin = { chain, contract: null }
const evmFrame = { nonce: 0n, gasLimit: 90_000n, maxFeePerGas: 30n, maxPriorityFeePerGas: 1n }
const frame = { refBlock: { bytes: fromHex('8f3a'), hash: fromHex('b2f1c0d94e5a6177') }, timestampMs: 1_795_000_000_000n, expirationMs: 1_795_000_060_000n }

const intent: TransferIntent = {
  kind: 'transfer',
  genesis: new Uint8Array(32),
  orderId: new Uint8Array(16),
  keyId: key.keyId,
  path: [0n, 0n],
  from,
  to,
  memo: null,
  asset: { ...coin, symbol: 'TRX', decimals: 6n },
  amount: 5n,
  feeAsset: { ...coin, symbol: 'TRX', decimals: 6n },
  feeCap: 2_000_000n,
  slotRule: 'expiry',
  notBeforeMs: 0n,
  expiresAtMs: 1n,
  policyVersion: 1n,
  policyHash: new Uint8Array(32),
  initiator: new Uint8Array(16),
  screening: null,
  remark: '',
  nonce: new Uint8Array(32),
}
const pay = (payer: string) => codec.decode(buildTransfer({ ...frame, from: payer, to, asset: coin, amount: 5n, feeLimit: 0n }))
const reasonFor = (effects: Effects, changes: Partial<TransferIntent> = {}) => mismatchOf({ ...intent, ...changes }, effects, key, codec)?.reason

describe('an order to pay and the bytes for it', () => {
  it('match where they are one transfer of the payer, within the cap, in the slot of the chain', () => {
    assert.equal(reasonFor(pay(from)), undefined)
    assert.match(reasonFor(pay(from), { feeCap: 1_099_999n })!, /fee can reach/)
    assert.match(reasonFor(pay(from), { slotRule: 'account-nonce' })!, /slot rule/)
    assert.match(reasonFor(pay(from), { memo: '7' })!, /memo/)
  })

  it('differ where the order is of another account, also one that the key may sign for', () => assert.match(reasonFor(pay(sibling))!, /order of T/))

  it('match for a token of a collection where payer, collection, id and pieces are the order’s, and for nothing else', () => {
    const evm = evmCodec({ chain: 'eip155:31337' })
    const payer = evm.addressFromKey(derivePublicKey(key.protocol, publicKey, key.chainCode, [0, 0]))
    const collection = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
    const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const asset = (standard: 'erc721' | 'erc1155', tokenId: bigint) => ({ chain: 'eip155:31337', contract: nftAsset({ standard, collection, tokenId }) })
    const eth = { chain: 'eip155:31337', contract: null, symbol: 'ETH', decimals: 18n }
    const order = { ...intent, from: payer, to: recipient, amount: 1n, slotRule: 'account-nonce', feeAsset: eth, feeCap: 10n ** 18n }
    const art = { ...order, asset: { ...asset('erc721', 7n), symbol: 'ART', decimals: 0n } }
    const sent = (changes: Partial<EvmTransfer> = {}) => {
      const paid: EvmTransfer = { asset: asset('erc721', 7n), from: payer, to: recipient, amount: 1n, ...evmFrame, ...changes }
      return mismatchOf(art, evm.decode(buildEvmTransfer(paid)), key, evm)?.reason
    }
    assert.equal(sent(), undefined)
    assert.match(sent({ from: recipient })!, /order of 0x7099/)
    assert.match(sent({ asset: asset('erc721', 8n) })!, /another asset/)
    assert.match(sent({ asset: asset('erc1155', 7n) })!, /another asset/)
    assert.match(sent({ asset: { chain: 'eip155:31337', contract: collection } })!, /another asset/)
    assert.match(sent({ to: payer })!, /pays/)
  })

  it('differ where anything else is done, instead of the transfer or beside it', () => {
    const lent = codec.decode(buildStake({ ...frame, owner: from, action: 'delegate', resource: 'energy', amount: 5n, receiver: to, lockBlocks: 0n }))
    assert.match(reasonFor(lent)!, /is to delegate/)
    assert.match(reasonFor({ ...pay(from), actions: [{ kind: 'vote', facts: {} }] })!, /does vote/)
    assert.match(reasonFor({ ...pay(from), actions: [{ kind: 'permissions', facts: {} }] })!, /changes who may sign/)
    assert.match(reasonFor({ ...pay(from), actions: [{ kind: 'delegation', facts: { authority: from } }] })!, /which code runs in the name of/)
  })

  it('differ where coins of others are spent or change goes to an address that is not derived from the key', () => {
    const withMore = (extra: Partial<Effects>) => reasonFor({ ...pay(from), ...extra })
    assert.equal(withMore({ inputs: [{ outpoint: 'a:0', address: from, amount: 9n }], change: [{ address: from, amount: 3n, index: 1 }] }), undefined)
    assert.equal(withMore({ change: [{ address: sibling, amount: 3n, index: 1, path: [0, 1] }] }), undefined)
    const far = [0, 1 << 20]
    assert.match(withMore({ change: [{ address: addressAt(far), amount: 3n, index: 1, path: far }] })!, /goes to m\/0\/1048576/)
    assert.match(withMore({ change: [{ address: addressAt([1, 0]), amount: 3n, index: 1, path: [1, 0] }] })!, /goes to m\/1\/0/)
    assert.match(withMore({ inputs: [{ outpoint: 'a:0', address: sibling, amount: 9n }] })!, /spends a:0/)
    assert.match(withMore({ change: [{ address: sibling, amount: 3n, index: 1 }] })!, /no address of the key/)
    assert.match(withMore({ change: [{ address: to, amount: 3n, index: 1, path: [0, 1] }] })!, /no address of the key/)
    assert.match(reasonFor({ ...pay(from), transfers: [{ ...pay(from).transfers[0]!, memo: '8' }] }, { memo: '7' })!, /memo/)
  })
})

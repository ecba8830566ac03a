import { chainCodecSuite } from '@holdfast/chain-core/suite'
import { ChainError, type Effects } from '@holdfast/chain-core'
import { equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as viem from 'viem'
import { buildTransfer, codecFor, evmCodec, type TransferTransaction } from './index.ts'
import { chain, nativeOrder, nativeUnsigned, publicKey, recipient, secretKey, sign, token, tokenOrder, tokenUnsigned } from '../testing/samples.ts'

const codec = evmCodec({ chain })
const hex = (bytes: Uint8Array): viem.Hex => `0x${toHex(bytes)}`

/** What viem, an independent library, makes of an unsigned transaction. */
function viemDecode(unsigned: Uint8Array): Effects {
  const transaction = viem.parseTransaction(hex(unsigned) as viem.TransactionSerializedEIP1559)
  const call = transaction.data === undefined ? undefined : viem.decodeFunctionData({ abi: viem.erc20Abi, data: transaction.data })
  const name = `eip155:${transaction.chainId}`
  const { gas = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, nonce = 0, value = 0n } = transaction
  const transfer =
    call === undefined
      ? { asset: { chain: name, contract: null }, to: viem.getAddress(transaction.to!), amount: value }
      : { asset: { chain: name, contract: viem.getAddress(transaction.to!) }, to: call.args![0] as string, amount: call.args![1] as bigint }
  const feeParameters = { gasLimit: gas, maxFeePerGas, maxPriorityFeePerGas }
  return { chain: name, transfers: [transfer], feeMax: gas * maxFeePerGas, feeParameters, slot: BigInt(nonce) }
}

async function viemDetach(raw: Uint8Array): Promise<{ txid: string; from: string }> {
  const serializedTransaction = hex(raw) as viem.TransactionSerializedEIP1559
  return { txid: viem.keccak256(raw), from: await viem.recoverTransactionAddress({ serializedTransaction }) }
}

function effectsOfOrder(order: TransferTransaction): Effects {
  const { asset, to, amount, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = order
  return {
    chain: asset.chain,
    transfers: [{ asset, to, amount }],
    feeMax: gasLimit * maxFeePerGas,
    feeParameters: { gasLimit, maxFeePerGas, maxPriorityFeePerGas },
    slot: nonce,
  }
}

/** What viem writes for a transaction that our own builder would refuse to make. */
function viemWrites(changes: Partial<viem.TransactionSerializableEIP1559>): Uint8Array {
  const base = { type: 'eip1559', chainId: 31337, nonce: 7, to: recipient, value: 5n, gas: 90_000n, maxFeePerGas: 30n, maxPriorityFeePerGas: 2n } as const
  return fromHex(viem.serializeTransaction({ ...base, ...changes }))
}

chainCodecSuite({
  name: 'evm',
  codec,
  foreign: evmCodec({ chain: 'eip155:1' }),
  samples: [
    { name: "a transfer of the chain's own coin", unsigned: nativeUnsigned, effects: effectsOfOrder(nativeOrder) },
    { name: 'an ERC-20 transfer', unsigned: tokenUnsigned, effects: effectsOfOrder(tokenOrder) },
  ],
  signer: { publicKey, sign },
  addresses: {
    // The four mixed-case examples are those of EIP-55.
    canonical: [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
      '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
      '0x0000000000000000000000000000000000000000',
    ],
    alsoAccepted: [
      { text: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', canonical: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
      { text: '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED', canonical: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
    ],
    refused: [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
      '0x5Aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
      '0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
      '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeg',
      'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
      'vitalik.eth',
    ],
  },
  independent: { decode: viemDecode, detach: viemDetach },
})

const uint = (bits: number, min = 0n) => fc.bigInt({ min, max: (1n << BigInt(bits)) - 1n })
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => viem.getAddress(hex(bytes)))
const orders: fc.Arbitrary<TransferTransaction> = fc
  .record(
    {
      asset: fc.option(address).map((contract) => ({ chain, contract })),
      to: address,
      amount: fc.oneof(uint(8, 1n), uint(64, 1n), uint(256, 1n)),
      nonce: fc.bigInt({ min: 0n, max: BigInt(Number.MAX_SAFE_INTEGER) }),
      gasLimit: fc.bigInt({ min: 21_000n, max: 1n << 24n }),
      maxFeePerGas: fc.oneof(uint(8, 1n), uint(64, 1n)),
      maxPriorityFeePerGas: uint(64),
    },
    { noNullPrototype: true },
  )
  .map((order) => (order.maxPriorityFeePerGas > order.maxFeePerGas ? { ...order, maxPriorityFeePerGas: order.maxFeePerGas } : order))

describe('evm codec against an independent library', () => {
  it('writes every transfer to the same bytes as viem and reads it back whole', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const unsigned = buildTransfer(order)
        const token = order.asset.contract as viem.Address | null
        const to = order.to as viem.Address
        const data = viem.encodeFunctionData({ abi: viem.erc20Abi, functionName: 'transfer', args: [to, order.amount] })
        const { maxFeePerGas, maxPriorityFeePerGas } = order
        const common = { type: 'eip1559', chainId: 31337, nonce: Number(order.nonce), gas: order.gasLimit, maxFeePerGas, maxPriorityFeePerGas } as const
        const written = viem.serializeTransaction(token === null ? { ...common, to, value: order.amount } : { ...common, to: token, data })
        assert.equal(hex(unsigned), written)
        assert.deepEqual(codec.decode(unsigned), effectsOfOrder(order))
        assert.deepEqual(codec.decode(unsigned), viemDecode(unsigned))
      }),
      { numRuns: 1000 },
    )
  })

  it('takes no bytes, however changed, that viem would write in another way or read as something else', () => {
    const changes = fc.array(fc.record({ kind: fc.constantFrom('set', 'insert', 'remove'), at: fc.nat(), byte: fc.nat(255) }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(orders, changes, (order, list) => {
        const bytes = [...buildTransfer(order)]
        for (const { kind, at, byte } of list) bytes.splice(at % (bytes.length + 1), kind === 'insert' ? 0 : 1, ...(kind === 'remove' ? [] : [byte]))
        const changed = Uint8Array.from(bytes)
        let effects: Effects
        try {
          effects = codec.decode(changed)
        } catch (error) {
          assert.ok(error instanceof ChainError, String(error))
          return
        }
        assert.deepEqual(effects, viemDecode(changed))
        assert.equal(viem.serializeTransaction(viem.parseTransaction(hex(changed) as viem.TransactionSerializedEIP1559)), hex(changed))
      }),
      { numRuns: 4000 },
    )
  })

  it('refuses random bytes with a ChainError and nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        assert.throws(() => codec.decode(Uint8Array.of(2, ...bytes)), ChainError)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('evm codec refuses what it does not understand, and says what', () => {
  const call = (signature: string, args: unknown[]) => {
    const item = viem.parseAbiItem(`function ${signature}` as string) as viem.AbiFunction
    return viem.encodeFunctionData({ abi: [item], args })
  }
  const priced = { chainId: 31337, to: recipient, value: 1n, gasPrice: 9n, gas: 21_000n } as const
  const transferCall = call('transfer(address,uint256)', [recipient, 5n])
  const refused: [string, Uint8Array, RegExp][] = [
    ['nothing', new Uint8Array(), /empty/],
    ['a legacy transaction', fromHex(viem.serializeTransaction({ type: 'legacy', ...priced })), /legacy/],
    ['an access-list transaction', fromHex(viem.serializeTransaction({ type: 'eip2930', ...priced })), /access-list/],
    ['an access list', viemWrites({ accessList: [{ address: token, storageKeys: [`0x${'11'.repeat(32)}`] }] }), /access list/],
    ['a contract creation', viemWrites({ to: null, value: 0n, data: '0x6000' }), /creates a contract/],
    ['another chain', viemWrites({ chainId: 1 }), /eip155:1, not for eip155:31337/],
    ['approve', viemWrites({ to: token, value: 0n, data: call('approve(address,uint256)', [recipient, 5n]) }), /approve/],
    ['transferFrom', viemWrites({ to: token, value: 0n, data: call('transferFrom(address,address,uint256)', [token, recipient, 5n]) }), /transferFrom/],
    ['an unknown call', viemWrites({ to: token, value: 0n, data: '0x12345678' }), /selector 0x12345678/],
    ['a piece of a selector', viemWrites({ to: token, value: 0n, data: '0xa905' }), /unknown call data/],
    ['call data one byte short', viemWrites({ to: token, value: 0n, data: transferCall.slice(0, -2) as viem.Hex }), /68 bytes/],
    ['call data one byte long', viemWrites({ to: token, value: 0n, data: `${transferCall}00` }), /68 bytes/],
    ['a dirty address', viemWrites({ to: token, value: 0n, data: transferCall.replace('a9059cbb00', 'a9059cbb01') as viem.Hex }), /before the address/],
    ['coin sent along with a token transfer', viemWrites({ to: token, value: 1n, data: transferCall }), /coin along/],
    ['a transfer of nothing', viemWrites({ value: 0n }), /moves nothing/],
    ['a token transfer of nothing', viemWrites({ to: token, value: 0n, data: call('transfer(address,uint256)', [recipient, 0n]) }), /moves nothing/],
    ['too little gas', viemWrites({ gas: 20_999n }), /gas limit/],
    ['more gas than a transaction may ask for', viemWrites({ gas: (1n << 24n) + 1n }), /gas limit/],
    ['no fee', viemWrites({ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }), /fee is zero/],
    ['a signed transaction', codec.attach(nativeUnsigned, [sign(codec.sighashes(nativeUnsigned)[0]!)]).raw, /12 fields where 9/],
  ]
  for (const [name, bytes, message] of refused) {
    it(`${name}`, () =>
      assert.throws(
        () => codec.decode(bytes),
        (error: unknown) => error instanceof ChainError && message.test(error.message),
      ))
  }

  it('a priority fee above the fee', () => {
    assert.throws(() => buildTransfer({ ...nativeOrder, maxPriorityFeePerGas: nativeOrder.maxFeePerGas + 1n }), /priority fee/)
  })

  it('a number that starts with a zero byte, and a length spelled the long way', () => {
    // The nonce 7 is the sixth byte: type, list prefix, chain id (three bytes), nonce.
    assert.equal(nativeUnsigned[5], 7)
    const list = (content: number[]) => Uint8Array.of(2, 0xc0 + content.length, ...content)
    const content = [...nativeUnsigned.slice(2)]
    assert.ok(equalBytes(list(content), nativeUnsigned))
    assert.throws(() => codec.decode(list([...content.slice(0, 3), 0x82, 0x00, 0x07, ...content.slice(4)])), /zero byte/)
    assert.throws(() => codec.decode(list([...content.slice(0, 3), 0x81, 0x07, ...content.slice(4)])), /long way/)
    assert.throws(() => codec.decode(list([...content.slice(0, 3), 0x00, ...content.slice(4)])), /zero byte/)
    assert.throws(() => codec.decode(Uint8Array.of(2, 0xf8, content.length, ...content)), /long way/)
  })
})

describe('evm signatures', () => {
  const digest = codec.sighashes(nativeUnsigned)[0]!
  const signature = sign(digest)
  const order = secp256k1.Point.Fn.ORDER
  const word = (value: bigint) => fromHex(value.toString(16).padStart(64, '0'))
  const s = BigInt(`0x${toHex(signature.s)}`)

  it('signs the digest that viem computes', () => assert.equal(hex(digest), viem.keccak256(nativeUnsigned)))

  it('refuses the higher s, so that nobody can change the id of a transaction', () => {
    const high = { r: signature.r, s: word(order - s), recovery: signature.recovery ^ 1 }
    assert.throws(() => codec.attach(nativeUnsigned, [high]), /higher of the two/)
    const transaction = viem.parseTransaction(hex(nativeUnsigned) as viem.TransactionSerializedEIP1559)
    const raw = viem.serializeTransaction(transaction, { r: hex(high.r), s: hex(high.s), yParity: high.recovery })
    assert.throws(() => codec.detach(fromHex(raw)), /higher of the two/)
  })

  it('refuses signatures out of range or of the wrong size', () => {
    const zero = new Uint8Array(32)
    const wrong = [
      { ...signature, r: zero },
      { ...signature, s: zero },
      { ...signature, r: word(order) },
      { ...signature, recovery: 2 },
      { ...signature, recovery: 27 },
      { ...signature, r: signature.r.slice(1) },
      { ...signature, s: Uint8Array.of(0, ...signature.s) },
      { ...signature, recovery: 0.5 },
    ]
    for (const each of wrong) assert.throws(() => codec.attach(nativeUnsigned, [each]), ChainError)
  })

  it('finds the signer of any transfer signed by any key', () => {
    fc.assert(
      fc.property(
        orders,
        fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((key) => secp256k1.utils.isValidSecretKey(key)),
        (each, key) => {
          const unsigned = buildTransfer(each)
          const bytes = secp256k1.sign(codec.sighashes(unsigned)[0]!, key, { prehash: false, format: 'recovered' })
          const { raw, txid } = codec.attach(unsigned, [{ recovery: bytes[0]!, r: bytes.slice(1, 33), s: bytes.slice(33) }])
          const from = codec.addressFromKey(secp256k1.getPublicKey(key, true))
          assert.deepEqual(codec.detach(raw), { unsigned, txid, from })
          assert.equal(txid, viem.keccak256(raw))
        },
      ),
      { numRuns: 150 },
    )
  })

  it('names the address of a key as viem does', async () => {
    const { publicKeyToAddress } = await import('viem/accounts')
    assert.equal(codec.addressFromKey(publicKey), publicKeyToAddress(hex(secp256k1.getPublicKey(secretKey, false))))
  })
})

describe('evm chain names', () => {
  it('answers for every eip155 name and for no other', () => {
    assert.ok(codecFor('eip155:1') && codecFor('eip155:31337') && codecFor('eip155:9223372036854775771'))
    const wrongNumber = ['eip155:0', 'eip155:01', 'eip155:', 'eip155:-1', 'eip155:1 ', 'eip155:0x1', 'eip155:9223372036854775772']
    const none = [...wrongNumber, 'EIP155:1', 'bip122:1', 'tron:1', '']
    for (const name of none) assert.equal(codecFor(name), undefined, name)
    assert.throws(() => evmCodec({ chain: 'tron:1' }), ChainError)
  })
})

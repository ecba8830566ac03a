import { chainCodecSuite } from '@holdfast/chain-core/suite'
import { ChainError, type Effects, nftAsset, readNft } from '@holdfast/chain-core'
import { equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as viem from 'viem'
import { buildTransfer, codecFor, evmCodec, type TransferTransaction } from './index.ts'
import {
  chain,
  erc1155Order,
  erc721Order,
  nativeOrder,
  nativeUnsigned,
  publicKey,
  recipient,
  secretKey,
  sign,
  token,
  tokenOrder,
  tokenUnsigned,
} from '../testing/samples.ts'

const codec = evmCodec({ chain })
const hex = (bytes: Uint8Array): viem.Hex => `0x${toHex(bytes)}`

const callAbi = viem.parseAbi([
  'function transfer(address to, uint256 amount)',
  'function safeTransferFrom(address from, address to, uint256 id)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
])

/** What viem, an independent library, makes of an unsigned transaction. */
function viemDecode(unsigned: Uint8Array): Effects {
  const transaction = viem.parseTransaction(hex(unsigned) as viem.TransactionSerializedEIP1559)
  const name = `eip155:${transaction.chainId}`
  const { gas = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, nonce = 0, value = 0n } = transaction
  const feeParameters = { gasLimit: gas, maxFeePerGas, maxPriorityFeePerGas }
  return {
    chain: name,
    ...viemMovement(name, viem.getAddress(transaction.to!), value, transaction.data),
    feeMax: gas * maxFeePerGas,
    feeParameters,
    slot: BigInt(nonce),
  }
}

function viemMovement(name: string, to: string, value: bigint, data: viem.Hex | undefined): Pick<Effects, 'from' | 'transfers' | 'call'> {
  if (data === undefined) return { transfers: [{ asset: { chain: name, contract: null }, to, amount: value }] }
  if (!callAbi.some((item) => viem.toFunctionSelector(item) === data.slice(0, 10))) return { transfers: [], call: { contract: to, value, data: fromHex(data) } }
  const { args } = viem.decodeFunctionData({ abi: callAbi, data })
  if (args.length === 2) return { transfers: [{ asset: { chain: name, contract: to }, to: args[0], amount: args[1] }] }
  const [from, recipientOfToken, id, amount = 1n] = args
  const contract = `${args.length === 3 ? 'erc721' : 'erc1155'}:${to}/0x${id.toString(16)}`
  return { from, transfers: [{ asset: { chain: name, contract }, to: recipientOfToken, amount }] }
}

/** The call data that viem writes for a transfer of a token. */
function viemCall({ asset, from, to, amount }: TransferTransaction): { to: viem.Address; data: viem.Hex } {
  const nft = readNft(asset.contract)
  const recipientOfToken = to as viem.Address
  const owner = from as viem.Address
  const calls = {
    none: () => viem.encodeFunctionData({ abi: callAbi, functionName: 'transfer', args: [recipientOfToken, amount] }),
    erc721: () => viem.encodeFunctionData({ abi: callAbi, functionName: 'safeTransferFrom', args: [owner, recipientOfToken, nft!.tokenId] }),
    erc1155: () => viem.encodeFunctionData({ abi: callAbi, functionName: 'safeTransferFrom', args: [owner, recipientOfToken, nft!.tokenId, amount, '0x'] }),
  }
  return { to: (nft?.collection ?? asset.contract) as viem.Address, data: calls[nft?.standard ?? 'none']() }
}

async function viemDetach(raw: Uint8Array): Promise<{ txid: string; from: string }> {
  const serializedTransaction = hex(raw) as viem.TransactionSerializedEIP1559
  return { txid: viem.keccak256(raw), from: await viem.recoverTransactionAddress({ serializedTransaction }) }
}

function effectsOfOrder(order: TransferTransaction): Effects {
  const { asset, from, to, amount, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = order
  return {
    chain: asset.chain,
    ...(readNft(asset.contract) ? { from } : {}),
    transfers: [{ asset, to, amount }],
    feeMax: gasLimit * maxFeePerGas,
    feeParameters: { gasLimit, maxFeePerGas, maxPriorityFeePerGas },
    slot: nonce,
  }
}

const approve = viem.encodeFunctionData({ abi: viem.parseAbi(['function approve(address spender, uint256 amount)']), args: [recipient as viem.Address, 5n] })
const callOrder: TransferTransaction = { ...nativeOrder, to: token, amount: 3n, data: fromHex(approve) }
const calledBy = ({ to, amount, data }: TransferTransaction) => ({ contract: to, value: amount, data: data! })

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
    { name: 'an ERC-721 transfer', unsigned: buildTransfer(erc721Order), effects: effectsOfOrder(erc721Order) },
    { name: 'an ERC-1155 transfer', unsigned: buildTransfer(erc1155Order), effects: effectsOfOrder(erc1155Order) },
    { name: 'a call of a contract', unsigned: buildTransfer(callOrder), effects: { ...effectsOfOrder(callOrder), transfers: [], call: calledBy(callOrder) } },
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
const nftText = fc
  .record(
    { standard: fc.constantFrom('erc721' as const, 'erc1155' as const), collection: address, tokenId: fc.oneof(uint(8), uint(256)) },
    { noNullPrototype: true },
  )
  .map(nftAsset)
const orders: fc.Arbitrary<TransferTransaction> = fc
  .record(
    {
      asset: fc.oneof(fc.option(address), nftText).map((contract) => ({ chain, contract })),
      from: address,
      to: address,
      amount: fc.oneof(uint(8, 1n), uint(64, 1n), uint(256, 1n)),
      nonce: fc.bigInt({ min: 0n, max: BigInt(Number.MAX_SAFE_INTEGER) }),
      gasLimit: fc.bigInt({ min: 21_000n, max: 1n << 24n }),
      maxFeePerGas: fc.oneof(uint(8, 1n), uint(64, 1n)),
      maxPriorityFeePerGas: uint(64),
    },
    { noNullPrototype: true },
  )
  .map((order) => (readNft(order.asset.contract)?.standard === 'erc721' ? { ...order, amount: 1n } : order))
  .map((order) => (order.maxPriorityFeePerGas > order.maxFeePerGas ? { ...order, maxPriorityFeePerGas: order.maxFeePerGas } : order))

describe('evm codec against an independent library', () => {
  it('writes every transfer to the same bytes as viem and reads it back whole', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const unsigned = buildTransfer(order)
        const plain = { to: order.to as viem.Address, value: order.amount }
        const { maxFeePerGas, maxPriorityFeePerGas } = order
        const common = { type: 'eip1559', chainId: 31337, nonce: Number(order.nonce), gas: order.gasLimit, maxFeePerGas, maxPriorityFeePerGas } as const
        const written = viem.serializeTransaction({ ...common, ...(order.asset.contract === null ? plain : viemCall(order)) })
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
  const SAFE_1155 = 'safeTransferFrom(address,address,uint256,uint256,bytes)'
  const moved1155 = call(SAFE_1155, [recipient, recipient, 7n, 3n, '0x'])
  const to1155 = (data: string) => viemWrites({ to: token, value: 0n, data: data as viem.Hex })
  const refused: [string, Uint8Array, RegExp][] = [
    ['nothing', new Uint8Array(), /empty/],
    ['a legacy transaction', fromHex(viem.serializeTransaction({ type: 'legacy', ...priced })), /legacy/],
    ['an access-list transaction', fromHex(viem.serializeTransaction({ type: 'eip2930', ...priced })), /access-list/],
    ['an access list', viemWrites({ accessList: [{ address: token, storageKeys: [`0x${'11'.repeat(32)}`] }] }), /access list/],
    ['a contract creation', viemWrites({ to: null, value: 0n, data: '0x6000' }), /creates a contract/],
    ['another chain', viemWrites({ chainId: 1 }), /eip155:1, not for eip155:31337/],
    ['transferFrom', viemWrites({ to: token, value: 0n, data: call('transferFrom(address,address,uint256)', [token, recipient, 5n]) }), /transferFrom/],
    ['a piece of a selector', viemWrites({ to: token, value: 0n, data: '0xa905' }), /names no function/],
    ['call data one byte short', viemWrites({ to: token, value: 0n, data: transferCall.slice(0, -2) as viem.Hex }), /68 bytes/],
    ['call data one byte long', viemWrites({ to: token, value: 0n, data: `${transferCall}00` }), /68 bytes/],
    ['a dirty address', viemWrites({ to: token, value: 0n, data: transferCall.replace('a9059cbb00', 'a9059cbb01') as viem.Hex }), /before the address/],
    ['coin sent along with a token transfer', viemWrites({ to: token, value: 1n, data: transferCall }), /coin along/],
    ['a transfer of nothing', viemWrites({ value: 0n }), /moves nothing/],
    ['a token transfer of nothing', viemWrites({ to: token, value: 0n, data: call('transfer(address,uint256)', [recipient, 0n]) }), /moves nothing/],
    ['an ERC-1155 transfer that hands bytes to the recipient', to1155(moved1155.replace(/a0(0{64})$/, 'a1$1')), /hands bytes/],
    ['an ERC-1155 transfer with bytes behind it', to1155(`${moved1155}${'00'.repeat(32)}`), /196 bytes/],
    ['an ERC-1155 transfer of nothing', to1155(call(SAFE_1155, [recipient, recipient, 7n, 0n, '0x'])), /moves nothing/],
    [
      'a batch of ERC-1155',
      to1155(call('safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', [token, recipient, [1n], [1n], '0x'])),
      /safeBatch/,
    ],
    ['an ERC-721 transfer with bytes', to1155(call('safeTransferFrom(address,address,uint256,bytes)', [token, recipient, 1n, '0x'])), /safeTransferFrom/],
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

  it('tokens moved from nobody, and more than the one piece that ERC-721 has of each', () => {
    assert.throws(() => buildTransfer({ ...erc721Order, from: undefined }), /moved from an address/)
    assert.throws(() => buildTransfer({ ...erc721Order, amount: 2n }), /one piece/)
  })

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

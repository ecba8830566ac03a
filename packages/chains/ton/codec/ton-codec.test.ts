import { ChainError, type Effects } from '@holdfast/chain-core'
import { chainCodecSuite } from '@holdfast/chain-core/suite'
import { bool, bytes, decode, encode, optional, struct, text, uint } from '@holdfast/encoding'
import { signWithTorsion } from '@holdfast/encoding/testing/torsion-signature'
import { Address, beginCell, Cell, contractAddress, external, internal, loadMessage, type MessageRelaxed, SendMode, storeMessage } from '@ton/core'
import { keyPairFromSeed, sign as librarySign, signVerify } from '@ton/crypto'
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { loadOutListExtendedV5R1 } from '@ton/ton/dist/wallets/v5r1/WalletV5R1Actions.js'
import { loadWalletIdV5R1 } from '@ton/ton/dist/wallets/v5r1/WalletV5R1WalletId.js'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  chain,
  codec,
  coinDraft,
  jettonDraft,
  longMemo,
  network,
  payer,
  publicKey,
  recipient,
  samples,
  secretKey,
  sign,
  walletCode,
} from '../testing/samples.ts'
import {
  addressText,
  broadcastMessage,
  buildTransfer,
  codecFor,
  parseBoc,
  readSignedBody,
  readWalletData,
  requireNetwork,
  serializeBoc,
  tonCodec,
  walletAddress,
} from './index.ts'
import { MESSAGES_MAX, type Order, orderCell, readOrder } from './order.ts'
import { walletFeeMax } from './transfer.ts'

const wallets = struct('holdfast/ton-jetton-wallet-form/v1', { codeHash: bytes(32), codeDepth: uint(10), hasStatus: bool(), hasCode: bool() })
const unsignedShape = struct('holdfast/ton-unsigned/v1', {
  publicKey: bytes(32),
  order: bytes(undefined, 32_768),
  jetton: optional(struct('holdfast/ton-jetton/v1', { master: text(48), wallets })),
})
const libraryCode = Cell.fromBoc(Buffer.from(serializeBoc(walletCode)))[0]!
const friendly = (address: Address) => address.toString({ bounceable: false })
const libraryWallet = (key: Uint8Array, networkGlobalId = -239) => WalletContractV5R1.create({ publicKey: Buffer.from(key), walletId: { networkGlobalId } })

/** What @ton/core and @ton/ton, which share no code with the codec, make of unsigned bytes. */
function libraryDecode(unsigned: Uint8Array): Effects {
  const { publicKey: key, order, jetton } = decode(unsignedShape, unsigned)
  const slice = Cell.fromBoc(Buffer.from(order))[0]!.beginParse()
  assert.equal(slice.loadBuffer(4).toString(), 'sign')
  const { networkGlobalId } = loadWalletIdV5R1(slice.loadBuffer(4), -239)
  const [validUntil, seqno] = [slice.loadUint(32), slice.loadUint(32)]
  const actions = loadOutListExtendedV5R1(slice) as { type: string; mode: number; outMsg: MessageRelaxed }[]
  const messages = actions.map(({ type, mode, outMsg: { info, body, init } }) => {
    assert.deepEqual([type, mode], ['sendMsg', SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS])
    assert.ok(info.type === 'internal' && !init)
    return { info, body }
  })
  // A further message costs up to so much, and with a comment up to a million more.
  const walletFee = (transfers: readonly { memo?: string }[]) =>
    transfers.slice(1).reduce((sum, { memo }) => sum + (memo === undefined ? 2_000_000n : 3_000_000n), 50_000_000n)
  const own = libraryWallet(key, networkGlobalId).address
  const shared = { chain: `ton:${networkGlobalId}`, from: friendly(own), slot: BigInt(seqno), validUntilMs: BigInt(validUntil) * 1_000n }
  const memo = (cell: Cell) => {
    const comment = cell.beginParse()
    return cell.bits.length === 0 ? {} : (assert.equal(comment.loadUint(32), 0), { memo: comment.loadStringTail() })
  }
  if (!jetton) {
    const asset = { chain: shared.chain, contract: null }
    const transfers = messages.map(({ info, body }) => {
      assert.equal(info.bounce, false)
      return { asset, to: friendly(info.dest), amount: info.value.coins, ...memo(body) }
    })
    return { ...shared, transfers, feeMax: walletFee(transfers) }
  }
  const asset = { chain: shared.chain, contract: friendly(Address.parse(jetton.master)) }
  const attached = messages[0]!.info.value.coins
  const transfers = messages.map(({ info, body }) => {
    const call = body.beginParse()
    assert.equal(call.loadUint(32), 0xf8a7ea5)
    assert.equal(call.loadUintBig(64), BigInt(seqno))
    const amount = call.loadCoins()
    const to = call.loadAddress()
    assert.ok(call.loadAddress().equals(own))
    assert.equal(call.loadBit(), false)
    assert.equal(call.loadCoins(), 1n)
    const forwarded = call.loadBit() ? memo(call.loadRef()) : {}
    call.endParse()
    const data = beginCell().storeCoins(0).storeAddress(own).storeAddress(Address.parse(jetton.master)).storeRef(libraryCode).endCell()
    assert.ok(info.bounce && info.dest.equals(contractAddress(0, { code: libraryCode, data })))
    assert.equal(info.value.coins, attached)
    return { asset, to: friendly(to), amount, ...forwarded }
  })
  const tokenWallets = `${asset.contract}/${libraryCode.hash().toString('hex')}/${libraryCode.depth()}/c`
  return { ...shared, transfers, tokenWallets, feeMax: walletFee(transfers) + attached * BigInt(messages.length), feeParameters: { attached } }
}

chainCodecSuite({
  name: 'ton',
  codec,
  foreign: tonCodec({ chain: 'ton:-3' }),
  samples: Object.entries(samples).map(([name, unsigned]) => ({ name, unsigned, effects: libraryDecode(unsigned) })),
  signer: { publicKey, sign },
  addresses: {
    canonical: [recipient, payer, friendly(new Address(0, Buffer.alloc(32))), friendly(Address.parse(`-1:${'33'.repeat(32)}`))],
    alsoAccepted: [
      'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
      Address.parse(recipient).toString({ urlSafe: false }),
      Address.parse(recipient).toRawString(),
      Address.parse(recipient).toRawString().toUpperCase(),
    ].map((each) => ({ text: each, canonical: recipient })),
    refused: [
      Address.parse(recipient).toString({ testOnly: true }),
      Address.parse(recipient).toString({ testOnly: true, bounceable: false }),
      recipient.toLowerCase(),
      `1:${'33'.repeat(32)}`,
      `0:${'33'.repeat(31)}`,
      `00:${'33'.repeat(32)}`,
      new Address(5, Buffer.alloc(32, 1)).toString(),
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      'wallet.ton',
    ],
  },
  independent: {
    decode: libraryDecode,
    detach: async (raw) => {
      const message = loadMessage(Cell.fromBoc(Buffer.from(broadcastMessage(raw, chain)))[0]!.beginParse())
      const to = message.info.dest as Address
      const normal = beginCell()
        .store(storeMessage(external({ to, body: message.body }), { forceRef: true }))
        .endCell()
      const body = message.body.beginParse()
      const signature = message.body.bits.substring(message.body.bits.length - 512, 512)
      const signed = beginCell().storeBits(body.loadBits(message.body.bits.length - 512))
      while (body.remainingRefs > 0) signed.storeRef(body.loadRef())
      const bytesOf = beginCell().storeBits(signature).endCell().beginParse().loadBuffer(64)
      assert.ok(signVerify(signed.endCell().hash(), bytesOf, Buffer.from(publicKey)))
      return { txid: `${normal.hash().toString('hex')}:${friendly(to)}`, from: friendly(to) }
    },
  },
})

/** What the library's types tell apart by the kind of signer, which is always a key here. */
const transferOf = (wallet: object, given: object) => (wallet as { createTransfer(given: object): Cell }).createTransfer(given)
const accounts = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((hash) => friendly(new Address(0, Buffer.from(hash))))

describe('ton codec against @ton/ton', () => {
  it('writes and signs a payment to the same message as the wallet of the library', async () => {
    const { secretKey: key } = keyPairFromSeed(Buffer.from(secretKey))
    const drawn = fc.tuple(accounts, fc.bigInt({ min: 1n, max: 10n ** 18n }), fc.nat({ max: 2 ** 31 }), fc.integer({ min: 1, max: 2 ** 31 }), fc.boolean())
    await fc.assert(
      fc.asyncProperty(drawn, async ([to, value, seqno, validUntil, marked]) => {
        // The library writes a short comment beside the rest and a long one, as this codec writes each, into a cell of its own.
        const memo = marked ? longMemo : undefined
        const unsigned = buildTransfer(
          { ...coinDraft, to, amount: value, seqno: BigInt(seqno), validUntil: BigInt(validUntil), ...(memo ? { memo } : {}) },
          network,
        )
        const { raw } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
        const wallet = libraryWallet(publicKey)
        const messages = [internal({ to: Address.parse(to), value, bounce: false, ...(memo ? { body: memo } : {}) })]
        const body = transferOf(wallet, { seqno, timeout: validUntil, sendMode: 3, secretKey: key, messages })
        const message = loadMessage(Cell.fromBoc(Buffer.from(broadcastMessage(raw, chain)))[0]!.beginParse())
        assert.ok(message.body.equals(body))
        assert.equal(message.init !== null && message.init !== undefined, seqno === 0)
        if (message.init) assert.ok(contractAddress(0, message.init).equals(wallet.address))
        const read = readSignedBody(parseBoc(body.toBoc()))!
        assert.deepEqual([read.version, read.seqno, read.validUntil], ['v5r1', BigInt(seqno), BigInt(validUntil)])
      }),
      { numRuns: 60 },
    )
  })

  it('finds the same wallet of a key, of either version and on any network, and reads its data', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.constantFrom(-239, -3, -31337, 42), (seed, id) => {
        const key = keyPairFromSeed(Buffer.from(seed)).publicKey
        const on = requireNetwork(`ton:${id}`)
        const newer = libraryWallet(key, id)
        assert.equal(tonCodec(on).addressFromKey(Uint8Array.from(key)), newer.address.toString({ bounceable: false, testOnly: id !== -239 }))
        const older = WalletContractV4.create({ workchain: 0, publicKey: key })
        assert.equal(addressText(walletAddress(Uint8Array.from(key), on, 'v4r2'), false), friendly(older.address))
        for (const { init } of [newer, older]) {
          assert.deepEqual(readWalletData(parseBoc(init.data!.toBoc())), { seqno: 0n, publicKey: Uint8Array.from(key) })
        }
      }),
      { numRuns: 40 },
    )
  })

  it('reads what the older wallet is sent', () => {
    const keys = keyPairFromSeed(Buffer.alloc(32, 5))
    const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
    const messages = [internal({ to: Address.parse(recipient), value: 5n })]
    const body = transferOf(wallet, { seqno: 9, timeout: 1_795_000_000, sendMode: 3, secretKey: keys.secretKey, messages })
    const read = readSignedBody(parseBoc(body.toBoc()))!
    assert.deepEqual([read.version, read.seqno, read.validUntil, read.walletId], ['v4r2', 9n, 1_795_000_000n, 698_983_191])
    assert.ok(signVerify(Buffer.from(read.order.hash), Buffer.from(read.signature), keys.publicKey))
  })
})

/** Several payments, to somebody else each, every one with a memo of its own or none. */
const payments = fc
  .uniqueArray(fc.record({ to: accounts, amount: fc.bigInt({ min: 1n, max: 10n ** 18n }), memo: fc.constantFrom(undefined, '7', '10042', longMemo) }), {
    selector: ({ to }) => to,
    minLength: 1,
    maxLength: 12,
  })
  .map((list) => list.map(({ memo, ...each }) => (memo === undefined ? each : { ...each, memo })))
const kinds = fc.constantFrom(coinDraft, jettonDraft)
const unsignedOf = (draft: typeof coinDraft, list: readonly { to: string; amount: bigint; memo?: string }[]) =>
  buildTransfer({ ...draft, to: list[0]!.to, amount: list.reduce((sum, { amount }) => sum + amount, 0n), payments: list }, network)

describe('an order to several', () => {
  it('is what was asked for, each payment once, in sequence, with its own memo, and the library reads the same', () => {
    fc.assert(
      fc.property(kinds, payments, (draft, list) => {
        const unsigned = unsignedOf(draft, list)
        const { transfers, feeMax } = codec.decode(unsigned)
        assert.deepEqual(
          transfers.map(({ to, amount, memo }) => ({ to, amount, ...(memo === undefined ? {} : { memo }) })),
          list,
        )
        assert.equal(feeMax, walletFeeMax(list) + (draft.jetton?.attached ?? 0n) * BigInt(list.length))
        assert.deepEqual(codec.decode(unsigned), libraryDecode(unsigned))
      }),
      { numRuns: 40 },
    )
  })

  it('is the very message of the library, and as many as people read of one payout fit, each with a memo', () => {
    const list = Array.from({ length: MESSAGES_MAX }, (_, i) => ({
      to: friendly(new Address(0, Buffer.alloc(32, i + 1))),
      amount: BigInt(i + 1),
      memo: 'x'.repeat(codec.memoMax ?? 0),
    }))
    for (const draft of [coinDraft, jettonDraft]) assert.equal(codec.decode(unsignedOf(draft, list)).transfers.length, MESSAGES_MAX)
    assert.throws(() => unsignedOf(coinDraft, [...list, { to: recipient, amount: 1n }]), ChainError)
    // The library writes a long comment, as this codec writes each, into a cell of its own.
    const noted = list.slice(0, 40).map((each) => ({ ...each, memo: longMemo }))
    const messages = noted.map(({ to, amount, memo }) => internal({ to: Address.parse(to), value: amount, bounce: false, body: memo }))
    const key = keyPairFromSeed(Buffer.from(secretKey)).secretKey
    const body = transferOf(libraryWallet(publicKey), { seqno: 7, timeout: Number(coinDraft.validUntil), sendMode: 3, secretKey: key, messages })
    const unsigned = unsignedOf(coinDraft, noted)
    const { raw } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
    assert.deepEqual(readSignedBody(loadedBody(raw))!.order.hash, readSignedBody(parseBoc(body.toBoc()))!.order.hash)
  })

  it('pays nobody twice, nobody nothing, all in one asset, and all in the same way', () => {
    const [one, other] = [
      { to: recipient, amount: 5n },
      { to: payer, amount: 6n },
    ]
    for (const draft of [coinDraft, jettonDraft]) {
      assert.throws(() => unsignedOf(draft, [one, other, { ...one, amount: 1n }]), /twice/)
      assert.throws(() => unsignedOf(draft, [one, { ...other, amount: 0n }]), /moves nothing/)
      assert.throws(() => buildTransfer({ ...draft, payments: [one, other], to: recipient, amount: 12n }, network), /not what it pays/)
      assert.throws(() => buildTransfer({ ...draft, payments: [], to: recipient, amount: 0n }, network), /not what it pays/)
      assert.throws(() => changed(draft, ({ messages: [a, b] }) => [a!, { ...b!, bounce: !b!.bounce }]), /come back|leave its coin/)
    }
    assert.throws(() => changed(jettonDraft, ({ messages: [a, b] }) => [a!, { ...b!, amount: b!.amount + 1n }]), /not the same coin/)
    assert.throws(() => changed(jettonDraft, ({ messages: [a, b] }) => [a!, { ...b!, to: { workchain: 0, hash: new Uint8Array(32) } }]), /another contract/)
    assert.throws(() => changed(jettonDraft, ({ messages: [a] }) => [a!, ordered(coinDraft).messages[1]!]), /another contract|not the same coin/)
    assert.throws(() => changed(coinDraft, ({ messages: [a] }) => [a!, ordered(jettonDraft).messages[1]!]), /come back|something else/)
    assert.throws(() => changed(coinDraft, ({ messages: [a, b] }) => [a!, { ...b!, body: walletCode }]), /something else than a comment/)
  })

  it('whose bytes are cut or changed anywhere is refused, or pays something else that is read as it stands', () => {
    fc.assert(
      fc.property(kinds, payments, fc.nat(), fc.nat(7), fc.boolean(), (draft, list, place, bit, isCut) => {
        const unsigned = unsignedOf(draft, list)
        const at = place % unsigned.length
        const wrong = isCut ? unsigned.slice(0, at) : unsigned.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte))
        let read: Effects
        try {
          read = codec.decode(wrong)
        } catch (cause) {
          assert.ok(cause instanceof ChainError)
          return
        }
        assert.ok(!isCut, 'bytes that end too early are no order')
        if (read.from === payer) assert.notDeepEqual(codec.sighashes(wrong), codec.sighashes(unsigned))
        assert.deepEqual(read, libraryDecode(wrong))
      }),
      { numRuns: 150 },
    )
  })

  const loadedBody = (raw: Uint8Array) => parseBoc(loadMessage(Cell.fromBoc(Buffer.from(broadcastMessage(raw, chain)))[0]!.beginParse()).body.toBoc())

  /** The order to two, read from its bytes. */
  function ordered(draft: typeof coinDraft): Order {
    const { order } = decode(
      unsignedShape,
      unsignedOf(draft, [
        { to: recipient, amount: 5n },
        { to: payer, amount: 6n },
      ]),
    )
    return readOrder(parseBoc(order))
  }

  /** Decodes the order to two with other messages. */
  function changed(draft: typeof coinDraft, to: (order: Order) => Order['messages']) {
    const unsigned = decode(
      unsignedShape,
      unsignedOf(draft, [
        { to: recipient, amount: 5n },
        { to: payer, amount: 6n },
      ]),
    )
    const order = readOrder(parseBoc(unsigned.order))
    codec.decode(encode(unsignedShape, { ...unsigned, order: serializeBoc(orderCell({ ...order, messages: to(order) })) }))
  }
})

describe('a link to pay by', () => {
  it('names account, jetton and comment so that nothing in them is taken for another part', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 120, unit: 'grapheme' }),
        fc.option(fc.constant(jettonDraft.asset.contract), { nil: null }),
        (memo, contract) => {
          const link = new URL(codec.paymentLink!(recipient, { contract, memo }))
          assert.deepEqual([link.protocol, link.host, link.pathname], ['ton:', 'transfer', `/${recipient}`])
          assert.deepEqual(Object.fromEntries(link.searchParams), { ...(contract === null ? {} : { jetton: contract }), text: memo })
        },
      ),
    )
  })
})

describe('the ton codec refuses', () => {
  const otherWallets = { ...jettonDraft.jetton!.wallets, codeHash: new Uint8Array(32) }
  const refused: [string, () => unknown, RegExp][] = [
    ['a transfer of nothing', () => buildTransfer({ ...coinDraft, amount: 0n }, network), /moves nothing/],
    ['a jetton transfer of nothing', () => buildTransfer({ ...jettonDraft, amount: 0n }, network), /moves nothing/],
    ['an amount above what the chain counts', () => buildTransfer({ ...coinDraft, amount: 1n << 120n }, network), /does not fit/],
    [
      'an address of a test network',
      () => buildTransfer({ ...coinDraft, to: Address.parse(recipient).toString({ testOnly: true }) }, network),
      /not an address/,
    ],
    ['a comment that is no text', () => buildTransfer({ ...coinDraft, memo: '\udc00' }, network), /well-formed/],
    ['a jetton without what its wallets follow from', () => buildTransfer({ ...coinDraft, asset: jettonDraft.asset }, network), /follow/],
    ['a time beyond 32 bits', () => buildTransfer({ ...coinDraft, validUntil: 1n << 32n }, network), /does not fit/],
    [
      'a jetton named in another form',
      () => buildTransfer({ ...jettonDraft, asset: { chain, contract: Address.parse(recipient).toString() } }, network),
      /canonical/,
    ],
    ['a jetton of another master than the order pays in', () => withClaim({ master: recipient }), /another contract/],
    ['a jetton whose wallets are others than the order says', () => withClaim({ wallets: otherWallets }), /another contract/],
    ['a signature with a part of small order', () => codec.attach(samples['a transfer of coin'], [twisted()]), /not of the key/],
    ['the signature of another key', () => codec.attach(samples['a transfer of coin'], [signedBy(Buffer.alloc(32, 3))]), /not of the key/],
  ]
  for (const [name, act, message] of refused) it(name, () => assert.throws(act, (error: unknown) => error instanceof ChainError && message.test(error.message)))

  it('orders that the library makes and that say more, or otherwise', () => {
    const wallet = libraryWallet(publicKey)
    const to = Address.parse(recipient)
    const messages = [internal({ to, value: 5n, bounce: false })]
    const made = (changes: object) => readOrder(unsignedPart(transferOf(wallet, { seqno: 1, timeout: 9, sendMode: 3, messages, ...keys, ...changes })))
    const keys = { secretKey: keyPairFromSeed(Buffer.from(secretKey)).secretKey }
    assert.equal(made({}).messages[0]!.amount, 5n)
    assert.equal(made({ messages: [...messages, ...messages] }).messages.length, 2)
    assert.throws(() => made({ messages: Array.from({ length: MESSAGES_MAX + 1 }, () => messages[0]) }), /more than 100 messages/)
    assert.throws(() => made({ messages: [messages[0], internal({ to, value: 5n, body: 'short' })] }), /canonical|too early|more than/)
    assert.throws(() => made({ sendMode: 130 }), /mode 130/)
    assert.throws(() => made({ messages: [] }), /does nothing/)
    assert.throws(() => made({ messages: [internal({ to, value: 5n, body: 'short' })] }), /canonical|too early|more than/)
    assert.throws(() => made({ messages: [internal({ to, value: 5n, init: { code: libraryCode, data: libraryCode } })] }), /makes a contract/)
    assert.throws(() => made({ authType: 'internal' }), /no order from outside/)
    const extension = unsignedPart(wallet.createAddExtension({ seqno: 1, timeout: 9, extensionAddress: to, ...keys }) as Cell)
    assert.throws(() => readOrder(extension), /does nothing|extensions/)
    assert.throws(() => readOrder(orderCell({ ...made({}), seqno: -1n })), ChainError)
  })

  it('chain names that are none of TON', () => {
    assert.ok(codecFor('ton:-239') && codecFor('ton:-3'))
    for (const name of ['ton:', 'ton:-0', 'ton:--3', 'ton:mainnet', 'ton:-3 ', 'ton:99999999999', 'tron:0x2b6653dc', ''])
      assert.equal(codecFor(name), undefined, name)
    assert.throws(() => tonCodec({ chain: 'eip155:1' }), ChainError)
  })

  function unsignedPart(body: Cell) {
    const slice = body.beginParse()
    const builder = beginCell().storeBits(slice.loadBits(slice.remainingBits - 512))
    while (slice.remainingRefs > 0) builder.storeRef(slice.loadRef())
    return parseBoc(builder.endCell().toBoc())
  }

  function withClaim(changes: object) {
    const unsigned = decode(unsignedShape, samples['a jetton transfer'])
    codec.decode(encode(unsignedShape, { ...unsigned, jetton: { ...unsigned.jetton!, ...changes } }))
  }

  function twisted() {
    const { signature } = signWithTorsion(secretKey, codec.sighashes(samples['a transfer of coin'])[0]!, { inR: 1 })
    return { r: signature.subarray(0, 32), s: signature.subarray(32), recovery: 0 }
  }

  function signedBy(seed: Buffer) {
    const digest = codec.sighashes(samples['a transfer of coin'])[0]!
    const signature = Uint8Array.from(librarySign(Buffer.from(digest), keyPairFromSeed(seed).secretKey))
    return { r: signature.subarray(0, 32), s: signature.subarray(32), recovery: 0 }
  }
})

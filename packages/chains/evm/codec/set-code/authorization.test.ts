import { ChainError } from '@holdfast/chain-core'
import { equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as viem from 'viem'
import * as viemAccounts from 'viem/accounts'
import { hashAuthorization, recoverAuthorizationAddress } from 'viem/utils'
import { chain, nativeOrder, publicKey, recipient, sign, signWith } from '../../testing/samples.ts'
import {
  authorityOf,
  authorizationDigest,
  buildTransfer,
  decodeAuthorization,
  encodeAuthorization,
  evmCodec,
  NATIVE_TRANSFER_GAS,
  signAuthorization,
  type SignedAuthorization,
} from '../index.ts'
import { encodeRlp, type RlpItem } from '../rlp.ts'
import { parseUnsigned, serializeTransaction } from '../transaction.ts'

const codec = evmCodec({ chain })
const hex = (bytes: Uint8Array): viem.Hex => `0x${toHex(bytes)}`
const NOBODY = viem.zeroAddress
const addresses = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => viem.getAddress(hex(bytes)))
const nonces = fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, BigInt(Number.MAX_SAFE_INTEGER)))
const authorizations = fc.record(
  {
    chain: fc.oneof(
      fc.constant(chain),
      fc.bigInt(1n, BigInt(Number.MAX_SAFE_INTEGER)).map((id) => `eip155:${id}`),
    ),
    delegate: fc.oneof(
      fc.constant(null),
      addresses.filter((each) => each !== NOBODY),
    ),
    nonce: nonces,
  },
  { noNullPrototype: true },
)
const keys = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((key) => secp256k1.utils.isValidSecretKey(key))
const forViem = ({ chain: named, delegate, nonce }: { chain: string; delegate: string | null; nonce: bigint }) => ({
  chainId: Number(named.slice('eip155:'.length)),
  address: (delegate ?? NOBODY) as viem.Address,
  nonce: Number(nonce),
})

describe('an authorization to delegate', () => {
  it('comes back from its bytes, and its digest is the one that an independent library computes', () => {
    fc.assert(
      fc.property(authorizations, (authorization) => {
        const bytes = encodeAuthorization(authorization)
        assert.deepEqual(decodeAuthorization(bytes), authorization)
        assert.equal(hex(authorizationDigest(bytes)), hashAuthorization(forViem(authorization)))
      }),
    )
  })

  it('is of the account whose key signed it, as an independent library finds', async () => {
    await fc.assert(
      fc.asyncProperty(authorizations, keys, async (authorization, key) => {
        const bytes = encodeAuthorization(authorization)
        const signed = signAuthorization(bytes, signWith(key)(authorizationDigest(bytes)))
        assert.equal(authorityOf(signed), codec.addressFromKey(secp256k1.getPublicKey(key, true)))
        const theirs = await viemAccounts.privateKeyToAccount(hex(key)).signAuthorization(forViem(authorization))
        assert.deepEqual([theirs.yParity, theirs.r, theirs.s], [Number(signed.signature.yParity), word(signed.signature.r), word(signed.signature.s)])
        assert.equal(await recoverAuthorizationAddress({ authorization: theirs }), authorityOf(signed))
      }),
      { numRuns: 30 },
    )
  })

  it('is kept with its signature apart from every transaction, and read back with whose it is; with a changed byte it is refused, or somebody else’s', () => {
    fc.assert(
      fc.property(authorizations, keys, fc.nat(), fc.integer({ min: 1, max: 255 }), (given, key, place, change) => {
        const unsigned = encodeAuthorization({ ...given, chain })
        assert.deepEqual(codec.decode(unsigned), {
          chain,
          transfers: [],
          authorizes: { delegate: given.delegate },
          feeMax: 0n,
          feeParameters: {},
          slot: given.nonce,
        })
        const { raw, txid } = codec.attach(unsigned, codec.sighashes(unsigned).map(signWith(key)))
        const from = codec.addressFromKey(secp256k1.getPublicKey(key, true))
        assert.deepEqual(codec.detach(raw), { unsigned, txid, from })
        assert.throws(() => codec.decode(raw), { name: ChainError.name })
        const changed = raw.slice()
        changed[place % raw.length]! ^= change
        const read = attempt(() => codec.detach(changed))
        assert.ok(!read || read.from !== from)
      }),
      { numRuns: 60 },
    )
    assert.throws(() => codec.decode(encodeAuthorization({ chain: 'eip155:1', delegate: recipient, nonce: 1n })), /is for eip155:1, not for/)
  })

  it('with any changed byte is refused, or says what the changed bytes say', () => {
    fc.assert(
      fc.property(authorizations, fc.nat(), fc.integer({ min: 1, max: 255 }), (authorization, place, change) => {
        const bytes = encodeAuthorization(authorization)
        const changed = bytes.slice()
        changed[place % bytes.length]! ^= change
        const read = attempt(() => decodeAuthorization(changed))
        if (read) assert.deepEqual(encodeAuthorization(read), changed)
        assert.notDeepEqual(read, authorization)
      }),
    )
  })

  const item = (...fields: (string | RlpItem)[]): Uint8Array =>
    Uint8Array.of(5, ...encodeRlp(fields.map((each) => (typeof each === 'string' ? fromHex(each) : each))))
  const delegate = recipient.slice(2).toLowerCase()
  const refused: [string, Uint8Array, RegExp][] = [
    ['of every chain', item('', delegate, '07'), /hold on every one/],
    ['of a chain that cannot be', item('ffffffffffffffff', delegate, '07'), /not an EVM chain/],
    ['for a delegate that is no address', item('01', delegate.slice(2), '07'), /19 bytes/],
    ['of a nonce that no account reaches', item('01', delegate, 'ffffffffffffffff'), /higher than any account/],
    ['whose nonce is spelled the long way', item('01', delegate, '0007'), /starts with a zero byte/],
    ['with a field too many', item('01', delegate, '07', '01'), /4 fields where 3 belong/],
    ['whose delegate is a list', item('01', [], '07'), /is a list/],
    ['with a byte behind it', Uint8Array.of(...item('01', delegate, '07'), 0), /1 bytes follow/],
    ['that is a transaction', buildTransfer(nativeOrder), /not an authorization/],
    ['that is nothing', new Uint8Array(), /not an authorization/],
  ]
  for (const [what, bytes, reason] of refused)
    it(`${what} is refused`, () => assert.throws(() => authorizationDigest(bytes), { name: ChainError.name, message: reason }))

  it('takes no signature with the higher s, out of range or of no key', () => {
    const bytes = encodeAuthorization({ chain, delegate: recipient, nonce: 7n })
    const good = sign(authorizationDigest(bytes))
    const order = secp256k1.Point.Fn.ORDER
    const higher = fromHex((order - BigInt(hex(good.s))).toString(16).padStart(64, '0'))
    assert.throws(() => signAuthorization(bytes, { ...good, s: higher, recovery: 1 - good.recovery }), /higher of the two/)
    assert.throws(() => signAuthorization(bytes, { ...good, r: new Uint8Array(32) }), /out of range/)
    assert.throws(() => signAuthorization(bytes, { ...good, recovery: 2 }), /0 or 1/)
  })
})

describe('a transaction that carries authorizations', () => {
  const orders = fc.record({
    signed: fc.array(fc.tuple(authorizations, keys), { minLength: 1, maxLength: 4 }),
    data: fc.uint8Array({ minLength: 0, maxLength: 60 }).filter((data) => data.length === 0 || data.length > 3),
    to: addresses,
    nonce: nonces,
  })
  const signedOf = (given: [{ delegate: string | null; nonce: bigint }, Uint8Array][]): SignedAuthorization[] =>
    given.map(([authorization, key]) => {
      const bytes = encodeAuthorization({ ...authorization, chain })
      return signAuthorization(bytes, signWith(key)(authorizationDigest(bytes)))
    })
  const built = ({ signed, data, to, nonce }: { signed: SignedAuthorization[]; data: Uint8Array; to: string; nonce: bigint }) =>
    buildTransfer({ ...nativeOrder, amount: 0n, to, data, nonce, gasLimit: 200_000n, authorizations: signed })

  it('is written and read as an independent library writes and reads it, and says whose accounts delegate to what', async () => {
    await fc.assert(
      fc.asyncProperty(orders, async ({ signed: given, ...rest }) => {
        const signed = signedOf(given)
        const authorities = signed.map(authorityOf)
        fc.pre(new Set(authorities).size === authorities.length)
        const unsigned = built({ signed, ...rest })
        const theirs = viem.parseTransaction(hex(unsigned) as viem.TransactionSerializedEIP7702)
        assert.equal(viem.serializeTransaction(theirs), hex(unsigned))
        const { call, actions, transfers, slot } = codec.decode(unsigned)
        assert.deepEqual([transfers, slot], [[], BigInt(theirs.nonce ?? 0)])
        assert.deepEqual(call, { contract: viem.getAddress(theirs.to!), value: 0n, data: fromHex((theirs.data ?? '0x').slice(2)) })
        const found = await Promise.all(
          theirs.authorizationList!.map(async (each) => {
            const delegate = each.address === NOBODY ? '' : viem.getAddress(each.address!)
            return { kind: 'delegation', facts: { authority: await recoverAuthorizationAddress({ authorization: each }), delegate, nonce: BigInt(each.nonce) } }
          }),
        )
        assert.deepEqual(actions, found)
        const { raw, txid } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
        assert.deepEqual(codec.detach(raw), { unsigned, txid, from: codec.addressFromKey(publicKey) })
        assert.equal(await viem.recoverTransactionAddress({ serializedTransaction: hex(raw) as viem.TransactionSerializedEIP7702 }), codec.detach(raw).from)
      }),
      { numRuns: 40 },
    )
  })

  it('with any changed byte is refused, or its effects or its signatures are others', () => {
    const key = fromHex('11'.repeat(32))
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const unsigned = built({ signed: signedOf([[{ delegate: recipient, nonce: 3n }, key]]), data: Uint8Array.of(1, 2, 3, 4), to: recipient, nonce: 7n })
        const changed = unsigned.slice()
        changed[place % unsigned.length]! ^= change
        const effects = attempt(() => codec.decode(changed))
        if (!effects) return
        assert.ok(equalBytes(serializeTransaction(parseUnsigned(changed)), changed))
        assert.notDeepEqual(effects, codec.decode(unsigned))
      }),
      { numRuns: 500 },
    )
  })

  it('is refused where it carries none, two of one account, one of another chain, or less gas than they cost', () => {
    const bytes = encodeAuthorization({ chain, delegate: recipient, nonce: 3n })
    const one = signAuthorization(bytes, sign(authorizationDigest(bytes)))
    const foreign = encodeAuthorization({ chain: 'eip155:1', delegate: recipient, nonce: 3n })
    const other = signAuthorization(foreign, sign(authorizationDigest(foreign)))
    const order = { ...nativeOrder, to: recipient, amount: 0n, data: new Uint8Array(), gasLimit: 200_000n }
    assert.throws(() => buildTransfer({ ...order, authorizations: [one, one] }), /two authorizations of one account/)
    assert.throws(() => buildTransfer({ ...order, authorizations: [other] }), /for eip155:1, the transaction for/)
    assert.throws(() => buildTransfer({ ...order, gasLimit: NATIVE_TRANSFER_GAS + 24_999n, authorizations: [one] }), /less than any such/)
    const none = serializeTransaction({ ...parseUnsigned(buildTransfer({ ...order, authorizations: [one] })), authorizations: [] })
    assert.throws(() => codec.decode(none), /at least one/)
  })
})

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (cause) {
    assert.ok(cause instanceof ChainError, String(cause))
    return undefined
  }
}

const word = (number: bigint): viem.Hex => viem.numberToHex(number, { size: 32 })

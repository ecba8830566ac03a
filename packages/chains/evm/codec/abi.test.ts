import { ChainError } from '@holdfast/chain-core'
import { equalBytes, fromHex, toHex } from '@holdfast/encoding'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as viem from 'viem'
import { type AbiType, type AbiValue, decodeFunctionCall, encodeFunctionCall, parseSignature, readCall, typeText, UNLIMITED_FROM, valueText } from './index.ts'

const hex = (bytes: Uint8Array): viem.Hex => `0x${toHex(bytes)}`
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => viem.getAddress(hex(bytes)))
const bits = fc.integer({ min: 1, max: 32 }).map((each) => each * 8)

const types: fc.Arbitrary<AbiType> = fc.letrec<{ type: AbiType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.record({ kind: fc.constantFrom('uint' as const, 'int' as const), bits }) as fc.Arbitrary<AbiType>,
    fc.record({ kind: fc.constantFrom('address' as const, 'bool' as const, 'string' as const, 'bytes' as const) }) as fc.Arbitrary<AbiType>,
    fc.record({ kind: fc.constant('fixedBytes' as const), length: fc.integer({ min: 1, max: 32 }) }) as fc.Arbitrary<AbiType>,
    fc.record({ kind: fc.constant('array' as const), item: tie('type'), length: fc.option(fc.integer({ min: 1, max: 3 })) }) as fc.Arbitrary<AbiType>,
    fc.record({ kind: fc.constant('tuple' as const), items: fc.array(tie('type'), { minLength: 1, maxLength: 3 }) }) as fc.Arbitrary<AbiType>,
  ),
})).type

function valuesOf(type: AbiType): fc.Arbitrary<AbiValue> {
  if (type.kind === 'uint') return fc.bigInt({ min: 0n, max: (1n << BigInt(type.bits)) - 1n })
  if (type.kind === 'int') return fc.bigInt({ min: -(1n << BigInt(type.bits - 1)), max: (1n << BigInt(type.bits - 1)) - 1n })
  if (type.kind === 'address') return address
  if (type.kind === 'bool') return fc.boolean()
  if (type.kind === 'string') return fc.string({ unit: 'grapheme', maxLength: 40 })
  if (type.kind === 'bytes') return fc.uint8Array({ maxLength: 70 })
  if (type.kind === 'fixedBytes') return fc.uint8Array({ minLength: type.length, maxLength: type.length })
  if (type.kind === 'tuple') return fc.tuple(...type.items.map(valuesOf))
  assert.ok(type.kind === 'array')
  return fc.array(valuesOf(type.item), { minLength: type.length ?? 0, maxLength: type.length ?? 3 })
}

/** Numbers of up to 48 bits are numbers to viem, and bytes are hexadecimal text. */
function forViem(type: AbiType, value: AbiValue): unknown {
  if (value instanceof Uint8Array) return hex(value)
  if (typeof value === 'bigint' && (type.kind === 'uint' || type.kind === 'int') && type.bits <= 48) return Number(value)
  if (!Array.isArray(value)) return value
  return value.map((each, i) => forViem(type.kind === 'tuple' ? type.items[i]! : (type as AbiType & { kind: 'array' }).item, each))
}

const parameter = (type: AbiType): viem.AbiParameter => {
  if (type.kind === 'array') return { ...parameter(type.item), type: `${parameter(type.item).type}[${type.length ?? ''}]` }
  return type.kind === 'tuple' ? ({ type: 'tuple', components: type.items.map(parameter) } as viem.AbiParameter) : { type: typeText(type) }
}

const calls = fc
  .array(types, { maxLength: 4 })
  .chain((inputs) => fc.tuple(fc.constant(inputs), fc.tuple(...inputs.map(valuesOf))))
  .map(([inputs, values]) => ({ inputs, values: values as AbiValue[], called: parseSignature(`f(${inputs.map(typeText).join(',')})`) }))

describe('the contract ABI', () => {
  it('is written as an independent library writes it, and read back', () => {
    fc.assert(
      fc.property(calls, ({ inputs, values, called }) => {
        const abi = [{ type: 'function', name: 'f', inputs: inputs.map(parameter), outputs: [], stateMutability: 'view' }] as const
        const theirs = viem.encodeFunctionData({ abi: abi as viem.Abi, functionName: 'f', args: inputs.map((type, i) => forViem(type, values[i]!)) })
        const data = encodeFunctionCall(called, values)
        assert.equal(hex(data), theirs)
        assert.deepEqual(decodeFunctionCall(called, data), values)
      }),
      { numRuns: 300 },
    )
  })

  it('hides nothing: other bytes are refused or read as other arguments', () => {
    fc.assert(
      fc.property(
        calls,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        fc.uint8Array({ minLength: 1, maxLength: 64 }),
        ({ values, called }, place, change, tail) => {
          const data = encodeFunctionCall(called, values)
          const changed = data.slice()
          changed[place % data.length]! ^= change
          for (const other of [changed, Uint8Array.of(...data, ...tail), data.slice(0, place % data.length)]) {
            try {
              const read = decodeFunctionCall(called, other)
              assert.ok(equalBytes(encodeFunctionCall(called, read), other))
              assert.notDeepEqual(read, values)
            } catch (error) {
              if (!(error instanceof ChainError)) throw error
            }
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is not led in circles by offsets that point at each other', () => {
    const nested = parseSignature('f(bytes[][][][])')
    const pointsAtItself = fromHex(nested.selector + '20'.padStart(64, '0') + `${'8'.padStart(64, '0')}${'0'.repeat(64)}`.repeat(40))
    assert.throws(() => decodeFunctionCall(nested, pointsAtItself), ChainError)
  })

  it('knows signatures in their canonical form alone', () => {
    for (const wrong of [
      '',
      'f',
      'f(',
      'f(uint)',
      'f(uint256 )',
      'f(uint256 a)',
      'f(uint257)',
      'f(bytes33)',
      'f(,)',
      'f(())',
      'f(uint256)x',
      'f(uint256[0])',
      'f(function)',
    ]) {
      assert.throws(() => parseSignature(wrong), ChainError, wrong)
    }
    assert.throws(() => parseSignature(`f(${'('.repeat(40)}uint8${')'.repeat(40)})`), /deeper/)
    assert.equal(parseSignature('approve(address,uint256)').selector, '095ea7b3')
    assert.deepEqual(parseSignature('f()').inputs, [])
  })

  it('shows text of strangers without what does not print', () => {
    assert.equal(valueText('a\u202eb\n"c'), '"a\\u{202e}b\\n\\"c"')
    assert.equal(valueText([1n, true, Uint8Array.of(1)]), '[1, true, 0x01]')
  })
})

describe('a call of a contract', () => {
  const [contract, spender] = ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359']
  const write = (signature: string, ...values: AbiValue[]) => encodeFunctionCall(parseSignature(signature), values)
  const read = (data: Uint8Array, signature: string | null) => readCall({ contract, data, signature })
  const APPROVE = 'approve(address,uint256)'
  const MULTICALL = 'multicall(bytes[])'

  it('says which rights it gives, also in calls that it carries', () => {
    const given = { kind: 'allowance', token: contract, spender, amount: UNLIMITED_FROM, adds: false }
    const approve = write(APPROVE, spender, UNLIMITED_FROM)
    assert.deepEqual(read(approve, APPROVE).grants, [given])
    assert.deepEqual(read(write(MULTICALL, [write(MULTICALL, [approve])]), MULTICALL).grants, [given])
    const permit2 = 'approve(address,address,uint160,uint48)'
    assert.deepEqual(read(write(permit2, spender, contract, 5n, 0n), permit2).grants, [
      { kind: 'allowance', token: spender, spender: contract, amount: 5n, adds: false },
    ])
    const all = 'setApprovalForAll(address,bool)'
    assert.deepEqual(read(write(all, spender, true), all).grants, [{ kind: 'operator', token: contract, spender, approved: true }])
    assert.deepEqual(read(write('deposit()'), 'deposit()'), { signature: 'deposit()', args: [], grants: [], finds: [] })
  })

  it('is refused where it moves tokens as a transfer does, openly or inside', () => {
    const transfer = write('transfer(address,uint256)', spender, 1n)
    assert.throws(() => read(transfer, 'transfer(address,uint256)'), /order it as a transfer/)
    assert.throws(() => read(transfer, null), /order it as a transfer/)
    assert.throws(() => read(write(MULTICALL, [transfer]), MULTICALL), /order it as a transfer/)
    const batch = 'aggregate((address,bytes)[])'
    assert.throws(
      () => read(write(batch, [[contract, write('transferFrom(address,address,uint256)', contract, spender, 1n)]]), batch),
      /order it as a transfer/,
    )
  })

  it('is refused under another name than its own, with another selector, and with anything behind it', () => {
    const approve = write(APPROVE, spender, 1n)
    assert.throws(() => read(approve, null), /is a call of approve/)
    assert.throws(() => read(approve, 'deposit()'), /is a call of approve/)
    assert.throws(() => read(write('deposit()'), 'withdraw()'), /has the selector/)
    assert.throws(() => read(Uint8Array.of(...approve, 0), APPROVE), /canonical/)
    assert.throws(() => read(write(MULTICALL, [Uint8Array.of(...approve, 0)]), MULTICALL), /canonical/)
  })
})

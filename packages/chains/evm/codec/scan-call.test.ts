import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type AbiType, type AbiValue, encodeFunctionCall, findDeeds, KNOWN_FUNCTIONS, parseSignature, UNREADABLE } from './index.ts'

const [contract, spender] = ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359']
const write = (signature: string, ...values: AbiValue[]) => encodeFunctionCall(parseSignature(signature), values)
const deeds = KNOWN_FUNCTIONS.filter(({ deed }) => deed !== 'carries')

/** Some value of a type. */
function some(type: AbiType): AbiValue {
  if (type.kind === 'address') return spender
  if (type.kind === 'bool') return true
  if (type.kind === 'string') return 'text'
  if (type.kind === 'bytes') return Uint8Array.of(1, 2, 3)
  if (type.kind === 'fixedBytes') return new Uint8Array(type.length).fill(7)
  if (type.kind === 'tuple') return type.items.map(some)
  return type.kind === 'array' ? Array.from({ length: type.length ?? 2 }, () => some(type.item)) : 7n
}

/** Ways in which a call may be carried by another. */
const wraps: ((data: Uint8Array) => Uint8Array)[] = [
  (data) => write('multicall(bytes[])', [data]),
  (data) =>
    write('aggregate((address,bytes)[])', [
      [contract, Uint8Array.of(9)],
      [contract, data],
    ]),
  (data) => write('exec(bytes)', data),
  (data) => write('exec(bytes)', Uint8Array.of(1, ...data)),
  (data) => write('multiSend(bytes)', Uint8Array.of(0, ...new Uint8Array(20).fill(5), ...new Uint8Array(63), data.length % 256, ...data)),
  (data) =>
    write('relay((uint256,(bytes,address)[])[2])', [
      [1n, []],
      [2n, [[data, contract]]],
    ]),
  (data) => write('strange(bytes,uint256)', Uint8Array.of(...data, 1, 2, 3), 4n),
]

describe('functions known for what they do', () => {
  it('have signatures in canonical form, each with a source, and no two of them one selector', () => {
    const selectors = KNOWN_FUNCTIONS.map(({ signature }) => parseSignature(signature).selector)
    assert.equal(new Set(selectors).size, selectors.length)
    assert.ok(KNOWN_FUNCTIONS.every(({ source }) => source !== ''))
    // Zeros and ones fill words of every call: such a selector would be found everywhere.
    assert.deepEqual(
      selectors.filter((selector) => /0000|ffff/.test(selector)),
      [],
    )
  })

  it('have selectors that others publish', () => {
    const published: [string, string][] = [
      ['transfer(address,uint256)', 'a9059cbb'],
      ['multiSend(bytes)', '8d80ff0a'],
      ['execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)', '6a761202'],
      ['diamondCut((address,uint8,bytes4[])[],address,bytes)', '1f931c1c'],
      ['permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)', '2b67b570'],
      ['transferOwnership(address)', 'f2fde38b'],
      ['supply(address,uint256,address,uint16)', '617ba037'],
    ]
    for (const [signature, selector] of published) {
      assert.ok(
        KNOWN_FUNCTIONS.some((known) => known.signature === signature),
        signature,
      )
      assert.equal(parseSignature(signature).selector, selector)
    }
  })

  it('have amounts and recipients where the table says', () => {
    for (const { signature, places } of KNOWN_FUNCTIONS) {
      const called = parseSignature(signature)
      const heads = called.inputs.flatMap(headsOf)
      if (places.amount !== undefined) assert.match(heads[places.amount]!, /^uint/, signature)
      if (places.amounts !== undefined) assert.equal(heads[places.amounts], 'list', signature)
      if (places.to !== undefined) assert.match(heads[places.to]!, /^(address|fixedBytes)$/, signature)
      if (places.flag !== undefined) assert.match(heads[places.flag]!, /^(bool|uint)/, signature)
    }
  })
})

/** What stands in each word of a value's head. */
function headsOf(type: AbiType): string[] {
  if (type.kind === 'tuple') return isDynamic(type) ? ['offset'] : type.items.flatMap(headsOf)
  if (type.kind === 'array') return ['list']
  return [type.kind === 'uint' ? `uint${type.bits}` : type.kind]
}
const isDynamic = (type: AbiType): boolean =>
  type.kind === 'bytes' || type.kind === 'string' || type.kind === 'array' || (type.kind === 'tuple' && type.items.some(isDynamic))

describe('what is found in call data', () => {
  it('is every known function, in whatever calls and bytes it is carried', () => {
    fc.assert(
      fc.property(fc.constantFrom(...deeds), fc.array(fc.constantFrom(...wraps), { maxLength: 4 }), ({ signature, deed, places }, around) => {
        const called = parseSignature(signature)
        const data = around.reduce((inner, wrap) => wrap(inner), encodeFunctionCall(called, called.inputs.map(some)))
        const found = findDeeds(data).find((each) => each.signature === signature)
        assert.ok(found, signature)
        assert.deepEqual([found.deed, found.carried], [deed, around.length > 0])
        if (places.amount !== undefined) assert.equal(found.amount, 7n, signature)
        if (places.amounts !== undefined) assert.equal(found.amount, 14n, signature)
        if (places.to !== undefined && places.amount !== undefined) assert.equal(found.to, spender, signature)
      }),
    )
  })

  it('is found at every place among other bytes', () => {
    const approve = write('approve(address,uint256)', spender, 5n)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.uint8Array({ maxLength: 100 }), (before, after) => {
        const found = findDeeds(write('exec(bytes)', Uint8Array.of(...before, ...approve, ...after)))
        assert.ok(found.some((each) => each.signature === 'approve(address,uint256)' && each.amount === 5n && each.to === spender))
      }),
    )
  })

  it('reads what is cut off as zeros, and a list that cannot be read as more than anything', () => {
    const [cut] = findDeeds(write('approve(address,uint256)', spender, 5n << 8n).subarray(0, 67))
    assert.equal(cut!.amount, 5n << 8n)
    const bulk = write('bulkTransfer(address[],uint256[])', [spender, contract], [3n, 4n])
    assert.equal(findDeeds(bulk)[0]!.amount, 7n)
    assert.equal(findDeeds(bulk.subarray(0, 100))[0]!.amount, UNREADABLE)
  })

  it('is nothing in ordinary calls', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 1n << 90n), fc.bigInt(0n, 1n << 40n), (amount, time) => {
        const data = write('swap(uint256,uint256,address[],uint256,string)', amount, 0n, [contract, spender], time, 'for the office')
        assert.deepEqual(findDeeds(data), [])
      }),
    )
  })
})

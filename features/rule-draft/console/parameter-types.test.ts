import assert from 'node:assert/strict'
import { it } from 'node:test'
import { placeAt } from '@holdfast/policy'
import fc from 'fast-check'
import { parameterPlaces } from './parameter-types.ts'

const { type: types } = fc.letrec<{ type: string }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('address', 'uint256', 'int8', 'bool', 'bytes32', 'bytes', 'string'),
    tie('type').map((item) => `${item}[]`),
    tie('type').map((item) => `${item}[2]`),
    fc.array(tie('type'), { minLength: 1, maxLength: 3 }).map((items) => `(${items.join()})`),
  ),
}))

const KINDS = { addresses: ['address'], numbers: ['uint'], signed: ['int'], truth: ['bool'], bytes: ['bytes', 'fixedBytes'], texts: ['string'] }

it('the places that the editor offers are those that the policy can compare, as what stands there', () => {
  fc.assert(
    fc.property(fc.array(types, { maxLength: 4 }), (inside) => {
      const signature = `f(${inside.join()})`
      for (const { number, parts, as, isEach, hasLength } of parameterPlaces(signature)) {
        const place = placeAt(
          signature,
          [number, ...parts].map((each) => BigInt(each - 1)),
        )
        assert.ok(place)
        assert.equal(hasLength, place.type.kind === 'array' && place.type.length === null)
        assert.ok(isEach || place.type.kind !== 'array')
        assert.ok(as === undefined ? place.element.kind === 'tuple' : KINDS[as].includes(place.element.kind))
      }
    }),
  )
})

it('nothing that can be compared is left out, and of a text that is no function there is nothing', () => {
  const placesOf = (signature: string) => parameterPlaces(signature).map(({ number, parts, as }) => `${[number, ...parts].join('.')} ${as}`)
  assert.deepEqual(placesOf('f(uint8,int8[],(bool,(bytes4,string))[3],(address[],bytes)[])'), [
    '1 numbers',
    '2 signed',
    '3.1 truth',
    '3.2.1 bytes',
    '3.2.2 texts',
    '4 undefined',
    '4.1 addresses',
    '4.2 bytes',
  ])
  assert.deepEqual(
    parameterPlaces('f(bool,(bool,(bool)[2]))').map(({ isEach }) => isEach),
    [false, false, true],
  )
  for (const none of ['f', 'f(', '', 'f()']) assert.deepEqual(parameterPlaces(none), [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RuleDraft, ruleDraft } from '@holdfast/features/rule-draft/contract'
import { sampleRule } from '../../../rule-draft/console/testing/sample-rule.ts'
import { settledParameter } from './settled-parameter.ts'

type Parameter = Extract<RuleDraft['conditions'][number], { kind: 'parameters' }>['parameters'][number]

const PAY = 'pay(int64,uint8,bool,bytes4,string,address[],(address,uint8)[])'
const rowOf = (said: Partial<Parameter>): Parameter => ({ function: PAY, number: 1, addresses: [], at_least: '0', at_most: null, ...said })

test('parameters that are kept as they stand in the policy are no change: they read the same to the letter', () => {
  const rows: Partial<Parameter>[] = [
    { at_least: '-5', at_most: '7' },
    { at_least: null, at_most: '0' },
    { number: 2, at_most: '7' },
    { number: 3, is: false },
    { number: 4, values: ['0x00ff00ff'] },
    { number: 5, values: ['', ' rent '] },
    { number: 6, addresses: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'], max_length: 0 },
    { number: 7, max_length: 3 },
    { number: 7, parts: [2], at_least: '2' },
  ]
  const { conditions } = ruleDraft.parse(sampleRule({ conditions: [{ kind: 'parameters', parameters: rows.map(rowOf) }] }))
  const [stands] = conditions
  assert.ok(stands?.kind === 'parameters')
  assert.equal(JSON.stringify(stands.parameters.map(settledParameter)), JSON.stringify(stands.parameters))
})

test('what was typed is proposed without what surrounds it, and nothing where nothing was typed', () => {
  const [signed, unsigned, bytes, addresses] = [
    { at_least: ' -007 ', at_most: ' ' },
    { number: 2, at_least: '', at_most: ' 9 ' },
    { number: 4, values: ['', '0x00ff00ff', ''] },
    { number: 6, addresses: ['', ''] },
  ].map((said) => settledParameter(rowOf(said)))
  assert.deepEqual([signed?.at_least, signed?.at_most], ['-7', null])
  assert.deepEqual([unsigned?.at_least, unsigned?.at_most], ['0', '9'])
  assert.deepEqual([bytes?.values, addresses?.addresses], [['0x00ff00ff'], []])
})

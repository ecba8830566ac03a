import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBookFile } from './import-lines.ts'

const words = { name: ['Name', '名称'], chain: ['Network', '网络'], address: ['Address', '地址'], memo: ['Memo'], note: ['Note'] }

test('a file is read by the words in its first line, in any order and either language', () => {
  assert.deepEqual(readBookFile('地址,名称,网络\n0x1,李雷,Net\n', words), { lines: [{ name: '李雷', chain: 'Net', address: '0x1', memo: '', note: '' }] })
  assert.deepEqual(readBookFile('NAME, network ,address,extra,Note\r\na,b,c,d,"e,f"', words), {
    lines: [{ name: 'a', chain: 'b', address: 'c', memo: '', note: 'e,f' }],
  })
})

test('a file that cannot be read says why', () => {
  assert.deepEqual(readBookFile('Name,Network\nx,y', words), { fault: 'columns', detail: 'Name, Network, Address' })
  assert.deepEqual(readBookFile('Name,Network,Address\n', words), { fault: 'empty', detail: '' })
  assert.deepEqual(readBookFile(`Name,Network,Address\n${'a,b,c\n'.repeat(501)}`, words), { fault: 'many', detail: '500' })
  assert.equal('fault' in readBookFile('Name,"Network', words), true)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { textLines } from './text-lines.ts'

test('lines are read as they were typed, whatever spaces and empty lines stand between them', () => {
  const line = fc.stringMatching(/^[!-~](?:[ -~]{0,20}[!-~])?$/)
  const gap = fc.constantFrom('\n', '\r\n', ' \n\t', '\n\n  \n')
  fc.assert(
    fc.property(fc.array(fc.tuple(line, gap)), (lines) => {
      assert.deepEqual(
        textLines(lines.flat().join('')),
        lines.map(([text]) => text),
      )
    }),
  )
  assert.deepEqual(textLines(' \n\n'), [])
})
